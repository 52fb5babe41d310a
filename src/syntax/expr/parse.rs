//! Text to expressions, references and templates.
//!
//! Precedence climbing over the bytes of one string. The first fault ends the string: what stands behind an unreadable
//! sign means nothing. Height is counted as the tree grows, so that `1+1+1+…` is refused before it is as deep as it is
//! long.

use crate::source::{FileId, Name, Sp, Span};

use super::super::reader::excerpt;
use super::{Binary, Expr, ExprKind, Piece, Pieces, Reference, Suffix, SuffixKind, Tail, Template, Unary};

/// The tallest tree of an expression.
pub(in crate::syntax) const MAX_HEIGHT: usize = 64;

/// The longest expression, in bytes.
pub(in crate::syntax) const MAX_BYTES: usize = 4096;

/// The text of a string of the file, and where its bytes stand.
#[derive(Debug, Clone, Copy)]
pub(in crate::syntax) struct Source<'n> {
    /// Decoded.
    pub(in crate::syntax) text: &'n str,
    /// The file.
    pub(in crate::syntax) file: FileId,
    /// From a byte of the text to an offset in the file.
    pub(in crate::syntax) place: Place<'n>,
    /// The whole string, quotes included.
    pub(in crate::syntax) whole: Span,
}

/// How offsets in a text become offsets in the file.
#[derive(Debug, Clone, Copy)]
pub(in crate::syntax) enum Place<'n> {
    /// One by one from here.
    From(u32),
    /// By a table.
    Table(&'n [u32]),
    /// Not at all: the whole string stands for each part.
    Whole,
}

impl Source<'_> {
    /// The place of `start..end` of the text.
    pub(in crate::syntax) fn span(&self, start: usize, end: usize) -> Span {
        match self.place {
            Place::From(at) => Span::new(self.file, at as usize + start, at as usize + end),
            Place::Table(map) => Span::new(self.file, map[start] as usize, map[end] as usize),
            Place::Whole => self.whole,
        }
    }

    /// The place of all of the text.
    pub(in crate::syntax) fn inside(&self) -> Span {
        self.span(0, self.text.len())
    }
}

/// Why a text could not be read.
#[derive(Debug)]
pub(in crate::syntax) struct Fault {
    /// Where.
    pub(in crate::syntax) span: Span,
    /// Headline.
    pub(in crate::syntax) message: String,
    /// What stands there.
    pub(in crate::syntax) label: String,
    /// The cure, where one is known.
    pub(in crate::syntax) help: Option<&'static str>,
    /// Too deep or too long, rather than wrong.
    pub(in crate::syntax) is_limit: bool,
}

impl Fault {
    fn new(span: Span, message: impl Into<String>, label: impl Into<String>) -> Self {
        Self { span, message: message.into(), label: label.into(), help: None, is_limit: false }
    }

    fn limit(span: Span, message: String) -> Self {
        Self { is_limit: true, ..Self::new(span, message, "split it") }
    }
}

/// Boxed, so that the way of what can be read is not paid for by what cannot.
type Read<T> = Result<T, Box<Fault>>;

/// The whole text, if it is nothing but a name, as most are.
fn plain_name(source: &Source<'_>) -> Option<Name> {
    let (first, _) = source.text.as_bytes().split_first()?;
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let is_plain =
        !first.is_ascii_digit() && source.text.len() <= MAX_BYTES && source.text.as_bytes().iter().all(is_name);
    is_plain.then(|| Name::new(source.text))
}

/// Reads an expression.
pub(in crate::syntax) fn expression(source: &Source<'_>) -> Read<Expr> {
    if let Some(name) = plain_name(source).filter(|name| name != "true" && name != "false") {
        return Ok(Expr { kind: ExprKind::Name(name), span: source.inside() });
    }
    let mut parser = Parser::new(source)?;
    let (expr, _) = parser.binary(0)?;
    parser.end()?;
    Ok(expr)
}

