//! What outlives an edit: contents, ages, parity, inputs of the frame before, and `Once` passes that did not change.

use std::sync::Arc;

use rondag::gpu::{Gpu, Program, ProgramOptions};
use rondag::graph::{BindingSource, Formula, FrameField, Graph, Lifetime, ResourceId, Run, Value};
use rondag::plan::Plan;
use rondag::shader::{Scalar, Type};

use crate::gpu::{program, run, software, words};
use crate::sketch::{Sketch, previous, whole};

const COUNT: &str = "@group(0) @binding(0) var<storage> before: array<u32>;
    @group(0) @binding(1) var<storage, read_write> now: array<u32>;
    @compute @workgroup_size(1) fn count() { now[0] = before[0] + STEP; }";

const ADD: (&str, &str) = (
    "add.wgsl",
    "struct By { by: u32 }
    @group(0) @binding(0) var<storage, read_write> list: array<u32>;
    @group(1) @binding(3) var<uniform> by: By;
    @compute @workgroup_size(1) fn add() { list[0] += by.by; }",
);

/// The program of an edited graph, in the place of the one before it.
fn follow(gpu: &Gpu, old: &Program, (graph, plan): (Arc<Graph>, Arc<Plan>)) -> Program {
    let options = ProgramOptions { from: Some(&old.past()), ..ProgramOptions::default() };
    let mut new = Program::new(gpu, graph, plan, options).unwrap_or_else(|why| panic!("{why}"));
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    new.succeed(old, &mut encoder);
    gpu.queue.submit([encoder.finish()]);
    new
}

/// A counter in a History; `copied` also copies it, which asks for nothing new, and `drawn` uses it as vertices.
fn counter(step: u32, resized: bool, drawn: bool) -> ((Arc<Graph>, Arc<Plan>), ResourceId) {
    let text = COUNT.replace("STEP", &format!("{step}u"));
    let mut sketch = Sketch::new("g", &[("count.wgsl", &text)]);
    let list = sketch.buffer("list", if resized { 2 } else { 1 }, Lifetime::History);
    sketch.dispatch("count", "count.wgsl", [1; 3], &[("before", previous(list)), ("now", whole(list))]);
    let (graph, plan) = sketch.finish();
    let mut plan = (*plan).clone();
    if drawn {
        let reason = plan.usages[list][0];
        let flag = rondag::syntax::document::UsageFlag::Indirect;
        plan.usages[list].push(rondag::plan::UsageReason { flag, ..reason });
    }
    ((graph, Arc::new(plan)), list)
}

#[test]
fn a_history_goes_on_over_edits_of_its_shader() {
    let gpu = software();
    for frames in [1, 2, 3] {
        let (first, list) = counter(1, false, false);
        let mut old = program(&gpu, first);
        run(&mut old, 0..frames);
        let (second, _) = counter(100, false, false);
        let mut new = follow(&gpu, &old, second);
        assert_eq!(new.buffer(list).map(|it| it.0), old.buffer(list).map(|it| it.0), "the memory is shared");
        run(&mut new, frames..frames + 2);
        assert_eq!(words(&new, list), [frames as u32 + 200]);
    }
}

#[test]
fn contents_are_copied_where_usages_grew() {
    let gpu = software();
    let (first, list) = counter(1, false, false);
    let mut old = program(&gpu, first);
    run(&mut old, 0..3);
    let (second, _) = counter(1, false, true);
    let mut new = follow(&gpu, &old, second);
    assert_ne!(new.buffer(list).map(|it| it.0), old.buffer(list).map(|it| it.0), "the memory is another");
    run(&mut new, 3..5);
    assert_eq!(words(&new, list), [5]);
}

#[test]
fn contents_go_when_the_size_changes() {
    let gpu = software();
    let (first, _) = counter(1, false, false);
    let mut old = program(&gpu, first);
    run(&mut old, 0..3);
    let (second, list) = counter(1, true, false);
    let mut new = follow(&gpu, &old, second);
    run(&mut new, 3..5);
    assert_eq!(words(&new, list), [2, 0]);
}

/// `sum` plus `once` times a number at the start and `age(sum)` each frame.
fn aging(once: i64, other_name: &str) -> ((Arc<Graph>, Arc<Plan>), [ResourceId; 3]) {
    let mut sketch = Sketch::new("g", &[ADD]);
    let sum = sketch.buffer("sum", 1, Lifetime::Persistent);
    let seed = sketch.buffer("seed", 1, Lifetime::Persistent);
    let last = sketch.buffer(other_name, 1, Lifetime::Persistent);
    let ty = || Type::Scalar(Scalar::U32);
    let age = sketch.block("age", 4, &[("by", 0, ty(), Formula::Age(sum))]);
    let number = sketch.block("number", 4, &[("by", 0, ty(), Formula::Const(Value::Int(once)))]);
    let index = sketch.block("index", 4, &[("by", 0, ty(), Formula::Frame(FrameField::Index))]);
    sketch.draft.blocks[index].previous = true;
    let mut add = |name, list, block| {
        sketch.dispatch(name, "add.wgsl", [1; 3], &[("list", whole(list)), ("by", BindingSource::Block(block))])
    };
    add("age", sum, age);
    add("last", last, index);
    let plant = add("plant", seed, number);
    sketch.draft.passes[plant].run = Run::Once;
    (sketch.finish(), [sum, seed, last])
}

#[test]
fn ages_and_inputs_of_the_frame_before_go_on() {
    let gpu = software();
    let (first, [sum, seed, last]) = aging(5, "last");
    let mut old = program(&gpu, first);
    run(&mut old, 0..3);
    assert_eq!([words(&old, sum), words(&old, seed), words(&old, last)], [[3], [5], [1]]);
    let (second, _) = aging(5, "last");
    let mut new = follow(&gpu, &old, second);
    run(&mut new, 3..4);
    assert_eq!([words(&new, sum), words(&new, seed), words(&new, last)], [[3 + 3], [5], [1 + 2]]);
}

#[test]
fn once_passes_run_again_only_if_they_changed() {
    let gpu = software();
    let (first, [_, seed, _]) = aging(5, "last");
    let mut old = program(&gpu, first);
    run(&mut old, 0..2);
    let (second, _) = aging(5, "other");
    let mut new = follow(&gpu, &old, second);
    run(&mut new, 2..4);
    assert_eq!(words(&new, seed), [5], "another resource was renamed");
    let (third, _) = aging(7, "other");
    let mut newer = follow(&gpu, &new, third);
    run(&mut newer, 4..6);
    assert_eq!(words(&newer, seed), [5 + 7], "its value changed");
}
