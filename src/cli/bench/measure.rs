//! Times of whole frames.
//!
//! Frames are recorded first and submitted together, behind work that has nothing to do with them: so the clock is held and no
//! frame waits for the CPU while it is timed. A frame is timed twice: alone, between a stamp before and a stamp behind all that
//! it records; and in a row, a stamp before and one behind many frames, over their number, which leaves out what the stamps
//! themselves take. No frame of a row overlaps the one before, because it writes what that one wrote.

use std::time::{Duration, Instant};

use rondag::gpu::{Frame, Gpu, Program, read_buffer};
use serde::Serialize;

use super::super::args::Bench;

/// Stamps between passes.
pub(super) const NEEDED: wgpu::Features =
    wgpu::Features::TIMESTAMP_QUERY.union(wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS);

/// Times between two waits.
const BATCH: u32 = 20;
/// Frames of a row, on hardware.
const ROW: u32 = 16;
/// Rows between two waits.
const ROWS: u32 = 4;
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
    /// On the GPU: a frame of a row.
    pub row_us: f64,
    /// On the CPU: recording, finishing and submitting.
    pub cpu_us: f64,
}

/// A program whose frames are stamped.
struct Stamped<'a> {
    program: &'a mut Program,
    set: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    burner: Option<Burner>,
    index: u64,
    timeout: Duration,
}

/// Warms a program up and times it. `low` and `high` are the tenth and ninetieth of a hundred.
pub(super) fn times(program: &mut Program, args: &Bench) -> anyhow::Result<Times> {
    let software = program.gpu().info.device_type == wgpu::DeviceType::Cpu;
    let mut stamped = Stamped::new(program, args.timeout, !software)?;
    let wanted = args.warm_up.unwrap_or(if software { Duration::ZERO } else { Duration::from_millis(700) });
    // The first frame alone: it may be the one that does not end.
    stamped.batch(1, 1)?;
    let cpu = stamped.recording(args.repeat.min(BATCH))?;
    warm(&mut stamped, wanted)?;
    let gpu = stamped.all(args.repeat, BATCH, 1)?;
    let rows = if software { gpu.clone() } else { stamped.all(args.repeat.div_ceil(ROW).max(2 * ROWS), ROWS, ROW)? };
    let at = |values: &[f64], share: f64| values[((values.len() - 1) as f64 * share).round() as usize];
    Ok(Times {
        frames: args.repeat,
        median_us: at(&gpu, 0.5),
        low_us: at(&gpu, 0.1),
        high_us: at(&gpu, 0.9),
        row_us: at(&rows, 0.5),
        cpu_us: at(&cpu, 0.5),
    })
}

fn warm(stamped: &mut Stamped<'_>, wanted: Duration) -> anyhow::Result<()> {
    let started = Instant::now();
    let mut last = f64::INFINITY;
    while !wanted.is_zero() {
        let median = stamped.all(BATCH, BATCH, 1)?[BATCH as usize / 2];
        let settled = (median - last).abs() <= SETTLED * median;
        if started.elapsed() >= wanted * PATIENCE || (settled && started.elapsed() >= wanted) {
            break;
        }
        last = median;
    }
    Ok(())
}

impl<'a> Stamped<'a> {
    fn new(program: &'a mut Program, timeout: Duration, burns: bool) -> anyhow::Result<Self> {
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
        let burner = burns.then(|| Burner::new(&gpu)).transpose()?;
        Ok(Self { program, set, resolved, burner, index: 0, timeout })
    }

    /// Records a frame. Time stands still, so that all frames do the same work.
    fn record(&mut self, encoder: &mut wgpu::CommandEncoder) -> anyhow::Result<()> {
        let camera = self.program.graph().camera.state(self.program.graph().surface);
        self.program.record(encoder, &Frame { index: self.index, time: 0.0, delta: 1.0 / 60.0, camera })?;
        self.index += 1;
        Ok(())
    }

