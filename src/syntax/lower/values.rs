//! Leaves: numbers, texts, expressions, references.

use crate::diagnostic::Edit;
use crate::source::{Name, Sp, Span};

use super::super::document::Number;
use super::super::expr::parse::{self, Fault, Place, Source};
use super::super::expr::{Expr, ExprKind, Reference, Template};
use super::super::reader::excerpt;
use super::super::rules;
use super::super::tree::{Kind, Node, offset};
use super::{Lower, Step};

impl<'n> Lower<'n, '_> {
    /// A text and where its bytes stand.
    fn source(&self, node: &'n Node<'n>) -> Option<Source<'n>> {
        let whole = self.span(node);
        let (text, place) = match &node.kind {
            Kind::Str(text) => (*text, Place::From(offset(self.text, text) as u32)),
            Kind::Escaped(escaped) if escaped.map.is_empty() => (escaped.value, Place::Whole),
            Kind::Escaped(escaped) => (escaped.value, Place::Table(escaped.map)),
            _ => return None,
        };
        Some(Source { text, file: self.file, place, whole })
    }

    /// The place of a text inside its quotes, or of the whole node.
    pub(super) fn text_span(&self, node: &'n Node<'n>) -> Span {
        self.source(node).map_or_else(|| self.span(node), |source| source.inside())
    }

    /// A text as it is.
    pub(super) fn text(&mut self, node: &'n Node<'n>) -> Option<Sp<Name>> {
        let Some(text) = node.text() else {
            self.no_text(node, "a text");
            return None;
        };
        Some(Sp::new(Name::new(text), self.text_span(node)))
    }

    /// Reports that a text was wanted; a bare name lacks its quotes.
    fn no_text(&mut self, node: &Node<'_>, wanted: &str) {
        let Some(name) = node.name.filter(|_| node.kind == Kind::Unit) else {
            self.mistyped(node, wanted);
            return;
        };
        let span = self.span(node);
        let edit = Edit { span, text: format!("\"{name}\"") };
        self.report(
            &rules::WRONG_TYPE,
            span,
            format!("`{}` stands without quotes where {wanted} is needed", excerpt(name)),
            "a bare name",
            |d| d.fix("add quotes", false, vec![edit]),
        );
    }

    /// A bare name, such as a feature's.
    pub(super) fn bare_name(&mut self, node: &'n Node<'n>) -> Option<Sp<Name>> {
        if let (Some(name), Kind::Unit) = (node.name, &node.kind) {
            return Some(Sp::new(Name::new(name), self.span(node)));
        }
        self.mistyped(node, "a name without quotes");
        None
    }

    /// `true` or `false`.
    pub(super) fn bool(&mut self, node: &'n Node<'n>) -> Option<Sp<bool>> {
        if let Kind::Bool(value) = node.kind {
            return Some(Sp::new(value, self.span(node)));
        }
        self.mistyped(node, "`true` or `false`");
        None
    }

    /// A written integer.
    pub(super) fn int(&mut self, node: &'n Node<'n>) -> Option<Sp<i64>> {
        match node.kind {
            Kind::Int(value) => return Some(Sp::new(value, self.span(node))),
            Kind::Big => self.beyond(node),
            _ => self.mistyped(node, "an integer"),
        }
        None
    }

    /// A written number that is finite.
    pub(super) fn float(&mut self, node: &'n Node<'n>) -> Option<Sp<f64>> {
        let value = match node.kind {
            Kind::Int(value) => value as f64,
            Kind::Float(value) => value,
            Kind::Big => {
                self.beyond(node);
                return None;
            }
            _ => {
                self.mistyped(node, "a number");
                return None;
            }
        };
        if !value.is_finite() {
            self.report(
                &rules::OUT_OF_RANGE,
                self.span(node),
                "a number is not finite".to_owned(),
                format!("this is {value}"),
                |d| d,
            );
            return None;
        }
        Some(Sp::new(value, self.span(node)))
    }

    fn beyond(&mut self, node: &Node<'_>) {
        self.report(
            &rules::OUT_OF_RANGE,
            self.span(node),
            "a number is beyond a signed 64-bit integer",
            "too large",
            |d| d,
        );
    }

    /// A number of initial data.
    pub(super) fn datum(&mut self, node: &'n Node<'n>) -> Option<Sp<Number>> {
        if let Kind::Int(value) = node.kind {
            return Some(Sp::new(Number::Int(value), self.span(node)));
        }
        self.float(node).map(|float| Sp::new(Number::Float(float.value), float.span))
    }

    /// Three written numbers.
    pub(super) fn float3(&mut self, node: &'n Node<'n>) -> Option<Sp<[f64; 3]>> {
        let [x, y, z] = self.tuple::<3>(node, "three numbers `(x, y, z)`")?;
        let read = [(0, x), (1, y), (2, z)].map(|(i, n)| self.inside(Step::Index(i), |l| l.float(n)));
        let [Some(x), Some(y), Some(z)] = read else { return None };
        Some(Sp::new([x.value, y.value, z.value], self.span(node)))
    }

    /// The elements of a tuple of one length.
    pub(super) fn tuple<const N: usize>(&mut self, node: &'n Node<'n>, wanted: &str) -> Option<[&'n Node<'n>; N]> {
        if let (Kind::Tuple(items), None) = (&node.kind, node.name) {
            if let Ok(items) = <&[Node<'n>; N]>::try_from(*items) {
                return Some(items.each_ref());
            }
            if node.is_damaged() {
                self.found.poison();
                return None;
            }
            let n_items = items.len();
            let values = if n_items == 1 { "value" } else { "values" };
            let headline = format!("{} needs {wanted}, not {n_items} {values}", self.who());
            self.report(&rules::WRONG_TYPE, self.span(node), headline, format!("expected {N} values"), |d| d);
            return None;
        }
        self.mistyped(node, wanted);
        None
    }

    /// An expression: a literal or a text.
    #[allow(clippy::unnecessary_wraps, reason = "fields are read by functions of this shape")]
    pub(super) fn expr(&mut self, node: &'n Node<'n>) -> Option<Expr> {
        Some(self.expression(node, false))
    }

    /// An expression, or a vector written as a tuple.
    #[allow(clippy::unnecessary_wraps, reason = "fields are read by functions of this shape")]
    pub(super) fn value(&mut self, node: &'n Node<'n>) -> Option<Expr> {
        Some(self.expression(node, true))
    }

    fn expression(&mut self, node: &'n Node<'n>, takes_vectors: bool) -> Expr {
        let span = self.span(node);
        let kind = match &node.kind {
            Kind::Int(value) => ExprKind::Int(*value),
            Kind::Float(value) if value.is_finite() => ExprKind::Float(*value),
            Kind::Bool(value) => ExprKind::Bool(*value),
            Kind::Float(_) | Kind::Big => {
                self.float(node);
                ExprKind::Poison
            }
            Kind::Str(_) | Kind::Escaped(_) => return self.parsed(node, parse::expression).unwrap_or(poison(span)),
            Kind::Tuple(items) if takes_vectors && node.name.is_none() && (2..=4).contains(&items.len()) => {
                let read = |(i, n)| self.inside(Step::Index(i), |l| l.expression(n, false));
                ExprKind::Vector(items.iter().enumerate().map(read).collect())
            }
            _ => {
                let vector =
                    if takes_vectors { ", an expression or a vector of two to four" } else { " or an expression" };
                self.no_text(node, &format!("a number{vector}"));
                ExprKind::Poison
            }
        };
        Expr { kind, span }
    }

    /// A reference to a resource.
    pub(super) fn reference(&mut self, node: &'n Node<'n>) -> Option<Reference> {
        self.parsed(node, parse::reference)
    }

    /// A path with `{expressions}` in it.
    pub(super) fn template(&mut self, node: &'n Node<'n>) -> Option<Sp<Template>> {
        self.parsed(node, parse::template).map(|template| Sp::new(template, self.text_span(node)))
    }

    fn parsed<T>(&mut self, node: &'n Node<'n>, read: fn(&Source<'_>) -> Result<T, Box<Fault>>) -> Option<T> {
        let Some(source) = self.source(node) else {
            self.no_text(node, "a text");
            return None;
        };
        match read(&source) {
            Ok(value) => Some(value),
            Err(fault) => {
                let rule = if fault.is_limit { &rules::NESTING_LIMIT } else { &rules::BAD_EXPRESSION };
                let Fault { span, message, label, help, .. } = *fault;
                self.report(rule, span, message, label, |d| match help {
                    Some(help) => d.help(help),
                    None => d,
                });
                None
            }
        }
    }
}

/// An expression that could not be read.
pub(super) fn poison(span: Span) -> Expr {
    Expr { kind: ExprKind::Poison, span }
}
