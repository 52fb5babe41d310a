//! What is wrong in a graph or shader, and how it is shown.
//!
//! A [`Diagnostic`] says who, what it has, what it needs, where, and how to mend it. Authors' faults are collected, many
//! at a time; the world's faults (no adapter, a file gone) are error enums of the modules that meet them.
//!
//! Each diagnostic belongs to a [`Rule`]: its code, its default level and its manual. Rules that make a graph impossible
//! are raised where the fact is known (`syntax`, `shader`, `graph`, `plan`); the others live in `lint`, one file each. All
//! share one table, so that `explain` works for both.

use crate::source::{FileId, Files, Span};

mod fix;
#[cfg(feature = "cli")]
mod full;
#[cfg(feature = "cli")]
mod json;
mod merge;
mod render;
mod rule;
#[cfg(feature = "cli")]
mod sarif;
#[cfg(feature = "cli")]
mod uri;
mod writer;

pub use fix::{Fixes, edited, fixes};
pub use merge::{Assignment, merge, sort};
pub use render::{Format, concise, render};
pub use rule::Rule;
pub(crate) use rule::rule;
pub use writer::Writer;

#[cfg(test)]
mod tests;

/// How bad it is. A note is no finding: it changes no exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Worth knowing.
    Note,
    /// Suspicious; fails under `--deny-warnings`.
    Warning,
    /// Wrong; fails the run.
    Error,
}

impl Level {
    /// Lower-case name, as printed.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A place and what is to be said about it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What stands there; may be empty.
    pub text: String,
}

/// A replacement of text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    /// What goes; empty to insert.
    pub span: Span,
    /// What comes.
    pub text: String,
}

/// A way to mend the fault by machine.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fix {
    /// What applying it does, in the imperative.
    pub title: String,
    /// Non-overlapping replacements.
    pub edits: Vec<Edit>,
    /// Whether the meaning of the frame certainly stays what the author meant.
    pub safe: bool,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule it belongs to.
    pub rule: &'static Rule,
    /// Its level in this run.
    pub level: Level,
    /// Headline: lower case, names in backticks, no full stop.
    pub message: String,
    /// The place that is wrong.
    pub primary: Label,
    /// The other places that take part.
    pub secondary: Vec<Label>,
    /// How to mend it, one sentence each.
    pub help: Vec<String>,
    /// What else explains it.
    pub notes: Vec<String>,
    /// How to mend it by machine.
    pub fix: Option<Fix>,
    /// Where in the structure: `passes["cull"].bind["flags"]`. Survives moved lines; key of baselines.
    pub path: String,
    /// The variants that have the fault, as `name=value, …`; empty if all do.
    pub variant: String,
}

impl Diagnostic {
    /// A finding of `rule` at its default level.
    pub fn new(rule: &'static Rule, message: impl Into<String>, span: Span, label: impl Into<String>) -> Self {
        Self {
            rule,
            level: rule.level,
            message: message.into(),
            primary: Label { span, text: label.into() },
            secondary: Vec::new(),
            help: Vec::new(),
            notes: Vec::new(),
            fix: None,
            path: String::new(),
            variant: String::new(),
        }
    }

    /// Adds a secondary label.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Adds a cure.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    /// Adds an explanation.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Sets the machine's cure.
    #[must_use]
    pub fn fix(mut self, title: impl Into<String>, safe: bool, edits: Vec<Edit>) -> Self {
        let title = title.into();
        // Said once.
        self.help.retain(|help| *help != title);
        self.fix = Some(Fix { title, edits, safe });
        self
    }

    /// The same finding in other [`Files`], under the ids that `to` gives.
    #[must_use]
    pub fn moved(mut self, to: impl Fn(FileId) -> FileId) -> Self {
        let labels = std::iter::once(&mut self.primary).chain(&mut self.secondary).map(|label| &mut label.span);
        let edits = self.fix.iter_mut().flat_map(|fix| &mut fix.edits).map(|edit| &mut edit.span);
        labels.chain(edits).for_each(|span| span.file = to(span.file));
        self
    }

    /// What tells this fault from others of its rule in its file while lines move: the structural path, or the headline
    /// where there is none.
    pub fn identity(&self) -> &str {
        if self.path.is_empty() { &self.message } else { &self.path }
    }

    /// A hash of code, file below the root and [identity](Self::identity): the same while lines move.
    pub fn fingerprint(&self, files: &Files) -> String {
        let parts = [self.rule.code, &files.get(self.primary.span.file).path, self.identity()];
        format!("{:016x}", xxhash_rust::xxh3::xxh3_64(parts.join("\0").as_bytes()))
    }

    /// Sets the structural path.
    #[must_use]
    pub fn at(mut self, path: impl Into<String>) -> Self {
        self.path = path.into();
        self
    }
}

/// Whether anything in the list makes a graph impossible.
pub fn has_errors(found: &[Diagnostic]) -> bool {
    found.iter().any(|d| d.level == Level::Error)
}

/// The nearest of `known` to `name` when it is near enough to be what was meant.
///
/// Case and underscores do not count. Names above 64 bytes get no suggestion: the search is the slow part of a bad file.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > 64 {
        return None;
    }
    let fold = |s: &str| s.chars().filter(|c| *c != '_' && *c != '-').flat_map(char::to_lowercase).collect::<String>();
    let folded = fold(name);
    known
        .into_iter()
        .filter(|candidate| candidate.len() <= 64)
        // As many insertions at least: most candidates need no more than this look.
        .filter(|candidate| {
            folded.len().abs_diff(candidate.len()) <= candidate.len().max(name.len()).max(3) / 3 + marks(candidate)
        })
        .map(|candidate| (strsim::damerau_levenshtein(&folded, &fold(candidate)), candidate))
        .filter(|(distance, candidate)| *distance * 3 <= candidate.len().max(name.len()).max(3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Characters that comparisons leave out.
fn marks(name: &str) -> usize {
    name.bytes().filter(|byte| matches!(byte, b'_' | b'-')).count()
}

/// "did you mean `x`?", where some known name is near.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(name, known).map(|near| format!("did you mean `{near}`?"))
}
