//! Scripts: what they hold, what they leave out, and what walking them costs.

use rondag::graph::{Buffer, Formula, FrameField, Lifetime, PassKind, Render, ResourceKind, Run, Value};
use rondag::id::Id;
use rondag::plan::DeadReason;
use rondag::record::{
    Arguments, BufferCopy, Command, CompileError, ComputePipelineId, CountedDraw, Draw, DrawIndexed, GroupId, Inputs,
    LabelId, Options, RenderPassId, RenderPipelineId, Script, Target, TextureCopy, TimeId, UniformLayout, Uniforms,
    compile, trace, walk,
};
use rondag::shader::{Scalar, Type};
use wgpu_types::TextureFormat;

use crate::counting::allocations;
use crate::sketch::{Sketch, color, scene, span, whole};

/// Counts calls and keeps nothing.
#[derive(Default)]
struct Discard {
    calls: u64,
}

macro_rules! discard {
    ($($name:ident($($argument:ty),*);)*) => {
        impl Target for Discard {
            $(fn $name(&mut self, $(_: $argument),*) { self.calls += 1; })*
        }
    };
}

discard! {
    begin_compute(LabelId, Option<TimeId>);
    end_compute();
    begin_render(RenderPassId);
    end_render();
    push_label(LabelId);
    pop_label();
    compute_pipeline(ComputePipelineId);
    render_pipeline(RenderPipelineId);
    bind_group(u32, GroupId, u32);
    dispatch([u32; 3]);
    dispatch_indirect(rondag::graph::ResourceId, u64);
    vertex_buffer(u32, rondag::graph::ResourceId);
    index_buffer(rondag::graph::ResourceId, wgpu_types::IndexFormat);
    draw(Draw);
    draw_indexed(DrawIndexed);
    draw_indirect(Arguments, u32);
    draw_counted(CountedDraw);
    clear_buffer(rondag::graph::ResourceId, u64, Option<u64>);
    clear_texture(rondag::graph::ResourceId);
    copy_buffer(BufferCopy);
    copy_texture(TextureCopy);
}

fn count(script: &Script, wanted: fn(&Command) -> bool) -> usize {
    script.frame.iter().filter(|command| wanted(command)).count()
}

#[test]
fn a_scene_reads_as_its_calls() {
    let (graph, plan) = scene(3, 2);
    let script = compile(&graph, &plan, Options::default()).expect("everything is known");
    let expected = "\
frame
  `scene/reset`
    clear counts +0, to the end
  compute `scene/cull0 + count1 + cull2`
    `scene/cull0`
      pipeline 0: cull.wgsl:cull
      group 0: 0=(view) 1=spheres 2=flags
      dispatch 4 x 1 x 1
    `scene/count1`
      pipeline 1: count.wgsl:count
      group 0: 0=flags 1=counts 2=args
      dispatch 4 x 1 x 1
    `scene/cull2`
      pipeline 0: cull.wgsl:cull
      group 0: 0=(view) 1=spheres 2=flags
      dispatch 4 x 1 x 1
  render `scene/draw`
    color 0: target, clear (0, 0, 0, 1)
    pipeline 0: draw.wgsl:vertex, draw.wgsl:fragment
    indices: indices (Uint32)
    group 1: 0=counts
    group 0: 0=(draw)[0]
    draw indexed by args +0, 1 records
    group 0: 0=(draw)[1]
    draw indexed by args +20, 1 records
";
    assert_eq!(trace(&graph, &script), expected);
}

#[test]
fn equal_descriptors_are_made_once() {
    let (graph, plan) = scene(100, 64);
    let script = compile(&graph, &plan, Options::default()).expect("everything is known");
    assert_eq!(script.compute_pipelines.len(), 2);
    assert_eq!(script.groups.len(), 4);
    assert_eq!(script.steps.len(), 3);
    assert_eq!(count(&script, |it| matches!(it, Command::DrawEach { count: 64, .. })), 1);
    let label = &script.labels[script.steps[1].label];
    assert_eq!(label, "scene/cull0 + count1 + cull2 + count3 + cull4 + count5 + 94 more");
}

