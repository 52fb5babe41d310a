//! Expressions, references and templates as written, with the span of every part.
//!
//! The grammar, loosest first: `||`, `&&`, `== !=`, `< <= > >=`, `+ -`, `* / %`, unary `- !`, calls and references,
//! literals, parentheses. Text is in single quotes, so that it can stand inside a RON string: `"layout == 'fat'"`.

use crate::source::{Name, Sp, Span};

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
    Text(Box<Name>),
    /// A plain name, which most expressions are.
    Name(Name),
    /// Any other name, a `camera.` field, or the argument of `len`, `width`, …
    Path(Box<Reference>),
    /// `-x`, `!x`
    Unary(Unary, Box<Expr>),
    /// `x + y`
    Binary(Binary, Box<(Expr, Expr)>),
    /// `ceil_div(x, 64)`
    Call(Box<(Sp<Name>, Vec<Expr>)>),
    /// `(x, y, z)` written as a RON tuple: a vector of two to four numbers.
    Vector(Box<[Expr]>),
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
    /// What follows the name; most references have nothing.
    pub tail: Option<Box<Tail>>,
    /// All of it.
    pub span: Span,
}

/// What follows the name of a reference.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tail {
    /// In the order written.
    pub suffixes: Vec<Suffix>,
    /// `[e]`: an element of the call's record size.
    pub element: Option<Expr>,
}

impl Expr {
    /// The name, if the expression is nothing but a plain name.
    pub fn plain(&self) -> Option<&str> {
        match &self.kind {
            ExprKind::Name(name) => Some(name),
            ExprKind::Path(reference) => reference.plain(),
            _ => None,
        }
    }
}

impl Reference {
    /// A reference that is nothing but a plain name.
    pub fn named(name: Name, span: Span) -> Self {
        Self { name: Template { pieces: Pieces::One([Piece::Text(name)]), span }, tail: None, span }
    }

    /// The suffixes, in the order written.
    pub fn suffixes(&self) -> &[Suffix] {
        self.tail.as_ref().map_or(&[], |tail| &tail.suffixes)
    }

    /// `[e]`.
    pub fn element(&self) -> Option<&Expr> {
        self.tail.as_ref()?.element.as_ref()
    }

    /// The name, if the reference is nothing but a plain name.
    pub fn plain(&self) -> Option<&str> {
        if self.tail.is_none() { self.name.plain() } else { None }
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
    /// `.bounds`
    Bounds,
    /// Any other `.name`: a field of `camera`, `frame` or `surface`, or a mistake.
    Field(Name),
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
    Text(Name),
    /// `{e}`
    Expr(Box<Expr>),
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
