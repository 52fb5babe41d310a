//! The tree that the reader makes: RON as written, with the place of everything.
//!
//! Nodes borrow the text, and parts of it know their place by where they are in memory ([`offset`]): a file of ten thousand
//! passes has a quarter million nodes, so they are kept small and lie in an arena, which is freed as a whole. Offsets are
//! bytes of the file. What could not be read stands as [`Kind::Broken`] and was
//! reported where it was met, so whoever walks the tree stays silent about it.

/// A value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Node<'t> {
    /// First byte, the name included.
    pub(super) start: u32,
    /// One past the last byte.
    pub(super) end: u32,
    /// `Buffer` of `Buffer(…)`, `Back` of a bare `Back`; without the `r#` of a raw name.
    pub(super) name: Option<&'t str>,
    /// The rest.
    pub(super) kind: Kind<'t>,
}

/// The forms of a value. `Some(x)` reads as `x`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind<'t> {
    /// A bare name.
    Unit,
    /// `None`: as if it were not there.
    None,
    /// `true`
    Bool(bool),
    /// An integer that fits.
    Int(i64),
    /// A number with a fraction or exponent.
    Float(f64),
    /// An integer beyond `i64`.
    Big,
    /// Text without escapes.
    Str(&'t str),
    /// Text with escapes.
    Escaped(&'t Escaped<'t>),
    /// What RON has and the format has no use for, by its name: "a character".
    Other(&'static str),
    /// `[…]`
    List(&'t [Node<'t>]),
    /// `(…)` without names.
    Tuple(&'t [Node<'t>]),
    /// `(…)` with names.
    Struct(&'t [Field<'t>]),
    /// `{…}`
    Map(&'t [Entry<'t>]),
    /// Could not be read; reported.
    Broken,
}

/// Text that had escapes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Escaped<'t> {
    /// Decoded.
    pub(super) value: &'t str,
    /// For each byte of `value`, and one more, its offset in the file; empty if the escapes are too odd to map.
    pub(super) map: &'t [u32],
}

/// `key: value` of a struct.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Field<'t> {
    /// The name; empty for a field that was lost.
    pub(super) key: &'t str,
    /// What it is given.
    pub(super) value: Node<'t>,
}

/// `key: value` of a map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Entry<'t> {
    /// Any value; the format wants text.
    pub(super) key: Node<'t>,
    /// What it is given.
    pub(super) value: Node<'t>,
}

/// Where `part` of `text` begins, in bytes.
pub(super) fn offset(text: &str, part: &str) -> usize {
    let offset = part.as_ptr().addr().wrapping_sub(text.as_ptr().addr());
    debug_assert!(offset <= text.len(), "names and texts are parts of the file");
    offset
}

/// What the reader made of a file.
#[derive(Debug)]
pub(super) struct Tree<'t> {
    /// The outermost value.
    pub(super) root: Node<'t>,
    /// Whether text was passed over, so that things the author wrote are missing in the tree.
    pub(super) is_partial: bool,
}

impl Tree<'_> {
    /// The tree of a text that was not read.
    pub(super) fn unread() -> Self {
        Self { root: Node::broken(0, 0), is_partial: true }
    }
}

impl<'t> Node<'t> {
    /// A value that could not be read.
    pub(super) fn broken(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32, name: None, kind: Kind::Broken }
    }

    /// What it is, with an article, as messages say it.
    pub(super) fn describe(&self) -> &'static str {
        match &self.kind {
            Kind::Unit => "a name",
            Kind::None => "`None`",
            Kind::Bool(_) => "a bool",
            Kind::Int(_) => "an integer",
            Kind::Float(_) => "a float",
            Kind::Big => "an integer beyond 64 bits",
            Kind::Str(_) | Kind::Escaped(_) => "a text",
            Kind::Other(what) => what,
            Kind::List(_) => "a list",
            Kind::Map(_) => "a map",
            Kind::Tuple(_) if self.name.is_some() => "a named tuple",
            Kind::Struct(_) if self.name.is_some() => "a named struct",
            Kind::Tuple(_) => "a tuple",
            Kind::Struct(_) => "a struct",
            Kind::Broken => "something unreadable",
        }
    }

    /// Whether something in it, one level down at most, could not be read.
    pub(super) fn is_damaged(&self) -> bool {
        let is_broken = |node: &Node<'_>| node.kind == Kind::Broken;
        match &self.kind {
            Kind::List(items) | Kind::Tuple(items) => items.iter().any(is_broken),
            Kind::Struct(fields) => fields.iter().any(|field| is_broken(&field.value)),
            Kind::Map(entries) => entries.iter().any(|entry| is_broken(&entry.key) || is_broken(&entry.value)),
            kind => *kind == Kind::Broken,
        }
    }

    /// The text of a string.
    pub(super) fn text(&self) -> Option<&'t str> {
        match &self.kind {
            Kind::Str(text) => Some(text),
            Kind::Escaped(escaped) => Some(escaped.value),
            _ => None,
        }
    }
}
