//! The one helper that structs, variants and lists go through.

use std::fmt;

use crate::diagnostic::{Edit, nearest};
use crate::source::Span;

use super::super::reader::excerpt;
use super::super::rules;
use super::super::tree::{Field, Ident, Kind, Node};
use super::{Lower, Step};

/// Whose fields they are, as messages name it.
#[derive(Debug, Clone, Copy)]
pub(super) enum What<'n> {
    /// `Dispatch`, in backticks.
    Kind(&'n str),
    /// "a draw"
    Place(&'static str),
}

impl fmt::Display for What<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind(name) => write!(f, "`{name}`"),
            Self::Place(what) => f.write_str(what),
        }
    }
}

/// The fields of a struct, and which names were asked for so far.
#[derive(Debug)]
pub(super) struct Fields<'n> {
    what: What<'n>,
    /// The name, or the opening parenthesis.
    head: Span,
    items: &'n [Field<'n>],
    known: Vec<&'static str>,
}

impl<'n> Fields<'n> {
    /// The fields of a bare name: none.
    pub(super) fn none(what: What<'n>, head: Span) -> Self {
        Self { what, head, items: &[], known: Vec::new() }
    }

    /// The key of a field, if the field is there.
    pub(super) fn key(&self, name: &str) -> Option<Ident<'n>> {
        self.items.iter().find(|field| field.key.text == name && field.value.kind != Kind::None).map(|field| field.key)
    }

    /// Whether some of the fields were lost.
    pub(super) fn is_damaged(&self) -> bool {
        self.items.iter().any(|field| field.key.text.is_empty())
    }

    /// Where missing things are missed.
    pub(super) fn head(&self) -> Span {
        self.head
    }
}

