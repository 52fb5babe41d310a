//! Tokens: white space, names, numbers and texts.
//!
//! Plain ones are read here; every other leaf (escapes, raw texts, odd numbers, ranges, characters, bytes) is handed to
//! the `ron` crate, which says what it is and where it ends. So a leaf is accepted exactly when `ron` accepts it.

use ron::extensions::Extensions;
use serde::Deserialize as _;
use unicode_ident::{is_xid_continue, is_xid_start};

use crate::diagnostic::Edit;

use super::super::tree::{Escaped, Kind, Node};
use super::Reader;

/// The options that rondag reads RON with. The limit counts ron's own steps, several a bracket.
pub(super) fn options() -> ron::Options {
    ron::Options::default()
        .with_default_extension(Extensions::IMPLICIT_SOME)
        .with_recursion_limit(4 * super::MAX_DEPTH + 4)
}

/// Whether a byte is an ASCII character of a name.
const IS_NAME: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
        byte += 1;
    }
    table
};

/// Whether a byte is ASCII white space.
const IS_BLANK: [bool; 256] = {
    let mut table = [false; 256];
    let blanks = b" \t\n\r\x0b\x0c";
    let mut at = 0;
    while at < blanks.len() {
        table[blanks[at] as usize] = true;
        at += 1;
    }
    table
};

/// White space beyond ASCII, as in `ron`.
fn is_wide_space(c: char) -> bool {
    matches!(c, '\u{85}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}')
}

/// What stopped a walk over white space.
pub(super) enum Gap {
    /// Something else, or the end.
    Done,
    /// A `/` that opens no comment.
    Slash,
    /// A block comment without an end, opened here.
    Unclosed(usize),
}

