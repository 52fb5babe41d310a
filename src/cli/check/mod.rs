//! `rondag check`: findings of graphs and their shaders.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rondag::diagnostic::{Diagnostic, Writer};

use super::args::Check;
use super::console::Console;
use super::{Outcome, input};
use baseline::Baseline;
use door::Texts;
use fix::Mended;
use project::{Project, Projects, Request};
use tally::{Tally, some};
use work::Checked;

#[cfg(feature = "watch")]
mod again;
mod baseline;
mod config;
mod deep;
mod door;
mod fix;
mod levels;
mod profile;
mod project;
mod tally;
mod work;

pub(super) fn run(args: &Check, console: &mut Console) -> anyhow::Result<Outcome> {
    let jobs = args.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, std::num::NonZeroUsize::get);
    let levels = levels::settings(&args.levels)?;
    let input = args.paths.iter().any(|path| input::is_stdin(path)).then(input::stdin_text).transpose()?;
    if input.is_none() && args.stdin_filename.is_some() {
        anyhow::bail!("`--stdin-filename` needs `-` among the paths");
    }
    if args.deep {
        deep::prepare()?;
    }
    let request = Request { args, levels, input, jobs };
    if args.watch {
        return watch(&request, console);
    }
    once(&request, console, &mut Asked::new())
}

#[cfg(feature = "watch")]
fn watch(request: &Request<'_>, console: &mut Console) -> anyhow::Result<Outcome> {
    again::run(request, console)
}

#[cfg(not(feature = "watch"))]
fn watch(_: &Request<'_>, _: &mut Console) -> anyhow::Result<Outcome> {
    anyhow::bail!("this build has no `--watch`; `rondag check --help` says why")
}

/// Checks all that is asked for. Every file that had a part in it is put in `asked`.
fn once(request: &Request<'_>, console: &mut Console, asked: &mut Asked) -> anyhow::Result<Outcome> {
    let report = &request.args.report;
    let baseline = report.baseline.as_deref().map(|path| Baseline::open(path, report.write_baseline)).transpose()?;
    let projects = Projects::find(request)?;
    asked.extend(projects.marks().map(|path| (path, None)));
    let Projects { by_root, failures, .. } = projects;
    let writer = Writer::new(report.format, console.color, &input::working_folder());
    let tally = Tally::default();
    let mut run = Run { request, writer, baseline, tally, failures, fixed: 0, known: 0, asked };
    for project in by_root.values() {
        run.project(project, console);
    }
    run.end(console)
}

/// Every file that was asked for, whether it is there or not, and the hash of its text if it was read as one.
type Asked = BTreeMap<PathBuf, Option<u64>>;

/// Findings that the baseline does not know.
fn new_findings<'c>(
    project: &Project,
    checked: &'c Checked,
    baseline: Option<&Baseline>,
) -> impl Iterator<Item = &'c Diagnostic> {
    let new = baseline.map(|baseline| baseline.new_ones(project, checked));
    let is_new = move |index: usize| new.as_ref().is_none_or(|new| new[index]);
    checked.found.iter().enumerate().filter(move |(index, _)| is_new(*index)).map(|(_, finding)| finding)
}

/// One run of the command.
struct Run<'a> {
    request: &'a Request<'a>,
    writer: Writer,
    baseline: Option<Baseline>,
    tally: Tally,
    /// What could not be read or written: it keeps nothing else from being checked.
    failures: Vec<anyhow::Error>,
    /// Fixes that were applied, or would be.
    fixed: usize,
    /// Findings that the baseline knows.
    known: usize,
    asked: &'a mut Asked,
}

