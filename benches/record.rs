//! A warm frame recorded from its script against the same calls written by hand, on wgpu's noop device.
//!
//! Both sides fill uniforms, write them, clear, dispatch, draw, finish and submit. Criterion times each alone; before that
//! frames of both take turns, and the ratio of their medians is printed, which a busy machine disturbs least.
#![allow(missing_docs, reason = "criterion's macros make public items")]
#![allow(clippy::print_stdout, reason = "a bench prints what it measured")]

#[path = "../tests/by_hand.rs"]
mod by_hand;
#[path = "../tests/sketch.rs"]
mod sketch;

use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use rondag::gpu::{Frame, Gpu, Program, ProgramOptions};

const TURNS: usize = 3000;

/// Both sides of one frame.
struct Sides {
    gpu: Gpu,
    program: Program,
    hand: by_hand::ByHand,
    frame: Frame,
}

impl Sides {
    fn new(gpu: &Gpu, dispatches: usize, batches: u32) -> Self {
        let (graph, plan) = sketch::scene(dispatches, batches.into());
        let options = ProgramOptions { labels: false, ..ProgramOptions::default() };
        Self {
            gpu: gpu.clone(),
            program: Program::new(gpu, graph, plan, options).unwrap_or_else(|why| panic!("{why}")),
            hand: by_hand::ByHand::new(gpu, dispatches, batches),
            frame: Frame { index: 0, time: 0.0, delta: 0.0, camera: sketch::camera() },
        }
    }

    fn encoder(&self) -> wgpu::CommandEncoder {
        self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default())
    }

    fn script(&mut self) {
        let mut encoder = self.encoder();
        self.program.record(&mut encoder, &self.frame).expect("every value fits");
        self.gpu.queue.submit([encoder.finish()]);
    }

    fn apart(&mut self) {
        let mut encoder = self.encoder();
        self.hand.record_apart(&mut encoder, 0.1);
        self.gpu.queue.submit([encoder.finish()]);
    }

    fn by_hand(&mut self) {
        let mut encoder = self.encoder();
        self.hand.record(&mut encoder, 0.1);
        self.gpu.queue.submit([encoder.finish()]);
    }

    /// Medians of frames that take turns, script first.
    fn medians(&mut self) -> [Duration; 2] {
        let mut times = [const { Vec::new() }; 2];
        for turn in 0..TURNS {
            let started = Instant::now();
            if turn % 2 == 0 {
                self.script();
            } else {
                self.by_hand();
            }
            times[turn % 2].push(started.elapsed());
        }
        times.map(|mut side| {
            side.sort_unstable();
            side[side.len() / 2]
        })
    }
}

fn record(criterion: &mut Criterion) {
    let gpu = Gpu::noop(&wgpu::Limits::default(), wgpu::Features::empty()).expect("the noop device takes these limits");
    let mut group = criterion.benchmark_group("record");
    for (dispatches, batches) in [(5, 64), (100, 1)] {
        let name = format!("{dispatches} dispatches, {batches} draws");
        let mut sides = Sides::new(&gpu, dispatches, batches);
        sides.medians();
        let [script, hand] = sides.medians();
        let ratio = script.as_secs_f64() / hand.as_secs_f64();
        println!("{name}: script {script:?}, by hand {hand:?}, ratio {ratio:.3}");
        group.bench_function(BenchmarkId::new("script", &name), |bencher| bencher.iter(|| sides.script()));
        group.bench_function(BenchmarkId::new("by hand", &name), |bencher| bencher.iter(|| sides.by_hand()));
        group.bench_function(BenchmarkId::new("a pass a node", &name), |bencher| bencher.iter(|| sides.apart()));
    }
    group.finish();
}

criterion_group!(benches, record);
criterion_main!(benches);
