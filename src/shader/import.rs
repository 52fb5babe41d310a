//! Imports: from an entry file and the fragments it names to one text for naga.
//!
//! The text is the files one after another, each once, a fragment before the file that imports it, so that the entry file
//! is last. A file's bytes keep their number: what naga must not see (imports, directives that moved) becomes blanks. WGSL
//! wants `enable`, `requires` and `diagnostic` before everything else, so those move to the top, in order. A [`LineMap`]
//! knows of each stretch where it came from.

use std::collections::BTreeMap;
use std::ops::Range;

use super::builtin;
use super::examine::{Directive, Examined, examine};
use super::guard::{MAX_DECLARATIONS, MAX_TOKENS};
use super::rules::{IMPORT_CYCLE, IMPORT_LIMIT, MISSING_IMPORT, SHADOWS_BUILTIN};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::id::Id as _;
use crate::source::{FileId, Files, LoadError, Span, join, normalize};

/// The most files that one shader may consist of.
pub const MAX_FILES: usize = 256;

/// The most bytes that one shader may have with all it imports (4 MiB).
pub const MAX_BYTES: usize = 4 << 20;

/// From positions in a stitched text back to the files that it was stitched from.
#[derive(Debug, Clone, Default)]
pub struct LineMap {
    /// In order of the stitched text, without overlap.
    stretches: Vec<Stretch>,
}

/// Bytes that were taken over from a file.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    /// First byte in the stitched text.
    at: u32,
    bytes: u32,
    file: FileId,
    /// First byte in the file.
    from: u32,
}

impl LineMap {
    /// Where a range of the stitched text stands in the author's file.
    ///
    /// A range that goes on into another file ends where its first file does; one that starts between two files stands
    /// at the end of the first.
    pub fn span(&self, range: Range<usize>) -> Span {
        let index = self.stretches.partition_point(|stretch| stretch.at as usize <= range.start).saturating_sub(1);
        let Some(stretch) = self.stretches.get(index) else {
            return Span::new(FileId::from_index(0), 0, 0);
        };
        let within = |at: usize| at.saturating_sub(stretch.at as usize).min(stretch.bytes as usize);
        let start = within(range.start);
        let end = within(range.end).max(start);
        Span::new(stretch.file, stretch.from as usize + start, stretch.from as usize + end)
    }

    fn push(&mut self, text: &mut String, file: FileId, from: usize, taken: &str) {
        self.stretches.push(Stretch { at: text.len() as u32, bytes: taken.len() as u32, file, from: from as u32 });
        text.push_str(taken);
        // A line comment at the end of one file must not swallow the next.
        text.push('\n');
    }
}

/// An entry file with its imports.
#[derive(Debug)]
pub(super) struct Stitched {
    pub(super) text: String,
    pub(super) lines: LineMap,
    /// The entry file first, then the others in order of inclusion.
    pub(super) closure: Vec<FileId>,
    /// Extensions that some file enables.
    pub(super) enabled: Vec<String>,
}

/// Puts an entry file and its imports together. Nothing is returned where a fault was found.
pub(super) fn stitch(files: &mut Files, entry: FileId, found: &mut Vec<Diagnostic>) -> Option<Stitched> {
    let known = found.len();
    let parts = collect(files, entry, found);
    (found.len() == known).then(|| assemble(files, &parts))
}

/// A file that takes part.
#[derive(Debug)]
struct Part {
    file: FileId,
    examined: Examined,
}

/// A file whose imports are being followed.
#[derive(Debug)]
struct Open {
    part: Part,
    /// The next of its imports.
    next: usize,
}

/// All files that take part, each behind those it imports: a depth-first walk with its own stack.
fn collect(files: &mut Files, entry: FileId, found: &mut Vec<Diagnostic>) -> Vec<Part> {
    let mut size = Size::default();
    let mut state = BTreeMap::from([(entry, State::Open)]);
    let mut done = Vec::new();
    let mut open = vec![Open::new(files, entry, found)];
    if let Some(what) = size.excess(files, &open[0].part) {
        found.push(too_large(&what, Span::new(entry, 0, 0), "the shader is too large"));
        return done;
    }
    while let Some(top) = open.last_mut() {
        let Some(import) = top.part.examined.imports.get(top.next).cloned() else {
            let part = open.pop().expect("the loop runs while a file is open").part;
            state.insert(part.file, State::Done);
            done.push(part);
            continue;
        };
        top.next += 1;
        let Some(file) = find(files, &import, found) else { continue };
        match state.insert(file, State::Open) {
            Some(State::Done) => drop(state.insert(file, State::Done)),
            Some(State::Open) => found.push(cycle(files, &open, file)),
            None => {
                let next = Open::new(files, file, found);
                if let Some(what) = size.excess(files, &next.part) {
                    found.push(too_large(&what, import.span, "this import is one too many"));
                    return done;
                }
                open.push(next);
            }
        }
    }
    done
}

#[derive(Debug, Clone, Copy)]
enum State {
    Open,
    Done,
}

impl Open {
    fn new(files: &Files, file: FileId, found: &mut Vec<Diagnostic>) -> Self {
        let text = &files.get(file).text;
        // What is too large anyway is not read.
        let examined = if text.len() > MAX_BYTES { Examined::default() } else { examine(text, file, found) };
        Self { part: Part { file, examined }, next: 0 }
    }
}

