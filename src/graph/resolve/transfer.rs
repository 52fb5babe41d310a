//! Clears and copies.

use super::expand::Body;
use super::reference::whole;
use super::scope::{Cx, View, known};
use super::sizes::Source;
use super::{Made, Resolver, Stop};
use crate::diagnostic::Diagnostic;
use crate::graph::{Access, BufferRange, Effect, Part, PassKind, ResourceKind, TextureRegion, Usage, rules};
use crate::source::Span;
use crate::syntax::expr::{Expr, Reference};

impl Resolver<'_> {
    pub(super) fn clear_buffer(
        &mut self,
        cx: &Cx,
        target: &Reference,
        offset: Option<&Expr>,
        size: Option<&Expr>,
    ) -> Made<Body> {
        let view = self.buffer(cx, target, "target");
        let start = self.bytes(cx, offset, "the offset")?;
        let length = self.bytes(cx, size, "the size")?;
        let view = view?;
        self.claim(view.resource, 0, target.span, Source::Transfer);
        let is_whole = offset.is_none() && size.is_none();
        let effect = if is_whole { Effect::Replace } else { Effect::Write };
        Ok(Body {
            kind: PassKind::ClearBuffer { target: view.resource, offset: start.unwrap_or(0), size: length },
            accesses: vec![access(view, Part::ONE, Usage::CopyDst, effect, target.span)],
            empty: length == Some(0),
        })
    }

    pub(super) fn copy_buffer(
        &mut self,
        cx: &Cx,
        ends: [&Reference; 2],
        offsets: [Option<&Expr>; 2],
        size: Option<&Expr>,
    ) -> Made<Body> {
        let source = self.buffer(cx, ends[0], "source");
        let target = self.buffer(cx, ends[1], "target");
        let from = self.bytes(cx, offsets[0], "the source's offset")?;
        let to = self.bytes(cx, offsets[1], "the target's offset")?;
        let length = self.bytes(cx, size, "the size")?;
        let (source, target) = (source?, target?);
        if source.resource == target.resource && source.previous == target.previous {
            return Err(self.copy_within(cx, ends[1].span, source));
        }
        self.claim(source.resource, 0, ends[0].span, Source::Transfer);
        self.claim(target.resource, 0, ends[1].span, Source::Transfer);
        let is_whole = offsets[1].is_none() && size.is_none();
        let effect = if is_whole { Effect::Replace } else { Effect::Write };
        let range = |view: View, offset: Option<u64>| BufferRange {
            resource: view.resource,
            previous: view.previous,
            offset: offset.unwrap_or(0),
        };
        Ok(Body {
            kind: PassKind::CopyBuffer { source: range(source, from), target: range(target, to), size: length },
            accesses: vec![
                access(source, Part::ONE, Usage::CopySrc, Effect::Read, ends[0].span),
                access(target, Part::ONE, Usage::CopyDst, effect, ends[1].span),
            ],
            empty: length == Some(0),
        })
    }

    fn copy_within(&mut self, cx: &Cx, span: Span, view: View) -> Stop {
        let name = &self.draft.resources[view.resource].name;
        let message = format!("a copy from `{name}` to itself");
        let found = Diagnostic::new(&rules::COPY_WITHIN, message, span, "source and target are one resource");
        self.report(found.help("copy by way of another buffer, or in a shader").at(cx.path()));
        Stop::Poisoned
    }

    pub(super) fn copy_texture(
        &mut self,
        cx: &Cx,
        ends: [&Reference; 2],
        offsets: [Option<&[Expr; 2]>; 2],
        size: Option<&[Expr; 2]>,
    ) -> Made<Body> {
        let source = self.texture_end(cx, ends[0], "source");
        let target = self.texture_end(cx, ends[1], "target");
        let from = self.texels(cx, offsets[0], "the source's offset")?;
        let to = self.texels(cx, offsets[1], "the target's offset")?;
        let length = self.texels(cx, size, "the size")?;
        let ((source, from_part, from_size), (target, to_part, to_size)) = (source?, target?);
        if from_part.layers != to_part.layers {
            let message = format!("a copy of {} layers to {}", from_part.layers, to_part.layers);
            let found = Diagnostic::new(&rules::ATTACHMENT_MISMATCH, message, ends[1].span, "must have as many layers");
            self.report(found.at(cx.path()));
            return Err(Stop::Poisoned);
        }
        self.same_format(cx, source, target, ends[1].span)?;
        let is_whole = offsets[1].is_none() && size.is_none() && offsets[0].is_none() && from_size == to_size;
        let effect = if is_whole { Effect::Replace } else { Effect::Write };
        let rest = |size: Option<[u32; 2]>, at: [u32; 2]| {
            size.map(|s| [s[0].saturating_sub(at[0]), s[1].saturating_sub(at[1])])
        };
        let (from, to) = (from.unwrap_or([0; 2]), to.unwrap_or([0; 2]));
        let fits = rest(from_size, from).zip(rest(to_size, to)).map(|(a, b)| [a[0].min(b[0]), a[1].min(b[1])]);
        let region = |view: View, part: Part, origin: [u32; 2]| TextureRegion {
            resource: view.resource,
            previous: view.previous,
            mip: part.mip,
            layer: part.layer,
            origin,
        };
        if let (Some(asked), Some(fits)) = (length, fits)
            && (asked[0] > fits[0] || asked[1] > fits[1])
        {
            let message = format!("a copy of {} × {} texels where {} × {} fit", asked[0], asked[1], fits[0], fits[1]);
            self.report(Diagnostic::new(&rules::RANGE, message, ends[0].span, "copied from here").at(cx.path()));
            return Err(Stop::Poisoned);
        }
        let size = length.or(fits);
        let partial = from != [0; 2] || to != [0; 2] || size != from_size || size != to_size;
        self.may_be_partial(cx, source, ends[0].span, partial && from_size.is_some() && to_size.is_some())?;
        Ok(Body {
            kind: PassKind::CopyTexture {
                source: region(source, from_part, from),
                target: region(target, to_part, to),
                size,
                layers: from_part.layers,
            },
            accesses: vec![
                access(source, from_part, Usage::CopySrc, Effect::Read, ends[0].span),
                access(target, to_part, Usage::CopyDst, effect, ends[1].span),
            ],
            empty: size.is_some_and(|size| size.contains(&0)),
        })
    }

    /// Texels of several samples, and depth, are copied whole.
    fn may_be_partial(&mut self, cx: &Cx, source: View, span: Span, partial: bool) -> Made<()> {
        let texture = self.texture(source)?;
        let depth = texture.format.is_some_and(|format| format.is_depth_stencil_format());
        if !partial || !(depth || texture.samples > 1) {
            return Ok(());
        }
        let what = if depth { "depth" } else { "several samples" };
        let name = &self.draft.resources[source.resource].name;
        let message = format!("a copy of a part of `{name}`, which has {what}");
        let found = Diagnostic::new(&rules::RANGE, message, span, format!("a mip with {what} is copied whole"));
        self.report(found.help("copy between mips of one size, without offsets and `size`").at(cx.path()));
        Err(Stop::Poisoned)
    }

    /// One mip of a texture, and the size of that mip.
    fn texture_end(&mut self, cx: &Cx, reference: &Reference, at: &str) -> Made<(View, Part, Option<[u32; 2]>)> {
        let view = self.resource(cx, reference, at)?;
        if !matches!(self.draft.resources[view.resource].kind, ResourceKind::Texture(_)) {
            let resource = &self.draft.resources[view.resource];
            let message = format!("`{}` is not a texture", resource.name);
            let found = Diagnostic::new(&rules::WRONG_KIND, message, reference.span, "a texture is needed here");
            let found = found.also(resource.span, "declared here");
            self.report(found.at(format!("{}.{at}", cx.path())));
            return Err(Stop::Poisoned);
        }
        let texture = self.texture(view)?;
        let part = view.part.unwrap_or_else(|| whole(&texture));
        if part.mips != 1 {
            let message =
                format!("`{}` has {} mips, but a copy is of one", self.draft.resources[view.resource].name, part.mips);
            let found = Diagnostic::new(&rules::SUBRESOURCE_RANGE, message, reference.span, "names all mips");
            self.report(found.help("add `.mip(e)`").at(cx.path()));
            return Err(Stop::Poisoned);
        }
        let size = texture.size.map(|size| size.map(|side| (side >> part.mip).max(1)));
        Ok((view, part, size))
    }

    fn same_format(&mut self, cx: &Cx, source: View, target: View, span: Span) -> Made<()> {
        let (one, other) = (self.texture(source)?, self.texture(target)?);
        if one.samples != other.samples {
            let message = format!("a copy of texels of {} samples to texels of {}", one.samples, other.samples);
            let found = Diagnostic::new(&rules::ATTACHMENT_MISMATCH, message, span, "must have as many samples");
            self.report(found.help("`resolve` of a colour attachment averages samples").at(cx.path()));
            return Err(Stop::Poisoned);
        }
        match (one.format, other.format) {
            (Some(from), Some(to)) if from.remove_srgb_suffix() != to.remove_srgb_suffix() => {
                let message = format!("a copy from {from:?} to {to:?}");
                let found =
                    Diagnostic::new(&rules::ATTACHMENT_MISMATCH, message, span, "must have the source's format");
                self.report(found.at(cx.path()));
                Err(Stop::Poisoned)
            }
            _ => Ok(()),
        }
    }

    /// A number of bytes, a multiple of 4.
    fn bytes(&mut self, cx: &Cx, expr: Option<&Expr>, what: &str) -> Made<Option<u64>> {
        let Some(expr) = expr else { return Ok(None) };
        let Some(bytes) = known(self.size(cx, expr, what))? else { return Ok(None) };
        if bytes % 4 == 0 {
            return Ok(Some(bytes));
        }
        let message = format!("{what} is {bytes} bytes, which is no multiple of 4");
        let found = Diagnostic::new(&rules::COPY_ALIGNMENT, message, expr.span, "must be a multiple of 4");
        self.report(found.at(cx.path()));
        Err(Stop::Poisoned)
    }

    fn texels(&mut self, cx: &Cx, pair: Option<&[Expr; 2]>, what: &str) -> Made<Option<[u32; 2]>> {
        let Some([x, y]) = pair else { return Ok(None) };
        let (x, y) = (known(self.size32(cx, x, what)), known(self.size32(cx, y, what)));
        Ok(x?.zip(y?).map(|(x, y)| [x, y]))
    }
}

/// An access of a view.
pub(super) const fn access(view: View, part: Part, usage: Usage, effect: Effect, span: Span) -> Access {
    Access { resource: view.resource, part, previous: view.previous, usage, effect, span, variable: None }
}
