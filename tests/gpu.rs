//! Programs on the noop device, which validates, and on the software adapter, which runs.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rondag::gpu::{DeviceOptions, Error, Frame, Gpu, Pick, Program, ProgramOptions, read_buffer, read_texture};
use rondag::graph::{BindingSource, Graph};
use rondag::graph::{Call, Formula, FrameField, Groups, Lifetime, PassKind, Render, ResourceId, Run, Value};
use rondag::plan::Plan;
use rondag::shader::{Scalar, Type};
use wgpu::{Features, Limits, TextureFormat};

use crate::by_hand::ByHand;
use crate::counting::allocations;
use crate::sketch::{Sketch, camera, color, previous, scene, span, view, whole};

pub(crate) const LIMIT: Duration = Duration::from_secs(30);

pub(crate) fn noop() -> Gpu {
    Gpu::noop(&Limits::default(), Features::empty()).expect("the noop device takes WebGPU's limits")
}

/// The software adapter. There is no test without one: install it.
pub(crate) fn software() -> Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    let open = || {
        Gpu::open(&Pick::Cpu, DeviceOptions::default()).unwrap_or_else(|why| {
            panic!(
                "tests need a software adapter ({why}). Debian, Ubuntu: apt-get install mesa-vulkan-drivers libvulkan1"
            )
        })
    };
    GPU.get_or_init(open).clone()
}

pub(crate) fn frame(index: u64) -> Frame {
    Frame { index, time: index as f64 / 60.0, delta: 1.0 / 60.0, camera: camera() }
}

pub(crate) fn program(gpu: &Gpu, (graph, plan): (Arc<Graph>, Arc<Plan>)) -> Program {
    Program::new(gpu, graph, plan, ProgramOptions::default()).unwrap_or_else(|why| panic!("{why}"))
}

/// Runs frames and waits for each.
pub(crate) fn run(program: &mut Program, frames: std::ops::Range<u64>) {
    for index in frames {
        program.run(&frame(index), LIMIT).unwrap_or_else(|why| panic!("{why}"));
    }
}

pub(crate) fn words(program: &Program, id: ResourceId) -> Vec<u32> {
    let (buffer, size) = program.buffer(id).expect("it has a buffer");
    let bytes = read_buffer(program.gpu(), "it", buffer, 0..size, LIMIT).unwrap_or_else(|why| panic!("{why}"));
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}

#[test]
fn a_scene_records_on_the_noop_device() {
    let mut program = program(&noop(), scene(5, 64));
    run(&mut program, 0..3);
    assert!(program.gpu().take_messages().is_empty());
    assert!(program.times().is_none(), "the profile has no timestamps");
}

#[test]
fn recording_allocates_as_often_as_calls_by_hand() {
    let gpu = noop();
    let options = ProgramOptions { labels: false, timing: false, ..ProgramOptions::default() };
    let (graph, plan) = scene(5, 64);
    let mut program = Program::new(&gpu, graph, plan, options).unwrap_or_else(|why| panic!("{why}"));
    let mut by_hand = ByHand::new(&gpu, 5, 64);
    let counts = |record: &mut dyn FnMut(&mut wgpu::CommandEncoder, u64)| -> Vec<u64> {
        let frames = (0..8).map(|index| {
            let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            let (count, ()) = allocations(|| record(&mut encoder, index));
            gpu.queue.submit([encoder.finish()]);
            count
        });
        frames.skip(3).collect()
    };
    let ours = counts(&mut |encoder, index| program.record(encoder, &frame(index)).expect("values fit"));
    let theirs = counts(&mut |encoder, _| by_hand.record(encoder, 0.1));
    assert_eq!(ours, theirs);
}

const SQUARES: (&str, &str) = (
    "squares.wgsl",
    "@group(0) @binding(0) var<storage, read_write> list: array<u32>;
    @compute @workgroup_size(64) fn squares(@builtin(global_invocation_id) id: vec3u,
                                            @builtin(num_workgroups) groups: vec3u) {
        let index = id.x + id.y * groups.x * 64u;
        if index < arrayLength(&list) { list[index] = index * index; }
    }",
);