/// What has been included so far.
#[derive(Debug, Default)]
struct Size {
    files: usize,
    bytes: usize,
    tokens: usize,
    declarations: usize,
}

impl Size {
    /// Adds a file. Returns the limit that it goes beyond.
    fn excess(&mut self, files: &Files, part: &Part) -> Option<String> {
        self.files += 1;
        self.bytes += files.get(part.file).text.len();
        self.tokens += part.examined.tokens;
        self.declarations += part.examined.declarations;
        let limits = [
            (self.files, MAX_FILES, "files"),
            (self.bytes, MAX_BYTES, "bytes"),
            (self.tokens, MAX_TOKENS, "tokens"),
            (self.declarations, MAX_DECLARATIONS, "declarations"),
        ];
        limits.iter().find(|(has, most, _)| has > most).map(|(_, most, what)| format!("{most} {what}"))
    }
}

fn too_large(what: &str, span: Span, label: &str) -> Diagnostic {
    Diagnostic::new(&IMPORT_LIMIT, format!("a shader with its imports has more than {what}"), span, label)
}

/// The file that an import means: below the root's `shaders/lib`, else rondag's own.
fn find(files: &mut Files, import: &Directive, found: &mut Vec<Diagnostic>) -> Option<FileId> {
    let loaded = normalize(&import.name).and_then(|name| Ok((files.load(&join("shaders/lib", &name))?, name)));
    match loaded {
        Ok((file, name)) => {
            if builtin::fragment(&name).is_some_and(|text| text != files.get(file).text) {
                found.push(shadows(&name, import.span));
                return None;
            }
            Some(file)
        }
        Err(LoadError::Missing { .. }) => {
            let name = normalize(&import.name).unwrap_or_default();
            let Some(text) = builtin::fragment(&name) else {
                found.push(missing(&import.name, import.span));
                return None;
            };
            Some(files.add(&format!("{}lib/{name}", builtin::PREFIX), text.to_owned()))
        }
        Err(error) => {
            found.push(super::rules::load_fault(&error, &import.name, import.span));
            None
        }
    }
}

fn shadows(name: &str, span: Span) -> Diagnostic {
    let message = format!("`shaders/lib/{name}` has the name of one of rondag's own fragments");
    Diagnostic::new(&SHADOWS_BUILTIN, message, span, "which of the two is meant?").help("give the file another name")
}

fn missing(name: &str, span: Span) -> Diagnostic {
    let message = format!("there is no `{name}` to import");
    let fault = Diagnostic::new(&MISSING_IMPORT, message, span, "neither in `shaders/lib` nor one of rondag's own");
    match did_you_mean(name, builtin::fragments()) {
        Some(near) => fault.help(near),
        None => fault.note(format!("rondag's own are {}", list(builtin::fragments()))),
    }
}

fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// The last import on the stack leads back to `to`, which is open.
fn cycle(files: &Files, open: &[Open], to: FileId) -> Diagnostic {
    let start = open.iter().position(|step| step.part.file == to).unwrap_or(0);
    let steps: Vec<Span> = open[start..].iter().map(|step| step.part.examined.imports[step.next - 1].span).collect();
    let place = |span: &Span| {
        let file = files.get(span.file);
        format!("`{}` (line {})", file.display, file.position(span.start).line)
    };
    let chain: Vec<String> = steps.iter().map(place).chain([format!("`{}`", files.get(to).display)]).collect();
    let (last, before) = steps.split_last().expect("the stack holds at least the file that is imported again");
    let message = format!("`{}` imports itself", files.get(to).display);
    let fault = Diagnostic::new(&IMPORT_CYCLE, message, *last, "closes the cycle");
    let fault = before.iter().fold(fault, |fault, span| fault.also(*span, "leads on"));
    fault.note(chain.join(" → "))
}

fn assemble(files: &Files, parts: &[Part]) -> Stitched {
    let mut text = String::with_capacity(parts.iter().map(|part| files.get(part.file).text.len() + 64).sum());
    let mut lines = LineMap::default();
    for part in parts {
        for (from, moved) in &part.examined.moved {
            lines.push(&mut text, part.file, *from, moved);
        }
    }
    for part in parts {
        let source = &files.get(part.file).text;
        let start = source.len() - source.trim_start_matches('\u{feff}').len();
        lines.push(&mut text, part.file, start, &blanked(&source[start..], start, &part.examined.blanks));
    }
    let closure = parts.iter().rev().take(1).chain(parts.iter().rev().skip(1).rev()).map(|part| part.file).collect();
    let enabled = parts.iter().flat_map(|part| part.examined.enabled.iter().cloned()).collect();
    Stitched { text, lines, closure, enabled }
}

/// `text`, which starts at `start` in its file, with some ranges of the file replaced by as many blanks.
fn blanked(text: &str, start: usize, blanks: &[Range<usize>]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for blank in blanks {
        out.push_str(&text[at..blank.start - start]);
        at = blank.end - start;
        // Line ends stay, so that a comment inside or behind a directive ends where it did.
        out.extend(text[blank.start - start..at].bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
    }
    out.push_str(&text[at..]);
    out
}
