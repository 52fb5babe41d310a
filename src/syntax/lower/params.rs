//! Params: their types, defaults and ranges.

use std::collections::BTreeMap;

use crate::source::{Name, Sp, Span};

use super::super::document::{ParamDecl, ParamKind};
use super::super::reader::excerpt;
use super::super::rules;
use super::super::tree::Node;
use super::fields::{Fields, What};
use super::{Lower, Step};

type Reader<'n, 'f> = fn(&mut Lower<'n, 'f>, &mut Fields<'n>) -> Option<ParamKind>;

impl<'n, 'f> Lower<'n, 'f> {
    const PARAM_KINDS: [(&'static str, Reader<'n, 'f>); 4] = [
        ("Int", |l, fields| l.int_param(fields)),
        ("Float", |l, fields| l.float_param(fields)),
        ("Bool", |l, fields| l.bool_param(fields)),
        ("Choice", |l, fields| l.choice_param(fields)),
    ];

    /// `params: {…}`
    pub(super) fn params(&mut self, node: &'n Node<'n>) -> Option<Vec<ParamDecl>> {
        self.map(node, "param", |l, name, node| {
            l.check_declared(&name.value, name.span, "param");
            let kind = l.param(node).unwrap_or(ParamKind::Poison);
            Some(ParamDecl { name, kind, span: l.span(node) })
        })
    }

    fn param(&mut self, node: &'n Node<'n>) -> Option<ParamKind> {
        let names = Self::PARAM_KINDS.map(|(name, _)| name);
        let Some((name, read)) = node.name.and_then(|n| Self::PARAM_KINDS.into_iter().find(|(name, _)| *name == n))
        else {
            self.unknown_name(node, "kind of param", &names);
            return None;
        };
        let mut fields = self.fields(node, What::Kind(name))?;
        let kind = read(self, &mut fields);
        self.finish(&fields);
        kind
    }

    fn int_param(&mut self, fields: &mut Fields<'n>) -> Option<ParamKind> {
        let default = self.required(fields, "default", Self::int);
        let min = self.bound(fields, "min", Self::int);
        let max = self.bound(fields, "max", Self::int);
        let (default, min, max) = (default?, min?, max?);
        let default = self.check_range(default, min, max);
        Some(ParamKind::Int { default, min, max })
    }

    fn float_param(&mut self, fields: &mut Fields<'n>) -> Option<ParamKind> {
        let default = self.required(fields, "default", Self::float);
        let min = self.bound(fields, "min", Self::float);
        let max = self.bound(fields, "max", Self::float);
        let (default, min, max) = (default?, min?, max?);
        let default = self.check_range(default, min, max);
        Some(ParamKind::Float { default, min, max })
    }

    /// `min` and `max` have to be there: they are the ends of the slider and what sizes are checked at.
    fn bound<T>(
        &mut self,
        fields: &mut Fields<'n>,
        name: &'static str,
        read: fn(&mut Self, &'n Node<'n>) -> Option<T>,
    ) -> Option<T> {
        if let Some(node) = self.take(fields, name) {
            return self.inside(Step::Field(name), |l| read(l, node));
        }
        fields.miss(name, ": its slider and the check of sizes need a range");
        None
    }

    /// Checks a default against its range, and returns it, brought inside.
    fn check_range<T: PartialOrd + Copy + std::fmt::Display>(
        &mut self,
        default: Sp<T>,
        min: Sp<T>,
        max: Sp<T>,
    ) -> Sp<T> {
        if min.value > max.value {
            self.report(
                &rules::PARAM_RANGE,
                min.span,
                format!("`min` {} is above `max` {}", min.value, max.value),
                "the lower end",
                |d| d.also(max.span, "the upper end"),
            );
            return Sp::new(min.value, default.span);
        }
        let bounds = [(default.value < min.value, "below `min`", min), (default.value > max.value, "above `max`", max)];
        let Some((_, side, bound)) = bounds.into_iter().find(|(is_outside, ..)| *is_outside) else { return default };
        self.report(
            &rules::PARAM_RANGE,
            default.span,
            format!("`default` {} is {side} {}", default.value, bound.value),
            "outside of the range",
            |d| d.also(bound.span, "the range ends here"),
        );
        Sp::new(bound.value, default.span)
    }

    fn bool_param(&mut self, fields: &mut Fields<'n>) -> Option<ParamKind> {
        self.required(fields, "default", Self::bool).map(|default| ParamKind::Bool { default })
    }

    fn choice_param(&mut self, fields: &mut Fields<'n>) -> Option<ParamKind> {
        let default = self.required(fields, "default", Self::text);
        let faults = self.found.faults();
        let of = self.required(fields, "of", Self::choices);
        let is_whole = self.found.faults() == faults;
        let (default, of) = (default?, of?);
        if is_whole && !of.iter().any(|choice| choice.value == default.value) {
            let span = of.iter().map(|choice| choice.span).reduce(Span::to);
            self.report(
                &rules::PARAM_RANGE,
                default.span,
                format!("`default` {:?} is none of the choices", excerpt(&default.value)),
                "not among them",
                |d| match span {
                    Some(span) => d.also(span, "the choices"),
                    None => d,
                },
            );
        }
        Some(ParamKind::Choice { default, of })
    }

    fn choices(&mut self, node: &'n Node<'n>) -> Option<Vec<Sp<Name>>> {
        let mut seen = BTreeMap::new();
        let choices = self.list(node, "texts", |l, item| {
            let choice = l.text(item)?;
            let before = *seen.entry(choice.value.clone()).or_insert(choice.span);
            if before != choice.span {
                l.duplicate(&choice.value, choice.span, before, "choice");
                return None;
            }
            Some(choice)
        })?;
        if choices.is_empty() {
            self.report(
                &rules::PARAM_RANGE,
                self.span(node),
                "`of` has no choices",
                "at least one text is needed",
                |d| d,
            );
            return None;
        }
        Some(choices)
    }
}
