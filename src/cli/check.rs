//! `rondag check`: findings of graphs and their shaders.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::bail;
use rondag::diagnostic::{self, Diagnostic, Level};
use rondag::graph::{Library, Settings};
use rondag::lint;
use rondag::source::{FileId, Files};

use super::args::{Check, Report};
use super::console::Console;
use super::input::{self, Place};
use super::{Outcome, includes, set};

pub(super) fn run(args: &Check, console: &mut Console) -> anyhow::Result<Outcome> {
    let mut tally = Tally::default();
    let mut failures = Vec::new();
    for project in projects(args, &mut failures)?.into_values() {
        project.check(args, &mut tally, &mut failures, console);
    }
    if tally.graphs > 0 {
        console.say(&tally.summary());
    }
    if let Some(last) = failures.pop() {
        for failure in &failures {
            console.error(&format!("{failure:#}"));
        }
        return Err(last);
    }
    Ok(tally.outcome(&args.report))
}

/// Graphs below one root: they share what was read.
struct Project {
    library: Library,
    tops: Vec<FileId>,
}

/// Reads every graph. What cannot be read is a failure and keeps nothing else from being checked.
fn projects(args: &Check, failures: &mut Vec<anyhow::Error>) -> anyhow::Result<BTreeMap<PathBuf, Project>> {
    let mut projects = BTreeMap::new();
    for path in listed(&args.paths)? {
        let added = input::locate(&path, args.root.root.as_deref()).and_then(|place| add(&mut projects, &place));
        failures.extend(added.err());
    }
    Ok(projects)
}

/// Files as they were typed, and those found in folders that are no parts of others.
fn listed(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let found = input::graphs_below(path)?;
        if found.is_empty() {
            bail!("there is no graph in `{}`: no `.ron` file with `passes`", path.display());
        }
        files.extend(includes::tops(found));
    }
    Ok(files)
}

fn add(projects: &mut BTreeMap<PathBuf, Project>, place: &Place) -> anyhow::Result<()> {
    if !projects.contains_key(&place.root) {
        let library = Library::new(Files::new(place.door()?));
        projects.insert(place.root.clone(), Project { library, tops: Vec::new() });
    }
    let project = projects.get_mut(&place.root).expect("it was just put in");
    let file = place.read(&mut project.library.files)?;
    if !project.tops.contains(&file) {
        project.tops.push(file);
    }
    Ok(())
}

impl Project {
    fn check(mut self, args: &Check, tally: &mut Tally, failures: &mut Vec<anyhow::Error>, console: &mut Console) {
        let mut found = Vec::new();
        for top in self.tops {
            let document = self.library.document(top, &mut found);
            match set::params(&document, &args.set.set) {
                Err(failure) => failures.push(failure),
                Ok(params) => {
                    let settings = Settings { params, ..Settings::default() };
                    let report = lint::check(&mut self.library, top, &settings, &lint::Profile::default());
                    tally.add(&report);
                    found.extend(report.found);
                }
            }
        }
        print(&self.library.files, found, &args.report, tally, console);
    }
}

/// Writes findings in order of their place.
fn print(files: &Files, mut found: Vec<Diagnostic>, report: &Report, tally: &mut Tally, console: &mut Console) {
    diagnostic::sort(files, &mut found);
    for finding in &found {
        tally.count(finding.level);
        console.print(&diagnostic::render(files, finding, report.format, console.color));
    }
}

/// What all projects amount to.
#[derive(Debug, Default)]
struct Tally {
    graphs: usize,
    tried: usize,
    untried: usize,
    errors: usize,
    warnings: usize,
}

impl Tally {
    fn add(&mut self, report: &lint::Report) {
        self.graphs += 1;
        self.tried += report.tried;
        self.untried += report.untried;
    }

    fn count(&mut self, level: Level) {
        match level {
            Level::Error => self.errors += 1,
            Level::Warning => self.warnings += 1,
            Level::Note => {}
        }
    }

    fn outcome(&self, report: &Report) -> Outcome {
        let fails = self.errors > 0 || report.deny_warnings && self.warnings > 0;
        if fails && !report.exit_zero { Outcome::Findings } else { Outcome::Clean }
    }

    fn summary(&self) -> String {
        let found = match (self.errors, self.warnings) {
            (0, 0) => "no findings".to_owned(),
            (errors, 0) => some(errors, "error"),
            (0, warnings) => some(warnings, "warning"),
            (errors, warnings) => format!("{}, {}", some(errors, "error"), some(warnings, "warning")),
        };
        let checked = format!("{} in {} ({} tried)", found, some(self.graphs, "graph"), some(self.tried, "setting"));
        match self.untried {
            0 => checked,
            untried => format!("{checked}; {} left untried: too many passes", some(untried, "setting")),
        }
    }
}

fn some(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}
