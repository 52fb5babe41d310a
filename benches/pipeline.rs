//! From text to plan: parse, resolve, plan, and all three, at 10 to 10,000 passes.
//!
//! The frame is a chain of dispatches over buffers that are handed on, every third with values of its own: about as
//! many accesses and names a pass as in the shipped scene.

use std::fmt::Write as _;
use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rondag::graph::{Library, Settings, resolve};
use rondag::plan::{self, Options};
use rondag::source::{Files, Memory};
use rondag::syntax;

const STEP: &str = "struct Step { shift: u32, scale: f32 }
@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> before: array<u32>;
@group(0) @binding(2) var<storage, read_write> after_: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x < arrayLength(&after_) { after_[id.x] = u32(step.scale * f32(before[id.x] << step.shift)); }
}";

fn text(passes: usize) -> String {
    let mut text = String::from(
        "(\n    version: 1,\n    params: { \"n\": Int(default: 4096, min: 1, max: 65536) },\n    resources: {\n",
    );
    for index in 0..=passes {
        writeln!(text, "        \"b{index}\": Buffer(count: \"n\"),").expect("a string takes all");
    }
    text.push_str("    },\n    passes: [\n        ClearBuffer(name: \"start\", target: \"b0\"),\n");
    for index in 0..passes {
        writeln!(
            text,
            "        Dispatch(\n            name: \"pass_{index}\", shader: \"step.wgsl\", items: \"n\",\n            \
             bind: {{ \"before\": \"b{index}\", \"after_\": \"b{}\" }}, set: {{ \"shift\": {}, \"scale\": \"0.5 * {index}\" }},\n        ),",
            index + 1,
            index % 8,
        )
        .expect("a string takes all");
    }
    write!(text, "    ],\n    outputs: [\"b{passes}\"],\n)\n").expect("a string takes all");
    text
}

fn library(text: &str) -> Library {
    Library::new(Files::new(Memory::new([("frame.ron", text), ("shaders/step.wgsl", STEP)])))
}

fn pipeline(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("pipeline");
    for passes in [10, 100, 500, 10_000] {
        let text = text(passes);
        group.throughput(Throughput::Elements(passes as u64));
        if passes >= 10_000 {
            group.sample_size(20);
        }
        group.bench_with_input(BenchmarkId::new("parse", passes), &text, |bencher, text| {
            let mut files = Files::new(Memory::default());
            let file = files.add("frame.ron", text.clone());
            bencher.iter(|| black_box(syntax::parse(&files, file)));
        });
        // Documents and shaders are read once; what is timed is what an edit of a param costs.
        let mut library_ = library(&text);
        let mut found = Vec::new();
        let top = library_.load("frame.ron", &mut found).expect("it is there").file;
        let settings = Settings::default();
        let (draft, found) = resolve(&mut library_, top, &settings);
        assert!(found.is_empty(), "{found:?}");
        assert_eq!(draft.passes.len(), passes + 1);
        group.bench_function(BenchmarkId::new("resolve", passes), |bencher| {
            bencher.iter(|| black_box(resolve(&mut library_, top, &settings)));
        });
        group.bench_function(BenchmarkId::new("plan", passes), |bencher| {
            bencher.iter(|| black_box(plan::attempt(&draft, Options::default())));
        });
        group.bench_with_input(BenchmarkId::new("text_to_plan", passes), &text, |bencher, text| {
            bencher.iter(|| {
                let mut library = library(text);
                let top = library.load("frame.ron", &mut Vec::new()).expect("it is there").file;
                let (draft, _) = resolve(&mut library, top, &settings);
                black_box(plan::attempt(&draft, Options::default()))
            });
        });
    }
    group.finish();
}

criterion_group!(benches, pipeline);
criterion_main!(benches);