#[test]
fn a_dispatch_writes_its_buffer_and_no_more_than_is_declared() {
    let mut sketch = Sketch::new("g", &[SQUARES]);
    let list = sketch.buffer("list", 100, Lifetime::Transient);
    let other = sketch.buffer("other", 1000, Lifetime::Transient);
    sketch.slots = vec![vec![list, other]];
    sketch.dispatch("squares", "squares.wgsl", [16, 1, 1], &[("list", whole(list))]);
    sketch.draft.outputs = vec![(list, span())];
    let mut program = program(&software(), sketch.finish());
    run(&mut program, 0..1);
    assert_eq!(words(&program, list), (0..100).map(|i| i * i).collect::<Vec<u32>>());
    let (buffer, _) = program.buffer(list).expect("it has a buffer");
    assert_eq!(buffer.size(), 4000, "the slot is as large as its largest resident");
    let bytes = read_buffer(program.gpu(), "slot", buffer, 0..4000, LIMIT).expect("an output can be read");
    assert!(bytes[400..].iter().all(|byte| *byte == 0), "the binding has the declared size");
}

#[test]
fn more_groups_than_a_dimension_holds_are_folded() {
    let count = 64 * 65_535 + 65u32;
    let mut sketch = Sketch::new("g", &[SQUARES]);
    let list = sketch.buffer("list", count.into(), Lifetime::Persistent);
    sketch.dispatch("squares", "squares.wgsl", [32_769, 2, 1], &[("list", whole(list))]);
    let mut program = program(&software(), sketch.finish());
    run(&mut program, 0..1);
    let found = words(&program, list);
    assert!((0..count).zip(&found).all(|(i, found)| *found == i.wrapping_mul(i)));
}

#[test]
fn times_are_there_where_the_device_has_them() {
    let mut sketch = Sketch::new("g", &[SQUARES]);
    sketch.merge = false;
    let list = sketch.buffer("list", 100_000, Lifetime::Persistent);
    for name in ["a", "b"] {
        sketch.dispatch(name, "squares.wgsl", [1563, 1, 1], &[("list", whole(list))]);
    }
    let mut program = program(&software(), sketch.finish());
    run(&mut program, 0..3);
    let times = program.times().expect("lavapipe has timestamps").clone();
    assert_eq!(times.frame, 2);
    assert_eq!(times.rows.iter().map(|row| row.name.as_str()).collect::<Vec<_>>(), ["g/a", "g/b"]);
    assert!(times.rows.iter().all(|row| row.ms.is_some_and(|ms| ms > 0.0)), "{times:?}");
    assert!(times.frame_ms >= times.sum_ms() * 0.999, "{times:?}");
}

const COUNT: (&str, &str) = (
    "count.wgsl",
    "@group(0) @binding(0) var<storage> before: array<u32>;
    @group(0) @binding(1) var<storage, read_write> now: array<u32>;
    @compute @workgroup_size(1) fn count() { now[0] = before[0] + 1u; }",
);

#[test]
fn a_history_changes_places() {
    let mut sketch = Sketch::new("g", &[COUNT]);
    let list = sketch.buffer("list", 1, Lifetime::History);
    sketch.dispatch("count", "count.wgsl", [1; 3], &[("before", previous(list)), ("now", whole(list))]);
    let mut program = program(&software(), sketch.finish());
    for index in 0..5 {
        run(&mut program, index..index + 1);
        assert_eq!(words(&program, list), [index as u32 + 1]);
    }
}

const ADD: (&str, &str) = (
    "add.wgsl",
    "struct By { by: u32 }
    @group(0) @binding(0) var<storage, read_write> list: array<u32>;
    @group(1) @binding(3) var<uniform> by: By;
    @compute @workgroup_size(1) fn add() { list[0] += by.by; }",
);

/// A graph that adds a formula to `sum`.
fn adding(lifetime: Lifetime, formula: Formula) -> (Sketch, ResourceId) {
    let mut sketch = Sketch::new("g", &[ADD]);
    let sum = sketch.buffer("sum", 1, lifetime);
    let block = sketch.block("by", 4, &[("by", 0, Type::Scalar(Scalar::U32), formula)]);
    sketch.dispatch("add", "add.wgsl", [1; 3], &[("list", whole(sum)), ("by", BindingSource::Block(block))]);
    (sketch, sum)
}

#[test]
fn uniforms_follow_the_frame_and_the_frame_before() {
    let (mut sketch, sum) = adding(Lifetime::Persistent, Formula::Frame(FrameField::Index));
    let block = sketch.block("before", 4, &[("by", 0, Type::Scalar(Scalar::U32), Formula::Frame(FrameField::Index))]);
    sketch.draft.blocks[block].previous = true;
    let other = sketch.buffer("other", 1, Lifetime::Persistent);
    sketch.dispatch("late", "add.wgsl", [1; 3], &[("list", whole(other)), ("by", BindingSource::Block(block))]);
    let mut program = program(&software(), sketch.finish());
    run(&mut program, 5..8);
    assert_eq!(words(&program, sum), [5 + 6 + 7]);
    assert_eq!(words(&program, other), [5 + 5 + 6], "on the first frame this frame's");
}

