//! Brackets and what stands in them.

use crate::diagnostic::{Diagnostic, Edit};

use super::super::rules;
use super::super::tree::{Entry, Field, Kind, Node};
use super::recover::{Item, damage, is_closer};
use super::{MAX_DEPTH, Reader, excerpt, scan};

impl<'t> Reader<'t, '_> {
    pub(super) fn parens(&mut self, start: usize, name: Option<&'t str>) -> Node<'t> {
        self.bracket(b')', start, name, |r| {
            r.skip_gap();
            if r.at_field() { Kind::Struct(r.sequence(Self::field)) } else { Kind::Tuple(r.sequence(Self::element)) }
        })
    }

    pub(super) fn list(&mut self) -> Node<'t> {
        self.bracket(b']', self.at, None, |r| Kind::List(r.sequence(Self::element)))
    }

    pub(super) fn map(&mut self) -> Node<'t> {
        self.bracket(b'}', self.at, None, |r| Kind::Map(r.sequence(Self::entry)))
    }

    /// Reads from the opener at the cursor to its closer, and `inner` between them.
    fn bracket(
        &mut self,
        closer: u8,
        start: usize,
        name: Option<&'t str>,
        inner: impl FnOnce(&mut Self) -> Kind<'t>,
    ) -> Node<'t> {
        if !self.open(closer) {
            return Node::broken(start, self.at);
        }
        self.at += 1;
        let mut kind = inner(self);
        if !self.close() {
            kind = damage(kind, if self.peek().is_none() { self.text.len() } else { self.at }, self.arena);
        }
        Node { start: start as u32, end: self.at as u32, name, kind }
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
    pub(super) fn close(&mut self) -> bool {
        let (closer, start) = self.open.pop().expect("each close has its open");
        let opener = self.text.as_bytes()[start] as char;
        match self.peek() {
            Some(byte) if byte == closer => {
                self.at += 1;
                true
            }
            Some(byte) if is_closer(byte) && self.is_typo(byte, start) => {
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
            _ => {
                self.unclosed(start, opener, closer as char);
                false
            }
        }
    }

    /// Whether a wrong closer stands for the one that is due, rather than for one further out: when nobody waits for it,
    /// or the opener shares its line with it and the bracket that waits does not.
    fn is_typo(&self, closer: u8, start: usize) -> bool {
        let waiting = self.open.iter().rev().find(|(due, _)| *due == closer);
        let shares_line =
            |opened: usize| self.at - opened < 1024 && !self.text.as_bytes()[opened..self.at].contains(&b'\n');
        waiting.is_none_or(|(_, opened)| shares_line(start) && !shares_line(*opened))
    }

    fn unclosed(&mut self, start: usize, bracket: char, closer: char) {
        let is_end = self.peek().is_none();
        let here = self.span(self.at, self.text.len().min(self.at + 1));
        let outer = self.open.len();
        self.report(start, start + 1, &format!("`{bracket}` is never closed"), "opened here", |d| {
            let what = if is_end { "the end of the file" } else { "this" };
            let d = d.also(here, format!("expected `{closer}` before {what}"));
            if is_end && outer > 0 {
                d.note(format!("{outer} more around it are open at the end of the file"))
            } else {
                d
            }
        });
        self.pass_over();
        self.cut_at = Some(self.at);
        if is_end {
            self.stop();
        }
    }

    /// Reads items up to a closing bracket of any kind, or to what can only belong to the bracket around this one: there,
    /// `item` reads nothing.
    fn sequence<T: Item<'t>>(&mut self, item: fn(&mut Self) -> Option<T>) -> &'t [T] {
        let n_outer = T::stack(self).len();
        loop {
            self.skip_gap();
            let before = self.at;
            let next = if self.at_end_or_closer() { None } else { item(self) };
            let Some(mut read) = next else {
                let items = self.arena.alloc_slice_copy(&T::stack(self)[n_outer..]);
                T::stack(self).truncate(n_outer);
                return items;
            };
            let end = self.at;
            self.skip_gap();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(byte) if !is_closer(byte) => {
                    if self.reread_open_text(before, end) {
                        read.spoil();
                    } else if self.cut_at != Some(self.at) {
                        self.no_comma(end);
                    }
                }
                _ => {}
            }
            T::stack(self).push(read);
        }
    }

    fn element(&mut self) -> Option<Node<'t>> {
        if self.at_outer_field() {
            return None;
        }
        let node = self.value();
        let next = self.text.as_bytes().get(self.at);
        if matches!(next, None | Some(b',' | b')' | b']')) {
            return Some(node);
        }
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
            return Some(Node::broken(node.start as usize, self.at));
        }
        Some(node)
    }

    /// Whether a name and a `:` (or the `=` of another language) stand here.
    fn at_field(&mut self) -> bool {
        if matches!(self.peek(), None | Some(b'(' | b'[' | b'{' | b'0'..=b'9' | b')')) {
            return false;
        }
        let start = self.at;
        let is_name = self.ident().is_some() || (self.peek() == Some(b'"') && self.skip_string());
        let (after, _) = self.gap(self.at);
        self.at = start;
        is_name && matches!(self.text.as_bytes().get(after), Some(b':' | b'='))
    }

    /// The closer that is due around the innermost bracket.
    fn outer(&self) -> Option<u8> {
        self.open.len().checked_sub(2).map(|index| self.open[index].0)
    }

    /// In a list or tuple: whether a `name:` of the struct, or a `"key":` of the map around it stands here.
    fn at_outer_field(&mut self) -> bool {
        let wanted = if self.peek() == Some(b'"') { b'}' } else { b')' };
        self.outer() == Some(wanted) && self.at_field()
    }

    fn skip_string(&mut self) -> bool {
        let end = scan::string_end(self.text.as_bytes(), self.at);
        self.at = end.unwrap_or(self.at);
        end.is_some()
    }

    /// Reads `name: value`; nothing, if a `Name(` of the list around the struct stands here.
    fn field(&mut self) -> Option<Field<'t>> {
        let start = self.at;
        let Some(key) = self.field_name() else {
            let faults = self.found.faults();
            if !self.at_separator() {
                self.value();
            }
            let end = self.at.max(start + 1);
            if self.found.faults() == faults {
                self.report(start, end, "expected `name: value`", "a value without a name", |d| d);
            }
            return Some(Field { key: "", value: Node::broken(start, end) });
        };
        let is_quoted = self.text.as_bytes()[start] == b'"';
        if self.peek() == Some(b'(') && !is_quoted && self.outer() == Some(b']') {
            self.at = start;
            return None;
        }
        let value = self.after_key(start, Some(key));
        Some(Field { key, value })
    }

    /// The name of a field; quotes around it are reported.
    fn field_name(&mut self) -> Option<&'t str> {
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
        Some(text)
    }

    #[allow(clippy::unnecessary_wraps, reason = "items are read by functions of this shape")]
    fn entry(&mut self) -> Option<Entry<'t>> {
        let start = self.at;
        let key = self.value();
        let value = self.after_key(start, None);
        Some(Entry { key, value })
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
            _ if self.at_separator() => {}
            _ => {
                let span = self.span(end, end);
                self.report(end, end, "expected `:`", "a `:` is missing here", |d| {
                    d.fix("insert `:`", false, vec![Edit { span, text: ":".to_owned() }])
                });
            }
        }
        self.skip_gap();
        if self.at_separator() {
            if self.peek().is_none() {
                return Node::broken(start, self.text.len());
            }
            let who = name.map_or_else(|| "the key".to_owned(), |name| format!("`{}`", excerpt(name)));
            self.report(start, end, &format!("{who} has no value"), "expected a value behind it", |d| d);
            return Node::broken(start, end);
        }
        self.value()
    }
}
