//! Expressions, references and templates as written, with the span of every part.
//!
//! The grammar, loosest first: `||`, `&&`, `== !=`, `< <= > >=`, `+ -`, `* / %`, unary `- !`, calls and references,
//! literals, parentheses. Text is in single quotes, so that it can stand inside a RON string: `"layout == 'fat'"`.

use crate::source::{Sp, Span};

pub(in crate::syntax) mod parse;

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands, inside its string.
    pub span: Span,
}

/// The forms of an expression.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// `42`, `100_000`
    Int(i64),
    /// `0.5`, `1e3`
    Float(f64),
    /// `true`
    Bool(bool),
    /// `'packed'`
    Text(String),
    /// A name, a `camera.` field, or the argument of `len`, `width`, …
    Path(Box<Reference>),
    /// `-x`, `!x`
    Unary(Unary, Box<Expr>),
    /// `x + y`
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `ceil_div(x, 64)`
    Call(Box<Sp<String>>, Vec<Expr>),
    /// `(x, y, z)` written as a RON tuple: a vector of two to four numbers.
    Vector(Vec<Expr>),
    /// Could not be read; reported already.
    Poison,
}

/// Unary operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unary {
    /// `-`
    Neg,
    /// `!`
    Not,
}

/// Binary operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the operators of arithmetic, comparison and logic")]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    And,
    Or,
}

/// A reference: `name`, then suffixes, then perhaps an element: `args{i}.previous.mip(2)[len(props)]`.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    /// The name, which may hold `{expressions}`.
    pub name: Template,
    /// In the order written.
    pub suffixes: Vec<Suffix>,
    /// `[e]`: an element of the call's record size.
    pub element: Option<Expr>,
    /// All of it.
    pub span: Span,
}

impl Reference {
    /// The name, if the reference is nothing but a plain name.
    pub fn plain(&self) -> Option<&str> {
        if self.suffixes.is_empty() && self.element.is_none() { self.name.plain() } else { None }
    }
}

/// A suffix of a reference.
#[derive(Debug, Clone, PartialEq)]
pub struct Suffix {
    /// Which.
    pub kind: SuffixKind,
    /// From its dot on.
    pub span: Span,
}

/// The suffixes of a reference.
#[derive(Debug, Clone, PartialEq)]
pub enum SuffixKind {
    /// `.previous`
    Previous,
    /// `.mip(e)`
    Mip(Expr),
    /// `.layer(e)`
    Layer(Expr),
    /// `.vertices`
    Vertices,
    /// `.indices`
    Indices,
    /// `.draws`
    Draws,
    /// Any other `.name`: a field of `camera`, `frame` or `surface`, or a mistake.
    Field(String),
}

/// Text with `{expressions}` in it: `keys{d % 2}`, `compact/{compaction}.ron`.
#[derive(Debug, Clone, PartialEq)]
pub struct Template {
    /// Literal text and expressions, in order; no two literals in a row.
    pub pieces: Pieces,
    /// All of it.
    pub span: Span,
}

/// The pieces of a template: a slice. One piece, which nearly all names are, needs no vector of its own.
#[derive(Debug, Clone, PartialEq)]
pub enum Pieces {
    /// One.
    One([Piece; 1]),
    /// None or several.
    Many(Vec<Piece>),
}

impl Pieces {
    /// A literal text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::One([Piece::Text(text.into())])
    }

    fn push(&mut self, piece: Piece) {
        match std::mem::replace(self, Self::Many(Vec::new())) {
            Self::Many(pieces) if pieces.is_empty() => *self = Self::One([piece]),
            Self::Many(mut pieces) => {
                pieces.push(piece);
                *self = Self::Many(pieces);
            }
            Self::One([first]) => *self = Self::Many(vec![first, piece]),
        }
    }
}

impl std::ops::Deref for Pieces {
    type Target = [Piece];

    fn deref(&self) -> &[Piece] {
        match self {
            Self::One(piece) => piece,
            Self::Many(pieces) => pieces,
        }
    }
}

impl<'a> IntoIterator for &'a Pieces {
    type Item = &'a Piece;
    type IntoIter = std::slice::Iter<'a, Piece>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// A piece of a template.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    /// Literal text.
    Text(String),
    /// `{e}`
    Expr(Expr),
}

impl Template {
    /// The text, if no expression is in it.
    pub fn plain(&self) -> Option<&str> {
        match &*self.pieces {
            [] => Some(""),
            [Piece::Text(text)] => Some(text),
            _ => None,
        }
    }
}