impl Run<'_> {
    fn project(&mut self, project: &Project, console: &mut Console) {
        let fix = &self.request.args.mend;
        if fix.diff {
            let mended = fix::mend(project, self.request, self.baseline.as_ref());
            self.differ(project, mended, console);
        } else if fix.fix {
            let mended = fix::mend(project, self.request, self.baseline.as_ref());
            self.fix(project, mended, console);
        } else {
            let checked = project.check(self.request, &Texts::new());
            let place = |path: &String| project.root.join(path);
            self.asked.extend(checked.asked.iter().map(|path| (place(path), None)));
            // What is compiled in has a scheme, and no file.
            let texts = checked.files.iter().filter(|(_, file)| !file.path.contains(':'));
            self.asked.extend(texts.map(|(_, file)| (place(&file.path), Some(file.hash))));
            self.report(project, &checked, console);
            self.failures.extend(checked.failures);
        }
    }

    /// What would be changed, and nothing else; findings count as they are.
    fn differ(&mut self, project: &Project, mended: Mended, console: &mut Console) {
        self.count(project, &mended.before);
        self.tally.fails |= mended.count > 0;
        self.fixed += mended.count;
        console.print(&mended.diff());
        self.failures.extend(mended.before.failures);
    }

    /// Writes what is changed and tells what remains.
    fn fix(&mut self, project: &Project, mended: Mended, console: &mut Console) {
        match mended.write(project) {
            Ok(printed) => {
                console.print(&printed);
                self.fixed += mended.count;
                self.report(project, mended.now(), console);
            }
            Err(failure) => {
                self.failures.push(failure);
                self.report(project, &mended.before, console);
            }
        }
        self.failures.extend(mended.before.failures);
    }

    fn count(&mut self, project: &Project, checked: &Checked) {
        let deny = self.request.args.report.deny_warnings || project.config.deny_warnings;
        for finding in new_findings(project, checked, self.baseline.as_ref()) {
            self.tally.count(finding.rule, finding.level, deny);
        }
        self.tally.graphs += checked.graphs;
        self.tally.tried += checked.tried;
        self.tally.recorded += checked.recorded;
        self.tally.untried += checked.untried;
        if let Some(baseline) = &mut self.baseline {
            self.known += baseline.add(project, checked);
        }
    }

    /// Writes the findings of all graphs of a project in order of their place.
    fn report(&mut self, project: &Project, checked: &Checked, console: &mut Console) {
        self.count(project, checked);
        if self.request.args.report.write_baseline || self.request.args.statistics {
            return;
        }
        for finding in new_findings(project, checked, self.baseline.as_ref()) {
            let text = self.writer.write(&checked.files, finding);
            self.request.tell(&text, console);
        }
    }

    fn end(mut self, console: &mut Console) -> anyhow::Result<Outcome> {
        let report = &self.request.args.report;
        if self.request.args.statistics {
            console.print(&self.tally.statistics());
        } else if !self.request.args.mend.diff && !report.write_baseline {
            let text = self.writer.end(self.failures.is_empty());
            self.request.tell(&text, console);
        }
        let mut lines = Vec::new();
        if self.tally.graphs > 0 {
            lines.push(self.tally.summary());
        }
        if self.fixed > 0 {
            let can = if self.request.args.mend.diff { "can be" } else { "was" };
            let can = if self.fixed > 1 && can == "was" { "were" } else { can };
            lines.push(format!("{} {can} fixed", some(self.fixed, "fault")));
        }
        if let Some(baseline) = &self.baseline {
            lines.extend(known(baseline, self.known, report.write_baseline && self.failures.is_empty())?);
        }
        for line in &lines {
            console.say(line);
        }
        if let Some(last) = self.failures.pop() {
            for failure in &self.failures {
                console.error(&format!("{failure:#}"));
            }
            return Err(last);
        }
        let fails = self.tally.fails && !report.exit_zero && !report.write_baseline;
        Ok(if fails { Outcome::Findings } else { Outcome::Clean })
    }
}

/// What is to be said about the baseline; it is written here if it is to be.
fn known(baseline: &Baseline, known: usize, write: bool) -> anyhow::Result<Vec<String>> {
    let shown = baseline.shown();
    if write {
        return Ok(vec![format!("{} written to `{shown}`", some(baseline.write()?, "finding"))]);
    }
    let mut lines = Vec::new();
    if known > 0 {
        lines.push(format!("{} more in the baseline `{shown}`", some(known, "finding")));
    }
    let stale = baseline.stale();
    if stale > 0 {
        let found = if stale == 1 { "is" } else { "are" };
        lines.push(format!(
            "{} of `{shown}` {found} found no more; `--write-baseline` takes them out",
            some(stale, "known finding")
        ));
    }
    Ok(lines)
}

impl Request<'_> {
    /// Findings go to standard output, unless the fixed text of standard input does.
    fn tell(&self, text: &str, console: &mut Console) {
        if self.args.mend.fix && self.input.is_some() { console.aside(text) } else { console.print(text) }
    }
}