/// Reads a reference.
pub(in crate::syntax) fn reference(source: &Source<'_>) -> Read<Reference> {
    if let Some(name) = plain_name(source) {
        return Ok(Reference::named(name, source.inside()));
    }
    let mut parser = Parser::new(source)?;
    parser.skip_space();
    let (reference, _) = parser.reference()?;
    parser.end()?;
    Ok(reference)
}

/// Reads a text with `{expressions}` in it.
pub(in crate::syntax) fn template(source: &Source<'_>) -> Read<Template> {
    let mut parser = Parser::new(source)?;
    let mut pieces = Pieces::Many(Vec::new());
    while let Some(byte) = parser.peek() {
        match byte {
            b'{' => pieces.push(Piece::Expr(Box::new(parser.braced()?.0))),
            b'}' => return Err(Box::new(parser.fault_here("a `}` has no `{`", "nothing is open here"))),
            _ => {
                let start = parser.at;
                let rest = &source.text.as_bytes()[start..];
                parser.at += rest.iter().position(|byte| matches!(byte, b'{' | b'}')).unwrap_or(rest.len());
                pieces.push(Piece::Text(Name::new(&source.text[start..parser.at])));
            }
        }
    }
    if pieces.is_empty() {
        return Err(Box::new(Fault::new(source.whole, "a path is empty", "expected a path")));
    }
    Ok(Template { pieces, span: source.inside() })
}

struct Parser<'n> {
    source: Source<'n>,
    at: usize,
    /// Calls, parentheses, braces and signs that are open.
    depth: usize,
}

/// A value and its height.
type Tall<T> = (T, usize);

impl<'n> Parser<'n> {
    fn new(source: &Source<'n>) -> Read<Self> {
        let parser = Self { source: *source, at: 0, depth: 0 };
        let len = source.text.len();
        if len > MAX_BYTES {
            let message = format!("an expression has {len} bytes, above the limit of {MAX_BYTES}");
            return Err(Box::new(Fault::limit(source.whole, message)));
        }
        Ok(parser)
    }

    fn peek(&self) -> Option<u8> {
        self.source.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    /// Consumes `sign`, and the space before it.
    fn eat(&mut self, sign: &str) -> bool {
        self.skip_space();
        let is_here = self.source.text[self.at..].starts_with(sign);
        if is_here {
            self.at += sign.len();
        }
        is_here
    }

    fn span_from(&self, start: usize) -> Span {
        self.source.span(start, self.at)
    }

    fn too_tall(&self, start: usize) -> Fault {
        Fault::limit(self.span_from(start), format!("an expression is nested deeper than {MAX_HEIGHT}"))
    }

    /// A fault at the character under the cursor.
    fn fault_here(&self, message: &str, label: &str) -> Fault {
        let width = self.source.text[self.at..].chars().next().map_or(0, char::len_utf8);
        Fault::new(self.source.span(self.at, self.at + width), message, label)
    }

    /// "expected …, found …" at the cursor.
    fn expected(&mut self, what: &str) -> Fault {
        self.skip_space();
        let help = match self.peek() {
            Some(b'=') => Some("equality is written `==`"),
            Some(b'&') => Some("both is written `&&`"),
            Some(b'|') => Some("either is written `||`"),
            Some(b'^') => Some("a power of two is written `pow2(n)`"),
            Some(b'?' | b':') => Some("there is no conditional; use a param or two passes with `when`"),
            _ if self.word() == "and" => Some("both is written `&&`"),
            _ if self.word() == "or" => Some("either is written `||`"),
            _ if self.word() == "not" => Some("negation is written `!`"),
            _ => None,
        };
        let label = format!("expected {what}");
        let fault = match self.source.text[self.at..].chars().next() {
            None if self.source.text.trim().is_empty() => {
                Fault::new(self.source.whole, "an expression is empty", label)
            }
            None => {
                let end = self.source.span(self.at, self.at);
                Fault::new(end, format!("expected {what}, found the end of the text"), label)
            }
            Some(_) if !self.word().is_empty() => {
                let (start, word) = (self.at, self.word());
                let span = self.source.span(start, start + word.len());
                Fault::new(span, format!("expected {what}, found `{}`", excerpt(word)), label)
            }
            Some(c) => self.fault_here(&format!("expected {what}, found `{c}`"), &label),
        };
        Fault { help, ..fault }
    }

    /// The name at the cursor, unread.
    fn word(&self) -> &'n str {
        let rest = &self.source.text[self.at..];
        let len = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        if rest.starts_with(|c: char| c.is_ascii_digit()) { "" } else { &rest[..len] }
    }