    /// CPU microseconds of frames that are recorded and submitted one by one, in order of size.
    fn recording(&mut self, count: u32) -> anyhow::Result<Vec<f64>> {
        let gpu = self.program.gpu().clone();
        let mut times = Vec::with_capacity(count as usize);
        for _ in 0..count {
            let started = Instant::now();
            let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            self.record(&mut encoder)?;
            let submission = gpu.queue.submit([encoder.finish()]);
            times.push(started.elapsed().as_secs_f64() * 1e6);
            self.program.submitted();
            gpu.wait(Some(submission), self.timeout)?;
        }
        times.sort_by(f64::total_cmp);
        Ok(times)
    }

    /// GPU microseconds of a frame, `count` times, in order of size.
    fn all(&mut self, count: u32, batch: u32, row: u32) -> anyhow::Result<Vec<f64>> {
        let mut times = Vec::new();
        while (times.len() as u32) < count {
            times.extend(self.batch(batch.min(count - times.len() as u32), row)?);
        }
        times.sort_by(f64::total_cmp);
        Ok(times)
    }

    /// Rows of frames without a wait between them: GPU microseconds of a frame of each.
    fn batch(&mut self, rows: u32, row: u32) -> anyhow::Result<Vec<f64>> {
        let gpu = self.program.gpu().clone();
        let encoder = || gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut commands = Vec::with_capacity(rows as usize + 2);
        commands.extend(self.burner.as_ref().map(|burner| burner.record(encoder())));
        for at in 0..rows {
            let mut encoder = encoder();
            encoder.write_timestamp(&self.set, 2 * at);
            for _ in 0..row {
                self.record(&mut encoder)?;
            }
            encoder.write_timestamp(&self.set, 2 * at + 1);
            commands.push(encoder.finish());
        }
        let mut last = encoder();
        last.resolve_query_set(&self.set, 0..2 * rows, &self.resolved, 0);
        commands.push(last.finish());
        let submission = gpu.queue.submit(commands);
        self.program.submitted();
        gpu.wait(Some(submission), self.timeout)?;
        if let Some(message) = gpu.take_messages().into_iter().next() {
            anyhow::bail!("wgpu refused a frame: {message}");
        }
        let bytes = read_buffer(&gpu, "bench", &self.resolved, 0..16 * u64::from(rows), self.timeout)?;
        let stamps: Vec<u64> = bytemuck::pod_collect_to_vec(&bytes);
        let period = f64::from(gpu.queue.get_timestamp_period()) * 1e-3 / f64::from(row);
        Ok(stamps.chunks_exact(2).map(|pair| pair[1].saturating_sub(pair[0]) as f64 * period).collect())
    }
}

/// Arithmetic for its own sake: it keeps a card busy while frames are recorded, and leaves its caches alone.
struct Burner {
    pipeline: wgpu::ComputePipeline,
    group: wgpu::BindGroup,
}

impl Burner {
    const SHADER: &str = "@group(0) @binding(0) var<storage, read_write> kept: array<u32>;
        @compute @workgroup_size(256) fn burn(@builtin(global_invocation_id) id: vec3u) {
            var x = id.x;
            for (var i = 0u; i < 40000u; i++) { x = (x ^ (x >> 13u)) * 1664525u + i; }
            if x == 0u { kept[0] = id.x; }
        }";
    /// Two for each multiprocessor of a large card, about a millisecond.
    const GROUPS: u32 = 264;

    fn new(gpu: &Gpu) -> anyhow::Result<Self> {
        let make = || {
            let source = wgpu::ShaderSource::Wgsl(Self::SHADER.into());
            let module =
                gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some("burner"), source });
            let pipeline = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some("burner"),
                layout: None,
                module: &module,
                entry_point: None,
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                cache: None,
            });
            let kept = gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("burner"),
                size: 4,
                usage: wgpu::BufferUsages::STORAGE,
                mapped_at_creation: false,
            });
            let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("burner"),
                layout: &pipeline.get_bind_group_layout(0),
                entries: &[wgpu::BindGroupEntry { binding: 0, resource: kept.as_entire_binding() }],
            });
            Self { pipeline, group }
        };
        Ok(gpu.scope(|| "the burner of the bench".to_owned(), make)?)
    }

    fn record(&self, mut encoder: wgpu::CommandEncoder) -> wgpu::CommandBuffer {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.group, &[]);
        pass.dispatch_workgroups(Self::GROUPS, 1, 1);
        drop(pass);
        encoder.finish()
    }
}