const ADD: [(&str, &str); 1] = [(
    "add.wgsl",
    "@group(0) @binding(0) var<storage, read_write> list: array<u32>;
    @compute @workgroup_size(1) fn add() { list[0] += 1u; }",
)];

#[test]
fn what_is_set_is_not_set_again() {
    let mut sketch = Sketch::new("g", &ADD);
    let list = sketch.buffer("list", 1, Lifetime::Persistent);
    for name in ["a", "b", "c"] {
        sketch.dispatch(name, "add.wgsl", [1; 3], &[("list", whole(list))]);
    }
    let (graph, plan) = sketch.finish();
    let script = compile(&graph, &plan, Options { labels: false, ..Options::default() }).expect("everything is known");
    assert_eq!(count(&script, |it| matches!(it, Command::ComputePipeline(_))), 1);
    assert_eq!(count(&script, |it| matches!(it, Command::BindGroup { .. })), 1);
    assert_eq!(count(&script, |it| matches!(it, Command::Dispatch(_))), 3);
    assert_eq!(script.frame.len(), 7);
}

#[test]
fn a_conditional_pass_sets_its_own_state_and_spoils_no_other() {
    let mut sketch = Sketch::new("g", &ADD);
    let (one, two) = (sketch.buffer("one", 1, Lifetime::Persistent), sketch.buffer("two", 1, Lifetime::Persistent));
    sketch.dispatch("a", "add.wgsl", [1; 3], &[("list", whole(one))]);
    let sometimes = sketch.dispatch("b", "add.wgsl", [1; 3], &[("list", whole(two))]);
    sketch.dispatch("c", "add.wgsl", [1; 3], &[("list", whole(one))]);
    sketch.draft.passes[sometimes].condition = Some(Box::new(Formula::Frame(FrameField::Index)));
    let (graph, plan) = sketch.finish();
    let script = compile(&graph, &plan, Options { labels: false, ..Options::default() }).expect("everything is known");
    assert_eq!(script.conditions.as_slice(), [sometimes]);
    let walked = |flag| {
        let mut target = Discard::default();
        walk(&script, &script.frame, 0..script.frame.len(), &[flag], &mut target);
        target.calls
    };
    // Begin, pipeline, then group and dispatch for each of a, b and c, end.
    assert_eq!((walked(true), walked(false)), (9, 7));
}

#[test]
fn clears_of_a_folded_pass_become_the_attachments() {
    let mut sketch = Sketch::new("g", &[]);
    let target = sketch.texture("target", TextureFormat::Rgba8Unorm, [4, 4], Lifetime::Transient);
    let render = |clear| PassKind::Render(Render { color: vec![color(target, clear)], depth: None, draws: Vec::new() });
    let (clear, draw) = (sketch.pass("clear", render(Some([1.0; 4]))), sketch.pass("draw", render(None)));
    let (graph, plan) = sketch.finish();
    let mut plan = (*plan).clone();
    plan.steps.remove(0);
    plan.dead.push((clear, DeadReason::Folded(draw)));
    let script = compile(&graph, &plan, Options::default()).expect("everything is known");
    assert_eq!(script.render_passes.iter().map(|pass| pass.color[0].clear).collect::<Vec<_>>(), [Some([1.0; 4])]);
}

#[test]
fn a_once_pass_fills_both_halves_of_a_history() {
    let mut sketch = Sketch::new("g", &ADD);
    let list = sketch.buffer("list", 3, Lifetime::History);
    let seed = sketch.dispatch("seed", "add.wgsl", [1; 3], &[("list", whole(list))]);
    sketch.draft.passes[seed].run = Run::Once;
    let (graph, plan) = sketch.finish();
    let script = compile(&graph, &plan, Options::default()).expect("everything is known");
    let expected = "\
once
  compute `g/seed`
    pipeline 0: add.wgsl:add
    group 0: 0=list
    dispatch 1 x 1 x 1
  copy list +0 to list.previous +0, 12 bytes
frame
";
    assert_eq!(trace(&graph, &script), expected);
}

