//! `Scan`: the exclusive prefix sum of u32, of any length, as dispatches and transients that `plan` shows.
//!
//! Tiles of 1,024 elements are scanned on their own, the sums of the tiles are scanned by the same rule, and each tile gets the
//! sum of those before it (Blelloch, "Prefix Sums and Their Applications", 1990, in blocks). Everything is sized by the
//! output: the input counts as zeros behind its end, so `output[len(input)..]` is the total where there is room. No atomics:
//! the same bytes on every run.

use super::expand::Body;
use super::scope::{Cx, View, known};
use super::sizes::Source;
use super::transfer::access;
use super::{Made, Resolver, Stop, joined};
use crate::diagnostic::Diagnostic;
use crate::graph::{
    Binding, BindingSource, Buffer, Dispatch, Effect, Groups, Lifetime, Part, PassKind, Program, Resource,
    ResourceKind, Usage, rules,
};
use crate::source::{Name, Span};
use crate::syntax::document::PassDecl;
use crate::syntax::expr::Reference;

/// Elements of a tile; `SCAN_TILE` of `shaders/lib/scan.wgsl`.
const TILE: u64 = 1024;

/// Buffers of one level.
#[derive(Clone, Copy)]
struct Level {
    input: View,
    output: View,
    /// Elements of the output; unknown while the host's size is.
    len: Option<u64>,
    span: [Span; 2],
}

/// One variable of a stage: its name, what is bound to it, what happens to it.
type Bound<'a> = (&'a str, View, Effect, Span);

