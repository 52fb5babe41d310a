//! Times of whole frames.

use std::time::{Duration, Instant};

use rondag::gpu::{Frame, Program, read_buffer};
use serde::Serialize;

use super::super::args::Bench;

/// Stamps between passes.
pub(super) const NEEDED: wgpu::Features =
    wgpu::Features::TIMESTAMP_QUERY.union(wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS);

/// Frames between two waits.
const BATCH: u32 = 20;
/// Two medians in a row this near to each other: the clock has settled.
const SETTLED: f64 = 0.03;
/// Warming up ends here even if it has not.
const PATIENCE: u32 = 5;

/// Microseconds over all timed frames.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Times {
    pub frames: u32,
    /// On the GPU: from before the first command of a frame until after its last.
    pub median_us: f64,
    pub low_us: f64,
    pub high_us: f64,
    /// On the CPU: recording, finishing and submitting.
    pub cpu_us: f64,
}

/// A program whose frames are stamped.
struct Stamped<'a> {
    program: &'a mut Program,
    set: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    index: u64,
    timeout: Duration,
}

/// Warms a program up and times it. `low` and `high` are the tenth and ninetieth of a hundred.
pub(super) fn times(program: &mut Program, args: &Bench) -> anyhow::Result<Times> {
    let mut stamped = Stamped::new(program, args.timeout)?;
    let software = stamped.program.gpu().info.device_type == wgpu::DeviceType::Cpu;
    let wanted = args.warm_up.unwrap_or(if software { Duration::ZERO } else { Duration::from_millis(700) });
    // The first frame alone: it may be the one that does not end.
    stamped.batch(1)?;
    warm(&mut stamped, wanted)?;
    let (mut gpu, mut cpu) = (Vec::new(), Vec::new());
    while (gpu.len() as u32) < args.repeat {
        let (frames, recording) = stamped.batch(BATCH.min(args.repeat - gpu.len() as u32))?;
        gpu.extend(frames);
        cpu.extend(recording);
    }
    gpu.sort_by(f64::total_cmp);
    cpu.sort_by(f64::total_cmp);
    let at = |values: &[f64], share: f64| values[((values.len() - 1) as f64 * share).round() as usize];
    Ok(Times {
        frames: args.repeat,
        median_us: at(&gpu, 0.5),
        low_us: at(&gpu, 0.1),
        high_us: at(&gpu, 0.9),
        cpu_us: at(&cpu, 0.5),
    })
}

fn warm(stamped: &mut Stamped<'_>, wanted: Duration) -> anyhow::Result<()> {
    let started = Instant::now();
    let mut last = f64::INFINITY;
    while !wanted.is_zero() {
        let (mut frames, _) = stamped.batch(BATCH)?;
        frames.sort_by(f64::total_cmp);
        let median = frames[frames.len() / 2];
        let settled = (median - last).abs() <= SETTLED * median;
        if started.elapsed() >= wanted * PATIENCE || (settled && started.elapsed() >= wanted) {
            break;
        }
        last = median;
    }
    Ok(())
}

impl<'a> Stamped<'a> {
    fn new(program: &'a mut Program, timeout: Duration) -> anyhow::Result<Self> {
        let gpu = program.gpu().clone();
        let queries =
            wgpu::QuerySetDescriptor { label: Some("bench"), ty: wgpu::QueryType::Timestamp, count: 2 * BATCH };
        let buffer = wgpu::BufferDescriptor {
            label: Some("bench"),
            size: 16 * u64::from(BATCH),
            usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        };
        let make = || (gpu.device.create_query_set(&queries), gpu.device.create_buffer(&buffer));
        let (set, resolved) = gpu.scope(|| "the queries of the bench".to_owned(), make)?;
        Ok(Self { program, set, resolved, index: 0, timeout })
    }

    /// Frames without a wait between them: GPU and CPU microseconds of each.
    fn batch(&mut self, count: u32) -> anyhow::Result<(Vec<f64>, Vec<f64>)> {
        let gpu = self.program.gpu().clone();
        let camera = self.program.graph().camera.state(self.program.graph().surface);
        let mut recording = Vec::with_capacity(count as usize);
        for at in 0..count {
            // Time stands still, so that all frames do the same work.
            let frame = Frame { index: self.index, time: 0.0, delta: 1.0 / 60.0, camera };
            self.index += 1;
            let started = Instant::now();
            let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            encoder.write_timestamp(&self.set, 2 * at);
            self.program.record(&mut encoder, &frame)?;
            encoder.write_timestamp(&self.set, 2 * at + 1);
            gpu.queue.submit([encoder.finish()]);
            recording.push(started.elapsed().as_secs_f64() * 1e6);
            self.program.submitted();
        }
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.resolve_query_set(&self.set, 0..2 * count, &self.resolved, 0);
        let submission = gpu.queue.submit([encoder.finish()]);
        gpu.wait(Some(submission), self.timeout)?;
        if let Some(message) = gpu.take_messages().into_iter().next() {
            anyhow::bail!("wgpu refused a frame: {message}");
        }
        let bytes = read_buffer(&gpu, "bench", &self.resolved, 0..16 * u64::from(count), self.timeout)?;
        let stamps: Vec<u64> = bytemuck::pod_collect_to_vec(&bytes);
        let period = f64::from(gpu.queue.get_timestamp_period());
        let times = stamps.chunks_exact(2).map(|pair| pair[1].saturating_sub(pair[0]) as f64 * period * 1e-3);
        Ok((times.collect(), recording))
    }
}
