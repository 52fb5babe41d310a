//! Expressions to formulas: names resolved, types checked, everything known folded.

use std::borrow::Cow;

use super::scope::{Cx, Entry, Typed};
use super::{Made, Resolver, Stop};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::graph::formula::{self, CameraField, FrameField, Function, SurfaceField};
use crate::graph::{EvalError, Formula, Ty, Value, rules};
use crate::source::{Name, Sp, Span};
use crate::syntax::expr::{Binary, Expr, ExprKind, Piece, Reference, SuffixKind, Template, Unary};

/// When a value must be known, and so what it may read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    /// When planning: params and the surface. Params that it reads become structural.
    Plan,
    /// A condition: when planning, or each frame if it reads `frame`.
    Condition,
    /// Each frame: also `camera`, `frame` and `age`.
    Frame,
    /// Each record of an indirect draw: also `draw_index`.
    Draw,
}

impl When {
    const fn folds(self) -> bool {
        matches!(self, Self::Plan | Self::Condition)
    }
}

impl Resolver<'_> {
    /// A value that must be known when planning.
    pub(super) fn value(&mut self, cx: &Cx, expr: &Expr) -> Made<Value> {
        let typed = self.lower(cx, expr, When::Plan)?;
        match typed.formula {
            Formula::Const(value) => Ok(value),
            _ => Err(Stop::Unknown),
        }
    }

    /// An integer that must be known when planning.
    pub(super) fn int(&mut self, cx: &Cx, expr: &Expr) -> Made<i64> {
        match self.value(cx, expr)? {
            Value::Int(i) => Ok(i),
            other => Err(self.mistyped(expr.span, "an integer", other.ty())),
        }
    }

    /// A size, count or offset: an integer from 0 up.
    pub(super) fn size(&mut self, cx: &Cx, expr: &Expr, what: &str) -> Made<u64> {
        let i = self.int(cx, expr)?;
        u64::try_from(i).map_err(|_| {
            let found =
                Diagnostic::new(&rules::NEGATIVE_SIZE, format!("{what} is {i}"), expr.span, "must not be negative");
            self.report(found.at(cx.path()));
            Stop::Poisoned
        })
    }

    /// A size that WebGPU takes as u32.
    pub(super) fn size32(&mut self, cx: &Cx, expr: &Expr, what: &str) -> Made<u32> {
        let size = self.size(cx, expr, what)?;
        u32::try_from(size).map_err(|_| {
            let message = format!("{what} is {size}, above 4294967295");
            self.report(
                Diagnostic::new(&rules::NUMBER_RANGE, message, expr.span, "does not fit 32 bits").at(cx.path()),
            );
            Stop::Poisoned
        })
    }

    /// A float that must be known when planning.
    pub(super) fn float(&mut self, cx: &Cx, expr: &Expr) -> Made<f64> {
        let value = self.value(cx, expr)?;
        value.number().ok_or_else(|| self.mistyped(expr.span, "a number", value.ty()))
    }

    /// Whether something is there: `None` if that is asked each frame.
    pub(super) fn condition(&mut self, cx: &Cx, expr: &Expr) -> Made<Result<bool, Formula>> {
        let typed = self.lower(cx, expr, When::Condition)?;
        match typed.formula {
            Formula::Const(Value::Bool(there)) => Ok(Ok(there)),
            formula if typed.ty == Ty::Bool => Ok(Err(formula)),
            _ => Err(self.mistyped(expr.span, "a bool", typed.ty)),
        }
    }

    /// A value that may change from frame to frame, tried once with the first frame's inputs.
    pub(super) fn live(&mut self, cx: &Cx, expr: &Expr, when: When) -> Made<Typed> {
        let typed = self.lower(cx, expr, when)?;
        if let Err(error) = typed.formula.eval(&self.first_frame()) {
            return Err(self.arithmetic(expr.span, error));
        }
        Ok(typed)
    }

    /// Text with the expressions in it replaced by their values.
    pub(super) fn template<'t>(&mut self, cx: &Cx, template: &'t Template) -> Made<Cow<'t, str>> {
        if let Some(plain) = template.plain() {
            return Ok(Cow::Borrowed(plain));
        }
        let mut text = String::new();
        for piece in &template.pieces {
            match piece {
                Piece::Text(part) => text.push_str(part),
                Piece::Expr(expr) => match self.value(cx, expr)? {
                    Value::Text(index) => text.push_str(&self.draft.texts[index as usize]),
                    Value::Int(i) => text.push_str(&i.to_string()),
                    Value::Bool(b) => text.push_str(if b { "true" } else { "false" }),
                    other => return Err(self.mistyped(expr.span, "a text or an integer", other.ty())),
                },
            }
        }
        Ok(Cow::Owned(text))
    }

    pub(super) fn lower(&mut self, cx: &Cx, expr: &Expr, when: When) -> Made<Typed> {
        let constant = |value: Value| Ok(Typed { formula: Formula::Const(value), ty: value.ty() });
        match &expr.kind {
            ExprKind::Int(i) => constant(Value::Int(*i)),
            ExprKind::Float(f) => constant(Value::Float(*f)),
            ExprKind::Bool(b) => constant(Value::Bool(*b)),
            ExprKind::Text(text) => constant(Value::Text(self.text(text))),
            ExprKind::Name(name) => self.lower_plain(cx, name, expr.span, when),
            ExprKind::Path(reference) => self.lower_path(cx, reference, when),
            ExprKind::Unary(op, of) => self.lower_unary(cx, *op, of, expr.span, when),
            ExprKind::Binary(op, pair) => self.lower_binary(cx, *op, pair, expr.span, when),
            ExprKind::Call(call) => self.lower_call(cx, &call.0, &call.1, expr.span, when),
            ExprKind::Vector(of) => {
                let name = Name::from(format!("vec{}", of.len()));
                self.lower_call(cx, &Sp::new(name, expr.span), of, expr.span, when)
            }
            ExprKind::Poison => Err(Stop::Poisoned),
        }
    }

    fn lower_unary(&mut self, cx: &Cx, op: Unary, of: &Expr, span: Span, when: When) -> Made<Typed> {
        let of = self.lower(cx, of, when)?;
        let fits = if op == Unary::Not { of.ty == Ty::Bool } else { of.ty.is_number() };
        if !fits {
            let wanted = if op == Unary::Not { "a bool" } else { "a number" };
            return Err(self.mistyped(span, wanted, of.ty));
        }
        if let Formula::Const(value) = of.formula {
            return self.folded(formula::unary(op, value), span);
        }
        Ok(Typed { formula: Formula::Unary(op, Box::new(of.formula)), ty: of.ty })
    }

    fn lower_binary(&mut self, cx: &Cx, op: Binary, pair: &(Expr, Expr), span: Span, when: When) -> Made<Typed> {
        let left = self.lower(cx, &pair.0, when);
        // The second operand of `&&` and `||` counts only where the first leaves the question open: `n > 0 && 64 / n > 1`.
        if let Ok(Typed { formula: Formula::Const(Value::Bool(decided)), .. }) = left
            && ((op == Binary::And && !decided) || (op == Binary::Or && decided))
        {
            return left;
        }
        let right = self.lower(cx, &pair.1, when);
        let (left, right) = (left?, right?);
        let Some(ty) = binary_type(op, left.ty, right.ty) else {
            let found = Diagnostic::new(
                &rules::TYPE_MISMATCH,
                format!("`{}` does not apply to {} and {}", symbol(op), left.ty.name(), right.ty.name()),
                span,
                "in this expression",
            );
            self.report(found.at(cx.path()));
            return Err(Stop::Poisoned);
        };
        if let (Formula::Const(a), Formula::Const(b)) = (&left.formula, &right.formula) {
            return self.folded(formula::binary(op, *a, *b), span);
        }
        Ok(Typed { formula: Formula::Binary(op, Box::new((left.formula, right.formula))), ty })
    }

    fn lower_call(&mut self, cx: &Cx, name: &Sp<Name>, args: &[Expr], span: Span, when: When) -> Made<Typed> {
        if let Some(measure) = super::reference::Measure::named(&name.value) {
            return self.measure(cx, measure, args, span, when);
        }
        let Some((_, function, arity)) = Function::ALL.into_iter().find(|(known, ..)| *known == name.value) else {
            let known = Function::ALL.iter().map(|(name, ..)| *name).chain(super::reference::Measure::NAMES);
            let found = Diagnostic::new(
                &rules::UNKNOWN_NAME,
                format!("unknown function `{}`", name.value),
                name.span,
                "no such function",
            );
            let found = did_you_mean(&name.value, known).into_iter().fold(found, Diagnostic::help);
            self.report(found.at(cx.path()));
            return Err(Stop::Poisoned);
        };
        let made: Vec<Made<Typed>> = args.iter().map(|arg| self.lower(cx, arg, when)).collect();
        if args.len() != arity {
            let message = format!("`{}` takes {arity} arguments, but has {}", name.value, args.len());
            self.report(Diagnostic::new(&rules::TYPE_MISMATCH, message, span, "this call").at(cx.path()));
            return Err(Stop::Poisoned);
        }
        let made = made.into_iter().collect::<Made<Vec<Typed>>>()?;
        let types: Vec<Ty> = made.iter().map(|arg| arg.ty).collect();
        let Some(ty) = function.result(&types) else {
            let given: Vec<&str> = types.iter().map(|ty| ty.name()).collect();
            let message = format!("`{}` does not take {}", name.value, given.join(", "));
            self.report(Diagnostic::new(&rules::TYPE_MISMATCH, message, span, "this call").at(cx.path()));
            return Err(Stop::Poisoned);
        };
        let constants: Option<Vec<Value>> =
            made.iter().map(|arg| if let Formula::Const(v) = arg.formula { Some(v) } else { None }).collect();
        match constants {
            Some(values) => self.folded(formula::call(function, &values), span),
            None => {
                Ok(Typed { formula: Formula::Call(function, made.into_iter().map(|arg| arg.formula).collect()), ty })
            }
        }
    }

    fn folded(&mut self, result: Result<Value, EvalError>, span: Span) -> Made<Typed> {
        match result {
            Ok(value) => Ok(Typed { formula: Formula::Const(value), ty: value.ty() }),
            Err(error) => Err(self.arithmetic(span, error)),
        }
    }

    fn lower_path(&mut self, cx: &Cx, path: &Reference, when: When) -> Made<Typed> {
        if let Some(name) = path.plain() {
            return self.lower_plain(cx, name, path.span, when);
        }
        let field = match path.suffixes() {
            [suffix] if path.element().is_none() => Some(field_name(&suffix.kind)),
            _ => None,
        };
        match (path.name.plain(), field) {
            (Some("camera"), Some(field)) => {
                self.field(cx, path.span, "camera", field, when, &CameraField::ALL, Formula::Camera)
            }
            (Some("frame"), Some(field)) => {
                self.field(cx, path.span, "frame", field, when, &FrameField::ALL, Formula::Frame)
            }
            (Some("surface"), Some(field)) => {
                let typed = self.field(cx, path.span, "surface", field, when, &SurfaceField::ALL, Formula::Surface)?;
                if when.folds() { self.fold_known(&typed, path.span) } else { Ok(typed) }
            }
            _ => {
                let name = self.template(cx, &path.name)?;
                if path.tail.is_none() {
                    return self.lower_name(cx, &name, path.span, when);
                }
                Err(if self.lookup(cx, &name).is_none() {
                    self.unknown(cx, &name, path.name.span, "name")
                } else {
                    self.no_value(cx, path.span)
                })
            }
        }
    }

    /// A name without anything behind it.
    fn lower_plain(&mut self, cx: &Cx, name: &str, span: Span, when: When) -> Made<Typed> {
        match name {
            "draw_index" if when == When::Draw => Ok(Typed { formula: Formula::DrawIndex, ty: Ty::Int }),
            "draw_index" => {
                self.too_late(span, "`draw_index` is known only in the `set` of a draw");
                Err(Stop::Poisoned)
            }
            _ => self.lower_name(cx, name, span, when),
        }
    }

    fn lower_name(&mut self, cx: &Cx, name: &str, span: Span, when: When) -> Made<Typed> {
        match self.lookup(cx, name) {
            Some(Entry::Param(typed)) if when.folds() => self.fold_param(name, &typed, span, when),
            Some(Entry::Param(typed)) => {
                self.mark_read(&typed.formula);
                Ok(Typed::clone(&typed))
            }
            Some(Entry::Poisoned) => Err(Stop::Poisoned),
            Some(Entry::Resource(_) | Entry::Pack(_)) => Err(self.no_value(cx, span)),
            None => Err(self.unknown(cx, name, span, "name")),
        }
    }

    /// Reports a resource where a value is needed.
    fn no_value(&mut self, cx: &Cx, span: Span) -> Stop {
        let found = Diagnostic::new(
            &rules::TYPE_MISMATCH,
            format!("`{}` is not a value", self.library.files.text(span)),
            span,
            "a value is needed here",
        );
        self.report(
            found.help("`len(…)`, `width(…)`, `mips(…)` and `age(…)` turn a resource into a number").at(cx.path()),
        );
        Stop::Poisoned
    }

    #[allow(clippy::too_many_arguments, reason = "one table look-up for three tables")]
    fn field<F: Copy>(
        &mut self,
        cx: &Cx,
        span: Span,
        of: &str,
        field: &str,
        when: When,
        table: &[(&'static str, F, Ty)],
        make: impl Fn(F) -> Formula,
    ) -> Made<Typed> {
        let Some((_, id, ty)) = table.iter().find(|(name, ..)| *name == field) else {
            let found =
                Diagnostic::new(&rules::UNKNOWN_NAME, format!("`{of}` has no field `{field}`"), span, "no such field");
            let names: Vec<&str> = table.iter().map(|(name, ..)| *name).collect();
            let help =
                did_you_mean(field, names.iter().copied()).unwrap_or_else(|| format!("it has {}", names.join(", ")));
            self.report(found.help(help).at(cx.path()));
            return Err(Stop::Poisoned);
        };
        let allowed = match of {
            "surface" => {
                self.draft.reads_surface = true;
                true
            }
            "frame" => when != When::Plan,
            _ => !when.folds(),
        };
        if !allowed {
            self.too_late(span, &format!("`{of}` changes from frame to frame"));
            return Err(Stop::Poisoned);
        }
        Ok(Typed { formula: make(*id), ty: *ty })
    }

    /// The value of a param when planning, which makes it structural.
    fn fold_param(&mut self, name: &str, typed: &Typed, span: Span, when: When) -> Made<Typed> {
        let late = typed.formula.any(&mut |part| {
            matches!(part, Formula::Camera(_) | Formula::Age(_) | Formula::DrawIndex)
                || (when == When::Plan && matches!(part, Formula::Frame(_)))
        });
        if late {
            self.too_late(span, &format!("`{name}` was set to a value that changes from frame to frame"));
            return Err(Stop::Poisoned);
        }
        self.mark_structural(&typed.formula);
        if typed.formula.any(&mut |part| matches!(part, Formula::Frame(_))) {
            return Ok(typed.clone());
        }
        self.fold_known(typed, span)
    }

    fn fold_known(&mut self, typed: &Typed, span: Span) -> Made<Typed> {
        let result = typed.formula.eval(&self.first_frame());
        self.folded(result, span)
    }

    fn too_late(&mut self, span: Span, why: &str) {
        let found = Diagnostic::new(
            &rules::UNPLANNABLE_VALUE,
            format!("{why}, but this must be known when planning"),
            span,
            "not known when planning",
        );
        self.report(found.note("sizes, counts, paths, overrides and `when` are fixed when the frame is planned"));
    }

    pub(super) fn mistyped(&mut self, span: Span, wanted: &str, has: Ty) -> Stop {
        let found = Diagnostic::new(
            &rules::TYPE_MISMATCH,
            format!("this is {}, but {wanted} is needed", has.name()),
            span,
            format!("needs {wanted}"),
        );
        self.report(found);
        Stop::Poisoned
    }

    fn arithmetic(&mut self, span: Span, error: EvalError) -> Stop {
        self.report(Diagnostic::new(&rules::ARITHMETIC, error.to_string(), span, "in this expression"));
        Stop::Poisoned
    }
}

fn field_name(kind: &SuffixKind) -> &str {
    match kind {
        SuffixKind::Field(name) => name,
        SuffixKind::Previous => "previous",
        SuffixKind::Vertices => "vertices",
        SuffixKind::Indices => "indices",
        SuffixKind::Draws => "draws",
        SuffixKind::Bounds => "bounds",
        SuffixKind::Mip(_) => "mip",
        SuffixKind::Layer(_) => "layer",
    }
}

fn binary_type(op: Binary, left: Ty, right: Ty) -> Option<Ty> {
    let numbers = left.is_number() && right.is_number();
    match op {
        Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::Rem if numbers => {
            Some(if left == right { left } else { Ty::Float })
        }
        Binary::Eq | Binary::Ne if numbers => Some(Ty::Bool),
        Binary::Eq | Binary::Ne if left == right && matches!(left, Ty::Bool | Ty::Text) => Some(Ty::Bool),
        Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge if numbers => Some(Ty::Bool),
        Binary::And | Binary::Or if left == Ty::Bool && right == Ty::Bool => Some(Ty::Bool),
        _ => None,
    }
}

const fn symbol(op: Binary) -> &'static str {
    match op {
        Binary::Add => "+",
        Binary::Sub => "-",
        Binary::Mul => "*",
        Binary::Div => "/",
        Binary::Rem => "%",
        Binary::Eq => "==",
        Binary::Ne => "!=",
        Binary::Lt => "<",
        Binary::Le => "<=",
        Binary::Gt => ">",
        Binary::Ge => ">=",
        Binary::And => "&&",
        Binary::Or => "||",
    }
}
