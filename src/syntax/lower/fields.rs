//! The one helper that structs, variants and lists go through.

use std::fmt;

use crate::diagnostic::{Edit, nearest};
use crate::source::Span;

use super::super::reader::excerpt;
use super::super::rules;
use super::super::tree::{Field, Kind, Node};
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
            Self::Kind(name) => write!(f, "`{}`", excerpt(name)),
            Self::Place(what) => f.write_str(what),
        }
    }
}

/// The most fields that a struct of the format has, and some more.
const MAX_FIELDS: usize = 16;

/// The fields of a struct, and which names were asked for so far.
#[derive(Debug)]
pub(super) struct Fields<'n> {
    what: What<'n>,
    /// The name, or the opening parenthesis.
    head: Span,
    items: &'n [Field<'n>],
    /// The [`mark`]s of all names: most that are asked for are not there.
    marks: u64,
    known: [&'static str; MAX_FIELDS],
    n_known: usize,
    /// How many of the items were asked for.
    n_taken: usize,
    /// What was missed, and what follows the headline then.
    missing: Vec<(&'static str, &'static str)>,
}

impl<'n> Fields<'n> {
    /// The fields of a bare name: none.
    pub(super) fn none(what: What<'n>, head: Span) -> Self {
        Self { what, head, items: &[], marks: 0, known: [""; MAX_FIELDS], n_known: 0, n_taken: 0, missing: Vec::new() }
    }

    /// The names that were asked for.
    fn known(&self) -> &[&'static str] {
        &self.known[..self.n_known]
    }

    /// Remembers that `name` is not there. `why` follows the headline.
    pub(super) fn miss(&mut self, name: &'static str, why: &'static str) {
        self.missing.push((name, why));
    }

    /// The key of a field, if the field is there.
    pub(super) fn key(&self, name: &str) -> Option<&'n str> {
        if self.marks & mark(name) == 0 {
            return None;
        }
        self.items.iter().find(|field| field.key == name && field.value.kind != Kind::None).map(|field| field.key)
    }

    /// Whether some of the fields were lost.
    pub(super) fn is_damaged(&self) -> bool {
        self.items.iter().any(|field| field.key.is_empty())
    }
}

impl<'n> Lower<'n, '_> {
    /// The fields of `node`, or `None` if it has no place for any.
    pub(super) fn fields(&mut self, node: &'n Node<'n>, what: What<'n>) -> Option<Fields<'n>> {
        let head = self.head(node);
        let items: &[Field<'n>] = match &node.kind {
            Kind::Struct(items) => items,
            Kind::Tuple([]) => &[],
            _ if node.is_damaged() => {
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
        let marks = items.iter().fold(0, |marks, field| marks | mark(field.key));
        if marks & mark("") != 0 && items.iter().any(|field| field.key.is_empty()) {
            self.found.poison();
        }
        Some(Fields { items, marks, ..Fields::none(what, head) })
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
        fields.known[fields.n_known] = name;
        fields.n_known += 1;
        if fields.marks & mark(name) == 0 {
            return None;
        }
        let mut same = fields.items.iter().filter(|field| field.key == name);
        let first = same.next()?;
        fields.n_taken += 1;
        for again in same {
            fields.n_taken += 1;
            let (span, before) = (self.ident_span(again.key), self.ident_span(first.key));
            let headline = format!("{} has two fields `{name}`", fields.what);
            self.inside(Step::Field(name), |l| {
                l.report(&rules::DUPLICATE_NAME, span, headline, "again here", |d| d.also(before, "first here"));
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
            fields.missing.push((name, ""));
            return None;
        };
        self.inside(Step::Field(name), |l| read(l, node))
    }

    /// Reports the fields that nobody asked for, and those that were missed. A missing one that an unknown one is the
    /// misspelling of is not reported.
    pub(super) fn finish(&mut self, fields: &Fields<'n>) {
        if fields.items.len() == fields.n_taken && fields.missing.is_empty() {
            return;
        }
        let is_absent = |name: &&str| !fields.items.iter().any(|field| field.key == *name);
        let absent: Vec<&str> = fields.known().iter().copied().filter(is_absent).collect();
        let mut misspelt = Vec::new();
        for field in fields.items {
            let key = field.key;
            if key.is_empty() || fields.known().contains(&key) || field.value.kind == Kind::Broken {
                continue;
            }
            let near = self.found.has_room().then(|| nearest(key, absent.iter().copied())).flatten();
            misspelt.extend(near);
            let span = self.ident_span(key);
            let headline = format!("{} has no field `{}`", fields.what, excerpt(key));
            self.report(&rules::UNKNOWN_FIELD, span, headline, "unknown field", |d| match near {
                Some(near) => d.help(format!("did you mean `{near}`?")).fix(
                    format!("write `{near}`"),
                    false,
                    vec![Edit { span, text: near.to_owned() }],
                ),
                None => d.help(format!("its fields are {}", join(fields.known()))),
            });
        }
        for (name, why) in &fields.missing {
            if fields.is_damaged() || misspelt.contains(name) {
                self.found.poison();
                continue;
            }
            let headline = format!("{} lacks `{name}`{why}", fields.what);
            self.report(&rules::MISSING_FIELD, fields.head, headline, format!("no `{name}` in here"), |d| d);
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
        let mut values = Vec::with_capacity(items.len().min(1 << 10));
        for (index, item) in items.iter().enumerate() {
            values.extend(self.inside(Step::Index(index), |l| read(l, item)));
            if self.found.is_overflowing() {
                break;
            }
        }
        Some(values)
    }

    /// Reports that `node` is not `wanted`.
    pub(super) fn mistyped(&mut self, node: &Node<'_>, wanted: &str) {
        if node.is_damaged() || self.found.is_overflowing() {
            self.found.poison();
            return;
        }
        let who = self.who();
        let headline = format!("{who} needs {wanted}, not {}", node.describe());
        self.report(&rules::WRONG_TYPE, self.span(node), headline, format!("expected {wanted}"), |d| d);
    }

    /// The innermost field or key, as messages name it.
    pub(super) fn who(&self) -> String {
        let at = self.path.iter().rev().find_map(|step| match step {
            Step::Field(name) => Some(format!("`{name}`")),
            Step::Key(key) => Some(format!("`{}`", excerpt(key))),
            Step::Index(_) => None,
        });
        at.unwrap_or_else(|| "this".to_owned())
    }
}

/// One bit of a name. Names with different bits are different.
fn mark(name: &str) -> u64 {
    let first = name.as_bytes().first().copied().unwrap_or_default();
    1 << ((usize::from(first) ^ (name.len() << 3)) % 64)
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