impl<'t> Reader<'t, '_> {
    /// The byte at the cursor.
    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// The character at the cursor, quoted for a message.
    pub(super) fn found_here(&self) -> String {
        match self.text[self.at..].chars().next() {
            None => "the end of the file".to_owned(),
            Some(c) if c.is_control() => format!("the character U+{:04X}", c as u32),
            Some(c) => format!("`{c}`"),
        }
    }

    /// Walks over white space and comments from `at`.
    pub(super) fn gap(&self, mut at: usize) -> (usize, Gap) {
        let bytes = self.bytes;
        loop {
            while bytes.get(at).is_some_and(|byte| IS_BLANK[*byte as usize]) {
                at += 1;
            }
            match bytes.get(at) {
                Some(b'/') => match bytes.get(at + 1) {
                    Some(b'/') => {
                        at = self.text[at..].find('\n').map_or(self.text.len(), |n| at + n);
                    }
                    Some(b'*') => match block_comment(bytes, at) {
                        Some(end) => at = end,
                        None => return (at, Gap::Unclosed(at)),
                    },
                    _ => return (at, Gap::Slash),
                },
                Some(0x80..) => match self.text[at..].chars().next() {
                    Some(c) if is_wide_space(c) => at += c.len_utf8(),
                    _ => return (at, Gap::Done),
                },
                _ => return (at, Gap::Done),
            }
        }
    }

    /// Skips white space and comments, reporting those that are none.
    #[inline]
    pub(super) fn skip_gap(&mut self) {
        if matches!(self.bytes.get(self.at), None | Some(0..=b' ' | b'/' | 0x80..)) {
            self.skip_wide_gap();
        }
    }

    fn skip_wide_gap(&mut self) {
        while self.bytes.get(self.at).is_some_and(|byte| IS_BLANK[*byte as usize]) {
            self.at += 1;
        }
        if matches!(self.bytes.get(self.at), Some(b'/' | 0x80..)) {
            self.skip_odd_gap();
        }
    }

    /// Skips what is not ASCII white space: comments, and white space beyond ASCII.
    fn skip_odd_gap(&mut self) {
        loop {
            let (at, gap) = self.gap(self.at);
            self.at = at;
            match gap {
                Gap::Done => return,
                Gap::Slash => {
                    self.report(
                        at,
                        at + 1,
                        "expected `//` or `/*`, found a single `/`",
                        "no comment begins like this",
                        |d| d,
                    );
                    self.pass_over();
                    self.at += 1;
                }
                Gap::Unclosed(opened) => {
                    self.report(opened, opened + 2, "a block comment is never closed", "opened here", |d| {
                        d.help("block comments nest: each `/*` needs its `*/`")
                    });
                    self.stop();
                    return;
                }
            }
        }
    }

    /// Whether a text or bytes literal begins here, which `r…` and `b…` might be taken for names.
    fn at_prefixed_literal(&self) -> bool {
        let rest = &self.text.as_bytes()[self.at..];
        [&b"b\""[..], b"b'", b"br#", b"br\"", b"r\"", b"r#\"", b"r##"].iter().any(|prefix| rest.starts_with(prefix))
    }

    /// Reads a name, raw ones included. Nothing is consumed if there is none.
    pub(super) fn ident(&mut self) -> Option<&'t str> {
        let bytes = self.text.as_bytes();
        let first = self.peek()?;
        if matches!(first, b'b' | b'r') && self.at_prefixed_literal() {
            return None;
        }
        if bytes[self.at..].starts_with(b"r#") {
            let start = self.at + 2;
            let raw = |c: char| matches!(c, '.' | '+' | '-') || is_xid_continue(c);
            let len = self.text[start..].find(|c| !raw(c)).unwrap_or(self.text.len() - start);
            return (len > 0).then(|| self.ident_at(start, start + len));
        }
        let starts = match first {
            b'_' | b'a'..=b'z' | b'A'..=b'Z' => true,
            0x80.. => self.text[self.at..].chars().next().is_some_and(is_xid_start),
            _ => false,
        };
        starts.then(|| self.ident_at(self.at, self.ident_end(self.at)))
    }

    fn ident_at(&mut self, start: usize, end: usize) -> &'t str {
        self.at = end;
        &self.text[start..end]
    }

    /// The end of the run of name characters from `at`.
    fn ident_end(&self, mut at: usize) -> usize {
        let bytes = self.text.as_bytes();
        loop {
            while bytes.get(at).is_some_and(|byte| IS_NAME[*byte as usize]) {
                at += 1;
            }
            match bytes.get(at) {
                Some(0x80..) => match self.text[at..].chars().next() {
                    Some(c) if is_xid_continue(c) => at += c.len_utf8(),
                    _ => return at,
                },
                _ => return at,
            }
        }
    }

    /// Reads a leaf by way of `ron`: `Err` with its words and the offset where it gave up.
    fn ron_leaf(&self) -> Result<(ron::Value, usize), (String, usize)> {
        let rest = &self.text[self.at..];
        let failed = |error: ron::error::SpannedError| {
            let end = offset_of(rest, error.span.end);
            (said(&error.code), self.at + end)
        };
        let mut reader = ron::Deserializer::from_str(rest).map_err(failed)?;
        match ron::Value::deserialize(&mut reader) {
            Ok(value) => Ok((value, self.text.len() - reader.remainder().len())),
            Err(code) => Err(failed(reader.span_error(code))),
        }
    }

    /// Reads a number or a range of numbers.
    pub(super) fn number(&mut self) -> Node<'t> {
        let start = self.at;
        if let Some((kind, end)) = plain_number(self.text, start) {
            self.at = end;
            return Node { start: start as u32, end: end as u32, name: None, kind };
        }
        let (kind, end) = match self.ron_leaf() {
            Ok((value, end)) if self.ident_end(end) == end => {
                // `ron` reads an integer beyond 64 bits as a float.
                let is_whole = self.text[start..end].bytes().all(|b| matches!(b, b'0'..=b'9' | b'_' | b'+' | b'-'));
                let kind = leaf_kind(&value);
                (if is_whole && matches!(kind, Kind::Float(_)) { Kind::Big } else { kind }, end)
            }
            other => {
                let end = self.token_end(start);
                let said = other.err().map(|(said, _)| said);
                let label = said.unwrap_or_else(|| "letters follow the digits".to_owned());
                let headline = format!("`{}` is no number", excerpt(&self.text[start..end]));
                self.report(start, end, &headline, &label, |d| d);
                (Kind::Broken, end)
            }
        };
        self.at = end;
        Node { start: start as u32, end: end as u32, name: None, kind }
    }

    /// The end of what looks like one token.
    fn token_end(&self, start: usize) -> usize {
        let is_part = |c: char| matches!(c, '.' | '+' | '-' | '\'') || is_xid_continue(c);
        let len = self.text[start..].find(|c| !is_part(c)).unwrap_or(self.text.len() - start);
        start + len.max(1).min(self.text.len() - start)
    }

    /// Reads a character, raw text or bytes.
    pub(super) fn literal(&mut self) -> Node<'t> {
        let start = self.at;
        match self.ron_leaf() {
            Ok((value, end)) => {
                self.at = end;
                let raw = &self.text[start..end];
                let kind = match value {
                    ron::Value::String(_) => {
                        let open = raw.find('"').map_or(0, |n| n + 1);
                        let close = raw.rfind('"').unwrap_or(raw.len());
                        Kind::Str(&self.text[start + open..start + close])
                    }
                    value => leaf_kind(&value),
                };
                Node { start: start as u32, end: end as u32, name: None, kind }
            }
            Err(_) if self.peek() == Some(b'\'') => self.single_quotes(start),
            Err((said, _)) => {
                self.report(start, start + 1, "a raw text or bytes literal cannot be read", &said, |d| d);
                self.stop();
                Node::broken(start, self.at)
            }
        }
    }

    /// `'text'` where RON wants `"text"`.
    fn single_quotes(&mut self, start: usize) -> Node<'t> {
        let near = self.text.floor_char_boundary(start + 256);
        let line = self.text[start..near].find('\n').map_or(near, |n| start + n);
        let Some(len) = self.text[start + 1..line].find('\'') else {
            self.report(start, start + 1, "a character literal cannot be read", "no closing `'` on this line", |d| d);
            self.at = start + 1;
            self.skip_to_separator();
            return Node::broken(start, self.at);
        };
        let end = start + len + 2;
        let edits = vec![
            Edit { span: self.span(start, start + 1), text: "\"".to_owned() },
            Edit { span: self.span(end - 1, end), text: "\"".to_owned() },
        ];
        self.report(start, end, "a text is written in double quotes", "single quotes hold one character", |d| {
            d.fix("use double quotes", false, edits)
        });
        self.at = end;
        Node::broken(start, end)
    }

    /// Reads a text in double quotes.
    pub(super) fn string(&mut self) -> Node<'t> {
        let start = self.at;
        let content = start + 1;
        let stop = self.text.as_bytes()[content..].iter().position(|byte| matches!(byte, b'"' | b'\\'));
        match stop.map(|n| content + n) {
            Some(end) if self.text.as_bytes()[end] == b'"' => {
                self.at = end + 1;
                let kind = Kind::Str(&self.text[content..end]);
                Node { start: start as u32, end: end as u32 + 1, name: None, kind }
            }
            Some(_) => self.escaped_string(start),
            None => self.unclosed_string(start),
        }
    }

    fn escaped_string(&mut self, start: usize) -> Node<'t> {
        match self.ron_leaf() {
            Ok((ron::Value::String(value), end)) => {
                self.at = end;
                let map = escape_map(&self.text.as_bytes()[..end - 1], start + 1, value.len());
                let (value, map) = (self.arena.alloc_str(&value), self.arena.alloc_slice_copy(&map));
                let kind = Kind::Escaped(self.arena.alloc(Escaped { value, map }));
                Node { start: start as u32, end: end as u32, name: None, kind }
            }
            Ok(_) | Err(_) if string_end(self.text.as_bytes(), start).is_none() => self.unclosed_string(start),
            other => {
                let end = string_end(self.text.as_bytes(), start).unwrap_or(self.text.len());
                let (said, stopped) = other.err().unwrap_or_default();
                let stopped = stopped.clamp(start + 1, end);
                let escape = self.text[start..stopped].rfind('\\').map_or(start, |n| start + n);
                self.report(escape, stopped.max(escape + 1), "a text has an invalid escape", &said, |d| {
                    d.help("write a backslash as `\\\\`")
                });
                self.at = end;
                Node::broken(start, end)
            }
        }
    }

    /// A text that runs to the end of the file: taken to end where its line or its value would.
    fn unclosed_string(&mut self, start: usize) -> Node<'t> {
        let rest = &self.text[start + 1..];
        let end = start + 1 + rest.find([',', ')', ']', '}', '\n', '\r']).unwrap_or(rest.len());
        self.report(start, start + 1, "a text is never closed", "opened here", |d| d.help("end it with `\"`"));
        // A text that is cut in its last line is a file half written.
        if self.had_unclosed_string || !rest.contains('\n') {
            self.stop();
        } else {
            self.had_unclosed_string = true;
            self.at = end;
        }
        Node::broken(start, end)
    }
}

