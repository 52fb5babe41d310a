//! Findings as JSON, one object a line.
//!
//! Lines and columns count from 1, columns in characters, bytes from 0; an end is one past the last. Fields may be added;
//! what does not apply is null or empty.

use serde::Serialize;

use crate::source::{Files, Span};

use super::Diagnostic;

/// Version of the objects' shape; raised when a field goes or changes its meaning.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Finding<'a> {
    version: u32,
    #[serde(flatten)]
    place: Place<'a>,
    code: &'a str,
    severity: &'a str,
    message: &'a str,
    label: &'a str,
    related: Vec<Related<'a>>,
    help: &'a [String],
    notes: &'a [String],
    fix: Option<Fix<'a>>,
    path: Option<&'a str>,
    variant: Option<&'a str>,
}

#[derive(Serialize)]
struct Place<'a> {
    file: &'a str,
    start: Point,
    end: Point,
}

#[derive(Serialize)]
struct Point {
    line: usize,
    column: usize,
    byte: u32,
}

#[derive(Serialize)]
struct Related<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    message: &'a str,
}

#[derive(Serialize)]
struct Fix<'a> {
    title: &'a str,
    applicability: &'a str,
    edits: Vec<Edit<'a>>,
}

#[derive(Serialize)]
struct Edit<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    text: &'a str,
}

/// The finding as one line with its line break.
pub(super) fn line(files: &Files, finding: &Diagnostic) -> String {
    let object = Finding {
        version: VERSION,
        place: place(files, finding.primary.span),
        code: finding.rule.code,
        severity: finding.level.name(),
        message: &finding.message,
        label: &finding.primary.text,
        related: finding
            .secondary
            .iter()
            .map(|label| Related { place: place(files, label.span), message: &label.text })
            .collect(),
        help: &finding.help,
        notes: &finding.notes,
        fix: finding.fix.as_ref().map(|fix| Fix {
            title: &fix.title,
            applicability: if fix.safe { "safe" } else { "unsafe" },
            edits: fix.edits.iter().map(|e| Edit { place: place(files, e.span), text: &e.text }).collect(),
        }),
        path: some(&finding.path),
        variant: some(&finding.variant),
    };
    serde_json::to_string(&object).expect("the object has string keys and finite numbers only") + "\n"
}

fn some(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

fn place(files: &Files, span: Span) -> Place<'_> {
    let file = files.get(span.file);
    let point = |byte: u32| {
        let at = file.position(byte);
        Point { line: at.line, column: at.column, byte }
    };
    Place { file: &file.display, start: point(span.start), end: point(span.end) }
}