impl Resolver<'_> {
    pub(super) fn scan(&mut self, cx: &Cx, decl: &PassDecl, input: &Reference, output: &Reference) {
        let from = self.buffer(cx, input, "input");
        let to = self.buffer(cx, output, "output");
        let (Ok(from), Ok(to)) = (from, to) else {
            self.push(cx, decl, Err(Stop::Poisoned));
            return;
        };
        if from.resource == to.resource && from.previous == to.previous {
            let message = format!("`{}` is scanned into itself", self.draft.resources[from.resource].name);
            let found = Diagnostic::new(&rules::COPY_WITHIN, message, output.span, "input and output are one buffer");
            self.report(found.help("scan into another buffer").at(cx.path()));
            self.push(cx, decl, Err(Stop::Poisoned));
            return;
        }
        let len = self.scan_len(to).and_then(|to| Ok((to, self.scan_len(from)?)));
        let Ok((out_len, in_len)) = len else {
            self.push(cx, decl, Err(Stop::Poisoned));
            return;
        };
        for (view, span) in [(from, input.span), (to, output.span)] {
            self.claim(view.resource, 4, span, Source::Call);
        }
        if out_len.zip(in_len).is_some_and(|(out, input)| out < input) {
            let message = format!("a scan of {} elements into {}", in_len.unwrap_or(0), out_len.unwrap_or(0));
            let found = Diagnostic::new(&rules::RANGE, message, output.span, "has fewer elements than the input");
            self.report(found.at(cx.path()));
            self.push(cx, decl, Err(Stop::Poisoned));
            return;
        }
        if in_len == Some(0) {
            let body = Body {
                kind: PassKind::ClearBuffer { target: to.resource, offset: 0, size: None },
                accesses: vec![access(to, Part::ONE, Usage::CopyDst, Effect::Replace, output.span)],
                empty: false,
            };
            self.push(cx, decl, Ok(body));
            return;
        }
        let top = Level { input: from, output: to, len: out_len, span: [input.span, output.span] };
        self.scan_level(cx, decl, top, 0);
    }

    fn scan_len(&mut self, view: View) -> Made<Option<u64>> {
        known(self.measured(view.resource))?;
        let ResourceKind::Buffer(buffer) = &self.draft.resources[view.resource].kind else {
            return Err(Stop::Poisoned);
        };
        Ok(buffer.count.or_else(|| buffer.size.map(|bytes| bytes / 4)))
    }

    fn scan_level(&mut self, cx: &Cx, decl: &PassDecl, level: Level, depth: usize) {
        let [from, to] = level.span;
        let input = ("input", level.input, Effect::Read, from);
        let output = ("output", level.output, Effect::Replace, to);
        let tiles = level.len.map(|len| len.div_ceil(TILE));
        if tiles.is_none_or(|tiles| tiles <= 1) {
            let groups = tiles.map_or(Groups::Unknown, |_| Groups::Fixed([1; 3]));
            self.stage(cx, decl, &format!("last{depth}"), "blocks", "last", &[input, output], groups);
            return;
        }
        let tiles = tiles.unwrap_or(1);
        let sums = self.scan_buffer(cx, decl, &format!("sums{depth}"), tiles);
        let offsets = self.scan_buffer(cx, decl, &format!("offsets{depth}"), tiles);
        let Some(groups) = self.scan_groups(cx, decl, tiles) else { return };
        let written = ("sums", sums, Effect::Replace, to);
        self.stage(cx, decl, &format!("blocks{depth}"), "blocks", "blocks", &[input, output, written], groups);
        let next = Level { input: sums, output: offsets, len: Some(tiles), span: level.span };
        self.scan_level(cx, decl, next, depth + 1);
        let output = ("output", level.output, Effect::ReadWrite, to);
        let added = ("offsets", offsets, Effect::Read, from);
        self.stage(cx, decl, &format!("add{depth}"), "add", "add", &[output, added], groups);
    }

    fn scan_groups(&mut self, cx: &Cx, decl: &PassDecl, tiles: u64) -> Option<Groups> {
        let limit = u64::from(self.settings.limits.max_compute_workgroups_per_dimension);
        if tiles <= limit {
            return Some(Groups::Fixed([tiles as u32, 1, 1]));
        }
        let rows = tiles.div_ceil(limit);
        if rows <= limit {
            return Some(Groups::Fixed([limit as u32, rows as u32, 1]));
        }
        let message = format!("a scan of {tiles} tiles, above the limit of {limit} × {limit} workgroups");
        self.report(Diagnostic::new(&rules::DISPATCH_LIMIT, message, decl.span, "this scan").at(cx.path()));
        self.push(cx, decl, Err(Stop::Poisoned));
        None
    }

    fn scan_buffer(&mut self, cx: &Cx, decl: &PassDecl, name: &str, count: u64) -> View {
        let buffer = Buffer { count: Some(count), stride: Some(4), size: Some(count.max(1) * 4), ..Buffer::default() };
        let span = decl.name.as_ref().map_or(decl.keyword, |name| name.span);
        let id = self.add(Resource {
            name: joined(&cx.prefix, name),
            kind: ResourceKind::Buffer(buffer),
            lifetime: Lifetime::Transient,
            port: None,
            declared_usage: None,
            span,
            poisoned: false,
        });
        View::whole(id, None)
    }

    #[allow(clippy::too_many_arguments, reason = "one stage in one line")]
    fn stage(
        &mut self,
        cx: &Cx,
        decl: &PassDecl,
        name: &str,
        shader: &str,
        entry: &str,
        bound: &[Bound<'_>],
        groups: Groups,
    ) {
        let inner = Cx { prefix: Name::from_iter([&cx.prefix, name, "/"]), ..cx.clone() };
        let body = self.stage_body(decl, shader, entry, bound, groups);
        self.push(&inner, decl, body);
    }

    fn stage_body(
        &mut self,
        decl: &PassDecl,
        shader: &str,
        entry: &str,
        bound: &[Bound<'_>],
        groups: Groups,
    ) -> Made<Body> {
        let id = self.shader_at(&format!("rondag:scan/{shader}.wgsl"), decl.keyword)?;
        let shader = self.shader(id);
        let entries = &shader.interface.entries;
        let entry = entries.iter().position(|known| known.name == entry).expect("the stages of Scan are compiled in");
        let mut accesses = Vec::with_capacity(bound.len());
        let mut bindings = Vec::with_capacity(bound.len());
        for (global, declared) in shader.interface.globals.iter().enumerate() {
            let Some((_, view, effect, span)) = bound.iter().find(|(name, ..)| *name == declared.name) else {
                continue;
            };
            let usage = if effect.writes() { Usage::StorageWrite } else { Usage::StorageRead };
            accesses.push(access(*view, Part::ONE, usage, *effect, *span));
            let source = BindingSource::Buffer { resource: view.resource, previous: view.previous };
            bindings.push(Binding { global, source });
        }
        let program = Program { shader: id, entries: vec![entry], constants: Vec::new(), bindings };
        Ok(Body { kind: PassKind::Dispatch(Dispatch { program, groups, items: None }), accesses, empty: false })
    }
}
