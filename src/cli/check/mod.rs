//! `rondag check`: findings of graphs and their shaders.

use rondag::diagnostic::Writer;

use super::args::Check;
use super::console::Console;
use super::{Outcome, input};
use door::Texts;
use project::{Project, Projects, Request};
use tally::Tally;

mod config;
mod door;
mod levels;
mod profile;
mod project;
mod tally;
mod work;

pub(super) fn run(args: &Check, console: &mut Console) -> anyhow::Result<Outcome> {
    let jobs = args.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, std::num::NonZeroUsize::get);
    let levels = levels::settings(&args.levels)?;
    let input = args.paths.iter().any(|path| input::is_stdin(path)).then(input::stdin_text).transpose()?;
    let request = Request { args, levels, input, jobs };
    let Projects { by_root, failures, .. } = Projects::find(&request)?;
    let writer = Writer::new(args.report.format, console.color, &input::working_folder());
    let mut run = Run { request, writer, tally: Tally::default(), failures };
    for project in by_root.values() {
        run.check(project, console);
    }
    run.end(console)
}

/// One run of the command.
struct Run<'a> {
    request: Request<'a>,
    writer: Writer,
    tally: Tally,
    /// What could not be read: it keeps nothing else from being checked.
    failures: Vec<anyhow::Error>,
}

impl Run<'_> {
    /// Writes the findings of all graphs of a project in order of their place.
    fn check(&mut self, project: &Project, console: &mut Console) {
        let checked = project.check(&self.request, &Texts::new());
        let deny = self.request.args.report.deny_warnings || project.config.deny_warnings;
        for finding in &checked.found {
            self.tally.count(finding.level, deny);
            console.print(&self.writer.write(&checked.files, finding));
        }
        self.tally.graphs += checked.graphs;
        self.tally.tried += checked.tried;
        self.tally.untried += checked.untried;
        self.failures.extend(checked.failures);
    }

    fn end(mut self, console: &mut Console) -> anyhow::Result<Outcome> {
        console.print(&self.writer.end(self.failures.is_empty()));
        if self.tally.graphs > 0 {
            console.say(&self.tally.summary());
        }
        if let Some(last) = self.failures.pop() {
            for failure in &self.failures {
                console.error(&format!("{failure:#}"));
            }
            return Err(last);
        }
        let fails = self.tally.fails && !self.request.args.report.exit_zero;
        Ok(if fails { Outcome::Findings } else { Outcome::Clean })
    }
}
