//! Findings as text, for people and for machines.
//!
//! Each form is made a finding at a time and ends in a line break, so that whoever prints can stop in between.

use crate::source::Files;

use super::{Diagnostic, Level};

/// How findings are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum Format {
    /// With the source text, for people
    #[cfg(feature = "cli")]
    #[cfg_attr(feature = "cli", default)]
    Full,
    /// `file:line:column: error[code]: message`
    #[cfg_attr(not(feature = "cli"), default)]
    Concise,
    /// One JSON object a line
    #[cfg(feature = "cli")]
    Json,
    /// Workflow commands that GitHub shows in a pull request
    Github,
    /// One SARIF 2.1.0 document a run, for code scanning
    #[cfg(feature = "cli")]
    Sarif,
}

/// One finding in the given form, with its final line break; of SARIF, a document of its own. `color` matters to
/// [`Format::Full`] alone. [`Writer`](super::Writer) writes many.
pub fn render(files: &Files, finding: &Diagnostic, format: Format, color: bool) -> String {
    let _ = color;
    match format {
        #[cfg(feature = "cli")]
        Format::Full => super::full::text(files, finding, color),
        Format::Concise => concise(files, finding),
        #[cfg(feature = "cli")]
        Format::Json => super::json::line(files, finding),
        Format::Github => github(files, finding),
        #[cfg(feature = "cli")]
        Format::Sarif => {
            let mut log = super::sarif::Log::new("");
            log.add(files, finding);
            log.end(true)
        }
    }
}

/// `file:line:column: error[code]: message`, in one line.
pub fn concise(files: &Files, finding: &Diagnostic) -> String {
    let place = files.place(finding.primary.span);
    let line = format!("{place}: {}[{}]: {}", finding.level.name(), finding.rule.code, headline(finding));
    visible(&line) + "\n"
}

/// The message, and the variant if only some have the fault.
fn headline(finding: &Diagnostic) -> String {
    if finding.variant.is_empty() {
        finding.message.clone()
    } else {
        format!("{} (with {})", finding.message, finding.variant)
    }
}

/// Control characters escaped: a name in a hostile file may hold line breaks or escape sequences.
fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    shown
}

/// A workflow command: <https://docs.github.com/actions/reference/workflow-commands-for-github-actions>.
fn github(files: &Files, finding: &Diagnostic) -> String {
    let command = match finding.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "notice",
    };
    let file = files.get(finding.primary.span.file);
    let (start, end) = (file.position(finding.primary.span.start), file.position(finding.primary.span.end));
    // Columns make sense to GitHub only within one line.
    let columns = if start.line == end.line {
        format!("col={},endColumn={}", start.column, end.column.max(start.column + 1))
    } else {
        format!("endLine={}", end.line)
    };
    let message = told(finding);
    let (title, path) = (property(finding.rule.code), property(&file.display));
    format!("::{command} title={title},file={path},line={},{columns}::{}\n", start.line, data(&message))
}

/// Headline, label and cures, a line each.
pub(super) fn told(finding: &Diagnostic) -> String {
    let mut message = headline(finding);
    for part in std::iter::once(&finding.primary.text).chain(&finding.help).filter(|text| !text.is_empty()) {
        message.push('\n');
        message.push_str(part);
    }
    message
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
