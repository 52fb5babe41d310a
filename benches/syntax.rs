//! Text to document: growth with the number of passes, and what the shipped kind of file costs.

use std::fmt::Write as _;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rondag::source::{Files, Memory};

/// A graph of `n_passes` passes and half as many buffers, about 300 bytes a pass: each pass reads one buffer, writes the next,
/// and says what authors say.
fn frame(n_passes: usize) -> String {
    let n_buffers = n_passes / 2 + 1;
    let mut text =
        String::from("(\n    version: 1,\n    params: { \"n\": Int(default: 100_000, min: 1, max: 1_000_000) },\n");
    text.push_str("    resources: {\n");
    for i in 0..n_buffers {
        writeln!(text, "        \"buffer_{i}\": Buffer(count: \"n * {i} + 1\", usage: [Storage, CopyDst]),")
            .expect("a String");
    }
    text.push_str("    },\n    passes: [\n");
    for i in 0..n_passes {
        let (from, to) = (i % n_buffers, (i + 1) % n_buffers);
        write!(
            text,
            "        // Step {i} of the chain.\n        Dispatch(\n            name: \"step_{i}\", shader: \"chain/step.wgsl\", \
             items: \"ceil_div(n, 64)\",\n            bind: {{ \"from_\": \"buffer_{from}\", \"to\": \"buffer_{to}\" }},\n            \
             set: {{ \"scale\": 0.5, \"offset\": \"4 * {i}\" }},\n            when: \"n > {i}\",\n        ),\n"
        )
        .expect("a String");
    }
    text.push_str("    ],\n    outputs: [\"buffer_0\"],\n)\n");
    text
}

fn parse(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("parse");
    for n_passes in [10, 100, 500, 10_000] {
        let text = frame(n_passes);
        group.throughput(Throughput::Bytes(text.len() as u64));
        let mut files = Files::new(Memory::default());
        let file = files.add("frame.ron", text);
        let (_, found) = rondag::syntax::parse(&files, file);
        assert!(found.is_empty(), "{found:#?}");
        group.bench_function(BenchmarkId::from_parameter(n_passes), |b| {
            b.iter(|| rondag::syntax::parse(&files, file));
        });
    }
    group.finish();
}

criterion_group!(benches, parse);
criterion_main!(benches);
