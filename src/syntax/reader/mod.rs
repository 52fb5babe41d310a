//! Text to tree, tolerantly.
//!
//! A recursive descent over RON that reports what is wrong and goes on: at the next `,` or closing bracket, behind a
//! comma it thinks up, or with the `:` that a `=` stands for. Brackets are remembered with their places, so that one that
//! is never closed is named by its opener. Each byte is passed a bounded number of times, whatever the text.

mod brackets;
mod recover;
mod scan;
#[cfg(test)]
mod tests;

use bumpalo::Bump;

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};

use super::findings::Findings;
use super::rules;
use super::tree::{Entry, Field, Kind, Node, Tree, offset};

pub(super) use scan::excerpt;

/// The deepest nesting of brackets.
pub(super) const MAX_DEPTH: usize = 128;

/// How many texts of a file are looked at for a missing quote; each look is at up to a kilobyte.
const MAX_REREADS: usize = 100;

/// The largest text that `ron` is asked to judge as a whole; it takes about 8 ns a byte.
const MAX_JUDGED_BYTES: usize = 64 << 10;

/// Reads a text, reporting into `found`.
pub(super) fn read<'t>(text: &'t str, file: FileId, arena: &'t Bump, found: &mut Findings) -> Tree<'t> {
    let tree = tree(text, file, arena, found);
    if found.is_empty() && text.len() <= MAX_JUDGED_BYTES {
        judge(text, file, found);
    }
    tree
}

fn tree<'t>(text: &'t str, file: FileId, arena: &'t Bump, found: &mut Findings) -> Tree<'t> {
    let mut reader = Reader {
        text,
        bytes: text.as_bytes(),
        file,
        arena,
        found,
        at: 0,
        open: Vec::new(),
        extent: Extent::Whole,
        nodes: Vec::new(),
        fields: Vec::new(),
        entries: Vec::new(),
        cut_at: None,
        rereads_left: MAX_REREADS,
        had_unclosed_string: false,
        unwraps_variants: false,
    };
    let root = reader.document();
    Tree { root, is_partial: reader.extent != Extent::Whole }
}

/// Lets `ron` refuse what the reader had no fault to find with.
fn judge(text: &str, file: FileId, found: &mut Findings) {
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    if let Err(error) = scan::options().from_str::<serde::de::IgnoredAny>(&text[start..]) {
        let from = start + scan::offset_of(&text[start..], error.span.start);
        let to = start + scan::offset_of(&text[start..], error.span.end);
        let span = Span::new(file, from, to.max(from));
        found.push(|| Diagnostic::new(&rules::SYNTAX, "the text is not RON", span, scan::said(&error.code)));
    }
}

/// How much of the text is in the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// All of it.
    Whole,
    /// Text was passed over.
    Partial,
    /// Reading was given up; nothing more is reported.
    Stopped,
}

struct Reader<'t, 'f> {
    text: &'t str,
    /// The bytes of the text; none once reading was given up.
    bytes: &'t [u8],
    file: FileId,
    arena: &'t Bump,
    found: &'f mut Findings,
    at: usize,
    /// The closing brackets that are due, with the places of their openers.
    open: Vec<(u8, usize)>,
    extent: Extent,
    /// Items of the lists, structs and maps that are open, innermost last: a bracket moves its own to the arena when it
    /// closes.
    nodes: Vec<Node<'t>>,
    fields: Vec<Field<'t>>,
    entries: Vec<Entry<'t>>,
    /// Where an unclosed bracket was taken to end; the comma that would follow its closer is not missed there.
    cut_at: Option<usize>,
    /// How many more texts may be looked at for a missing quote.
    rereads_left: usize,
    had_unclosed_string: bool,
    /// `#![enable(unwrap_variant_newtypes)]`: `Some(a: 1)` is legal.
    unwraps_variants: bool,
}