/// The end of a nested block comment that opens at `at`.
fn block_comment(bytes: &[u8], mut at: usize) -> Option<usize> {
    let mut level = 0_usize;
    loop {
        match (bytes.get(at)?, bytes.get(at + 1)) {
            (b'/', Some(b'*')) => {
                level += 1;
                at += 2;
            }
            (b'*', Some(b'/')) => {
                level -= 1;
                at += 2;
                if level == 0 {
                    return Some(at);
                }
            }
            _ => at += 1,
        }
    }
}

/// One past the closing quote of a text that opens at `start`.
pub(super) fn string_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// The offsets of the bytes of an escaped text that decodes to `len` bytes; empty where an escape is not one character
/// long.
fn escape_map(bytes: &[u8], content: usize, len: usize) -> Vec<u32> {
    let mut map = Vec::with_capacity(len + 1);
    let mut at = content;
    while at < bytes.len() {
        map.push(at as u32);
        at += match (bytes[at], bytes.get(at + 1)) {
            (b'\\', Some(b'"' | b'\\' | b'\'' | b'n' | b'r' | b't' | b'0')) => 2,
            (b'\\', _) => return Vec::new(),
            _ => 1,
        };
    }
    map.push(at as u32);
    if map.len() == len + 1 { map } else { Vec::new() }
}

