//! A script as text: one line a call, the same bytes on every run.

use std::fmt::Write as _;

use super::script::{
    Arguments, Bound, BufferCopy, ComputePipelineId, CountedDraw, Draw, DrawIndexed, GroupId, LabelId, RenderPassId,
    RenderPipelineId, Script, Stage, TextureCopy, TimeId, ViewId,
};
use super::{Target, walk};
use crate::graph::{BufferRange, Graph, Part, ResourceId, ResourceKind, TextureRegion};
use crate::id::Id as _;

/// The calls of a script: `Once` passes first, then a frame in which every conditional pass runs.
pub fn trace(graph: &Graph, script: &Script) -> String {
    let mut tracer = Tracer { graph, script, depth: 0, out: String::new() };
    if !script.once.is_empty() {
        tracer.line(format_args!("once"));
        tracer.nested(&script.once);
    }
    tracer.line(format_args!("frame"));
    tracer.nested(&script.frame);
    tracer.out
}

struct Tracer<'a> {
    graph: &'a Graph,
    script: &'a Script,
    depth: usize,
    out: String,
}

impl<'a> Tracer<'a> {
    fn nested(&mut self, commands: &[super::Command]) {
        self.depth += 1;
        let flags = vec![true; commands.len()];
        walk(self.script, commands, 0..commands.len(), &flags, self);
        self.depth -= 1;
    }

    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        let depth = 2 * self.depth;
        writeln!(self.out, "{:depth$}{text}", "").expect("a String takes all that is written");
    }

    fn open(&mut self, text: std::fmt::Arguments<'_>) {
        self.line(text);
        self.depth += 1;
    }

    fn close(&mut self) {
        self.depth -= 1;
    }

    fn name(&self, id: ResourceId) -> &'a str {
        let graph: &'a Graph = self.graph;
        &graph.resources[id].name
    }

    fn stage(&self, stage: &Stage) -> String {
        let shader = &self.graph.shaders[stage.shader];
        let mut text = format!("{}:{}", shader.path, shader.interface.entries[stage.entry].name);
        for (key, value) in &stage.constants {
            write!(text, " {key}={}", f64::from(*value)).expect("a String takes all that is written");
        }
        text
    }

    fn view(&self, id: ViewId) -> String {
        let view = self.script.views[id];
        let mut text = format!("{}{}", self.name(view.resource), previous(view.previous));
        if let ResourceKind::Texture(texture) = &self.graph.resources[view.resource].kind {
            let Part { mip, mips, layer, layers } = view.part;
            text += &range("mip", mip, mips, texture.mips);
            text += &range("layer", layer, layers, texture.layers);
        }
        text
    }

    fn bound(&self, bound: Bound, record: u32) -> String {
        match bound {
            Bound::Buffer { resource, previous: before } => format!("{}{}", self.name(resource), previous(before)),
            Bound::View(view) => self.view(view),
            Bound::Sampler(sampler) => format!("sampler {}", sampler.index()),
            Bound::Blocks(block) => format!("({})[..]", self.graph.blocks[block].name),
            Bound::Block(block) => {
                let block = &self.graph.blocks[block];
                let copy = if block.copies > 1 { format!("[{record}]") } else { String::new() };
                format!("({}){}{copy}", block.name, previous(block.previous))
            }
        }
    }

    fn range(&self, range: BufferRange) -> String {
        format!("{}{} +{}", self.name(range.resource), previous(range.previous), range.offset)
    }

    fn region(&self, region: TextureRegion) -> String {
        let TextureRegion { resource, previous: before, mip, layer, origin: [x, y] } = region;
        format!("{}{}.mip({mip}).layer({layer}) +({x}, {y})", self.name(resource), previous(before))
    }

    fn arguments(&self, args: Arguments) -> String {
        format!("{} +{}", self.name(args.resource), args.offset)
    }
}

const fn previous(previous: bool) -> &'static str {
    if previous { ".previous" } else { "" }
}

/// `.mip(2)`, `.mips(1..4)`, or nothing where it is all of them.
fn range(what: &str, first: u32, count: u32, all: u32) -> String {
    match count {
        _ if count == all => String::new(),
        1 => format!(".{what}({first})"),
        _ => format!(".{what}s({first}..{})", first + count),
    }
}