#[test]
fn values_that_do_not_fit_are_refused_by_name() {
    let (sketch, _) = adding(Lifetime::Persistent, Formula::Const(Value::Int(-1)));
    let mut program = program(&noop(), sketch.finish());
    let mut encoder = program.gpu().device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let fault = program.record(&mut encoder, &frame(0)).expect_err("-1 is no u32");
    assert_eq!(fault.to_string(), "value of `by` in `by`: the number is outside of u32");
}

#[test]
fn once_passes_run_once_and_again_when_their_values_change() {
    use rondag::syntax::document::ParamKind;
    let (mut sketch, sum) = adding(Lifetime::Persistent, Formula::Param(rondag::id::Id::from_index(0)));
    let at = |value| rondag::source::Sp::new(value, span());
    let kind = ParamKind::Int { default: at(3), min: at(0), max: at(9) };
    let value = Value::Int(3);
    let param =
        rondag::graph::Param { name: "by".to_owned(), kind, value, structural: false, read: true, span: span() };
    let param = sketch.draft.params.push(param);
    let seed = sketch.draft.passes.ids().next().expect("the one pass");
    sketch.draft.passes[seed].run = Run::Once;
    let mut program = program(&software(), sketch.finish());
    run(&mut program, 0..3);
    assert_eq!(words(&program, sum), [3]);
    assert!(program.set(param, Value::Int(4)));
    run(&mut program, 3..5);
    assert_eq!(words(&program, sum), [7]);
    assert!(program.set(param, Value::Int(4)));
    run(&mut program, 5..6);
    assert_eq!(words(&program, sum), [7], "the same value is no change");
}

#[test]
fn a_conditional_pass_is_asked_each_frame() {
    let (mut sketch, sum) = adding(Lifetime::Persistent, Formula::Const(Value::Int(1)));
    let pass = sketch.draft.passes.ids().next().expect("the one pass");
    let third = Formula::Binary(
        rondag::syntax::expr::Binary::Eq,
        Box::new((Formula::Frame(FrameField::Index), Formula::Const(Value::Int(2)))),
    );
    sketch.draft.passes[pass].condition = Some(Box::new(third));
    let mut program = program(&software(), sketch.finish());
    run(&mut program, 0..2);
    assert_eq!(words(&program, sum), [0]);
    run(&mut program, 2..6);
    assert_eq!(words(&program, sum), [1]);
    assert_eq!(program.times().expect("lavapipe has timestamps").rows[0].ms, None, "it was left out");
}

#[test]
fn clears_and_copies_keep_to_their_ranges() {
    let mut sketch = Sketch::new("g", &[SQUARES]);
    let list = sketch.buffer("list", 8, Lifetime::Persistent);
    let copy = sketch.buffer("copy", 8, Lifetime::Persistent);
    sketch.dispatch("squares", "squares.wgsl", [1, 1, 1], &[("list", whole(list))]);
    sketch.copy("copy", list, copy, 16);
    sketch.pass("clear", PassKind::ClearBuffer { target: list, offset: 8, size: Some(8) });
    let mut program = program(&software(), sketch.finish());
    run(&mut program, 0..1);
    assert_eq!(words(&program, list), [0, 1, 0, 0, 16, 25, 36, 49]);
    assert_eq!(words(&program, copy), [0, 1, 4, 9, 0, 0, 0, 0]);
}

const STRIPES: (&str, &str) = (
    "stripes.wgsl",
    "struct Draw { row: u32 }
    @group(0) @binding(0) var<uniform> draw: Draw;
    @vertex fn vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
        let top = 1.0 - f32(draw.row) * 0.5;
        let corner = vec2f(f32(index & 1u) * 2.0 - 1.0, top - f32(index >> 1u) * 0.5);
        return vec4f(corner, 0.5, 1.0);
    }
    @fragment fn fragment() -> @location(0) vec4f { return vec4f(f32(draw.row) * 51.0 / 255.0, 1.0, 0.0, 1.0); }",
);

