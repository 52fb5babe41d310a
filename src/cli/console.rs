//! The two streams of the process.

use std::io::{BufWriter, ErrorKind, IsTerminal as _, Stdout, Write as _};

use anyhow::Context as _;

/// Standard output, buffered, and standard error.
#[derive(Debug)]
pub(super) struct Console {
    out: BufWriter<Stdout>,
    /// The reader went away, or cannot take more. The first is no failure: the rest is not wanted.
    closed: bool,
    failure: Option<std::io::Error>,
    /// Colours go to standard output.
    pub color: bool,
    /// Standard output is for a program to read: findings as text go to standard error.
    pub is_taken: bool,
}

impl Console {
    /// Over the process's streams.
    pub(super) fn new() -> Self {
        let stdout = std::io::stdout();
        let color = stdout.is_terminal() && wants_color();
        Self { out: BufWriter::new(stdout), closed: false, failure: None, color, is_taken: false }
    }

    /// Writes to standard output. A failure shows in [`finish`](Self::finish).
    pub(super) fn print(&mut self, text: &str) {
        if !self.closed {
            let written = self.out.write_all(text.as_bytes());
            self.settle(written);
        }
    }

    /// Brings what was printed to the reader.
    pub(super) fn finish(&mut self) -> anyhow::Result<()> {
        self.flush();
        self.failure.take().map_or(Ok(()), Err).context("standard output could not be written")
    }

    fn flush(&mut self) {
        if !self.closed {
            let flushed = self.out.flush();
            self.settle(flushed);
        }
    }

    /// After a failure nothing more is written.
    fn settle(&mut self, done: std::io::Result<()>) {
        if let Err(error) = done {
            self.closed = true;
            if error.kind() != ErrorKind::BrokenPipe {
                self.failure = Some(error);
            }
        }
    }

    /// Text that would go to standard output if that were not taken.
    pub(super) fn aside(&mut self, text: &str) {
        self.flush();
        std::io::stderr().write_all(text.as_bytes()).ok();
    }

    /// Whether nobody reads any more.
    #[cfg(feature = "watch")]
    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Clears a terminal; leaves everything else as it is.
    #[cfg(feature = "watch")]
    pub(super) fn clear(&mut self) {
        if std::io::stdout().is_terminal() {
            self.print("\u{1b}[2J\u{1b}[H");
        }
    }

    /// A line of progress or summary. Nothing can be done where standard error is gone.
    pub(super) fn say(&mut self, line: &str) {
        self.flush();
        writeln!(std::io::stderr(), "{line}").ok();
    }

    /// A line for whoever looks at the terminal, from a command that keeps no console.
    pub(super) fn tell(line: &str) {
        writeln!(std::io::stderr(), "{line}").ok();
    }

    /// How far long work has come; on a terminal only.
    #[cfg(feature = "gpu")]
    pub(super) fn progress(done: u32, of: u32) {
        let mut err = std::io::stderr();
        // Tens are enough to see that it goes on.
        if of > 10 && (done.is_multiple_of(10) || done == of) && err.is_terminal() {
            let end = if done == of { "\r\u{1b}[K" } else { "" };
            write!(err, "\rframe {done} of {of}{end}").ok();
        }
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
