//! Text to tree, tolerantly.
//!
//! A recursive descent over RON that reports what is wrong and goes on: at the next `,` or closing bracket, behind a
//! comma it thinks up, or with the `:` that a `=` stands for. Brackets are remembered with their places, so that one that
//! is never closed is named by its opener. Each byte is passed a bounded number of times, whatever the text.

mod scan;

use crate::diagnostic::{Diagnostic, Edit};
use crate::source::{FileId, Span};

use super::findings::Findings;
use super::rules;
use super::tree::{Entry, Field, Ident, Kind, Node, Tree};

pub(super) use scan::excerpt;

/// The deepest nesting of brackets.
pub(super) const MAX_DEPTH: usize = 128;

/// The largest text that `ron` is asked to judge as a whole; it takes about 8 ns a byte.
const MAX_JUDGED_BYTES: usize = 64 << 10;

/// Reads a text, reporting into `found`.
pub(super) fn read<'t>(text: &'t str, file: FileId, found: &mut Findings) -> Tree<'t> {
    let mut reader = Reader {
        text,
        file,
        found,
        at: 0,
        open: Vec::new(),
        is_partial: false,
        stopped: false,
        had_unclosed_string: false,
        unwraps_variants: false,
    };
    let root = reader.document();
    let is_partial = reader.is_partial;
    if found.is_empty() && text.len() <= MAX_JUDGED_BYTES {
        judge(text, file, found);
    }
    Tree { root, is_partial }
}

/// Lets `ron` refuse what the reader had no fault to find with.
fn judge(text: &str, file: FileId, found: &mut Findings) {
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    if let Err(error) = scan::options().from_str::<serde::de::IgnoredAny>(&text[start..]) {
        let from = start + scan::offset_of(&text[start..], error.span.start);
        let to = start + scan::offset_of(&text[start..], error.span.end);
        let span = Span::new(file, from, to.max(from));
        found.push(|| Diagnostic::new(&rules::SYNTAX, "the text is not RON", span, error.code.to_string()));
    }
}