#[test]
fn a_loop_of_indirect_draws_knows_its_record() {
    let mut sketch = Sketch::new("g", &[STRIPES]);
    // The third of four draws has no instance.
    let args = sketch.data("args", &[4, 1, 0, 0, 4, 1, 0, 0, 4, 0, 0, 0, 4, 1, 0, 0]);
    let target = sketch.texture("target", TextureFormat::Rgba8Unorm, [10, 4], Lifetime::Persistent);
    let block = sketch.block("draw", 4, &[("row", 0, Type::Scalar(Scalar::U32), Formula::DrawIndex)]);
    sketch.draft.blocks[block].copies = 4;
    let call = Call::Indirect { indexed: false, args, offset: 0, count: 4, count_buffer: None, fallback: None };
    let mut draw = sketch.draw("stripes.wgsl", &[("draw", BindingSource::Block(block))], call);
    draw.state.topology = rondag::syntax::document::Topology::TriangleStrip;
    let color = vec![color(target, Some([0.0, 0.0, 1.0, 1.0]))];
    sketch.pass("draw", PassKind::Render(Render { color, depth: None, draws: vec![draw] }));
    let mut program = program(&software(), sketch.finish());
    run(&mut program, 0..1);
    let texture = program.texture(target).expect("it has a texture");
    let image = read_texture(program.gpu(), "target", texture, (0, 0), LIMIT).expect("state can be read");
    let rows: Vec<_> = image.bytes.chunks_exact(40).map(|row| [row[0], row[1], row[2]]).collect();
    assert_eq!(rows, [[0, 255, 0], [51, 255, 0], [0, 0, 255], [153, 255, 0]]);
}

const GRADIENT: (&str, &str) = (
    "gradient.wgsl",
    "@group(0) @binding(0) var target_: texture_storage_2d<r32float, write>;
    @compute @workgroup_size(1) fn gradient(@builtin(global_invocation_id) id: vec3u) {
        textureStore(target_, id.xy, vec4f(f32(id.x + 10u * id.y)));
    }",
);

#[test]
fn texels_come_back_without_padding() {
    for size in [10, 1] {
        let mut sketch = Sketch::new("g", &[GRADIENT]);
        let target = sketch.texture("target", TextureFormat::R32Float, [size; 2], Lifetime::Persistent);
        sketch.dispatch("gradient", "gradient.wgsl", [size, size, 1], &[("target_", view(target))]);
        let mut program = program(&software(), sketch.finish());
        run(&mut program, 0..1);
        let texture = program.texture(target).expect("it has a texture");
        let image = read_texture(program.gpu(), "target", texture, (0, 0), LIMIT).expect("state can be read");
        let expected: Vec<u8> = (0..size * size).flat_map(|i| (i as f32).to_le_bytes()).collect();
        assert_eq!(image.bytes, expected);
    }
}

#[test]
fn initial_bytes_of_any_length_are_padded() {
    let mut sketch = Sketch::new("g", &[SQUARES]);
    let list = sketch.buffer("list", 7, Lifetime::Persistent);
    let copy = sketch.buffer("copy", 7, Lifetime::Persistent);
    let rondag::graph::ResourceKind::Buffer(buffer) = &mut sketch.draft.resources[list].kind else {
        unreachable!("a buffer")
    };
    buffer.initial = Some(rondag::graph::Initial::Bytes((0..25).map(|i| i + 1).collect::<Vec<u8>>().into()));
    sketch.copy("copy", list, copy, 28);
    let mut program = program(&software(), sketch.finish());
    run(&mut program, 0..1);
    let found: Vec<u8> = words(&program, copy).iter().flat_map(|word| word.to_le_bytes()).collect();
    assert_eq!(found, [(1..=25).collect::<Vec<u8>>(), vec![0; 3]].concat());
}

#[test]
fn sizes_are_refused_before_anything_is_made() {
    let build = |count, max_memory| {
        let mut sketch = Sketch::new("g", &[SQUARES]);
        let list = sketch.buffer("list", count, Lifetime::Persistent);
        sketch.dispatch("squares", "squares.wgsl", [1; 3], &[("list", whole(list))]);
        let (graph, plan) = sketch.finish();
        let options = ProgramOptions { max_memory, ..ProgramOptions::default() };
        Program::new(&noop(), graph, plan, options).expect_err("it is too large").to_string()
    };
    assert_eq!(
        build(1 << 28, u64::MAX),
        "buffer `g/list` asks for 1073741824, above the device's `max_buffer_size` of 268435456"
    );
    assert_eq!(
        build(1 << 26, u64::MAX),
        "the binding of `list` asks for 268435456, above the device's `max_storage_buffer_binding_size` of 134217728"
    );
    assert_eq!(
        build(1 << 20, 1 << 20),
        "the frame asks for 4.0 MiB of memory, above the limit of 1.0 MiB (largest: g/list)"
    );
}

