//! Words and marks of WGSL, with comments skipped.
//!
//! Just enough of the language to find directives, brackets and declarations: naga has no spans for members, arguments
//! and entry points, and must not be handed text that nests too deeply for its stack. Comments and line ends are those
//! of the WGSL specification, section 3.2 and 3.3.

use std::ops::Range;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// An identifier, a keyword or a number.
    Word,
    /// One byte of punctuation.
    Mark(u8),
}

/// A token and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) range: Range<usize>,
    /// Nothing but blanks and comments stand before it on its line.
    pub(super) leads: bool,
}

impl Token {
    pub(super) fn is(&self, mark: u8) -> bool {
        self.kind == Kind::Mark(mark)
    }
}

/// An iterator over the tokens of a text.
#[derive(Debug)]
pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
    leads: bool,
    /// Where a block comment opens that never closes; the tokens end there.
    pub(super) unclosed: Option<Range<usize>>,
}

impl<'a> Scanner<'a> {
    /// Starts behind a byte order mark, if there is one.
    pub(super) fn new(text: &'a str) -> Self {
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Self { text, at, leads: true, unclosed: None }
    }

    /// The rest of the current line, which is consumed; without its end.
    pub(super) fn rest_of_line(&mut self) -> Range<usize> {
        let start = self.at;
        while self.at < self.text.len() && line_end(&self.text.as_bytes()[self.at..]) == 0 {
            self.at += 1;
        }
        start..self.at
    }

    /// Consumes a block comment, which may nest. Returns whether it was closed.
    fn block_comment(&mut self) -> bool {
        let open = self.at;
        let bytes = self.text.as_bytes();
        let mut depth = 0_usize;
        while self.at < bytes.len() {
            match &bytes[self.at..] {
                [b'/', b'*', ..] => {
                    depth += 1;
                    self.at += 2;
                }
                [b'*', b'/', ..] => {
                    depth -= 1;
                    self.at += 2;
                    if depth == 0 {
                        return true;
                    }
                }
                rest => {
                    self.leads |= line_end(rest) > 0;
                    self.at += 1;
                }
            }
        }
        self.unclosed = Some(open..open + 2);
        false
    }
}

impl Iterator for Scanner<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            let rest = &self.text.as_bytes()[self.at..];
            let first = *rest.first()?;
            if line_end(rest) > 0 {
                self.leads = true;
                self.at += line_end(rest);
            } else if blank(rest) > 0 {
                self.at += blank(rest);
            } else if rest.starts_with(b"//") {
                self.rest_of_line();
            } else if rest.starts_with(b"/*") {
                if !self.block_comment() {
                    return None;
                }
            } else {
                let (kind, length) = if is_word(first) { (Kind::Word, word(rest)) } else { (Kind::Mark(first), 1) };
                let range = self.at..self.at + length;
                self.at = range.end;
                return Some(Token { kind, range, leads: std::mem::replace(&mut self.leads, false) });
            }
        }
    }
}

/// The bytes of the line end at the start of a text, 0 where there is none: also U+0085, U+2028 and U+2029.
fn line_end(text: &[u8]) -> usize {
    match text {
        [b'\n'..=b'\r', ..] => 1,
        [0xc2, 0x85, ..] => 2,
        [0xe2, 0x80, 0xa8 | 0xa9, ..] => 3,
        _ => 0,
    }
}

/// The bytes of the blank at the start of a text, 0 where there is none: also U+200E and U+200F.
fn blank(text: &[u8]) -> usize {
    match text {
        [b' ' | b'\t', ..] => 1,
        [0xe2, 0x80, 0x8e | 0x8f, ..] => 3,
        _ => 0,
    }
}

/// Whatever is not ASCII counts as part of a word: naga judges identifiers, here they only need an end.
fn is_word(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphanumeric() || !byte.is_ascii()
}

/// The bytes of the word at the start of a text.
fn word(text: &[u8]) -> usize {
    let ends = |at: usize| {
        let byte = text[at];
        !is_word(byte) || !byte.is_ascii() && (line_end(&text[at..]) > 0 || blank(&text[at..]) > 0)
    };
    (0..text.len()).find(|at| ends(*at)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        Scanner::new(text).map(|token| &text[token.range]).collect()
    }

    #[test]
    fn comments_and_blanks_are_skipped() {
        assert_eq!(words("\u{feff}a /* b /* c */ d */ e // f\r\ng\u{2028}h"), ["a", "e", "g", "h"]);
        assert_eq!(words("x/*/ not closed here */y"), ["x", "y"]);
        assert_eq!(words("é1 + 0x1fu"), ["é1", "+", "0x1fu"]);
        assert_eq!(words("a\u{85}b\u{200e}c\u{2029}\u{2027}d // \u{2028}e"), ["a", "b", "c", "\u{2027}d", "e"]);
    }

    #[test]
    fn an_open_comment_ends_the_tokens_and_is_kept() {
        let mut scanner = Scanner::new("a /* b /* c */");
        assert_eq!(scanner.by_ref().count(), 1);
        assert_eq!(scanner.unclosed, Some(2..4));
    }

    #[test]
    fn a_token_knows_whether_it_leads_its_line() {
        let leads: Vec<bool> = Scanner::new("  a b\r\n/* c */ d /*\n*/ e").map(|token| token.leads).collect();
        assert_eq!(leads, [true, false, true, true]);
    }
}