impl<'n> Lower<'n, '_> {
    /// The fields of `node`, or `None` if it has no place for any.
    pub(super) fn fields(&mut self, node: &'n Node<'n>, what: What<'n>) -> Option<Fields<'n>> {
        let head = self.head(node);
        let items: &[Field<'n>] = match &node.kind {
            Kind::Struct(items) => items,
            Kind::Tuple(items) if items.is_empty() => &[],
            Kind::Broken => {
                self.found.poison();
                return None;
            }
            _ => {
                let label = match &node.kind {
                    Kind::Tuple(_) => "its fields have no names".to_owned(),
                    _ => node.describe().to_owned(),
                };
                self.report(
                    &rules::WRONG_TYPE,
                    self.span(node),
                    format!("{what} takes `(name: value, …)`, not {}", node.describe()),
                    label,
                    |d| d,
                );
                return None;
            }
        };
        if items.iter().any(|field| field.key.text.is_empty()) {
            self.found.poison();
        }
        Some(Fields { what, head, items, known: Vec::with_capacity(16) })
    }

    /// Like [`fields`](Self::fields), for a struct that has no name.
    pub(super) fn unnamed(&mut self, node: &'n Node<'n>, what: &'static str) -> Option<Fields<'n>> {
        if let Some(name) = node.name.filter(|_| node.kind != Kind::Unit) {
            let span = self.ident_span(name);
            let edit = Edit { span, text: String::new() };
            self.report(
                &rules::WRONG_TYPE,
                span,
                format!("{what} is written `(…)`, without a name"),
                "one name too many",
                |d| d.fix("remove the name", false, vec![edit]),
            );
        }
        self.fields(node, What::Place(what))
    }

    /// The name of `node`, or its first character.
    pub(super) fn head(&self, node: &Node<'_>) -> Span {
        match node.name {
            Some(name) => self.ident_span(name),
            None => Span { file: self.file, start: node.start, end: node.end.min(node.start + 1) },
        }
    }

    /// The value of a field. Further ones of the same name are reported.
    pub(super) fn take(&mut self, fields: &mut Fields<'n>, name: &'static str) -> Option<&'n Node<'n>> {
        fields.known.push(name);
        let mut same = fields.items.iter().filter(|field| field.key.text == name);
        let first = same.next()?;
        for again in same {
            let (span, before) = (self.ident_span(again.key), self.ident_span(first.key));
            self.inside(Step::Field(name), |l| {
                l.report(
                    &rules::DUPLICATE_NAME,
                    span,
                    format!("{} has two fields `{name}`", fields.what),
                    "again here",
                    |d| d.also(before, "first here"),
                );
            });
        }
        (first.value.kind != Kind::None).then_some(&first.value)
    }

    /// A field that may be left out.
    pub(super) fn optional<T>(
        &mut self,
        fields: &mut Fields<'n>,
        name: &'static str,
        read: impl FnOnce(&mut Self, &'n Node<'n>) -> Option<T>,
    ) -> Option<T> {
        let node = self.take(fields, name)?;
        self.inside(Step::Field(name), |l| read(l, node))
    }

    /// A field that has to be there.
    pub(super) fn required<T>(
        &mut self,
        fields: &mut Fields<'n>,
        name: &'static str,
        read: impl FnOnce(&mut Self, &'n Node<'n>) -> Option<T>,
    ) -> Option<T> {
        let Some(node) = self.take(fields, name) else {
            self.missing(fields, name, "");
            return None;
        };
        self.inside(Step::Field(name), |l| read(l, node))
    }

    /// Reports that `name` is not there, unless fields were lost. `why` follows the headline.
    pub(super) fn missing(&mut self, fields: &Fields<'n>, name: &'static str, why: &str) {
        if fields.is_damaged() {
            self.found.poison();
            return;
        }
        self.report(
            &rules::MISSING_FIELD,
            fields.head,
            format!("{} lacks `{name}`{why}", fields.what),
            format!("no `{name}` in here"),
            |d| d,
        );
    }

    /// Reports the fields that nobody asked for.
    pub(super) fn finish(&mut self, fields: &Fields<'n>) {
        for field in fields.items {
            let key = field.key;
            if key.text.is_empty() || fields.known.contains(&key.text) {
                continue;
            }
            let absent = fields.known.iter().filter(|name| !fields.items.iter().any(|f| f.key.text == **name));
            let near = nearest(key.text, absent.copied());
            let span = self.ident_span(key);
            let known = &fields.known;
            self.report(
                &rules::UNKNOWN_FIELD,
                span,
                format!("{} has no field `{}`", fields.what, excerpt(key.text)),
                "unknown field",
                |d| match near {
                    Some(near) => d.help(format!("did you mean `{near}`?")).fix(
                        format!("write `{near}`"),
                        false,
                        vec![Edit { span, text: near.to_owned() }],
                    ),
                    None => d.help(format!("its fields are {}", join(known))),
                },
            );
        }
    }

    /// A list, each element read by `read`; those that fail are left out.
    pub(super) fn list<T>(
        &mut self,
        node: &'n Node<'n>,
        of: &str,
        mut read: impl FnMut(&mut Self, &'n Node<'n>) -> Option<T>,
    ) -> Option<Vec<T>> {
        let Kind::List(items) = &node.kind else {
            self.mistyped(node, &format!("a list of {of}"));
            return None;
        };
        let read_one = |(index, item)| self.inside(Step::Index(index), |l| read(l, item));
        Some(items.iter().enumerate().filter_map(read_one).collect())
    }

    /// Reports that `node` is not `wanted`.
    pub(super) fn mistyped(&mut self, node: &Node<'_>, wanted: &str) {
        if node.kind == Kind::Broken {
            self.found.poison();
            return;
        }
        let at = self.path.iter().rev().find_map(|step| match step {
            Step::Field(name) => Some(format!("`{name}`")),
            Step::Key(key) => Some(format!("`{}`", excerpt(key))),
            Step::Index(_) => None,
        });
        let who = at.unwrap_or_else(|| "this".to_owned());
        self.report(
            &rules::WRONG_TYPE,
            self.span(node),
            format!("{who} needs {wanted}, not {}", node.describe()),
            format!("expected {wanted}"),
            |d| d,
        );
    }
}

/// "`a`, `b` and `c`"
pub(super) fn join(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => "none".to_owned(),
    }
}
