//! Results that come back late, without a wait.
//!
//! A ring of mappable buffers: each frame copies a few bytes into a free one, maps it after the submit, and reads it when
//! the device says so, one to three frames later. Where all are busy the frame goes unobserved.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use super::device::Gpu;
use super::error::Error;

/// Frames that may be under way.
pub(super) const PLACES: usize = 4;

const FREE: u8 = 0;
const RECORDED: u8 = 1;
const MAPPING: u8 = 2;
const READY: u8 = 3;

#[derive(Debug)]
struct Slot {
    buffer: wgpu::Buffer,
    state: Arc<AtomicU8>,
    frame: u64,
}

/// Buffers of one size that take turns.
#[derive(Debug)]
pub struct Ring {
    slots: Vec<Slot>,
    size: u64,
}

impl Ring {
    /// A ring for `size` bytes a frame.
    ///
    /// # Errors
    /// [`Error::Refused`].
    pub fn new(gpu: &Gpu, label: &str, size: u64) -> Result<Self, Error> {
        let size = size.next_multiple_of(4).max(4);
        let descriptor = wgpu::BufferDescriptor {
            label: Some(label),
            size,
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        };
        let make = || gpu.scope(|| format!("buffer `{label}`"), || gpu.device.create_buffer(&descriptor));
        let slots = (0..PLACES).map(|_| Ok(Slot { buffer: make()?, state: Arc::new(AtomicU8::new(FREE)), frame: 0 }));
        Ok(Self { slots: slots.collect::<Result<_, Error>>()?, size })
    }

    /// Records the copy of this frame's bytes from `source` (a `COPY_SRC` buffer) at `offset`. The place that it took, or
    /// nothing if all are busy.
    pub fn copy(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        source: &wgpu::Buffer,
        offset: u64,
        frame: u64,
    ) -> Option<usize> {
        let at = self.slots.iter().position(|slot| slot.state.load(Ordering::Acquire) == FREE)?;
        let slot = &mut self.slots[at];
        encoder.copy_buffer_to_buffer(source, offset, &slot.buffer, 0, self.size);
        slot.frame = frame;
        slot.state.store(RECORDED, Ordering::Release);
        Some(at)
    }

    /// Asks for the bytes of what was recorded. Call it after the encoder was submitted.
    pub fn submitted(&mut self) {
        for slot in &self.slots {
            if slot.state.compare_exchange(RECORDED, MAPPING, Ordering::AcqRel, Ordering::Acquire).is_err() {
                continue;
            }
            let state = Arc::clone(&slot.state);
            slot.buffer.map_async(wgpu::MapMode::Read, .., move |mapped| {
                state.store(if mapped.is_ok() { READY } else { FREE }, Ordering::Release);
            });
        }
    }

    /// Hands over what has arrived, oldest frame first: place, frame, bytes. Poll the device before.
    pub fn arrived(&mut self, mut take: impl FnMut(usize, u64, &[u8])) {
        loop {
            let ready = self.slots.iter().enumerate().filter(|(_, slot)| slot.state.load(Ordering::Acquire) == READY);
            let Some((at, slot)) = ready.min_by_key(|(_, slot)| slot.frame) else { return };
            if let Ok(bytes) = slot.buffer.get_mapped_range(..) {
                take(at, slot.frame, &bytes);
            }
            slot.buffer.unmap();
            slot.state.store(FREE, Ordering::Release);
        }
    }
}