#[test]
fn faults_of_wgpu_name_their_pass() {
    let mut sketch = Sketch::new("g", &[SQUARES]);
    let list = sketch.buffer("list", 1, Lifetime::Persistent);
    let pass = sketch.dispatch("squares", "squares.wgsl", [1; 3], &[("list", whole(list))]);
    let PassKind::Dispatch(dispatch) = &mut sketch.draft.passes[pass].kind else { unreachable!("a dispatch") };
    dispatch.program.constants = vec![("absent".to_owned(), 1.0)];
    let (graph, plan) = sketch.finish();
    let fault =
        Program::new(&software(), graph, plan, ProgramOptions::default()).expect_err("there is no such override");
    let Error::Refused { what, why } = fault else { panic!("{fault}") };
    assert_eq!(what, "the pipeline of `g/squares`");
    assert!(why.contains("absent"), "{why}");
}

#[test]
fn a_variable_that_nothing_reads_needs_no_binding() {
    let text = "@group(0) @binding(2) var<storage, read_write> gone: array<u32>;
        @group(1) @binding(1) var<storage, read_write> list: array<u32>;
        @compute @workgroup_size(1) fn seven() { list[0] = 7u; }";
    let mut sketch = Sketch::new("g", &[("seven.wgsl", text)]);
    let list = sketch.buffer("list", 1, Lifetime::Persistent);
    sketch.dispatch("seven", "seven.wgsl", [1; 3], &[("list", whole(list))]);
    let mut program = program(&software(), sketch.finish());
    run(&mut program, 0..1);
    assert_eq!(words(&program, list), [7]);
}

#[test]
fn ports_are_asked_for_checked_and_used() {
    let mut sketch = Sketch::new("g", &[SQUARES]);
    let list = sketch.buffer("list", 4, Lifetime::Transient);
    sketch.draft.resources[list].port = Some(rondag::graph::PortKind::Out);
    sketch.dispatch("squares", "squares.wgsl", [1; 3], &[("list", whole(list))]);
    let gpu = software();
    let mut program = program(&gpu, sketch.finish());
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let fault = program.record(&mut encoder, &frame(0)).expect_err("nothing is bound");
    assert_eq!(fault.to_string(), "nothing is bound to port `list`");
    let make = |size, usage| {
        gpu.device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
    };
    let storage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
    assert!(matches!(program.bind_buffer(list, &make(12, storage)), Err(Error::Port { .. })));
    assert!(matches!(program.bind_buffer(list, &make(16, wgpu::BufferUsages::COPY_SRC)), Err(Error::Port { .. })));
    for buffer in [make(16, storage), make(32, storage)] {
        program.bind_buffer(list, &buffer).unwrap_or_else(|why| panic!("{why}"));
        run(&mut program, 0..1);
        assert_eq!(words(&program, list), [0, 1, 4, 9]);
    }
}

#[test]
fn indirect_dispatches_read_their_groups() {
    let mut sketch = Sketch::new("g", &[ADD]);
    let args = sketch.data("args", &[9, 1, 1, 1]);
    let sum = sketch.buffer("sum", 1, Lifetime::Persistent);
    let one = Formula::Const(Value::Int(1));
    let block = sketch.block("by", 4, &[("by", 0, Type::Scalar(Scalar::U32), one)]);
    let program_ = sketch.program("add.wgsl", &[("list", whole(sum)), ("by", BindingSource::Block(block))]);
    let groups = Groups::Indirect { resource: args, offset: 4 };
    sketch.pass("add", PassKind::Dispatch(rondag::graph::Dispatch { program: program_, groups, items: None }));
    let mut program = program(&software(), sketch.finish());
    run(&mut program, 0..2);
    assert_eq!(words(&program, sum), [2]);
}

