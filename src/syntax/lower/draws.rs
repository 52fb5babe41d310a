//! Render passes: attachments, draws and their calls.

use crate::source::Sp;

use super::super::document::{CallDecl, ColorDecl, Compare, DepthDecl, DepthStateDecl, DrawDecl, Face, RenderDecl};
use super::super::expr::Expr;
use super::super::tree::Node;
use super::fields::{Fields, What};
use super::{Lower, Step};

type Reader<'n, 'f> = fn(&mut Lower<'n, 'f>, &mut Fields<'n>, &'n Node<'n>) -> Option<CallDecl>;

impl<'n, 'f> Lower<'n, 'f> {
    const CALLS: [(&'static str, Reader<'n, 'f>); 4] = [
        ("Draw", |l, fields, node| l.draw_call(fields, node)),
        ("DrawIndexed", |l, fields, node| Some(l.draw_indexed_call(fields, node))),
        ("DrawIndirect", |l, fields, node| l.indirect_call(fields, node, false)),
        ("DrawIndexedIndirect", |l, fields, node| l.indirect_call(fields, node, true)),
    ];

    /// The fields of `Render`.
    pub(super) fn render(&mut self, f: &mut Fields<'n>) -> RenderDecl {
        let faults = self.found.faults();
        let color = self.optional(f, "color", |l, n| l.list(n, "attachments", Self::color)).unwrap_or_default();
        let has_none = color.is_empty() && self.found.faults() == faults;
        let depth = self.optional(f, "depth", Self::depth);
        let draws = self.optional(f, "draws", |l, n| l.list(n, "draws", Self::draw)).unwrap_or_default();
        if has_none && f.key("depth").is_none() {
            f.miss("color", " and `depth`: there is nothing to draw on");
        }
        RenderDecl { color, depth, draws }
    }

    fn color(&mut self, node: &'n Node<'n>) -> Option<ColorDecl> {
        let mut fields = self.unnamed(node, "a colour attachment")?;
        let f = &mut fields;
        let target = self.required(f, "target", Self::reference);
        let clear = self.optional(f, "clear", Self::clear_color);
        let resolve = self.optional(f, "resolve", Self::reference);
        self.finish(&fields);
        Some(ColorDecl { target: target?, clear, resolve, span: self.span(node) })
    }

    fn clear_color(&mut self, node: &'n Node<'n>) -> Option<Sp<[Expr; 4]>> {
        let parts = self.tuple::<4>(node, "four numbers `(r, g, b, a)`")?;
        let mut index = 0;
        let parts = parts.map(|part| {
            index += 1;
            self.inside(Step::Index(index - 1), |l| l.expr(part))
        });
        let [Some(r), Some(g), Some(b), Some(a)] = parts else { return None };
        Some(Sp::new([r, g, b, a], self.span(node)))
    }

    fn depth(&mut self, node: &'n Node<'n>) -> Option<DepthDecl> {
        let mut fields = self.unnamed(node, "a depth attachment")?;
        let f = &mut fields;
        let target = self.required(f, "target", Self::reference);
        let clear = self.optional(f, "clear", Self::expr);
        self.finish(&fields);
        Some(DepthDecl { target: target?, clear, span: self.span(node) })
    }

    fn draw(&mut self, node: &'n Node<'n>) -> Option<DrawDecl> {
        let mut fields = self.unnamed(node, "a draw")?;
        let span = self.span(node);
        let f = &mut fields;
        let program = self.program(f);
        let when = self.optional(f, "when", Self::expr);
        let vertex_buffers =
            self.optional(f, "vertex_buffers", |l, n| l.list(n, "references", Self::reference)).unwrap_or_default();
        let index_buffer = self.optional(f, "index_buffer", Self::reference);
        let topology = self.optional(f, "topology", |l, n| l.leaf(n));
        let face: Option<Sp<Face>> = self.optional(f, "cull", |l, n| l.leaf(n));
        let blend = self.optional(f, "blend", |l, n| l.leaf(n));
        let depth = self.optional(f, "depth", Self::depth_state).unwrap_or_default();
        let call = self.required(f, "call", Self::call).unwrap_or(CallDecl::Poison);
        self.finish(&fields);
        Some(DrawDecl {
            program: program?,
            when,
            vertex_buffers,
            index_buffer,
            topology: topology.unwrap_or(Sp::new(super::super::document::Topology::default(), span)),
            cull: face,
            blend: blend.unwrap_or(Sp::new(super::super::document::Blend::default(), span)),
            depth,
            call,
            span,
        })
    }

    fn depth_state(&mut self, node: &'n Node<'n>) -> Option<DepthStateDecl> {
        let mut fields = self.unnamed(node, "a depth state")?;
        let f = &mut fields;
        let default = DepthStateDecl::default();
        let compare: Option<Sp<Compare>> = self.optional(f, "compare", |l, n| l.leaf(n));
        let write = self.optional(f, "write", Self::bool);
        let bias = self.optional(f, "bias", Self::int);
        let slope = self.optional(f, "slope", Self::float);
        self.finish(&fields);
        let bias = match bias.map(|bias| (bias, i32::try_from(bias.value))) {
            None => default.bias,
            Some((_, Ok(bias))) => bias,
            Some((bias, Err(_))) => {
                self.out_of_range("bias", Sp::new(bias.value as f64, bias.span), "has to fit a signed 32-bit integer");
                default.bias
            }
        };
        Some(DepthStateDecl {
            compare: compare.map_or(default.compare, |compare| compare.value),
            write: write.map_or(default.write, |write| write.value),
            bias,
            slope: slope.map_or(default.slope, |slope| slope.value),
            span: Some(self.span(node)),
        })
    }

    fn call(&mut self, node: &'n Node<'n>) -> Option<CallDecl> {
        let Some((name, read)) = node.name.and_then(|n| Self::CALLS.into_iter().find(|(name, _)| *name == n)) else {
            let names = Self::CALLS.map(|(name, _)| name);
            self.unknown_name(node, "call", &names);
            return None;
        };
        let mut fields = self.fields(node, What::Kind(name))?;
        let call = read(self, &mut fields, node);
        self.finish(&fields);
        call
    }

    fn draw_call(&mut self, f: &mut Fields<'n>, node: &'n Node<'n>) -> Option<CallDecl> {
        let vertices = self.required(f, "vertices", Self::expr);
        let instances = self.optional(f, "instances", Self::expr);
        let first_vertex = self.optional(f, "first_vertex", Self::expr);
        let first_instance = self.optional(f, "first_instance", Self::expr);
        Some(CallDecl::Draw { vertices: vertices?, instances, first_vertex, first_instance, span: self.span(node) })
    }

    fn draw_indexed_call(&mut self, f: &mut Fields<'n>, node: &'n Node<'n>) -> CallDecl {
        let indices = self.optional(f, "indices", Self::expr);
        let mesh = self.optional(f, "mesh", Self::reference);
        let instances = self.optional(f, "instances", Self::expr);
        let first_index = self.optional(f, "first_index", Self::expr);
        let base_vertex = self.optional(f, "base_vertex", Self::expr);
        let first_instance = self.optional(f, "first_instance", Self::expr);
        if f.key("mesh").is_none() && f.key("indices").is_none() {
            f.miss("indices", " (or `mesh`)");
        }
        for other in ["indices", "first_index", "base_vertex"] {
            self.exclude(f, "mesh", other);
        }
        let span = self.span(node);
        CallDecl::DrawIndexed { indices, mesh, instances, first_index, base_vertex, first_instance, span }
    }

    fn indirect_call(&mut self, f: &mut Fields<'n>, node: &'n Node<'n>, indexed: bool) -> Option<CallDecl> {
        let args = self.required(f, "args", Self::reference);
        let count = self.optional(f, "count", Self::expr);
        let count_buffer = self.optional(f, "count_buffer", Self::reference);
        let fallback = self.optional(f, "fallback", |l, n| l.leaf(n));
        let span = self.span(node);
        Some(CallDecl::Indirect { indexed, args: args?, count, count_buffer, fallback, span })
    }
}
