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
        let end = self.text[start..].find(is_line_end).map_or(self.text.len(), |length| start + length);
        self.at = end;
        start..end
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
                _ => {
                    self.leads |= bytes[self.at] == b'\n';
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
            let rest = &self.text[self.at..];
            let first = rest.chars().next()?;
            if is_line_end(first) {
                self.leads = true;
                self.at += first.len_utf8();
            } else if is_blank(first) {
                self.at += first.len_utf8();
            } else if rest.starts_with("//") {
                self.rest_of_line();
            } else if rest.starts_with("/*") {
                if !self.block_comment() {
                    return None;
                }
            } else {
                let (kind, length) = if is_word(first) {
                    (Kind::Word, rest.find(|c| !is_word(c)).unwrap_or(rest.len()))
                } else {
                    (Kind::Mark(first as u8), 1)
                };
                let range = self.at..self.at + length;
                self.at = range.end;
                return Some(Token { kind, range, leads: std::mem::replace(&mut self.leads, false) });
            }
        }
    }
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\u{200e}' | '\u{200f}')
}

/// Whatever is not ASCII counts as part of a word: naga judges identifiers, here they only need an end.
fn is_word(c: char) -> bool {
    c == '_' || c.is_ascii_alphanumeric() || !c.is_ascii() && !is_line_end(c) && !is_blank(c)
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
