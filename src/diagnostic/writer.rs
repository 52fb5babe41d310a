//! Findings of one run, in one form.

use crate::source::Files;

use super::{Diagnostic, Format, render};

/// Writes findings one after the other. Forms of which a run makes one document give it at the end.
#[derive(Debug)]
pub struct Writer {
    format: Format,
    color: bool,
    #[cfg(feature = "cli")]
    log: super::sarif::Log,
}

impl Writer {
    /// For a run in `folder`, the absolute path of the working folder; empty if it is not known. `color` matters to the
    /// form for people alone.
    pub fn new(format: Format, color: bool, folder: &str) -> Self {
        let _ = folder;
        Self {
            format,
            color,
            #[cfg(feature = "cli")]
            log: super::sarif::Log::new(folder),
        }
    }

    /// What is to be printed for a finding now.
    pub fn write(&mut self, files: &Files, finding: &Diagnostic) -> String {
        match self.format {
            #[cfg(feature = "cli")]
            Format::Sarif => {
                self.log.add(files, finding);
                String::new()
            }
            format => render(files, finding, format, self.color),
        }
    }

    /// What is to be printed when all is said. `complete` says whether all was checked that was asked for.
    pub fn end(self, complete: bool) -> String {
        let _ = complete;
        match self.format {
            #[cfg(feature = "cli")]
            Format::Sarif => self.log.end(complete),
            _ => String::new(),
        }
    }
}
