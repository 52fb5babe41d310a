//! Planning alone: from a resolved draft to a plan.
//!
//! The frame is made of rounds of eight passes, as a culled scene has them: reset, cull, three stages of a scan, scatter,
//! arguments, draw; about four accesses a pass, sizes that differ, one round reading what the one before it left.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rondag::graph::{
    Access, Buffer, ColorAttachment, Dispatch, Draft, Effect, Groups, Lifetime, Part, Pass, PassKind, Program, Render,
    Resource, ResourceId, ResourceKind, Run, ShaderId, Usage,
};
use rondag::id::Id as _;
use rondag::plan::{Options, plan};
use rondag::source::{FileId, Span};

fn span(at: usize) -> Span {
    Span::new(FileId::from_index(0), at, at + 4)
}

/// A draft under construction.
#[derive(Default)]
struct Frame {
    draft: Draft,
}

impl Frame {
    fn buffer(&mut self, name: &str, size: u64, lifetime: Lifetime) -> ResourceId {
        let at = self.draft.resources.len();
        let buffer = Buffer { count: Some(size / 4), stride: Some(4), size: Some(size), ..Buffer::default() };
        self.draft.resources.push(Resource {
            name: format!("{name}{at}").into(),
            kind: ResourceKind::Buffer(buffer),
            lifetime,
            port: None,
            declared_usage: None,
            span: span(at),
            poisoned: false,
        })
    }

    fn texture(&mut self, name: &str) -> ResourceId {
        let id = self.buffer(name, 4, Lifetime::Transient);
        self.draft.resources[id].kind = ResourceKind::Texture(rondag::graph::Texture {
            format: Some(wgpu_types::TextureFormat::Rgba8Unorm),
            size: Some([1920, 1080]),
            mips: 1,
            layers: 1,
            samples: 1,
        });
        id
    }

    fn pass(&mut self, name: &str, kind: PassKind, accesses: &[(ResourceId, Usage, Effect)]) {
        let at = self.draft.passes.len();
        let access = |(index, (resource, usage, effect)): (usize, &(ResourceId, Usage, Effect))| Access {
            resource: *resource,
            part: Part::ONE,
            previous: false,
            usage: *usage,
            effect: *effect,
            span: span(at * 100 + index),
            variable: None,
        };
        self.draft.passes.push(Pass {
            name: format!("{name}{at}").into(),
            kind,
            run: Run::EachFrame,
            condition: None,
            after: Vec::new(),
            accesses: accesses.iter().enumerate().map(access).collect(),
            empty: false,
            span: span(at),
            poisoned: false,
        });
    }

    fn dispatch(&mut self, name: &str, reads: &[ResourceId], writes: &[(ResourceId, Effect)]) {
        let program =
            Program { shader: ShaderId::from_index(0), entries: vec![0], constants: Vec::new(), bindings: Vec::new() };
        let kind = PassKind::Dispatch(Dispatch { program, groups: Groups::Fixed([64, 1, 1]), items: None });
        let mut accesses: Vec<_> = reads.iter().map(|id| (*id, Usage::StorageRead, Effect::Read)).collect();
        accesses.extend(writes.iter().map(|(id, effect)| (*id, Usage::StorageWrite, *effect)));
        self.pass(name, kind, &accesses);
    }
}

/// A frame of `passes` passes.
fn frame(passes: usize) -> Draft {
    let mut frame = Frame::default();
    let objects = frame.buffer("objects", 1 << 20, Lifetime::Persistent);
    let color = frame.texture("color");
    let mut last = objects;
    for round in 0..passes.div_ceil(8) {
        let size = 4096 * (1 + round as u64 * 7 % 13);
        let mut transient = |name, size| frame.buffer(name, size, Lifetime::Transient);
        let counts = transient("counts", 64);
        let flags = transient("flags", size);
        let blocks = transient("blocks", size / 64);
        let offsets = transient("offsets", size);
        let list = transient("list", size);
        let args = transient("args", 80);
        let clear = PassKind::ClearBuffer { target: counts, offset: 0, size: None };
        frame.pass("reset", clear, &[(counts, Usage::CopyDst, Effect::Replace)]);
        frame.dispatch("cull", &[objects, last], &[(flags, Effect::Write), (counts, Effect::Accumulate)]);
        frame.dispatch("reduce", &[flags], &[(blocks, Effect::Write)]);
        frame.dispatch("spine", &[], &[(blocks, Effect::ReadWrite)]);
        frame.dispatch("down", &[flags, blocks], &[(offsets, Effect::Replace)]);
        frame.dispatch("scatter", &[flags, offsets], &[(list, Effect::Write)]);
        frame.dispatch("arguments", &[counts], &[(args, Effect::Write)]);
        let first = (round == 0).then_some([0.0; 4]);
        let attachment =
            ColorAttachment { resource: color, part: Part::ONE, clear: first, resolve: None, span: span(0) };
        let kind = PassKind::Render(Render { color: vec![attachment], depth: None, draws: Vec::new() });
        let draws = if round == 0 { Effect::Replace } else { Effect::ReadWrite };
        let accesses = [
            (color, Usage::ColorAttachment, draws),
            (list, Usage::StorageRead, Effect::Read),
            (objects, Usage::StorageRead, Effect::Read),
            (args, Usage::Indirect, Effect::Read),
        ];
        frame.pass("draw", kind, &accesses);
        last = list;
    }
    frame.draft.outputs.push((color, span(0)));
    frame.draft
}

fn bench(c: &mut Criterion) {
    let mut group = c.benchmark_group("plan");
    for passes in [10, 100, 500, 10_000] {
        let draft = frame(passes);
        let passes = draft.passes.len();
        group.throughput(Throughput::Elements(passes as u64));
        group.bench_with_input(BenchmarkId::from_parameter(passes), &draft, |b, draft| {
            b.iter(|| plan(black_box(draft), Options::default()).expect("the frame has an order"));
        });
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
