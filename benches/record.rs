//! A warm frame recorded from its script against the same calls written by hand, on wgpu's noop device.
//!
//! Both sides fill uniforms, write them, clear, dispatch, draw, finish and submit.
#![allow(missing_docs, reason = "criterion's macros make public items")]

#[path = "../tests/by_hand.rs"]
mod by_hand;
#[path = "../tests/sketch.rs"]
mod sketch;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use rondag::gpu::{Frame, Gpu, Program, ProgramOptions};

fn record(criterion: &mut Criterion) {
    let gpu = Gpu::noop(&wgpu::Limits::default(), wgpu::Features::empty()).expect("the noop device takes these limits");
    let mut group = criterion.benchmark_group("record");
    for (dispatches, batches) in [(5, 64), (100, 1)] {
        let (graph, plan) = sketch::scene(dispatches, batches);
        let options = ProgramOptions { labels: false, ..ProgramOptions::default() };
        let mut program = Program::new(&gpu, graph, plan, options).unwrap_or_else(|why| panic!("{why}"));
        let mut hand = by_hand::ByHand::new(&gpu, dispatches, batches as u32);
        let frame = Frame { index: 0, time: 0.0, delta: 0.0, camera: sketch::camera() };
        let submit = |record: &mut dyn FnMut(&mut wgpu::CommandEncoder)| {
            let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            record(&mut encoder);
            gpu.queue.submit([encoder.finish()]);
        };
        let name = format!("{dispatches} dispatches, {batches} draws");
        group.bench_function(BenchmarkId::new("script", &name), |bencher| {
            bencher.iter(|| submit(&mut |encoder| program.record(encoder, &frame).expect("every value fits")));
        });
        group.bench_function(BenchmarkId::new("by hand", &name), |bencher| {
            bencher.iter(|| submit(&mut |encoder| hand.record(encoder, 0.1)));
        });
    }
    group.finish();
}

criterion_group!(benches, record);
criterion_main!(benches);