#[test]
fn a_counted_draw_draws_as_many_as_its_counter_says() {
    let mut sketch = Sketch::new("g", &[ROWS]);
    // The counter is the third word of its buffer, and not what the arguments hold.
    let args = sketch.data("args", &[4, 1, 0, 0, 4, 1, 0, 1, 4, 1, 0, 2, 4, 1, 0, 3]);
    let counter = sketch.data("counter", &[9, 7, 2, 9]);
    let target = sketch.texture("target", TextureFormat::Rgba8Unorm, [10, 4], Lifetime::Persistent);
    let count_buffer = Some((counter, 8));
    let call = Call::Indirect { indexed: false, args, offset: 0, count: 4, count_buffer, fallback: None };
    let mut draw = sketch.draw("rows.wgsl", &[], call);
    draw.state.topology = rondag::syntax::document::Topology::TriangleStrip;
    let color = vec![color(target, Some([0.0, 0.0, 1.0, 1.0]))];
    sketch.pass("draw", PassKind::Render(Render { color, depth: None, draws: vec![draw] }));
    let (graph, plan) = sketch.finish();
    let refused = Program::new(&noop(), Arc::clone(&graph), Arc::clone(&plan), ProgramOptions::default());
    assert!(matches!(refused, Err(Error::Compile(rondag::record::CompileError::Counted { .. }))));
    let mut program = program(&software(), (graph, plan));
    run(&mut program, 0..1);
    let texture = program.texture(target).expect("it has a texture");
    let image = read_texture(program.gpu(), "target", texture, (0, 0), LIMIT).expect("state can be read");
    let rows: Vec<_> = image.bytes.chunks_exact(40).map(|row| row[1]).collect();
    assert_eq!(rows, [255, 255, 0, 0]);
}

const ROWS: (&str, &str) = (
    "rows.wgsl",
    "@vertex fn vertex(@builtin(vertex_index) index: u32, @builtin(instance_index) row: u32)
            -> @builtin(position) vec4f {
        let top = 1.0 - f32(row) * 0.5;
        let corner = vec2f(f32(index & 1u) * 2.0 - 1.0, top - f32(index >> 1u) * 0.5);
        return vec4f(corner, 0.5, 1.0);
    }
    @fragment fn fragment() -> @location(0) vec4f { return vec4f(0.0, 1.0, 0.0, 1.0); }",
);

const SLOW: (&str, &str) = (
    "slow.wgsl",
    "@group(0) @binding(0) var<storage, read_write> list: array<u32>;
    @compute @workgroup_size(64) fn slow(@builtin(global_invocation_id) id: vec3u) {
        var x = id.x;
        // Software adapters cut a loop off after 65,535 rounds.
        for (var i = 0u; i < 60000u; i += 1u) {
            for (var j = 0u; j < 30u; j += 1u) { x = x * 1664525u + 1013904223u; }
        }
        if x == 7u { list[0] = x; }
    }",
);

#[test]
fn a_frame_that_takes_too_long_says_what_had_finished() {
    // A device of its own: it is left behind with work on it.
    let gpu = Gpu::open(&Pick::Cpu, DeviceOptions::default()).unwrap_or_else(|why| panic!("{why}"));
    let mut sketch = Sketch::new("g", &[SQUARES, SLOW]);
    sketch.merge = false;
    let list = sketch.buffer("list", 4, Lifetime::Persistent);
    sketch.dispatch("quick", "squares.wgsl", [1; 3], &[("list", whole(list))]);
    sketch.dispatch("slow", "slow.wgsl", [20, 1, 1], &[("list", whole(list))]);
    let mut program = program(&gpu, sketch.finish());
    let fault = program.run(&frame(0), Duration::from_millis(500)).expect_err("it takes seconds");
    let expected = "the device did not finish within 0.5 s; the last pass known to have finished is `g/quick`";
    assert_eq!(fault.to_string(), expected);
}

#[test]
fn warming_up_changes_nothing() {
    let (graph, plan) = scene(2, 2);
    let mut program = program(&software(), (graph, plan));
    let target = program.find("target").expect("the scene has a target");
    run(&mut program, 0..1);
    let shot = |program: &Program| {
        let texture = program.texture(target).expect("it has a texture");
        read_texture(program.gpu(), "target", texture, (0, 0), LIMIT).expect("state can be read").bytes
    };
    let before = shot(&program);
    let gpu = program.gpu().clone();
    let mut steps = 0;
    let what = || "warming up".to_owned();
    let warmed = gpu.scope(what, || {
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        while program.warm_up(&mut encoder) {
            steps += 1;
        }
        gpu.queue.submit([encoder.finish()]);
    });
    warmed.unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(steps, 3, "two compute pipelines and one render pipeline");
    assert_eq!(shot(&program), before);
}
