//! What `check` costs: the shipped scene, one large file, many small ones, and a large one full of faults.

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use rondag::diagnostic::Diagnostic;
use rondag::graph::{Library, Settings};
use rondag::lint::{self, Profile};
use rondag::source::{Disk, Files, Memory};

/// A chain of dispatches over shaders that are shared. Every `wrong`th pass binds a name that is off by a letter.
fn frame(passes: usize, shaders: usize, first: usize, wrong: Option<usize>) -> String {
    let mut text = String::from(
        "(\n    version: 1,\n    params: { \"n\": Int(default: 4096, min: 64, max: 65536) },\n    resources: {\n",
    );
    for index in 0..=passes {
        writeln!(text, "        \"b{index}\": Buffer(count: \"n\"),").expect("a string takes all");
    }
    text.push_str("    },\n    passes: [\n        ClearBuffer(name: \"start\", target: \"b0\"),\n");
    for index in 0..passes {
        let letter = if wrong.is_some_and(|every| index % every == every / 2) { "v" } else { "b" };
        writeln!(
            text,
            "        Dispatch(name: \"pass_{index}\", shader: \"step{}.wgsl\", items: \"n\",\n            \
             bind: {{ \"before\": \"{letter}{index}\", \"after_\": \"b{}\" }}, set: {{ \"shift\": {} }}),",
            (first + index) % shaders,
            index + 1,
            index % 8,
        )
        .expect("a string takes all");
    }
    write!(text, "    ],\n    outputs: [\"b{passes}\"],\n)\n").expect("a string takes all");
    text
}

fn shader(index: usize) -> String {
    format!(
        "struct Step {{ shift: u32 }}
@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> before: array<u32>;
@group(0) @binding(2) var<storage, read_write> after_: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {{
    if id.x < arrayLength(&after_) {{ after_[id.x] = (before[id.x] << step.shift) + {index}u; }}
}}"
    )
}

/// Graphs and shaders in memory.
fn project(graphs: &[String], shaders: usize) -> Memory {
    let graphs = graphs.iter().enumerate().map(|(i, text)| (format!("g{i}.ron"), text.clone()));
    let shaders = (0..shaders).map(|i| (format!("shaders/step{i}.wgsl"), shader(i)));
    let files: Vec<(String, String)> = graphs.chain(shaders).collect();
    Memory::new(files.iter().map(|(path, text)| (path.as_str(), text.as_str())))
}

/// Reads and checks graphs that share a library.
fn check(door: Memory, graphs: usize) -> Vec<Diagnostic> {
    let mut library = Library::new(Files::new(door));
    let mut found = Vec::new();
    for index in 0..graphs {
        let top = library.load(&format!("g{index}.ron"), &mut found).expect("it is there").file;
        found.extend(lint::check(&mut library, top, &Settings::default(), &Profile::default()).found);
    }
    rondag::diagnostic::sort(&library.files, &mut found);
    for fault in &found {
        black_box(rondag::diagnostic::concise(&library.files, fault));
    }
    found
}

fn lint(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("lint");
    group.sample_size(10);
    group.bench_function("shipped scene", |bencher| {
        bencher.iter(|| {
            let root = Path::new(env!("CARGO_MANIFEST_DIR"));
            let mut library = Library::new(Files::new(Disk::new(root, "").expect("a folder")));
            let top = library.load("graphs/culled_scene.ron", &mut Vec::new()).expect("it is there").file;
            black_box(lint::check(&mut library, top, &Settings::default(), &Profile::default()))
        });
    });
    for passes in [100, 1_000, 10_000] {
        let door = project(&[frame(passes, 1, 0, None)], 1);
        assert_eq!(check(door.clone(), 1), []);
        group.bench_function(BenchmarkId::new("passes in one file", passes), |bencher| {
            bencher.iter(|| black_box(check(door.clone(), 1)));
        });
    }
    for (name, wrong) in [("clean", None), ("1,000 findings", Some(2))] {
        let door = project(&[frame(2_000, 1, 0, wrong)], 1);
        let found = check(door.clone(), 1).len();
        assert_eq!(found, if wrong.is_some() { 1_000 } else { 0 });
        group.bench_function(BenchmarkId::new("2,000 passes", name), |bencher| {
            bencher.iter(|| black_box(check(door.clone(), 1)));
        });
    }
    let graphs: Vec<String> = (0..1_000).map(|i| frame(20, 50, i, None)).collect();
    let door = project(&graphs, 50);
    group.bench_function("1,000 graphs of 20 passes, 50 shaders", |bencher| {
        bencher.iter(|| black_box(check(door.clone(), graphs.len())));
    });
    group.finish();
}

criterion_group!(benches, lint);
criterion_main!(benches);
