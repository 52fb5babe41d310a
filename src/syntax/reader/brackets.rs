//! Brackets and what stands in them.

use crate::diagnostic::{Diagnostic, Edit};

use super::super::rules;
use super::super::tree::{Entry, Field, Ident, Kind, Node};
use super::recover::{Spoil, damage, is_closer};
use super::{MAX_DEPTH, Reader, excerpt, scan};

impl<'t> Reader<'t, '_> {
    pub(super) fn parens(&mut self, start: usize, name: Option<Ident<'t>>) -> Node<'t> {
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

    pub(super) fn list(&mut self, start: usize) -> Node<'t> {
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

    pub(super) fn map(&mut self, start: usize) -> Node<'t> {
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
    pub(super) fn open(&mut self, closer: u8) -> bool {
        if self.open.len() < MAX_DEPTH {
            self.open.push((closer, self.at));
            return true;
        }
        if !self.is_stopped() {
            let span = self.span(self.at, self.text.len().min(self.at + 1));
            let headline = format!("brackets are nested deeper than {MAX_DEPTH}");
            self.found.push(|| Diagnostic::new(&rules::NESTING_LIMIT, headline, span, "reading stops here"));
            self.stop();
        }
        false
    }

    /// Reads the closer of the innermost bracket. `false` if it is not there.
    pub(super) fn close(&mut self, start: usize) -> bool {
        let (closer, _) = self.open.pop().expect("each close has its open");
        let opener = self.text.as_bytes()[start] as char;
        match self.peek() {
            Some(byte) if byte == closer => {
                self.at += 1;
                true
            }
            Some(byte) if is_closer(byte) && !self.open.iter().any(|(due, _)| *due == byte) => {
                let (closer, found) = (closer as char, byte as char);
                let (here, opener_span) = (self.span(self.at, self.at + 1), self.span(start, start + 1));
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
                self.unclosed(start, opener, closer as char, found);
                false
            }
        }
    }

    fn unclosed(&mut self, start: usize, bracket: char, closer: char, found: Option<u8>) {
        let here = self.span(self.at, self.text.len().min(self.at + 1));
        let outer = self.open.len();
        self.report(start, start + 1, &format!("`{bracket}` is never closed"), "opened here", |d| match found {
            Some(found) => d.also(here, format!("expected `{closer}` before this `{}`", found as char)),
            None if outer == 0 => d.also(here, format!("expected `{closer}` before the end of the file")),
            None => d
                .also(here, format!("expected `{closer}` before the end of the file"))
                .note(format!("{outer} more around it are open at the end of the file")),
        });
        self.pass_over();
        if found.is_none() {
            self.stop();
        }
    }

    /// Reads items up to a closing bracket of any kind.
    pub(super) fn sequence<T: Spoil>(&mut self, mut item: impl FnMut(&mut Self) -> T) -> Vec<T> {
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

    pub(super) fn element(&mut self) -> Node<'t> {
        let node = self.value();
        let (after, _) = self.gap(self.at);
        if self.text.as_bytes().get(after) == Some(&b':') && !self.is_stopped() {
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
    pub(super) fn at_field(&mut self) -> bool {
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

    pub(super) fn field(&mut self) -> Field<'t> {
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

    pub(super) fn entry(&mut self) -> Entry<'t> {
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
}
