//! `rondag check`: findings of graphs and their shaders.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::bail;
use rondag::diagnostic::{self, Level, Writer};
use rondag::graph::{Library, Settings};
use rondag::lint;
use rondag::source::{FileId, Files};

use super::args::{Check, Profile, Report};
use super::console::Console;
use super::input::{self, Place};
use super::{Outcome, includes, set};

pub(super) fn run(args: &Check, console: &mut Console) -> anyhow::Result<Outcome> {
    let writer = Writer::new(args.report.format, console.color, &input::working_folder());
    let (profile, tally) = (profile(args.profile)?, Tally::default());
    let mut checker = Checker { args, profile, writer, tally, failures: Vec::new() };
    for project in checker.projects()?.into_values() {
        checker.check(project, console);
    }
    let Checker { tally, mut failures, writer, .. } = checker;
    console.print(&writer.end(failures.is_empty()));
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

/// One run of the command.
struct Checker<'a> {
    args: &'a Check,
    profile: lint::Profile,
    writer: Writer,
    tally: Tally,
    /// What could not be read: it keeps nothing else from being checked.
    failures: Vec<anyhow::Error>,
}

/// Graphs below one root: they share what was read.
struct Project {
    library: Library,
    tops: Vec<FileId>,
}

type Projects = BTreeMap<PathBuf, Project>;

impl Checker<'_> {
    /// Reads every graph.
    fn projects(&mut self) -> anyhow::Result<Projects> {
        let mut projects = Projects::new();
        for path in listed(&self.args.paths)? {
            let root = self.args.root.root.as_deref();
            let added = input::locate(&path, root).and_then(|place| add(&mut projects, &place));
            self.failures.extend(added.err());
        }
        Ok(projects)
    }

    /// Writes the findings of all graphs of a project in order of their place.
    fn check(&mut self, mut project: Project, console: &mut Console) {
        let mut found = Vec::new();
        for top in project.tops {
            let document = project.library.document(top, &mut found);
            match set::params(&document, &self.args.set.set) {
                Err(failure) => self.failures.push(failure),
                Ok(params) => {
                    let settings = Settings { params, ..Settings::default() };
                    let report = lint::check(&mut project.library, top, &settings, &self.profile);
                    self.tally.add(&report);
                    found.extend(report.found);
                }
            }
        }
        let files = &project.library.files;
        diagnostic::sort(files, &mut found);
        for finding in &found {
            self.tally.count(finding.level);
            console.print(&self.writer.write(files, finding));
        }
    }
}

/// The limits and features that a profile stands for.
fn profile(profile: Profile) -> anyhow::Result<lint::Profile> {
    match profile {
        Profile::Webgpu => Ok(lint::Profile::default()),
        #[cfg(feature = "gpu")]
        Profile::Adapter => {
            use rondag::gpu::{DeviceOptions, Gpu, Pick};
            Ok(Gpu::open(&Pick::Any, DeviceOptions::default())?.profile(lint::MAX_MEMORY))
        }
        #[cfg(not(feature = "gpu"))]
        Profile::Adapter => bail!("this build cannot ask an adapter: it has no `gpu` feature"),
    }
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

fn add(projects: &mut Projects, place: &Place) -> anyhow::Result<()> {
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
