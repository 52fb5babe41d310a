//! Render passes: attachments, draws and their calls.

use super::bind::Kind;
use super::expand::Body;
use super::reference::{Referent, whole};
use super::scope::{Cx, View};
use super::sizes::Source;
use super::transfer::access;
use super::{Made, Resolver, Stop};
use crate::diagnostic::Diagnostic;
use crate::graph::{
    Access, Call, ColorAttachment, DepthAttachment, Draw, DrawState, Effect, Part, PassKind, Render, ResourceId,
    ResourceKind, Texture, Usage, rules,
};
use crate::source::Span;
use crate::syntax::document::{CallDecl, ColorDecl, DepthDecl, DrawDecl, RenderDecl};
use crate::syntax::expr::Reference;
use wgpu_types::IndexFormat;

impl Resolver<'_> {
    pub(super) fn render(&mut self, cx: &Cx, decl: &RenderDecl) -> Made<Body> {
        let mut accesses = Vec::new();
        let mut failed = false;
        let mut color = Vec::new();
        for one in &decl.color {
            match self.color(cx, one, &mut accesses) {
                Ok(attachment) => color.push(attachment),
                Err(_) => failed = true,
            }
        }
        let (draws, mut of_draws, draws_failed) = self.draws(cx, &decl.draws);
        let writes_depth = draws.iter().any(|draw| draw.state.depth_write);
        let depth = match &decl.depth {
            Some(depth) => self.depth(cx, depth, writes_depth, &mut accesses).map(Some),
            None => Ok(None),
        };
        accesses.append(&mut of_draws);
        if failed || draws_failed {
            return Err(Stop::Poisoned);
        }
        let render = Render { color, depth: depth?, draws };
        if render.color.is_empty() && render.depth.is_none() {
            let message = "a render pass has no attachment";
            let span = self.place(cx);
            if let Some(span) = span {
                self.report(
                    Diagnostic::new(&rules::ATTACHMENT_MISMATCH, message, span, "needs `color` or `depth`")
                        .at(cx.path()),
                );
            }
            return Err(Stop::Poisoned);
        }
        self.attachments_agree(cx, &render)?;
        self.outputs_agree(cx, &render)?;
        let clears = render.color.iter().any(|a| a.clear.is_some() || a.resolve.is_some())
            || render.depth.as_ref().is_some_and(|d| d.clear.is_some());
        let empty = render.draws.is_empty() && !clears;
        Ok(Body { kind: PassKind::Render(render), accesses, empty })
    }

    /// The name of the pass that is being read.
    fn place(&self, cx: &Cx) -> Option<Span> {
        let name = cx.prefix.trim_end_matches('/').rsplit('/').next()?;
        let document = &self.scopes[cx.scope].document;
        let mut names = document.passes.iter().filter_map(|pass| pass.name.as_ref());
        names.find(|known| known.value == name).map(|known| known.span).or(Some(document.span))
    }

    /// One mip and one layer of a texture.
    fn target(&mut self, cx: &Cx, reference: &Reference, at: &str) -> Made<(View, Part, Texture)> {
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
        if part.mips != 1 || part.layers != 1 {
            let name = &self.draft.resources[view.resource].name;
            let message =
                format!("`{name}` has {} mips and {} layers, but an attachment is one of each", part.mips, part.layers);
            let found = Diagnostic::new(&rules::SUBRESOURCE_RANGE, message, reference.span, "names all of them");
            self.report(found.help("add `.mip(e)` or `.layer(e)`").at(format!("{}.{at}", cx.path())));
            return Err(Stop::Poisoned);
        }
        Ok((view, part, texture))
    }

    fn color(&mut self, cx: &Cx, decl: &ColorDecl, accesses: &mut Vec<Access>) -> Made<ColorAttachment> {
        let target = self.target(cx, &decl.target, "color");
        let clear = match &decl.clear {
            Some(clear) => {
                let mut values = [0.0; 4];
                for (value, expr) in values.iter_mut().zip(&clear.value) {
                    *value = self.float(cx, expr)?;
                }
                Some(values)
            }
            None => None,
        };
        let resolve = decl.resolve.as_ref().map(|reference| (reference, self.target(cx, reference, "resolve")));
        let (view, part, texture) = target?;
        if texture.format.is_some_and(|format| format.is_depth_stencil_format()) {
            return Err(self.wrong_format(cx, view, decl.target.span, "a colour attachment"));
        }
        let effect = if clear.is_some() { Effect::Replace } else { Effect::ReadWrite };
        accesses.push(access(view, part, Usage::ColorAttachment, effect, decl.target.span));
        let resolve = match resolve {
            None => None,
            Some((reference, made)) => {
                let (to, to_part, to_texture) = made?;
                self.resolves(cx, &texture, &to_texture, reference.span)?;
                accesses.push(access(to, to_part, Usage::ResolveTarget, Effect::Replace, reference.span));
                Some((to.resource, to_part))
            }
        };
        Ok(ColorAttachment { resource: view.resource, part, clear, resolve, span: decl.span })
    }

    fn resolves(&mut self, cx: &Cx, from: &Texture, to: &Texture, span: Span) -> Made<()> {
        let wrong = if from.samples == 1 {
            Some("only an attachment of several samples is resolved".to_owned())
        } else if to.samples != 1 {
            Some(format!("it is resolved to one sample, but has {}", to.samples))
        } else if let (Some(a), Some(b)) = (from.format, to.format)
            && a != b
        {
            Some(format!("its format is {b:?}, but must be the attachment's {a:?}"))
        } else {
            None
        };
        let Some(wrong) = wrong else { return Ok(()) };
        self.report(Diagnostic::new(&rules::ATTACHMENT_MISMATCH, wrong, span, "resolved to here").at(cx.path()));
        Err(Stop::Poisoned)
    }

    fn depth(&mut self, cx: &Cx, decl: &DepthDecl, writes: bool, accesses: &mut Vec<Access>) -> Made<DepthAttachment> {
        let target = self.target(cx, &decl.target, "depth");
        let clear = decl.clear.as_ref().map(|expr| self.float(cx, expr)).transpose()?;
        let (view, part, texture) = target?;
        if texture.format.is_some_and(|format| !format.has_depth_aspect()) {
            return Err(self.wrong_format(cx, view, decl.target.span, "a depth attachment"));
        }
        if let (Some(value), Some(expr)) = (clear, &decl.clear)
            && !(0.0..=1.0).contains(&value)
        {
            let message = format!("depth is cleared to {value}");
            self.report(Diagnostic::new(&rules::NUMBER_RANGE, message, expr.span, "must be from 0 to 1").at(cx.path()));
            return Err(Stop::Poisoned);
        }
        let read_only = clear.is_none() && !writes;
        let (usage, effect) = match (clear, read_only) {
            (Some(_), _) => (Usage::DepthAttachment, Effect::Replace),
            (None, true) => (Usage::DepthReadOnly, Effect::Read),
            (None, false) => (Usage::DepthAttachment, Effect::ReadWrite),
        };
        accesses.push(access(view, part, usage, effect, decl.target.span));
        let clear = clear.map(|value| value as f32);
        Ok(DepthAttachment { resource: view.resource, part, clear, read_only, span: decl.span })
    }

    fn wrong_format(&mut self, cx: &Cx, view: View, span: Span, what: &str) -> Stop {
        let resource = &self.draft.resources[view.resource];
        let message =
            format!("`{}` is {}, which cannot be {what}", resource.name, super::bind::described(&resource.kind));
        let found = Diagnostic::new(&rules::ATTACHMENT_MISMATCH, message, span, "attached here");
        let found = found.also(resource.span, "declared here");
        self.report(found.at(cx.path()));
        Stop::Poisoned
    }

    /// All attachments of a pass have one size and one number of samples.
    fn attachments_agree(&mut self, cx: &Cx, render: &Render) -> Made<()> {
        let mut first: Option<(ResourceId, Option<[u32; 2]>, u32)> = None;
        let all = render.color.iter().map(|a| (a.resource, a.part, a.span));
        let all: Vec<_> = all.chain(render.depth.iter().map(|a| (a.resource, a.part, a.span))).collect();
        for (resource, part, span) in all {
            let ResourceKind::Texture(texture) = &self.draft.resources[resource].kind else { continue };
            let size = texture.size.map(|size| size.map(|side| (side >> part.mip).max(1)));
            let samples = texture.samples;
            let Some((other, other_size, other_samples)) = first else {
                first = Some((resource, size, samples));
                continue;
            };
            let shape = |size: [u32; 2]| format!("{} × {}", size[0], size[1]);
            let wrong = match (size, other_size) {
                (Some(a), Some(b)) if a != b => Some((shape(a), shape(b))),
                _ if samples != other_samples => Some((format!("{samples} samples"), format!("{other_samples}"))),
                _ => None,
            };
            if let Some((has, needs)) = wrong {
                let (name, other) = (&self.draft.resources[resource].name, &self.draft.resources[other]);
                let message = format!("attachment `{name}` has {has}, but `{}` has {needs}", other.name);
                let found = Diagnostic::new(&rules::ATTACHMENT_MISMATCH, message, span, "attached here");
                let found = found.also(other.span, "must agree with this one");
                self.report(found.at(cx.path()));
                return Err(Stop::Poisoned);
            }
        }
        Ok(())
    }

    /// What fragment shaders put out fits the attachments.
    fn outputs_agree(&mut self, cx: &Cx, render: &Render) -> Made<()> {
        let mut found = Vec::new();
        for draw in &render.draws {
            let shader = self.shader(draw.program.shader);
            let Some(fragment) = draw.program.entries.get(1).map(|entry| &shader.interface.entries[*entry]) else {
                if let Some(attachment) = render.color.first() {
                    let message = format!("`{}` has no fragment shader, but the pass has colour", shader.path);
                    let one = Diagnostic::new(&rules::ATTACHMENT_MISMATCH, message, draw.span, "draws depth only");
                    found.push(
                        one.also(attachment.span, "attached here")
                            .help("add a `@fragment` entry point, or draw it in a pass that has `depth` alone"),
                    );
                }
                continue;
            };
            for output in &fragment.outputs {
                let Some(attachment) = render.color.get(output.location as usize) else {
                    let message = format!(
                        "`{}` puts out location {}, but the pass has {} colour attachments",
                        fragment.name,
                        output.location,
                        render.color.len()
                    );
                    found.push(
                        Diagnostic::new(&rules::ATTACHMENT_MISMATCH, message, draw.span, "in this draw")
                            .also(output.span, "the output"),
                    );
                    continue;
                };
                let ResourceKind::Texture(texture) = &self.draft.resources[attachment.resource].kind else { continue };
                let Some(format) = texture.format else { continue };
                if let Some(message) = output_fits(output, format, draw.state.blend) {
                    let message = format!("`{}` of `{}` {message}", output.name, shader.path);
                    let one = Diagnostic::new(&rules::ATTACHMENT_MISMATCH, message, attachment.span, "attached here");
                    found.push(one.also(output.span, "the output").also(draw.span, "in this draw"));
                }
            }
        }
        let failed = !found.is_empty();
        for one in found {
            self.report(one.at(cx.path()));
        }
        if failed { Err(Stop::Poisoned) } else { Ok(()) }
    }

    fn draws(&mut self, cx: &Cx, decls: &[DrawDecl]) -> (Vec<Draw>, Vec<Access>, bool) {
        let (mut draws, mut accesses, mut failed) = (Vec::new(), Vec::new(), false);
        for decl in decls {
            match self.draw_is_there(cx, decl) {
                Ok(true) => {}
                Ok(false) => continue,
                Err(_) => {
                    failed = true;
                    continue;
                }
            }
            match self.draw(cx, decl, &mut accesses) {
                Ok(draw) if draw.call.is_empty() => {}
                Ok(draw) => draws.push(draw),
                Err(_) => failed = true,
            }
        }
        (draws, accesses, failed)
    }

    fn draw_is_there(&mut self, cx: &Cx, decl: &DrawDecl) -> Made<bool> {
        let Some(when) = &decl.when else { return Ok(true) };
        match self.condition(cx, when)? {
            Ok(there) => Ok(there),
            Err(_) => {
                let message = "`when` of a draw reads `frame`";
                let found = Diagnostic::new(&rules::UNPLANNABLE_VALUE, message, when.span, "asked each frame");
                self.report(
                    found.help("put the draw into a pass of its own, whose `when` may read `frame`").at(cx.path()),
                );
                Err(Stop::Poisoned)
            }
        }
    }

    fn draw(&mut self, cx: &Cx, decl: &DrawDecl, accesses: &mut Vec<Access>) -> Made<Draw> {
        let mut own = Vec::new();
        let call = self.call(cx, &decl.call, &mut own);
        let records = match call {
            Ok(Call::Indirect { count, .. }) => count,
            _ => 1,
        };
        let bound = self.program(cx, &decl.program, decl.span, Kind::Draw(records));
        let pack = self.mesh_pack(cx, &decl.call);
        let vertices = self.vertex_views(cx, decl, pack);
        let index = self.index(cx, decl, pack);
        let (call, mut bound, vertices, index) = (call?, bound?, vertices?, index?);
        let shader = self.shader(bound.program.shader);
        let entry = &shader.interface.entries[bound.program.entries[0]];
        let references: Vec<(&Reference, View)> = vertices.iter().map(|(r, v)| (r, *v)).collect();
        let vertex_buffers = self.vertex_buffers(cx, &references, entry, decl.span)?;
        for (reference, view) in &vertices {
            own.push(access(*view, Part::ONE, Usage::Vertex, Effect::Read, reference.span));
        }
        let index_buffer = match index {
            Some((view, format, span)) => {
                own.push(access(view, Part::ONE, Usage::Index, Effect::Read, span));
                Some((view.resource, format))
            }
            None => None,
        };
        let indexed = matches!(call, Call::DrawIndexed { .. } | Call::Indirect { indexed: true, .. });
        if indexed != index_buffer.is_some() {
            let (message, label) = if indexed {
                ("an indexed draw has no index buffer", "needs `index_buffer`")
            } else {
                ("a draw without indices has an index buffer", "remove `index_buffer`, or draw indexed")
            };
            self.report(Diagnostic::new(&rules::VERTEX_LAYOUT, message, decl.span, label).at(cx.path()));
            return Err(Stop::Poisoned);
        }
        let state = DrawState {
            topology: decl.topology.value,
            cull: decl.cull.map(|cull| cull.value),
            blend: decl.blend.value,
            depth_compare: decl.depth.compare,
            depth_write: decl.depth.write,
            depth_bias: decl.depth.bias,
            depth_slope: decl.depth.slope as f32,
        };
        accesses.append(&mut bound.accesses);
        accesses.append(&mut own);
        Ok(Draw { program: bound.program, vertex_buffers, index_buffer, state, call, span: decl.span })
    }

    /// The pack and mesh of `DrawIndexed(mesh: "props[1]")`.
    fn mesh_pack(&mut self, cx: &Cx, call: &CallDecl) -> Option<usize> {
        let CallDecl::DrawIndexed { mesh: Some(mesh), .. } = call else { return None };
        match self.referent(cx, mesh) {
            Ok(Referent::Pack(pack)) => Some(pack),
            _ => None,
        }
    }

    /// Vertex buffers as written; those of the drawn pack where none is.
    fn vertex_views(&mut self, cx: &Cx, decl: &DrawDecl, pack: Option<usize>) -> Made<Vec<(Reference, View)>> {
        if let (true, Some(pack), CallDecl::DrawIndexed { mesh: Some(mesh), .. }) =
            (decl.vertex_buffers.is_empty(), pack, &decl.call)
        {
            return Ok(vec![(mesh.clone(), View::whole(self.packs[pack].vertices, None))]);
        }
        let views: Vec<Made<View>> =
            decl.vertex_buffers.iter().map(|reference| self.buffer(cx, reference, "vertex_buffers")).collect();
        decl.vertex_buffers.iter().zip(views).map(|(reference, view)| Ok((reference.clone(), view?))).collect()
    }

    fn index(&mut self, cx: &Cx, decl: &DrawDecl, pack: Option<usize>) -> Made<Option<(View, IndexFormat, Span)>> {
        let Some(reference) = &decl.index_buffer else {
            let (Some(pack), CallDecl::DrawIndexed { mesh: Some(mesh), .. }) = (pack, &decl.call) else {
                return Ok(None);
            };
            return Ok(Some((View::whole(self.packs[pack].indices, None), IndexFormat::Uint32, mesh.span)));
        };
        let view = self.buffer(cx, reference, "index_buffer")?;
        self.measured(view.resource)?;
        let ResourceKind::Buffer(buffer) = &self.draft.resources[view.resource].kind else {
            return Err(Stop::Poisoned);
        };
        let format = if buffer.stride == Some(2) { IndexFormat::Uint16 } else { IndexFormat::Uint32 };
        let stride = if buffer.stride == Some(2) { 2 } else { 4 };
        self.claim(view.resource, stride, reference.span, Source::Call);
        Ok(Some((view, format, reference.span)))
    }
}

/// Why a fragment output does not fit a format.
fn output_fits(
    output: &crate::shader::Varying,
    format: wgpu_types::TextureFormat,
    blend: crate::syntax::document::Blend,
) -> Option<String> {
    use crate::shader::Scalar;
    use wgpu_types::TextureSampleType as Sample;
    let sample = format.sample_type(None, None)?;
    let wanted = match sample {
        Sample::Float { .. } => Scalar::F32,
        Sample::Uint => Scalar::U32,
        Sample::Sint => Scalar::I32,
        Sample::Depth => return None,
    };
    if output.scalar != wanted {
        let has = format!("{:?}", output.scalar).to_lowercase();
        return Some(format!("is {has}, but the attachment's format is {format:?}"));
    }
    let blended = blend != crate::syntax::document::Blend::Replace;
    if blended
        && !format
            .guaranteed_format_features(wgpu_types::Features::empty())
            .flags
            .contains(wgpu_types::TextureFormatFeatureFlags::BLENDABLE)
    {
        return Some(format!("is blended, but {format:?} cannot be"));
    }
    (output.size < format.components()).then(|| {
        format!("has {} components, but the attachment's format {format:?} has {}", output.size, format.components())
    })
}
