//! The two streams of the process.

use std::io::{BufWriter, ErrorKind, IsTerminal as _, Stdout, Write as _};

use anyhow::Context as _;

/// Standard output, buffered, and standard error.
#[derive(Debug)]
pub(super) struct Console {
    out: BufWriter<Stdout>,
    /// The reader went away: the rest is not wanted, and that is no failure.
    closed: bool,
    /// Colours go to standard output.
    pub color: bool,
}

impl Console {
    /// Over the process's streams.
    pub(super) fn new() -> Self {
        let stdout = std::io::stdout();
        let color = stdout.is_terminal() && wants_color();
        Self { out: BufWriter::new(stdout), closed: false, color }
    }

    /// Writes to standard output.
    pub(super) fn print(&mut self, text: &str) -> anyhow::Result<()> {
        if !self.closed {
            let written = self.out.write_all(text.as_bytes());
            self.settle(written)?;
        }
        Ok(())
    }

    /// Brings what was printed to the reader.
    pub(super) fn finish(&mut self) -> anyhow::Result<()> {
        if !self.closed {
            let flushed = self.out.flush();
            self.settle(flushed)?;
        }
        Ok(())
    }

    fn settle(&mut self, done: std::io::Result<()>) -> anyhow::Result<()> {
        match done {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            done => {
                // Dropping a buffer that cannot be written would try it again.
                self.closed |= done.is_err();
                done.context("standard output could not be written")
            }
        }
    }

    /// A line of progress or summary. Nothing can be done where standard error is gone.
    pub(super) fn say(&mut self, line: &str) {
        self.finish().ok();
        writeln!(std::io::stderr(), "{line}").ok();
    }

    /// The one line of what could not run.
    pub(super) fn error(&mut self, line: &str) {
        let red = std::io::stderr().is_terminal() && wants_color();
        let head = if red { "\u{1b}[1;31merror\u{1b}[0m" } else { "error" };
        self.say(&format!("{head}: {}", line.replace(['\n', '\r'], " ")));
    }
}

/// <https://no-color.org>, and terminals that say that they cannot.
fn wants_color() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}