struct Reader<'t, 'f> {
    text: &'t str,
    file: FileId,
    found: &'f mut Findings,
    at: usize,
    /// The closing brackets that are due, with the places of their openers.
    open: Vec<(u8, usize)>,
    is_partial: bool,
    /// Reading was given up; nothing more is reported.
    stopped: bool,
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
        if !self.stopped {
            let span = self.span(start, end);
            self.found.push(|| more(Diagnostic::new(&rules::SYNTAX, headline, span, label)));
        }
    }

    /// Gives up: the rest of the text is not looked at.
    fn stop(&mut self) {
        self.stopped = true;
        self.is_partial = true;
        self.at = self.text.len();
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
            self.is_partial = true;
            return Node::broken(end, end);
        }
        let root = self.value();
        self.skip_gap();
        if self.peek().is_some() {
            let headline = format!("expected the end of the file, found {}", self.found_here());
            let (start, opened) = (self.at, root.start as usize);
            let ended = self.span(opened, opened + 1);
            self.report(start, self.text.len().min(start + 1), &headline, "the graph ended before this", |d| {
                if matches!(root.kind, Kind::Unit) {
                    d.help("a graph file is one pair of parentheses")
                } else {
                    d.also(ended, "what began here is complete")
                }
            });
            self.is_partial = true;
        }
        root
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
                    &error.code.to_string(),
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
            Some(b'[') => self.list(start),
            Some(b'{') => self.map(start),
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
    fn named(&mut self, start: usize, name: Ident<'t>) -> Node<'t> {
        let end = self.at;
        let leaf = |kind| Node { start: start as u32, end: end as u32, name: None, kind };
        if name.at as usize == start {
            match name.text {
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
        self.close(opened);
        inner
    }

    fn parens(&mut self, start: usize, name: Option<Ident<'t>>) -> Node<'t> {
        let opened = self.at;
        if !self.open(b')') {
            return Node::broken(start, self.at);
        }
        self.at += 1;
        self.skip_gap();
        let mut kind = if self.at_field() {
            Kind::Struct(self.sequence(Self::field))
        } else {
            Kind::Tuple(self.sequence(Self::element))
        };
        if !self.close(opened) {
            damage(&mut kind, self.at);
        }
        Node { start: start as u32, end: self.at as u32, name, kind }
    }

    fn list(&mut self, start: usize) -> Node<'t> {
        if !self.open(b']') {
            return Node::broken(start, self.at);
        }
        self.at += 1;
        let mut kind = Kind::List(self.sequence(Self::element));
        if !self.close(start) {
            damage(&mut kind, self.at);
        }
        Node { start: start as u32, end: self.at as u32, name: None, kind }
    }

    fn map(&mut self, start: usize) -> Node<'t> {
        if !self.open(b'}') {
            return Node::broken(start, self.at);
        }
        self.at += 1;
        let mut kind = Kind::Map(self.sequence(Self::entry));
        if !self.close(start) {
            damage(&mut kind, self.at);
        }
        Node { start: start as u32, end: self.at as u32, name: None, kind }
    }

    /// Remembers an opener. `false` if it is one too deep.
    fn open(&mut self, closer: u8) -> bool {
        if self.open.len() < MAX_DEPTH {
            self.open.push((closer, self.at));
            return true;
        }
        if !self.stopped {
            let span = self.span(self.at, self.text.len().min(self.at + 1));
            let headline = format!("brackets are nested deeper than {MAX_DEPTH}");
            self.found.push(|| Diagnostic::new(&rules::NESTING_LIMIT, headline, span, "reading stops here"));
            self.stop();
        }
        false
    }

    /// Reads the closer of the innermost bracket. `false` if it is not there.
    fn close(&mut self, opened: usize) -> bool {
        let (closer, _) = self.open.pop().expect("each close has its open");
        let opener = self.text.as_bytes()[opened] as char;
        match self.peek() {
            Some(byte) if byte == closer => {
                self.at += 1;
                true
            }
            Some(byte) if is_closer(byte) && !self.open.iter().any(|(due, _)| *due == byte) => {
                let (closer, found) = (closer as char, byte as char);
                let (here, opener_span) = (self.span(self.at, self.at + 1), self.span(opened, opened + 1));
                let headline = format!("`{opener}` is closed by `{found}`");
                self.report(self.at, self.at + 1, &headline, &format!("expected `{closer}`"), |d| {
                    d.also(opener_span, "opened here").fix(
                        format!("write `{closer}`"),
                        false,
                        vec![Edit { span: here, text: closer.to_string() }],
                    )
                });
                self.at += 1;
                true
            }
            found => {
                self.unclosed(opened, opener, closer as char, found);
                false
            }
        }
    }

    fn unclosed(&mut self, opened: usize, opener: char, closer: char, found: Option<u8>) {
        let here = self.span(self.at, self.text.len().min(self.at + 1));
        let outer = self.open.len();
        self.report(opened, opened + 1, &format!("`{opener}` is never closed"), "opened here", |d| match found {
            Some(found) => d.also(here, format!("expected `{closer}` before this `{}`", found as char)),
            None if outer == 0 => d.also(here, format!("expected `{closer}` before the end of the file")),
            None => d
                .also(here, format!("expected `{closer}` before the end of the file"))
                .note(format!("{outer} more around it are open at the end of the file")),
        });
        self.is_partial = true;
        if found.is_none() {
            self.stop();
        }
    }

    /// Reads items up to a closing bracket of any kind.
    fn sequence<T: Spoil>(&mut self, mut item: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let mut items = Vec::new();
        loop {
            self.skip_gap();
            if self.at_end_or_closer() {
                return items;
            }
            let before = self.at;
            let mut read = item(self);
            let end = self.at;
            self.skip_gap();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(byte) if !is_closer(byte) => {
                    if self.reread_open_text(before, end) {
                        read.spoil();
                    } else {
                        self.no_comma(end);
                    }
                }
                _ => {}
            }
            items.push(read);
        }
    }

    /// Something else than a comma follows an item that ended at `end`.
    fn no_comma(&mut self, end: usize) {
        let insert = |span| vec![Edit { span, text: ",".to_owned() }];
        match self.peek() {
            Some(b';') => {
                let span = self.span(self.at, self.at + 1);
                self.report(self.at, self.at + 1, "expected `,`, found `;`", "items are separated by commas", |d| {
                    d.fix("write `,`", true, insert(span))
                });
                self.at += 1;
            }
            Some(b'"' | b'(' | b'[' | b'{' | b'0'..=b'9' | b'_' | b'a'..=b'z' | b'A'..=b'Z') => {
                let span = self.span(end, end);
                let next = self.span(self.at, self.at + 1);
                self.report(end, end, "expected `,`", "a comma is missing here", |d| {
                    d.also(next, "the next item begins here").fix("insert `,`", true, insert(span))
                });
            }
            _ => {
                let headline = format!("expected `,` or a closing bracket, found {}", self.found_here());
                let width = self.text[self.at..].chars().next().map_or(0, char::len_utf8);
                let is_operator = matches!(self.peek(), Some(b'+' | b'-' | b'*' | b'%' | b'<' | b'>' | b'&' | b'|'));
                self.report(
                    self.at,
                    self.at + width,
                    &headline,
                    "the text from here to the next `,` is skipped",
                    |d| {
                        if is_operator { d.help("expressions stand in quotes: `\"2 * n\"`") } else { d }
                    },
                );
                self.at += width;
                self.is_partial = true;
                self.skip_to_separator();
                if self.peek() == Some(b',') {
                    self.at += 1;
                }
            }
        }
    }

    /// A text without its closing quote swallows up to the next opening one, and every text behind it turns inside out.
    /// If the text just read holds a comma or line end and its line has an odd number of quotes, it is taken to end there.
    fn reread_open_text(&mut self, before: usize, end: usize) -> bool {
        if end < before + 2 || self.text.as_bytes()[end - 1] != b'"' {
            return false;
        }
        let Some(start) = self.text[before..end - 1].rfind('"').map(|n| before + n) else { return false };
        let line_end = self.text[start..].find('\n').map_or(self.text.len(), |n| start + n);
        let line_end = self.text.floor_char_boundary(line_end.min(start + 1024));
        let is_even = self.text[start..line_end].bytes().filter(|byte| *byte == b'"').count() % 2 == 0;
        let Some(cut) = self.text[start + 1..end - 1].find([',', '\n']) else { return false };
        if is_even || self.text[start..end].contains('\\') {
            return false;
        }
        self.report(start, start + 1, "a text is never closed", "opened here", |d| d.help("end it with `\"`"));
        self.is_partial = true;
        self.at = start + 1 + cut + usize::from(self.text.as_bytes()[start + 1 + cut] == b',');
        true
    }

    fn element(&mut self) -> Node<'t> {
        let node = self.value();
        let (after, _) = self.gap(self.at);
        if self.text.as_bytes().get(after) == Some(&b':') && !self.stopped {
            self.report(
                after,
                after + 1,
                "expected `,`, found `:`",
                "names and values stand in `(name: value)` only",
                |d| d,
            );
            self.at = after + 1;
            self.skip_to_separator();
            return Node::broken(node.start as usize, self.at);
        }
        node
    }

    /// Whether a name and a `:` (or the `=` of another language) stand here.
    fn at_field(&mut self) -> bool {
        let start = self.at;
        let is_name = self.ident().is_some() || (self.peek() == Some(b'"') && self.skip_string());
        let (after, _) = self.gap(self.at);
        self.at = start;
        is_name && matches!(self.text.as_bytes().get(after), Some(b':' | b'='))
    }

    fn skip_string(&mut self) -> bool {
        let end = scan::string_end(self.text.as_bytes(), self.at);
        self.at = end.unwrap_or(self.at);
        end.is_some()
    }

    fn field(&mut self) -> Field<'t> {
        let start = self.at;
        let Some(key) = self.field_name() else {
            if !self.at_separator() {
                self.value();
            }
            let end = self.at.max(start + 1);
            self.report(start, end, "expected `name: value`", "a value without a name", |d| d);
            return Field { key: Ident { text: "", at: start as u32 }, value: Node::broken(start, end) };
        };
        let value = self.after_key(key.at as usize, Some(key.text));
        Field { key, value }
    }

    /// The name of a field; quotes around it are reported.
    fn field_name(&mut self) -> Option<Ident<'t>> {
        let start = self.at;
        if self.peek() != Some(b'"') {
            return self.ident();
        }
        if !self.at_field() {
            return None;
        }
        self.skip_string();
        let text = &self.text[start + 1..self.at - 1];
        let edit = Edit { span: self.span(start, self.at), text: text.to_owned() };
        self.report(start, self.at, "a field's name stands without quotes", "quoted", |d| {
            d.help("keys of `{…}` are quoted, names in `(…)` are not").fix("remove the quotes", true, vec![edit])
        });
        Some(Ident { text, at: start as u32 + 1 })
    }

    fn entry(&mut self) -> Entry<'t> {
        let start = self.at;
        let key = self.value();
        let value = self.after_key(start, None);
        Entry { key, value }
    }

    /// Reads `: value`.
    fn after_key(&mut self, start: usize, name: Option<&str>) -> Node<'t> {
        let end = self.at;
        self.skip_gap();
        match self.peek() {
            Some(b':') => self.at += 1,
            Some(b'=') => {
                let span = self.span(self.at, self.at + 1);
                self.report(
                    self.at,
                    self.at + 1,
                    "expected `:`, found `=`",
                    "names and values are parted by `:`",
                    |d| d.fix("write `:`", true, vec![Edit { span, text: ":".to_owned() }]),
                );
                self.at += 1;
            }
            _ => {
                let span = self.span(end, end);
                self.report(start, end, "expected `:` and a value", "this stands alone", |d| {
                    d.help("`name: value` in `(…)`, `\"key\": value` in `{…}`").also(span, "`:` is missing here")
                });
                if self.at_separator() {
                    return Node::broken(start, end);
                }
            }
        }
        self.skip_gap();
        if self.at_separator() {
            let who = name.map_or_else(|| "a key".to_owned(), |name| format!("`{}`", excerpt(name)));
            self.report(start, end, &format!("{who} has no value"), "expected a value behind it", |d| d);
            return Node::broken(start, end);
        }
        self.value()
    }

    fn at_end_or_closer(&self) -> bool {
        self.peek().is_none_or(is_closer)
    }

    fn at_separator(&self) -> bool {
        self.peek().is_none_or(|byte| byte == b',' || is_closer(byte))
    }

    /// Passes over text up to the next `,` or closing bracket of this level.
    fn skip_to_separator(&mut self) {
        self.skip_until(|byte| byte == b',');
    }

    fn skip_to_closer(&mut self) {
        self.is_partial = true;
        self.skip_until(|_| false);
    }

    fn skip_until(&mut self, stop: impl Fn(u8) -> bool) {
        let mut depth = 0_usize;
        while let Some(byte) = self.peek() {
            match byte {
                b'(' | b'[' | b'{' => depth += 1,
                byte if is_closer(byte) && depth == 0 => return,
                byte if is_closer(byte) => depth -= 1,
                byte if depth == 0 && stop(byte) => return,
                b'"' => {
                    self.at = scan::string_end(self.text.as_bytes(), self.at).map_or(self.text.len(), |end| end - 1);
                }
                b'/' => {
                    let (at, gap) = self.gap(self.at);
                    if matches!(gap, scan::Gap::Done) {
                        self.at = at;
                        continue;
                    }
                }
                _ => {}
            }
            self.at += 1;
        }
        self.at = self.at.min(self.text.len());
    }
}

fn is_closer(byte: u8) -> bool {
    matches!(byte, b')' | b']' | b'}')
}

/// Marks a bracket that was cut short, so that nobody misses what may have stood behind the cut.
fn damage(kind: &mut Kind<'_>, at: usize) {
    match kind {
        Kind::Struct(fields) => {
            fields.push(Field { key: Ident { text: "", at: at as u32 }, value: Node::broken(at, at) });
        }
        Kind::List(items) | Kind::Tuple(items) => items.push(Node::broken(at, at)),
        Kind::Map(entries) => entries.push(Entry { key: Node::broken(at, at), value: Node::broken(at, at) }),
        _ => {}
    }
}

/// An item whose value turned out to be something else.
trait Spoil {
    fn spoil(&mut self);
}

impl Spoil for Node<'_> {
    fn spoil(&mut self) {
        self.kind = Kind::Broken;
    }
}

impl Spoil for Field<'_> {
    fn spoil(&mut self) {
        self.value.spoil();
    }
}

impl Spoil for Entry<'_> {
    fn spoil(&mut self) {
        self.value.spoil();
    }
}