#[test]
fn unknown_sizes_and_formats_are_said() {
    let mut sketch = Sketch::new("g", &[]);
    let (from, to) = (sketch.buffer("from", 1, Lifetime::Transient), sketch.buffer("to", 1, Lifetime::Transient));
    let copy = sketch.copy("copy", from, to, 4);
    let PassKind::CopyBuffer { size, .. } = &mut sketch.draft.passes[copy].kind else { unreachable!("a copy") };
    *size = None;
    let (graph, plan) = sketch.finish();
    let fault = compile(&graph, &plan, Options::default()).expect_err("a size is missing");
    assert_eq!(fault, CompileError::UnknownSize { pass: "copy".to_owned() });
}

#[test]
fn walking_allocates_nothing() {
    let (graph, plan) = scene(100, 64);
    let script = compile(&graph, &plan, Options::default()).expect("everything is known");
    let mut target = Discard::default();
    let (count, ()) = allocations(|| walk(&script, &script.frame, 0..script.frame.len(), &[], &mut target));
    assert_eq!(count, 0);
    // Clear with its label, 100 dispatches with label, pipeline and group, and 64 draws with a group each, at least.
    assert!(target.calls > 3 + 500 + 128, "only {} calls", target.calls);
}

#[test]
fn uniforms_stand_at_multiples_of_the_alignment() {
    let mut sketch = Sketch::new("g", &[]);
    let small = sketch.block("small", 4, &[]);
    let many = sketch.block("many", 260, &[]);
    sketch.draft.blocks[many].copies = 3;
    let time = ("time", 0, Type::Scalar(Scalar::F32), Formula::Frame(FrameField::Time));
    let moving = sketch.block("moving", 16, &[time]);
    let layout = UniformLayout::new(&sketch.draft.blocks, 256);
    assert_eq!([moving, small, many].map(|block| layout.offsets[block]), [0, 256, 512], "what moves comes first");
    assert_eq!((layout.strides[many], layout.moving, layout.size), (512, 256, 512 + 3 * 512));
}

#[test]
fn what_no_param_moved_is_not_filled_or_written_again() {
    let mut sketch = Sketch::new("g", &[]);
    let ty = || Type::Scalar(Scalar::U32);
    let index = sketch.block("index", 4, &[("index", 0, ty(), Formula::Frame(FrameField::Index))]);
    let param = sketch.block("param", 4, &[("param", 0, ty(), Formula::Param(Id::from_index(0)))]);
    let blocks = &sketch.draft.blocks;
    let mut uniforms = Uniforms::new(UniformLayout::new(blocks, 256));
    let at = [index, param].map(|block| uniforms.layout().offsets[block] as usize);
    let inputs = |value, index| Inputs {
        params: vec![Value::Int(value)],
        ages: Vec::new(),
        camera: crate::sketch::camera(),
        index,
        time: 0.0,
        delta: 0.0,
        surface: [1, 1],
    };
    let frame = |uniforms: &mut Uniforms, value, index| {
        uniforms.fill(blocks, &inputs(value, index), &inputs(value, index)).expect("both fit");
        let written = uniforms.take().len();
        (written, at.map(|at| uniforms.bytes()[at]))
    };
    assert_eq!(frame(&mut uniforms, 5, 1), (512, [1, 5]));
    assert_eq!(frame(&mut uniforms, 6, 2), (256, [2, 5]), "nobody said that it moved");
    uniforms.touch();
    assert_eq!(frame(&mut uniforms, 6, 3), (512, [3, 6]));
}

#[test]
fn a_buffer_that_is_zeroed_is_cleared_before_its_reader() {
    let mut sketch = Sketch::new("g", &ADD);
    let buffer = Buffer { size: Some(4), ..Buffer::default() };
    let list = sketch.resource("list", ResourceKind::Buffer(buffer), Lifetime::Transient);
    let reader = sketch.dispatch("add", "add.wgsl", [1; 3], &[("list", whole(list))]);
    sketch.zeroed.push((list, Some(reader)));
    sketch.draft.outputs = vec![(list, span())];
    let (graph, plan) = sketch.finish();
    let script = compile(&graph, &plan, Options::default()).expect("everything is known");
    assert_eq!(script.frame[0], Command::ClearBuffer { resource: list, offset: 0, size: None });
}
