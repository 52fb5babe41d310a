//! GPU times of recorded passes.
//!
//! wgpu stamps each recorded pass at its begin and its end. The stamps come back through a [`Ring`], so they are one to
//! three frames old. Nothing is stamped inside a pass: that would change what it measures. Where the device cannot stamp
//! there are no times, and nobody minds.

use super::device::Gpu;
use super::error::Error;
use super::ring::{PLACES, Ring};
use super::target::Stamps;
use crate::record::Script;

/// The most passes that one query set can time.
const MAX_PASSES: usize = wgpu::QUERY_SET_MAX_QUERIES as usize / 2;

/// Times of one frame.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Times {
    /// Which frame.
    pub frame: u64,
    /// One a recorded pass, in order.
    pub rows: Vec<Row>,
    /// From the first begin to the last end, milliseconds.
    pub frame_ms: f64,
}

impl Times {
    /// The sum over all passes, milliseconds.
    pub fn sum_ms(&self) -> f64 {
        self.rows.iter().filter_map(|row| row.ms).sum()
    }
}

/// The time of one recorded pass.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// `graph/cull + scan + args`.
    pub name: String,
    /// Milliseconds; absent where the pass was left out.
    pub ms: Option<f64>,
}

#[derive(Debug)]
pub(super) struct Timing {
    set: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    ring: Ring,
    /// Passes that are timed.
    count: usize,
    /// Nanoseconds a tick.
    period: f64,
    /// Whether each pass ran, by place in the ring.
    ran: Vec<Vec<bool>>,
    times: Times,
    any: bool,
}

impl Timing {
    /// Absent where the device cannot stamp or nothing is recorded.
    pub(super) fn new(gpu: &Gpu, script: &Script) -> Result<Option<Self>, Error> {
        let count = script.times.len().min(MAX_PASSES);
        if count == 0 || !gpu.device.features().contains(wgpu::Features::TIMESTAMP_QUERY) {
            return Ok(None);
        }
        let queries =
            wgpu::QuerySetDescriptor { label: Some("times"), ty: wgpu::QueryType::Timestamp, count: 2 * count as u32 };
        let size = 16 * count as u64;
        let buffer = wgpu::BufferDescriptor {
            label: Some("times"),
            size,
            usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        };
        let make = || (gpu.device.create_query_set(&queries), gpu.device.create_buffer(&buffer));
        let (set, resolved) = gpu.scope(|| "the queries of GPU times".to_owned(), make)?;
        let rows = script.times.iter().take(count);
        let rows = rows.map(|step| Row { name: script.labels[script.steps[*step].label].clone(), ms: None });
        let times = Times { rows: rows.collect(), ..Times::default() };
        let ran = vec![vec![false; count]; PLACES];
        let ring = Ring::new(gpu, "times", size)?;
        let period = gpu.queue.get_timestamp_period().into();
        Ok(Some(Self { set, resolved, ring, count, period, ran, times, any: false }))
    }

    pub(super) const fn stamps(&self) -> Stamps<'_> {
        Stamps { set: &self.set, count: self.count }
    }

    /// Behind the last pass of a frame. `ran` says for each timed pass whether it was recorded.
    pub(super) fn resolve(&mut self, encoder: &mut wgpu::CommandEncoder, frame: u64, ran: impl Iterator<Item = bool>) {
        encoder.resolve_query_set(&self.set, 0..2 * self.count as u32, &self.resolved, 0);
        if let Some(place) = self.ring.copy(encoder, &self.resolved, 0, frame) {
            self.ran[place].iter_mut().zip(ran).for_each(|(kept, ran)| *kept = ran);
        }
    }

    pub(super) fn submitted(&mut self) {
        self.ring.submitted();
    }

    /// The newest times that have arrived.
    pub(super) fn latest(&mut self) -> Option<&Times> {
        let Self { ring, ran, times, period, any, .. } = self;
        ring.arrived(|place, frame, bytes| {
            let mut ends = bytes.chunks_exact(8).map(|stamp| u64::from_le_bytes(stamp.try_into().unwrap_or_default()));
            let (mut first, mut last) = (u64::MAX, 0);
            for (row, ran) in times.rows.iter_mut().zip(&ran[place]) {
                let (begin, end) = (ends.next().unwrap_or(0), ends.next().unwrap_or(0));
                row.ms = ran.then(|| end.saturating_sub(begin) as f64 * *period * 1e-6);
                if *ran {
                    (first, last) = (first.min(begin), last.max(end));
                }
            }
            times.frame = frame;
            times.frame_ms = last.saturating_sub(first) as f64 * *period * 1e-6;
            *any = true;
        });
        any.then_some(times)
    }
}
