//! What the reader does where the text is not RON.

use bumpalo::Bump;

use crate::diagnostic::Edit;

use super::super::tree::{Entry, Field, Kind, Node};
use super::{Reader, scan};

impl Reader<'_, '_> {
    /// Something else than a comma follows an item that ended at `end`.
    pub(super) fn no_comma(&mut self, end: usize) {
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
                self.pass_over();
                self.skip_to_separator();
                if self.peek() == Some(b',') {
                    self.at += 1;
                }
            }
        }
    }

    /// A text without its closing quote swallows up to the next opening one, and every text behind it turns inside out.
    /// If the text just read holds a comma or line end and its line has an odd number of quotes, it is taken to end there.
    pub(super) fn reread_open_text(&mut self, before: usize, end: usize) -> bool {
        if end < before + 2 || self.text.as_bytes()[end - 1] != b'"' {
            return false;
        }
        let Some(start) = self.text[before..end - 1].rfind('"').map(|n| before + n) else { return false };
        let Some(cut) = self.text[start + 1..end - 1].find([',', '\n']) else { return false };
        if self.rereads_left == 0 || self.text[start..end].contains('\\') {
            return false;
        }
        self.rereads_left -= 1;
        let near = self.text.floor_char_boundary(start + 1024);
        let line_end = self.text[start..near].find('\n').map_or(near, |n| start + n);
        if self.text[start..line_end].bytes().filter(|byte| *byte == b'"').count() % 2 == 0 {
            return false;
        }
        self.report(start, start + 1, "a text is never closed", "opened here", |d| d.help("end it with `\"`"));
        self.pass_over();
        self.at = start + 1 + cut + usize::from(self.text.as_bytes()[start + 1 + cut] == b',');
        true
    }

    pub(super) fn at_end_or_closer(&self) -> bool {
        self.peek().is_none_or(is_closer)
    }

    pub(super) fn at_separator(&self) -> bool {
        self.peek().is_none_or(|byte| byte == b',' || is_closer(byte))
    }

    /// Passes over text up to the next `,` or closing bracket of this level.
    pub(super) fn skip_to_separator(&mut self) {
        self.skip_until(|byte| byte == b',');
    }

    pub(super) fn skip_to_closer(&mut self) {
        self.pass_over();
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
                b'/' => match self.gap(self.at) {
                    (_, scan::Gap::Slash) => {}
                    _ => {
                        self.skip_gap();
                        continue;
                    }
                },
                _ => {}
            }
            self.at += 1;
        }
        self.at = self.at.min(self.text.len());
    }
}

pub(super) fn is_closer(byte: u8) -> bool {
    matches!(byte, b')' | b']' | b'}')
}

/// Marks a bracket that was cut short at `at`, so that nobody misses what may have stood behind the cut, or believes the
/// half of a value before it.
pub(super) fn damage<'t>(kind: Kind<'t>, at: usize, arena: &'t Bump) -> Kind<'t> {
    let broken = Node::broken(at, at);
    let is_half = |node: &Node<'_>| {
        let is_leaf = !matches!(node.kind, Kind::List(_) | Kind::Tuple(_) | Kind::Struct(_) | Kind::Map(_));
        is_leaf && node.end as usize == at
    };
    match kind {
        Kind::Struct(fields) => {
            let lost = Field { key: "", value: broken };
            Kind::Struct(damaged(fields, |field| is_half(&field.value), lost, arena))
        }
        Kind::List(items) => Kind::List(damaged(items, is_half, broken, arena)),
        Kind::Tuple(items) => Kind::Tuple(damaged(items, is_half, broken, arena)),
        Kind::Map(entries) => {
            let lost = Entry { key: broken, value: broken };
            Kind::Map(damaged(entries, |entry| is_half(&entry.value), lost, arena))
        }
        kind => kind,
    }
}

/// The items of a bracket that was cut short, and one that stands for what was lost.
fn damaged<'t, T: Item<'t>>(items: &[T], is_half: impl Fn(&T) -> bool, lost: T, arena: &'t Bump) -> &'t [T] {
    let mut items = items.to_vec();
    items.iter_mut().filter(|item| is_half(item)).for_each(Item::spoil);
    items.push(lost);
    arena.alloc_slice_copy(&items)
}

/// What brackets hold.
pub(super) trait Item<'t>: Copy + 't {
    /// The stack of the items of open brackets.
    fn stack<'r>(reader: &'r mut Reader<'t, '_>) -> &'r mut Vec<Self>;

    /// Makes its value one that could not be read.
    fn spoil(&mut self);
}

impl<'t> Item<'t> for Node<'t> {
    fn stack<'r>(reader: &'r mut Reader<'t, '_>) -> &'r mut Vec<Self> {
        &mut reader.nodes
    }

    fn spoil(&mut self) {
        self.name = None;
        self.kind = Kind::Broken;
    }
}

impl<'t> Item<'t> for Field<'t> {
    fn stack<'r>(reader: &'r mut Reader<'t, '_>) -> &'r mut Vec<Self> {
        &mut reader.fields
    }

    fn spoil(&mut self) {
        self.value.spoil();
    }
}

impl<'t> Item<'t> for Entry<'t> {
    fn stack<'r>(reader: &'r mut Reader<'t, '_>) -> &'r mut Vec<Self> {
        &mut reader.entries
    }

    fn spoil(&mut self) {
        self.value.spoil();
    }
}
