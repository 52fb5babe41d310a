//! References to views of resources, and the numbers that `len`, `width`, … make of them.

use super::lower::When;
use super::scope::{Cx, Entry, Typed, View, known};
use super::{Made, Resolver, Stop};
use crate::diagnostic::Diagnostic;
use crate::graph::{Formula, Lifetime, Part, ResourceKind, Texture, Ty, Value, rules};
use crate::source::Span;
use crate::syntax::expr::{Expr, ExprKind, Reference, SuffixKind};

/// What can be asked of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    Len,
    Width,
    Height,
    Mips,
    Layers,
    Age,
}

impl Measure {
    /// By the name that files use.
    pub(super) const NAMES: [&'static str; 6] = ["len", "width", "height", "mips", "layers", "age"];

    const ALL: [Self; 6] = [Self::Len, Self::Width, Self::Height, Self::Mips, Self::Layers, Self::Age];

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().position(|known| *known == name).map(|at| Self::ALL[at])
    }

    const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

/// What a reference stands for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Referent {
    View(View),
    Pack(usize),
}

impl Resolver<'_> {
    /// A reference to a resource; `at` is the field that holds it, for the structural path.
    pub(super) fn resource(&mut self, cx: &Cx, reference: &Reference, at: impl std::fmt::Display) -> Made<View> {
        match self.referent(cx, reference)? {
            Referent::View(view) => Ok(view),
            Referent::Pack(_) => {
                let name = self.library.files.text(reference.span).to_owned();
                let found = Diagnostic::new(
                    &rules::WRONG_KIND,
                    format!("`{name}` is a pack of meshes, but a resource is needed"),
                    reference.span,
                    "names the whole pack",
                );
                let help = format!(
                    "name one of its buffers: `{name}.vertices`, `{name}.indices`, `{name}.draws` or `{name}.bounds`"
                );
                self.report(found.help(help).at(format!("{}.{at}", cx.path())));
                Err(Stop::Poisoned)
            }
        }
    }

    /// A reference to anything but a value. `[e]` is left to the caller.
    pub(super) fn referent(&mut self, cx: &Cx, reference: &Reference) -> Made<Referent> {
        let name = self.template(cx, &reference.name)?;
        let mut referent = self.named(cx, &name, reference.name.span, reference.span)?;
        for suffix in reference.suffixes() {
            referent = self.suffix(cx, referent, &suffix.kind, suffix.span, &name)?;
        }
        Ok(referent)
    }

    /// What a name stands for, at `at` and in a reference at `whole`.
    fn named(&mut self, cx: &Cx, name: &str, at: Span, whole: Span) -> Made<Referent> {
        match self.lookup(cx, name) {
            Some(Entry::Resource(view)) => Ok(Referent::View(view)),
            Some(Entry::Pack(pack)) => Ok(Referent::Pack(pack)),
            Some(Entry::Poisoned) => Err(Stop::Poisoned),
            Some(Entry::Param(_)) => {
                let found = Diagnostic::new(
                    &rules::WRONG_KIND,
                    format!("`{name}` is a value, but a resource is needed"),
                    whole,
                    "names a param or a Repeat variable",
                );
                self.report(found.at(cx.path()));
                Err(Stop::Poisoned)
            }
            None => Err(self.unknown(cx, name, at, "resource")),
        }
    }

    fn suffix(&mut self, cx: &Cx, of: Referent, kind: &SuffixKind, span: Span, name: &str) -> Made<Referent> {
        match (of, kind) {
            (Referent::Pack(pack), SuffixKind::Vertices) => Ok(self.member(pack, |p| p.vertices)),
            (Referent::Pack(pack), SuffixKind::Indices) => Ok(self.member(pack, |p| p.indices)),
            (Referent::Pack(pack), SuffixKind::Draws) => Ok(self.member(pack, |p| p.draws)),
            (Referent::Pack(pack), SuffixKind::Bounds) => Ok(self.member(pack, |p| p.bounds)),
            (Referent::View(view), SuffixKind::Previous) => self.previous(cx, view, span, name).map(Referent::View),
            (Referent::View(view), SuffixKind::Mip(e)) => self.narrow(cx, view, e, span, "mip").map(Referent::View),
            (Referent::View(view), SuffixKind::Layer(e)) => self.narrow(cx, view, e, span, "layer").map(Referent::View),
            _ => {
                let suffix = self.library.files.text(span).to_owned();
                let found = Diagnostic::new(
                    &rules::WRONG_KIND,
                    format!("`{name}` has no `{suffix}`"),
                    span,
                    "does not apply here",
                );
                let help = match of {
                    Referent::Pack(_) => "a pack of meshes has `.vertices`, `.indices`, `.draws` and `.bounds`",
                    Referent::View(_) => "a resource has `.previous`, and a texture `.mip(e)` and `.layer(e)`",
                };
                self.report(found.help(help).at(cx.path()));
                Err(Stop::Poisoned)
            }
        }
    }

    fn member(&self, pack: usize, of: impl Fn(&super::Pack) -> crate::graph::ResourceId) -> Referent {
        Referent::View(View::whole(of(&self.packs[pack]), Some(crate::graph::PortKind::In)))
    }

    fn previous(&mut self, cx: &Cx, view: View, span: Span, name: &str) -> Made<View> {
        let resource = &self.draft.resources[view.resource];
        let kept = resource.lifetime == Lifetime::History || matches!(resource.kind, ResourceKind::Uniform);
        if kept && !view.previous {
            return Ok(View { previous: true, ..view });
        }
        let declared = resource.span;
        let found = Diagnostic::new(
            &rules::NO_PREVIOUS,
            format!("`{name}` has no previous frame's copy"),
            span,
            "only a History resource or a Uniform has one",
        )
        .also(declared, "declared here")
        .help("declare it with `lifetime: History`");
        self.report(found.at(cx.path()));
        Err(Stop::Poisoned)
    }

    fn narrow(&mut self, cx: &Cx, view: View, index: &Expr, span: Span, what: &str) -> Made<View> {
        let texture = self.texture(view)?;
        let base = view.part.unwrap_or_else(|| whole(&texture));
        let index_value = self.size(cx, index, what)?;
        let there = if what == "mip" { base.mips } else { base.layers };
        let Some(at) = u32::try_from(index_value).ok().filter(|at| *at < there) else {
            let plural = if there == 1 { "" } else { "s" };
            let name = &self.draft.resources[view.resource].name;
            let found = Diagnostic::new(
                &rules::SUBRESOURCE_RANGE,
                format!("`{name}` has {there} {what}{plural}, but {what} {index_value} is named"),
                span,
                format!("{what}s count from 0"),
            );
            self.report(found.at(cx.path()));
            return Err(Stop::Poisoned);
        };
        let part = if what == "mip" {
            Part { mip: base.mip + at, mips: 1, ..base }
        } else {
            Part { layer: base.layer + at, layers: 1, ..base }
        };
        Ok(View { part: Some(part), ..view })
    }

    /// The texture behind a view, its size worked out.
    pub(super) fn texture(&mut self, view: View) -> Made<Texture> {
        self.measured(view.resource)?;
        match &self.draft.resources[view.resource].kind {
            ResourceKind::Texture(texture) => Ok(texture.clone()),
            _ => {
                let resource = &self.draft.resources[view.resource];
                let message = format!("`{}` is not a texture", resource.name);
                let found = Diagnostic::new(&rules::WRONG_KIND, message, resource.span, "declared here");
                self.report(found.note("mips, layers, width and height are those of textures"));
                Err(Stop::Poisoned)
            }
        }
    }

    /// `len(x)`, `width(x)`, …
    pub(super) fn measure(&mut self, cx: &Cx, measure: Measure, args: &[Expr], span: Span, when: When) -> Made<Typed> {
        let referent = match args {
            [Expr { kind: ExprKind::Path(reference), .. }] => self.referent(cx, reference)?,
            [Expr { kind: ExprKind::Name(name), span }] => self.named(cx, name, *span, *span)?,
            _ => {
                let message = format!("`{}` takes the name of one resource", measure.name());
                self.report(Diagnostic::new(&rules::TYPE_MISMATCH, message, span, "this call").at(cx.path()));
                return Err(Stop::Poisoned);
            }
        };
        if measure == Measure::Age {
            return self.age(cx, referent, span, when);
        }
        let number = match (measure, referent) {
            (Measure::Len, Referent::Pack(pack)) => {
                let meshes = self.packs[pack].meshes.as_ref().ok_or(Stop::Unknown)?;
                meshes.draws.len() as u64
            }
            (Measure::Len, Referent::View(view)) => self.len(cx, view, span)?,
            (_, Referent::Pack(_)) => {
                let message = format!("a pack of meshes has no `{}`", measure.name());
                self.report(Diagnostic::new(&rules::WRONG_KIND, message, span, "this call").at(cx.path()));
                return Err(Stop::Poisoned);
            }
            (_, Referent::View(view)) => self.texture_number(view, measure)?,
        };
        let value = Value::Int(i64::try_from(number).unwrap_or(i64::MAX));
        Ok(Typed { formula: Formula::Const(value), ty: Ty::Int })
    }

    fn age(&mut self, cx: &Cx, referent: Referent, span: Span, when: When) -> Made<Typed> {
        let Referent::View(view) = referent else { return Err(Stop::Poisoned) };
        if !matches!(when, When::Frame | When::Draw) {
            let message = "`age` changes from frame to frame, but this must be known when planning";
            self.report(
                Diagnostic::new(&rules::UNPLANNABLE_VALUE, message, span, "not known when planning").at(cx.path()),
            );
            return Err(Stop::Poisoned);
        }
        Ok(Typed { formula: Formula::Age(view.resource), ty: Ty::Int })
    }

    fn texture_number(&mut self, view: View, measure: Measure) -> Made<u64> {
        let texture = self.texture(view)?;
        let part = view.part.unwrap_or_else(|| whole(&texture));
        let side = |axis: usize| texture.size.map(|size| (size[axis] >> part.mip).max(1)).ok_or(Stop::Unknown);
        let number = match measure {
            Measure::Width => side(0)?,
            Measure::Height => side(1)?,
            Measure::Mips if texture.size.is_none() => return Err(Stop::Unknown),
            Measure::Mips => part.mips,
            Measure::Layers | Measure::Len | Measure::Age => part.layers,
        };
        Ok(number.into())
    }

    fn len(&mut self, cx: &Cx, view: View, span: Span) -> Made<u64> {
        self.measured(view.resource)?;
        let resource = &self.draft.resources[view.resource];
        let ResourceKind::Buffer(buffer) = &resource.kind else {
            let message = format!("`{}` has no length: it is not a buffer", resource.name);
            self.report(Diagnostic::new(&rules::WRONG_KIND, message, span, "this call").at(cx.path()));
            return Err(Stop::Poisoned);
        };
        match (buffer.count, buffer.size, buffer.stride) {
            (Some(count), ..) => Ok(count),
            (None, Some(size), Some(stride)) => Ok(size.saturating_sub(buffer.header) / stride.max(1)),
            (None, Some(_), None) if resource.port.is_none() => {
                let (message, declared) =
                    (format!("the length of `{}` is not known here", resource.name), resource.span);
                let found = Diagnostic::new(&rules::UNKNOWN_STRIDE, message, span, "asked for here");
                let found =
                    found.also(declared, "declared with `size` alone").help("give `count`, or `stride` beside `size`");
                self.report(found.at(cx.path()));
                Err(Stop::Poisoned)
            }
            _ => Err(Stop::Unknown),
        }
    }

    /// The element `[e]` of a reference as a byte offset: `e` times the record's size.
    pub(super) fn element(&mut self, cx: &Cx, reference: &Reference, record: u64) -> Made<u64> {
        let Some(index) = reference.element() else { return Ok(0) };
        let at = known(self.size(cx, index, "the element"))?.unwrap_or(0);
        at.checked_mul(record).ok_or_else(|| {
            let message = format!("element {at} of {record} bytes is beyond 64 bits");
            self.report(Diagnostic::new(&rules::NUMBER_RANGE, message, index.span, "this element").at(cx.path()));
            Stop::Poisoned
        })
    }
}

/// All mips and layers.
pub(super) const fn whole(texture: &Texture) -> Part {
    Part { mip: 0, mips: texture.mips, layer: 0, layers: texture.layers }
}
