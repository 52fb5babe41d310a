//! Findings drawn with the source text around them, by annotate-snippets.
//!
//! That crate scans all the text it is given, for each finding. It is handed windows of lines around the labels only, so
//! that a thousand findings in a big file cost no more than a thousand in a small one.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Patch, Renderer, Snippet};

use crate::source::{File, FileId, Files, Span};

use super::{Diagnostic, Fix, Label};

/// Labels this many lines apart share a window; a span of more lines is drawn by its first.
const NEAR_LINES: usize = 40;
/// A window above this many bytes (one endless line) is named, not drawn.
const WINDOW_BYTES: usize = 16 << 10;

/// The finding with its final blank line.
pub(super) fn text(files: &Files, finding: &Diagnostic, color: bool) -> String {
    let level = match finding.level {
        super::Level::Error => Level::ERROR,
        super::Level::Warning => Level::WARNING,
        super::Level::Note => Level::NOTE,
    };
    let title = level.primary_title(finding.message.as_str()).id(finding.rule.code);
    let mut head = Group::with_title(title).elements(labels(files, finding));
    if !finding.variant.is_empty() {
        head = head.element(Level::NOTE.message(format!("only with {}", finding.variant)));
    }
    let notes = finding.notes.iter().map(|text| Level::NOTE.message(text.as_str()));
    let helps = finding.help.iter().map(|text| Level::HELP.message(text.as_str()));
    let head = head.elements(notes.chain(helps));
    let report: Vec<Group<'_>> = std::iter::once(head).chain(finding.fix.as_ref().map(|f| patch(files, f))).collect();
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&report) + "\n\n"
}

/// Lines of one file that are drawn together.
struct Window<T> {
    file: FileId,
    lines: Range<usize>,
    marks: Vec<T>,
}

/// The lines that a span is drawn on, one past the last.
fn lines(file: &File, span: Span) -> Range<usize> {
    let (first, last) = (file.position(span.start).line, file.position(span.end).line);
    if last - first > NEAR_LINES { first..first + 1 } else { first..last + 1 }
}

/// Gathers marks into windows, in the order given: a mark that is near a window's lines joins it.
fn windows<T>(files: &Files, marks: impl IntoIterator<Item = (Span, T)>) -> Vec<Window<T>> {
    let mut found: Vec<Window<T>> = Vec::new();
    for (span, mark) in marks {
        let lines = lines(files.get(span.file), span);
        let near = |w: &Window<T>| {
            w.file == span.file && lines.start < w.lines.end + NEAR_LINES && w.lines.start < lines.end + NEAR_LINES
        };
        match found.iter_mut().find(|w| near(w)) {
            Some(window) => {
                window.lines = window.lines.start.min(lines.start)..window.lines.end.max(lines.end);
                window.marks.push(mark);
            }
            None => found.push(Window { file: span.file, lines, marks: vec![mark] }),
        }
    }
    found
}

impl<T> Window<T> {
    /// The bytes of the lines, without a byte order mark.
    fn range(&self, file: &File) -> Range<usize> {
        let start = file.line(self.lines.start).start;
        let start = if file.text[start..].starts_with('\u{feff}') { start + '\u{feff}'.len_utf8() } else { start };
        start..file.line(self.lines.end - 1).end.max(start)
    }
}

/// A span inside a window's text. A span that goes on behind the window ends with the window's last line.
fn within(text: &str, window: &Range<usize>, span: Span) -> Range<usize> {
    let local = |at: u32| text.floor_char_boundary((at as usize).saturating_sub(window.start));
    local(span.start)..local(span.end).max(local(span.start))
}

fn labels<'a>(files: &'a Files, finding: &'a Diagnostic) -> Vec<Element<'a>> {
    let primary = std::iter::once((finding.primary.span, (&finding.primary, AnnotationKind::Primary)));
    let others = finding.secondary.iter().map(|label| (label.span, (label, AnnotationKind::Context)));
    windows(files, primary.chain(others)).iter().flat_map(|window| drawn(files, window)).collect()
}

fn drawn<'a>(files: &'a Files, window: &Window<(&'a Label, AnnotationKind)>) -> Vec<Element<'a>> {
    let file = files.get(window.file);
    let range = window.range(file);
    if range.len() > WINDOW_BYTES {
        return window.marks.iter().flat_map(|(label, _)| named(file, label)).collect();
    }
    let text = &file.text[range.clone()];
    let annotations = window.marks.iter().map(|(label, kind)| {
        let annotation = kind.span(within(text, &range, label.span));
        if label.text.is_empty() { annotation } else { annotation.label(label.text.as_str()) }
    });
    let snippet = Snippet::source(text).path(file.display.as_str()).line_start(window.lines.start);
    vec![snippet.annotations(annotations).into()]
}

/// A label whose lines are too long to draw.
fn named<'a>(file: &'a File, label: &'a Label) -> Vec<Element<'a>> {
    let at = file.position(label.span.start);
    let origin = Origin::path(file.display.as_str()).line(at.line).char_column(at.column);
    let text = (!label.text.is_empty()).then(|| Level::INFO.message(label.text.as_str()).into());
    std::iter::once(origin.into()).chain(text).collect()
}

fn patch<'a>(files: &'a Files, fix: &'a Fix) -> Group<'a> {
    let group = Group::with_title(Level::HELP.secondary_title(fix.title.as_str()));
    let windows = windows(files, fix.edits.iter().map(|edit| (edit.span, edit)));
    let drawable = windows.iter().filter_map(|window| {
        let file = files.get(window.file);
        let range = window.range(file);
        if range.len() > WINDOW_BYTES {
            return None;
        }
        let text = &file.text[range.clone()];
        let patches = window.marks.iter().map(|edit| Patch::new(within(text, &range, edit.span), edit.text.as_str()));
        let snippet = Snippet::source(text).path(file.display.as_str()).line_start(window.lines.start);
        Some(Element::from(snippet.patches(patches)))
    });
    group.elements(drawable)
}