/// A number without sign tricks, underscores at odd places, bases or suffixes; `ron` reads the others.
fn plain_number<'t>(text: &str, start: usize) -> Option<(Kind<'t>, usize)> {
    let bytes = text.as_bytes();
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    let first = start + usize::from(bytes[start] == b'-');
    let whole = digits(first);
    if whole == first || whole - first > 18 {
        return None;
    }
    let is_fraction = bytes.get(whole) == Some(&b'.');
    let end = if is_fraction { digits(whole + 1) } else { whole };
    let ends =
        matches!(bytes.get(end), None | Some(b',' | b')' | b']' | b'}' | b':' | b' ' | b'\t' | b'\n' | b'\r' | b'/'));
    if !ends || (is_fraction && end == whole + 1) {
        return None;
    }
    let literal = &text[start..end];
    let kind = if is_fraction { Kind::Float(literal.parse().ok()?) } else { Kind::Int(literal.parse().ok()?) };
    Some((kind, end))
}

/// What `ron` made of a leaf.
fn leaf_kind<'t>(value: &ron::Value) -> Kind<'t> {
    use ron::value::Number;
    let ron::Value::Number(number) = value else {
        return Kind::Other(match value {
            ron::Value::Char(_) => "a character",
            ron::Value::Bytes(_) => "bytes",
            _ => "a range",
        });
    };
    match *number {
        Number::F32(v) => Kind::Float(f64::from(v.get())),
        Number::F64(v) => Kind::Float(v.get()),
        Number::U64(v) => i64::try_from(v).map_or(Kind::Big, Kind::Int),
        Number::I8(v) => Kind::Int(v.into()),
        Number::I16(v) => Kind::Int(v.into()),
        Number::I32(v) => Kind::Int(v.into()),
        Number::I64(v) => Kind::Int(v),
        Number::U8(v) => Kind::Int(v.into()),
        Number::U16(v) => Kind::Int(v.into()),
        Number::U32(v) => Kind::Int(v.into()),
        Number::__NonExhaustive(_) => Kind::Big,
    }
}

/// What `ron` says, as the rest of rondag writes it.
pub(super) fn said(error: &ron::Error) -> String {
    let text = error.to_string();
    let mut characters = text.chars();
    characters.next().map_or(String::new(), |first| first.to_lowercase().chain(characters).collect())
}

/// The byte offset of a position that `ron` counts in lines and characters from 1.
pub(super) fn offset_of(text: &str, position: ron::error::Position) -> usize {
    let mut start = 0;
    for _ in 1..position.line {
        start = text[start..].find('\n').map_or(text.len(), |n| start + n + 1);
    }
    let mut characters = text[start..].char_indices().skip(position.col.saturating_sub(1));
    characters.next().map_or(text.len(), |(n, _)| start + n)
}

/// A name or number for a message, cut where it is long.
pub(in crate::syntax) fn excerpt(text: &str) -> String {
    if text.len() <= 40 { text.to_owned() } else { format!("{}…", &text[..text.floor_char_boundary(40)]) }
}