impl Target for Tracer<'_> {
    fn begin_compute(&mut self, label: LabelId, _: Option<TimeId>) {
        let script = self.script;
        self.open(format_args!("compute `{}`", script.labels[label]));
    }

    fn end_compute(&mut self) {
        self.close();
    }

    fn begin_render(&mut self, pass: RenderPassId) {
        let script = self.script;
        let pass = &script.render_passes[pass];
        self.open(format_args!("render `{}`", script.labels[pass.label]));
        for (location, target) in pass.color.iter().enumerate() {
            let clear = target.clear.map_or("load".to_owned(), |[r, g, b, a]| format!("clear ({r}, {g}, {b}, {a})"));
            let resolve = target.resolve.map_or(String::new(), |view| format!(", resolve to {}", self.view(view)));
            self.line(format_args!("color {location}: {}, {clear}{resolve}", self.view(target.view)));
        }
        if let Some(target) = pass.depth {
            let clear = target.clear.map_or("load".to_owned(), |clear| format!("clear {clear}"));
            let ops = if target.read_only { "read only".to_owned() } else { clear };
            self.line(format_args!("depth: {}, {ops}", self.view(target.view)));
        }
    }

    fn end_render(&mut self) {
        self.close();
    }

    fn push_label(&mut self, label: LabelId) {
        let script = self.script;
        self.open(format_args!("`{}`", script.labels[label]));
    }

    fn pop_label(&mut self) {
        self.close();
    }

    fn compute_pipeline(&mut self, pipeline: ComputePipelineId) {
        let stage = self.stage(&self.script.compute_pipelines[pipeline].stage);
        self.line(format_args!("pipeline {}: {stage}", pipeline.index()));
    }

    fn render_pipeline(&mut self, pipeline: RenderPipelineId) {
        let descriptor = &self.script.render_pipelines[pipeline];
        let vertex = self.stage(&descriptor.vertex);
        let fragment = descriptor.fragment.as_ref().map_or(String::new(), |stage| format!(", {}", self.stage(stage)));
        self.line(format_args!("pipeline {}: {vertex}{fragment}", pipeline.index()));
    }

    fn bind_group(&mut self, slot: u32, group: GroupId, record: u32) {
        let entries = self.script.groups[group].entries.iter();
        let entries: Vec<_> = entries.map(|(at, bound)| format!("{at}={}", self.bound(*bound, record))).collect();
        self.line(format_args!("group {slot}: {}", entries.join(" ")));
    }

    fn dispatch(&mut self, [x, y, z]: [u32; 3]) {
        self.line(format_args!("dispatch {x} x {y} x {z}"));
    }

    fn dispatch_indirect(&mut self, args: ResourceId, offset: u64) {
        self.line(format_args!("dispatch by {} +{offset}", self.name(args)));
    }

    fn vertex_buffer(&mut self, slot: u32, resource: ResourceId) {
        self.line(format_args!("vertices {slot}: {}", self.name(resource)));
    }

    fn index_buffer(&mut self, resource: ResourceId, format: wgpu_types::IndexFormat) {
        self.line(format_args!("indices: {} ({format:?})", self.name(resource)));
    }

    fn draw(&mut self, draw: Draw) {
        let Draw { vertices, instances, first_vertex, first_instance } = draw;
        self.line(format_args!(
            "draw {vertices} vertices from {first_vertex}, {instances} instances from {first_instance}"
        ));
    }

    fn draw_indexed(&mut self, draw: DrawIndexed) {
        let DrawIndexed { indices, instances, first_index, base_vertex, first_instance } = draw;
        self.line(format_args!(
            "draw {indices} indices from {first_index} on vertex {base_vertex}, {instances} instances from {first_instance}"
        ));
    }

    fn draw_indirect(&mut self, args: Arguments, count: u32) {
        let what = if args.indexed { "draw indexed" } else { "draw" };
        self.line(format_args!("{what} by {}, {count} records", self.arguments(args)));
    }

    fn draw_counted(&mut self, CountedDraw { args, count, counter: (counter, at) }: CountedDraw) {
        let what = if args.indexed { "draw indexed" } else { "draw" };
        let counter = self.name(counter);
        self.line(format_args!("{what} by {}, as many as {counter} +{at}, at most {count}", self.arguments(args)));
    }

    fn clear_buffer(&mut self, resource: ResourceId, offset: u64, size: Option<u64>) {
        let size = size.map_or("to the end".to_owned(), |size| format!("{size} bytes"));
        self.line(format_args!("clear {} +{offset}, {size}", self.name(resource)));
    }

    fn clear_texture(&mut self, resource: ResourceId) {
        self.line(format_args!("clear {}", self.name(resource)));
    }

    fn copy_buffer(&mut self, BufferCopy { source, target, size }: BufferCopy) {
        self.line(format_args!("copy {} to {}, {size} bytes", self.range(source), self.range(target)));
    }

    fn copy_texture(&mut self, copy: TextureCopy) {
        let TextureCopy { source, target, size: [width, height], layers } = copy;
        let (source, target) = (self.region(source), self.region(target));
        self.line(format_args!("copy {source} to {target}, {width} x {height} texels, {layers} layers"));
    }
}