    fn end(&mut self) -> Read<()> {
        self.skip_space();
        if self.peek().is_some() { Err(Box::new(self.expected("an operator or the end"))) } else { Ok(()) }
    }

    /// Runs `inner` one level deeper.
    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth == MAX_HEIGHT {
            return Err(Box::new(self.too_tall(self.at)));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    fn binary(&mut self, loosest: usize) -> Read<Tall<Expr>> {
        self.skip_space();
        let start = self.at;
        let (mut left, mut height) = self.unary()?;
        while let Some((operator, rank)) = self.operator(loosest) {
            let (right, right_height) = self.deeper(|p| p.binary(rank + 1))?;
            height = height.max(right_height) + 1;
            if height > MAX_HEIGHT {
                return Err(Box::new(self.too_tall(start)));
            }
            let span = left.span.to(right.span);
            left = Expr { kind: ExprKind::Binary(operator, Box::new((left, right))), span };
        }
        Ok((left, height))
    }

    /// Consumes an operator that binds at least as tightly as `loosest`.
    fn operator(&mut self, loosest: usize) -> Option<(Binary, usize)> {
        self.skip_space();
        let rest = &self.source.text.as_bytes()[self.at..];
        let (operator, rank, len) = match rest {
            [b'|', b'|', ..] => (Binary::Or, 0, 2),
            [b'&', b'&', ..] => (Binary::And, 1, 2),
            [b'=', b'=', ..] => (Binary::Eq, 2, 2),
            [b'!', b'=', ..] => (Binary::Ne, 2, 2),
            [b'<', b'=', ..] => (Binary::Le, 3, 2),
            [b'>', b'=', ..] => (Binary::Ge, 3, 2),
            [b'<', ..] => (Binary::Lt, 3, 1),
            [b'>', ..] => (Binary::Gt, 3, 1),
            [b'+', ..] => (Binary::Add, 4, 1),
            [b'-', ..] => (Binary::Sub, 4, 1),
            [b'*', ..] => (Binary::Mul, 5, 1),
            [b'/', ..] => (Binary::Div, 5, 1),
            [b'%', ..] => (Binary::Rem, 5, 1),
            _ => return None,
        };
        (rank >= loosest).then(|| {
            self.at += len;
            (operator, rank)
        })
    }

    fn unary(&mut self) -> Read<Tall<Expr>> {
        self.skip_space();
        let start = self.at;
        let sign = match self.peek() {
            Some(b'-') => Unary::Neg,
            Some(b'!') if self.source.text.as_bytes().get(start + 1) != Some(&b'=') => Unary::Not,
            _ => return self.primary(),
        };
        self.at += 1;
        let (inner, height) = self.deeper(Self::unary)?;
        if height == MAX_HEIGHT {
            return Err(Box::new(self.too_tall(start)));
        }
        let span = self.span_from(start);
        Ok((Expr { kind: ExprKind::Unary(sign, Box::new(inner)), span }, height + 1))
    }

    fn primary(&mut self) -> Read<Tall<Expr>> {
        let start = self.at;
        let kind = match self.peek() {
            Some(b'0'..=b'9') => self.number()?,
            Some(quote @ (b'\'' | b'"')) => self.text(quote)?,
            Some(b'(') => {
                self.at += 1;
                let (mut inner, height) = self.deeper(|p| p.binary(0))?;
                if !self.eat(")") {
                    return Err(Box::new(self.expected("`)`")));
                }
                // A reference keeps the place of its own, without the parentheses.
                if let ExprKind::Name(name) = inner.kind {
                    inner.kind = ExprKind::Path(Box::new(Reference::named(name, inner.span)));
                }
                inner.span = self.span_from(start);
                return Ok((inner, height));
            }
            Some(b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'{') => return self.name_or_call(),
            _ => return Err(Box::new(self.expected("a value"))),
        };
        Ok((Expr { kind, span: self.span_from(start) }, 1))
    }

    fn number(&mut self) -> Read<ExprKind> {
        let start = self.at;
        let bytes = self.source.text.as_bytes();
        let digits = |mut at: usize| {
            while bytes.get(at).is_some_and(|byte| byte.is_ascii_digit() || *byte == b'_') {
                at += 1;
            }
            at
        };
        let starts_digits = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        let whole = digits(start);
        let mut end = whole;
        if bytes.get(end) == Some(&b'.') && starts_digits(end + 1) {
            end = digits(end + 1);
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            if starts_digits(end + 1 + sign) {
                end = digits(end + 1 + sign);
            }
        }
        self.at = end;
        let is_trailing = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
        let rest = &self.source.text[end..];
        self.at += rest.find(|c| !is_trailing(c)).unwrap_or(rest.len());
        if self.at > end {
            let text = excerpt(&self.source.text[start..self.at]);
            return Err(Box::new(Fault::new(self.span_from(start), format!("`{text}` is no number"), "not a number")));
        }
        let written = &self.source.text[start..end];
        let stripped = written.contains('_').then(|| written.replace('_', ""));
        let literal = stripped.as_deref().unwrap_or(written);
        if end > whole {
            let value: f64 = literal.parse().unwrap_or(f64::INFINITY);
            return if value.is_finite() {
                Ok(ExprKind::Float(value))
            } else {
                Err(Box::new(self.beyond(start, "a 64-bit float")))
            };
        }
        literal.parse().map(ExprKind::Int).map_err(|_| Box::new(self.beyond(start, "a signed 64-bit integer")))
    }

    fn beyond(&self, start: usize, what: &str) -> Fault {
        Fault::new(self.span_from(start), format!("a number is beyond {what}"), "too large")
    }

    fn text(&mut self, quote: u8) -> Read<ExprKind> {
        let start = self.at;
        let rest = &self.source.text[start + 1..];
        let Some(len) = rest.find(quote as char) else {
            self.at = self.source.text.len();
            return Err(Box::new(Fault::new(self.span_from(start), "a text is never closed", "opened here")));
        };
        self.at = start + len + 2;
        Ok(ExprKind::Text(Box::new(Name::new(&rest[..len]))))
    }

    fn name_or_call(&mut self) -> Read<Tall<Expr>> {
        let start = self.at;
        let word = self.word();
        let after = self.source.text.as_bytes().get(start + word.len());
        let boolean = match word {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        };
        if let (Some(value), true) = (boolean, after != Some(&b'{')) {
            self.at += word.len();
            return Ok((Expr { kind: ExprKind::Bool(value), span: self.span_from(start) }, 1));
        }
        if after == Some(&b'(') {
            self.at += word.len();
            let name = Sp::new(Name::new(word), self.span_from(start));
            let (arguments, height) = self.deeper(Self::arguments)?;
            let span = self.span_from(start);
            return Ok((Expr { kind: ExprKind::Call(Box::new((name, arguments))), span }, height + 1));
        }
        if !matches!(after, Some(b'{' | b'.' | b'[')) {
            self.at += word.len();
            return Ok((Expr { kind: ExprKind::Name(Name::new(word)), span: self.span_from(start) }, 1));
        }
        let (reference, height) = self.reference()?;
        let span = reference.span;
        Ok((Expr { kind: ExprKind::Path(Box::new(reference)), span }, height))
    }

    /// `(a, b, …)`
    fn arguments(&mut self) -> Read<Tall<Vec<Expr>>> {
        let start = self.at;
        self.at += 1;
        let mut arguments = Vec::new();
        let mut height = 0;
        while !self.eat(")") {
            if !arguments.is_empty() && !self.eat(",") {
                return Err(Box::new(self.expected("`,` or `)`")));
            }
            let (argument, argument_height) = self.binary(0)?;
            height = height.max(argument_height);
            arguments.push(argument);
        }
        if height >= MAX_HEIGHT {
            return Err(Box::new(self.too_tall(start)));
        }
        Ok((arguments, height))
    }

    fn reference(&mut self) -> Read<Tall<Reference>> {
        let start = self.at;
        let (name, mut height) = self.name()?;
        if !matches!(self.peek(), Some(b'.' | b'[')) && height < MAX_HEIGHT {
            return Ok((Reference { name, tail: None, span: self.span_from(start) }, height + 1));
        }
        let mut tail = Tail::default();
        while self.peek() == Some(b'.') {
            let (suffix, suffix_height) = self.suffix()?;
            height = height.max(suffix_height);
            // Most references have at most one suffix; a vector that grows would make room for four.
            tail.suffixes.reserve_exact(1);
            tail.suffixes.push(suffix);
        }
        if self.peek() == Some(b'[') {
            self.at += 1;
            let (index, index_height) = self.deeper(|p| p.binary(0))?;
            if !self.eat("]") {
                return Err(Box::new(self.expected("`]`")));
            }
            height = height.max(index_height);
            tail.element = Some(index);
        }
        if height >= MAX_HEIGHT {
            return Err(Box::new(self.too_tall(start)));
        }
        Ok((Reference { name, tail: Some(Box::new(tail)), span: self.span_from(start) }, height + 1))
    }

    /// A name, which may hold `{expressions}`.
    fn name(&mut self) -> Read<Tall<Template>> {
        let start = self.at;
        let mut height = 0;
        let mut pieces = Pieces::Many(Vec::new());
        let bytes = self.source.text.as_bytes();
        if !matches!(self.peek(), Some(b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'{')) {
            return Err(Box::new(self.expected("a name")));
        }
        loop {
            let from = self.at;
            while bytes.get(self.at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') {
                self.at += 1;
            }
            if self.at > from {
                pieces.push(Piece::Text(Name::new(&self.source.text[from..self.at])));
            }
            if self.peek() != Some(b'{') {
                return Ok((Template { pieces, span: self.span_from(start) }, height));
            }
            let (inner, inner_height) = self.braced()?;
            height = height.max(inner_height);
            pieces.push(Piece::Expr(Box::new(inner)));
        }
    }

    /// `{e}`
    fn braced(&mut self) -> Read<Tall<Expr>> {
        self.at += 1;
        let inner = self.deeper(|p| p.binary(0))?;
        if self.eat("}") { Ok(inner) } else { Err(Box::new(self.expected("`}`"))) }
    }

    fn suffix(&mut self) -> Read<Tall<Suffix>> {
        let start = self.at;
        self.at += 1;
        let word = self.word();
        if word.is_empty() {
            return Err(Box::new(self.expected("a name behind the dot")));
        }
        self.at += word.len();
        let mut height = 0;
        let kind = match word {
            "previous" => SuffixKind::Previous,
            "vertices" => SuffixKind::Vertices,
            "indices" => SuffixKind::Indices,
            "draws" => SuffixKind::Draws,
            "bounds" => SuffixKind::Bounds,
            "mip" | "layer" => {
                if self.peek() != Some(b'(') {
                    let message = format!("`.{word}` needs a number: `.{word}(0)`");
                    return Err(Box::new(Fault::new(self.span_from(start), message, "no number behind it")));
                }
                self.at += 1;
                let (index, index_height) = self.deeper(|p| p.binary(0))?;
                if !self.eat(")") {
                    return Err(Box::new(self.expected("`)`")));
                }
                height = index_height;
                if word == "mip" { SuffixKind::Mip(index) } else { SuffixKind::Layer(index) }
            }
            field => SuffixKind::Field(Name::new(field)),
        };
        if self.peek() == Some(b'(') {
            let message = format!("`.{}` takes no arguments", excerpt(word));
            return Err(Box::new(Fault::new(self.span_from(start), message, "only `.mip(…)` and `.layer(…)` do")));
        }
        Ok((Suffix { kind, span: self.span_from(start) }, height))
    }
}
