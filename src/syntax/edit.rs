//! Edits of graph files as text.

use crate::diagnostic::Edit;
use crate::source::{Files, Span};

/// Removes the item of a list, map or struct that starts at or around `span`, with the comma that parts it from the next, or from
/// the one before if it is the last. Nothing where the text does not look like an item.
pub fn remove_item(files: &Files, span: Span) -> Option<Edit> {
    let text = files.get(span.file).text.as_str();
    let start = item_start(text, span.start as usize)?;
    let (end, closed_by_comma) = item_end(text, start)?;
    if closed_by_comma {
        let rest = &text[end + 1..];
        let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        // An item that has its line for itself takes the line along.
        let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let alone = text[line..start].trim().is_empty() && rest[blank..].starts_with('\n');
        let (from, to) = if alone { (line, end + 1 + blank + 1) } else { (start, end + 1 + blank) };
        return Some(Edit { span: Span::new(span.file, from, to), text: String::new() });
    }
    let before = text[..start].trim_end();
    let from = if before.ends_with(',') { before.len() - 1 } else { start };
    let end = start + text[start..end].trim_end().len();
    Some(Edit { span: Span::new(span.file, from, end), text: String::new() })
}

/// Where the item begins: at the quote of a quoted key.
fn item_start(text: &str, at: usize) -> Option<usize> {
    let quoted = at > 0 && text.as_bytes().get(at - 1) == Some(&b'"');
    text.is_char_boundary(at).then_some(if quoted { at - 1 } else { at })
}

/// Where the item ends: before its comma, or before the bracket that closes what it is in.
fn item_end(text: &str, start: usize) -> Option<(usize, bool)> {
    let mut depth = 0_usize;
    let mut chars = text[start..].char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => {
                while let Some((_, c)) = chars.next() {
                    match c {
                        '\\' => drop(chars.next()),
                        '"' => break,
                        _ => {}
                    }
                }
            }
            '/' if chars.peek().is_some_and(|(_, next)| *next == '/') => {
                while chars.next_if(|(_, c)| *c != '\n').is_some() {}
            }
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return Some((start + at, false)),
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => return Some((start + at, true)),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Memory;

    #[track_caller]
    fn without(text: &str, item: &str, expected: &str) {
        let mut files = Files::new(Memory::default());
        let file = files.add("a.ron", text.to_owned());
        let at = text.find(item).expect("the item");
        let Edit { span, text: new } = remove_item(&files, Span::new(file, at, at + item.len())).expect("an edit");
        let edited = format!("{}{new}{}", &text[..span.start as usize], &text[span.end as usize..]);
        assert_eq!(edited, expected);
    }

    #[test]
    fn items_go_with_one_comma() {
        without("usage: [Storage, Vertex]", "Vertex", "usage: [Storage]");
        without("usage: [Vertex, Storage]", "Vertex", "usage: [Storage]");
        without("usage: [Vertex]", "Vertex", "usage: []");
        without("{ \"a\": Int(of: [1, 2], x: \"},\"), \"b\": 2 }", "a\"", "{ \"b\": 2 }");
        without("{ \"a\": 1, \"b\": (2) }", "b\"", "{ \"a\": 1 }");
        without("{\n    \"a\": 1,\n    \"b\": 2,\n}", "a\"", "{\n    \"b\": 2,\n}");
        without("{ \"a\": Allow( // for, now\n when: \"x\"), }", "a\"", "{ }");
    }
}