impl<'t> Reader<'t, '_> {
    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start, end)
    }

    fn report(
        &mut self,
        start: usize,
        end: usize,
        headline: &str,
        label: &str,
        more: impl FnOnce(Diagnostic) -> Diagnostic,
    ) {
        if !self.is_stopped() {
            let span = self.span(start, end);
            self.found.push(|| more(Diagnostic::new(&rules::SYNTAX, headline, span, label)));
            if self.found.is_overflowing() {
                self.stop();
            }
        }
    }

    /// Gives up: from now on, the text seems to have ended.
    fn stop(&mut self) {
        self.extent = Extent::Stopped;
        self.bytes = &[];
    }

    /// Remembers that text was passed over.
    fn pass_over(&mut self) {
        if self.extent == Extent::Whole {
            self.extent = Extent::Partial;
        }
    }

    fn is_stopped(&self) -> bool {
        self.extent == Extent::Stopped
    }

    fn document(&mut self) -> Node<'t> {
        self.at = self.text.len() - self.text.trim_start_matches('\u{feff}').len();
        self.skip_gap();
        if self.peek() == Some(b'#') {
            self.attributes();
            self.skip_gap();
        }
        if self.peek().is_none() {
            let end = self.text.len();
            self.report(end, end, "the file is empty", "expected `(`", |d| d.help("begin with `(version: 1, …)`"));
            self.pass_over();
            return Node::broken(end, end);
        }
        let mut root = self.value();
        self.skip_gap();
        if self.peek().is_some() {
            self.trailing(&mut root);
        }
        root
    }

    /// Reports text behind the graph.
    fn trailing(&mut self, root: &mut Node<'t>) {
        let (start, end) = (self.at, self.text.len().min(self.at + 1));
        if matches!(root.kind, Kind::Unit) && self.peek() == Some(b':') {
            root.kind = Kind::Broken;
            self.report(root.start as usize, root.end as usize, "the graph has no parentheses", "expected `(`", |d| {
                d.help("a graph file is one pair of parentheses: `(version: 1, …)`")
            });
        } else {
            let headline = format!("expected the end of the file, found {}", self.found_here());
            let opened = self.span(root.start as usize, root.start as usize + 1);
            self.report(start, end, &headline, "the graph ended before this", |d| {
                d.also(opened, "what began here is complete")
            });
        }
        self.pass_over();
    }

    /// `#![enable(…)]` and its kin, read by `ron`.
    fn attributes(&mut self) {
        let rest = &self.text[self.at..];
        match ron::Deserializer::from_str_with_options(rest, &scan::options()) {
            Ok(reader) => {
                self.unwraps_variants =
                    reader.extensions().contains(ron::extensions::Extensions::UNWRAP_VARIANT_NEWTYPES);
                self.at = self.text.len() - reader.remainder().len();
            }
            Err(error) => {
                let start = self.at;
                let end = start + scan::offset_of(rest, error.span.end);
                self.report(
                    start,
                    end.max(start + 1),
                    "the head of the file cannot be read",
                    &scan::said(&error.code),
                    |d| d.help("rondag needs no `#![enable(…)]`: `implicit_some` is on"),
                );
                while self.peek() == Some(b'#') {
                    self.at = self.text[self.at..].find('\n').map_or(self.text.len(), |n| self.at + n);
                    self.skip_gap();
                }
            }
        }
    }

    /// Reads a value. At a separator nothing is consumed.
    fn value(&mut self) -> Node<'t> {
        let start = self.at;
        match self.peek() {
            Some(b'"') => self.string(),
            Some(b'(') => self.parens(start, None),
            Some(b'[') => self.list(),
            Some(b'{') => self.map(),
            Some(b'0'..=b'9' | b'+' | b'-' | b'.') => self.number(),
            Some(b'\'') => self.literal(),
            _ => match self.ident() {
                Some(name) => self.named(start, name),
                None if matches!(self.peek(), Some(b'b' | b'r')) => self.literal(),
                None => {
                    let headline = format!("expected a value, found {}", self.found_here());
                    let end = self.text[start..].chars().next().map_or(start, |c| start + c.len_utf8());
                    self.report(start, end, &headline, "no value begins like this", |d| d);
                    if !self.at_separator() {
                        self.skip_to_separator();
                    }
                    Node::broken(start, self.at)
                }
            },
        }
    }

    /// Reads what follows a name.
    fn named(&mut self, start: usize, name: &'t str) -> Node<'t> {
        let end = self.at;
        let leaf = |kind| Node { start: start as u32, end: end as u32, name: None, kind };
        if offset(self.text, name) == start {
            match name {
                "true" => return leaf(Kind::Bool(true)),
                "false" => return leaf(Kind::Bool(false)),
                "None" => return leaf(Kind::None),
                "Some" => return self.some(),
                "inf" | "inff32" | "inff64" | "NaN" | "NaNf32" | "NaNf64" => {
                    self.at = start;
                    return self.number();
                }
                _ => {}
            }
        }
        self.skip_gap();
        if self.peek() == Some(b'(') {
            return self.parens(start, Some(name));
        }
        self.at = end;
        Node { start: start as u32, end: end as u32, name: Some(name), kind: Kind::Unit }
    }

    /// Reads what follows `Some`: with `implicit_some`, the parentheses may be left out.
    fn some(&mut self) -> Node<'t> {
        self.skip_gap();
        let opened = self.at;
        if self.peek() != Some(b'(') || self.unwraps_variants {
            if !self.open(0) {
                return Node::broken(opened, opened);
            }
            let inner = self.value();
            self.open.pop();
            return inner;
        }
        if !self.open(b')') {
            return Node::broken(opened, opened);
        }
        self.at += 1;
        self.skip_gap();
        let inner = self.value();
        self.skip_gap();
        if self.peek() == Some(b',') {
            self.at += 1;
            self.skip_gap();
        }
        if !self.at_end_or_closer() {
            let headline = format!("expected `)`, found {}", self.found_here());
            self.report(self.at, self.at, &headline, "`Some` holds one value", |d| d);
            self.skip_to_closer();
        }
        self.close();
        inner
    }
}
