//! Maps, and the names that are declared in them.

use std::collections::HashMap;

use crate::diagnostic::Edit;
use crate::source::{Name, Sp, Span};

use super::super::reader::excerpt;
use super::super::rules;
use super::super::tree::{Kind, Node};
use super::{Lower, Step};

/// Names that every file sees; nothing may be declared under them.
const RESERVED: [&str; 4] = ["camera", "frame", "surface", "draw_index"];

/// The longest declared name. Labels of wgpu objects and lines of plans are made of them.
const MAX_NAME_BYTES: usize = 128;

impl<'n> Lower<'n, '_> {
    /// A map with text keys, each entry read by `read`; those that fail are left out. Of keys given twice, the first stands.
    pub(super) fn map<T>(
        &mut self,
        node: &'n Node<'n>,
        what: &str,
        mut read: impl FnMut(&mut Self, Sp<Name>, &'n Node<'n>) -> Option<T>,
    ) -> Option<Vec<T>> {
        let Kind::Map(items) = &node.kind else {
            self.mistyped(node, &format!("a map of {what}s by name"));
            return None;
        };
        // Only asked, never walked.
        let is_small = items.len() <= 16;
        let mut seen = HashMap::with_capacity(if is_small { 0 } else { items.len() });
        let mut values = Vec::with_capacity(items.len().min(1 << 14));
        for (index, item) in items.iter().enumerate() {
            let Some(key) = item.key.text() else {
                self.bad_key(&item.key);
                continue;
            };
            let span = self.text_span(&item.key);
            let first = if is_small {
                items[..index].iter().find(|item| item.key.text() == Some(key)).map(|item| self.text_span(&item.key))
            } else {
                Some(*seen.entry(key).or_insert(span)).filter(|first| *first != span)
            };
            self.path.push(Step::Key(key));
            match first {
                Some(first) => self.duplicate(key, span, first, what),
                None => values.extend(read(self, Sp::new(Name::new(key), span), &item.value)),
            }
            self.path.pop();
        }
        Some(values)
    }

    fn bad_key(&mut self, key: &Node<'_>) {
        if key.kind == Kind::Broken {
            self.found.poison();
            return;
        }
        let bare = key.name.filter(|_| key.kind == Kind::Unit);
        let span = self.span(key);
        self.report(
            &rules::WRONG_TYPE,
            span,
            format!("a key is a text in quotes, not {}", key.describe()),
            "expected `\"…\"`",
            |d| match bare {
                Some(name) => d.fix("add quotes", false, vec![Edit { span, text: format!("\"{name}\"") }]),
                None => d,
            },
        );
    }

    /// Reports a name that was given before.
    pub(super) fn duplicate(&mut self, name: &str, span: Span, before: Span, what: &str) {
        let headline = format!("the {what} `{}` is given twice", excerpt(name));
        self.report(&rules::DUPLICATE_NAME, span, headline, "again here", |d| d.also(before, "first here"));
    }

    /// Whether a declared name is an identifier; reports it if not.
    pub(super) fn check_identifier(&mut self, name: &str, span: Span, what: &str) -> bool {
        if name.len() > MAX_NAME_BYTES {
            let headline =
                format!("the name of a {what} has {} bytes, above the limit of {MAX_NAME_BYTES}", name.len());
            self.report(&rules::INVALID_NAME, span, headline, "too long", |d| d);
            return false;
        }
        let mut bytes = name.bytes();
        let is_identifier = bytes.next().is_some_and(|b| b == b'_' || b.is_ascii_alphabetic())
            && bytes.all(|b| b == b'_' || b.is_ascii_alphanumeric());
        if !is_identifier {
            self.report(
                &rules::INVALID_NAME,
                span,
                format!("the {what} `{}` has no valid name", excerpt(name)),
                "no identifier",
                |d| d.help("a name is a letter or `_`, then letters, digits and `_`"),
            );
        }
        is_identifier
    }

    /// Whether a name may be declared as a param, resource or `Repeat` variable; reports it if not.
    pub(super) fn check_declared(&mut self, name: &str, span: Span, what: &str) -> bool {
        if RESERVED.contains(&name) {
            self.report(
                &rules::RESERVED_NAME,
                span,
                format!("a {what} is called `{name}`, which every file sees already"),
                "reserved",
                |d| d.help(format!("call it `{name}_`")),
            );
            return false;
        }
        self.check_identifier(name, span, what)
    }
}
