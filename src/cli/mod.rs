//! The command line: a thin shell over the library.
//!
//! [`args`] says what may be typed, [`input`] finds the files it names, one module a command does the work, and
//! [`console`] prints. Findings and results go to standard output, progress, summaries and failures to standard error.
//! A command either ends in an [`Outcome`] or could not run: then there is one line and exit 2.

use std::process::ExitCode;

use clap::Parser as _;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use args::{Cli, Command};
use console::Console;

mod args;
#[cfg(feature = "gpu")]
mod bench;
#[cfg(feature = "gpu")]
mod camera;
mod check;
mod console;
mod diff;
mod explain;
mod includes;
mod input;
mod new;
mod opened;
#[cfg(feature = "gpu")]
mod output;
mod plan;
#[cfg(feature = "gpu")]
mod ports;
#[cfg(feature = "gpu")]
mod report;
#[cfg(feature = "gpu")]
mod results;
#[cfg(feature = "gpu")]
mod run;
mod set;
mod toml;
#[cfg(feature = "gpu")]
mod verify;
#[cfg(feature = "viewer")]
mod view;
mod walk;

/// How a command that could run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// Nothing at or above the failing level.
    Clean,
    /// Findings, or a run whose checks failed.
    Findings,
}

/// Exit code of what could not run: bad usage, an unreadable file, no adapter.
const COULD_NOT_RUN: u8 = 2;

/// Runs the command that the process was started with.
pub(crate) fn main() -> ExitCode {
    let mut console = Console::new();
    let ended = match Cli::try_parse() {
        Ok(cli) => run(cli.command, &mut console).and_then(|outcome| console.finish().map(|()| outcome)),
        Err(error) => return usage(&error, &mut console),
    };
    match ended {
        Ok(Outcome::Clean) => ExitCode::SUCCESS,
        Ok(Outcome::Findings) => ExitCode::from(1),
        Err(error) => {
            // What was found before the failure is still worth reading; a second failure would say nothing new.
            console.finish().ok();
            console.error(&format!("{error:#}"));
            ExitCode::from(COULD_NOT_RUN)
        }
    }
}

fn run(command: Command, console: &mut Console) -> anyhow::Result<Outcome> {
    match command {
        Command::Check(args) => check::run(&args, console),
        Command::Plan(args) => plan::run(&args, console),
        Command::Explain(args) => explain::run(&args, console),
        Command::New(args) => new::run(&args, console),
        #[cfg(feature = "gpu")]
        Command::Run(args) => run::run(&args, console),
        #[cfg(not(feature = "gpu"))]
        Command::Run(_) => Err(absent("run")),
        #[cfg(feature = "gpu")]
        Command::Verify(args) => verify::run(&args, console),
        #[cfg(not(feature = "gpu"))]
        Command::Verify(_) => Err(absent("verify")),
        #[cfg(feature = "viewer")]
        Command::View(args) => view::run(&args, console),
        #[cfg(not(feature = "viewer"))]
        Command::View(_) => Err(absent("view")),
        #[cfg(feature = "gpu")]
        Command::Bench(args) => bench::run(&args, console),
        #[cfg(not(feature = "gpu"))]
        Command::Bench(_) => Err(absent("bench")),
        Command::Diff(args) => diff::run(&args, console),
    }
}

/// The answer of a command that this build does not have.
#[cfg(not(feature = "viewer"))]
fn absent(command: &str) -> anyhow::Error {
    anyhow::anyhow!("this build has no `{command}`; `rondag --help` says why")
}

/// Help and version as they are; a usage fault in one line, with what would have been right.
fn usage(error: &clap::Error, console: &mut Console) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            error.print().ok();
            return ExitCode::SUCCESS;
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => drop(error.print()),
        _ => console.error(&usage_line(error)),
    }
    ExitCode::from(COULD_NOT_RUN)
}

fn usage_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let words = |paragraph: &str| paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut paragraphs = text.split("\n\n").map(words);
    let mut line = paragraphs.next().unwrap_or_default();
    if let Some(tip) = paragraphs.find_map(|paragraph| paragraph.strip_prefix("tip: ").map(str::to_owned)) {
        line = format!("{line} ({tip})");
    }
    let usage = error.context().find_map(|(kind, value)| match (kind, value) {
        (ContextKind::Usage, ContextValue::StyledStr(usage)) => Some(words(&usage.to_string())),
        _ => None,
    });
    let line = line.strip_prefix("error: ").unwrap_or(&line);
    match usage {
        Some(usage) => format!("{line}; {}", usage.replacen("Usage:", "usage:", 1)),
        None => format!("{line}; see `rondag --help`"),
    }
}
