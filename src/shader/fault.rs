//! naga's errors as diagnostics in the author's files.

use std::error::Error;

use naga::front::wgsl::ParseError;
use naga::valid::ValidationError;
use naga::{Span as NagaSpan, WithSpan};

use super::LineMap;
use super::rules::{WGSL_COMPILER_FAULT, WGSL_INVALID, WGSL_LIMIT, WGSL_SYNTAX};
use super::wording::plain;
use crate::diagnostic::{Diagnostic, Rule};
use crate::source::Span;

/// Where faults are shown: the map of the stitched text, the entry file, and who named it.
pub(super) struct Places<'a> {
    pub(super) lines: &'a LineMap,
    /// The start of the entry file, for what has no place.
    pub(super) entry: Span,
    /// The entry file as shown.
    pub(super) shown: &'a str,
    /// In the graph.
    pub(super) named: Span,
}

impl Places<'_> {
    /// A parse error, with naga's labels and notes.
    pub(super) fn syntax(&self, error: &ParseError) -> Diagnostic {
        if error.notes().any(|note| note.contains("recursion limit")) {
            return Diagnostic::new(
                &WGSL_LIMIT,
                "the shader nests too deeply to compile",
                self.entry,
                "somewhere in this file",
            )
            .also(self.named, "the graph names it here");
        }
        let labels = error.labels().map(|(span, text)| (span, text.to_owned())).collect();
        let fault = self.labelled(&WGSL_SYNTAX, plain(error.message()), labels);
        error.notes().fold(fault, Diagnostic::note)
    }

    /// A validation error: the innermost cause is the headline, what it happened in are notes.
    pub(super) fn invalid(&self, error: &WithSpan<ValidationError>) -> Diagnostic {
        let mut chain = Vec::new();
        let mut cause: Option<&dyn Error> = Some(error.as_inner());
        while let Some(error) = cause {
            chain.push(plain(&error.to_string()));
            cause = error.source();
        }
        let headline = chain.pop().unwrap_or_default();
        let cure = cure(&headline);
        let labels = error.spans().map(|(span, what)| (*span, thing(what).to_owned())).collect();
        let fault = self.labelled(&WGSL_INVALID, headline, Self::innermost(labels));
        let fault = cure.into_iter().fold(fault, Diagnostic::help);
        chain.into_iter().filter(|note| !note.is_empty()).fold(fault, Diagnostic::note)
    }

    /// A panic inside naga.
    pub(super) fn crashed(&self) -> Diagnostic {
        let message = "naga, the compiler of WGSL, failed on this shader";
        Diagnostic::new(&WGSL_COMPILER_FAULT, message, self.entry, "somewhere in this file")
            .also(self.named, "the graph names it here")
            .help("write it in another way; a report to the authors of naga helps everyone")
    }

    /// The smallest first: naga gives what is wrong and what that is in. A function around it goes without saying.
    fn innermost(mut labels: Vec<(NagaSpan, String)>) -> Vec<(NagaSpan, String)> {
        let length = |(span, _): &(NagaSpan, String)| span.to_range().map_or(usize::MAX, |range| range.len());
        labels.sort_by_key(length);
        let count = labels.iter().filter(|(_, text)| text != FUNCTION).count();
        labels.retain(|(_, text)| count == 0 || text != FUNCTION);
        labels
    }

    /// The first label with a place is the primary one, the graph's own place comes last.
    fn labelled(&self, rule: &'static Rule, message: String, labels: Vec<(NagaSpan, String)>) -> Diagnostic {
        let mut placed = labels.into_iter().filter_map(|(span, text)| Some((self.lines.span(span.to_range()?), text)));
        let (span, text) = placed.next().unwrap_or((self.entry, String::new()));
        let fault = placed
            .fold(Diagnostic::new(rule, message, span, text), |fault, (span, text)| fault.also(span, text))
            .also(self.named, "the graph names it here");
        // A fragment may lean on what its importers declare, so the fault may be theirs.
        if span.file == self.entry.file { fault } else { fault.note(format!("imported by way of `{}`", self.shown)) }
    }
}

const FUNCTION: &str = "in this function";

/// How the commonest faults are mended; naga says only what is wrong.
fn cure(headline: &str) -> Option<&'static str> {
    if headline.contains("valid destination for a store") {
        return Some("only variables can be written, and of buffers only those declared `var<storage, read_write>`");
    }
    None
}

/// What naga's `naga::ir::Expression [12]` is to an author.
fn thing(what: &str) -> &str {
    let Some((path, _)) = what.split_once(" [") else { return what };
    match path.rsplit("::").next() {
        Some("Expression") => "this expression",
        Some("Type") => "this type",
        Some("GlobalVariable" | "LocalVariable") => "this variable",
        Some("Function") => FUNCTION,
        Some("Constant") => "this constant",
        Some("Override") => "this override",
        _ => what,
    }
}
