//! Faults as data.

use crate::diagnostic::{self, Diagnostic, Format, Level};
use crate::gpu;
use crate::source::Files;

/// Something to tell the author. It needs no files to be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// How bad it is.
    pub level: Level,
    /// The rule's code; absent for what no rule is about.
    pub code: Option<&'static str>,
    /// Headline.
    pub message: String,
    /// Where.
    pub place: Option<Place>,
    /// All of it, as the command line prints it.
    pub text: String,
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Below the root.
    pub path: String,
    /// As the user would type it.
    pub shown: String,
    /// From 1.
    pub line: usize,
    /// From 1, characters.
    pub column: usize,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.shown, self.line, self.column)
    }
}

impl Finding {
    pub(super) fn of(files: &Files, found: &Diagnostic) -> Self {
        let span = found.primary.span;
        let file = files.get(span.file);
        let at = file.position(span.start);
        let (path, shown) = (file.path.clone(), file.display.clone());
        Self {
            level: found.level,
            code: Some(found.rule.code),
            message: found.message.clone(),
            place: Some(Place { path, shown, line: at.line, column: at.column }),
            text: diagnostic::render(files, found, Format::default(), false),
        }
    }

    pub(super) fn plain(message: impl Into<String>) -> Self {
        let message = message.into();
        let text = format!("error: {message}\n");
        Self { level: Level::Error, code: None, message, place: None, text }
    }

    /// What a device says; a value that could not be had points into the text.
    pub(super) fn device(files: Option<&Files>, error: &gpu::Error) -> Self {
        match (error, files) {
            (gpu::Error::Value(fault), Some(files)) => {
                let message = format!("`{}` of `{}` has no value", fault.field, fault.block);
                let rule = &crate::graph::rules::ARITHMETIC;
                Self::of(files, &Diagnostic::new(rule, message, fault.span, fault.why.clone()))
            }
            (error, _) => Self::plain(error.to_string()),
        }
    }
}

/// All findings of a level and above, in order of their places.
pub(super) fn findings(files: &Files, found: Vec<Diagnostic>, level: Level) -> Vec<Finding> {
    let mut found: Vec<_> = found.into_iter().filter(|it| it.level >= level).collect();
    diagnostic::sort(files, &mut found);
    found.iter().map(|it| Finding::of(files, it)).collect()
}
