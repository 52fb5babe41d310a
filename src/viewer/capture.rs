//! Bytes of resources, brought back without a wait.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use wgpu::{TextureAspect, TextureFormat};

use crate::gpu::Program;
use crate::graph::ResourceId;

/// What is looked at.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Wanted {
    Texture { resource: ResourceId, mip: u32, layer: u32 },
    Buffer { resource: ResourceId, bytes: Range<u64> },
}

/// What came back.
#[derive(Debug, Clone)]
pub(super) struct Got {
    pub(super) wanted: Wanted,
    /// Width and height in texels.
    pub(super) size: [u32; 2],
    pub(super) format: Option<TextureFormat>,
    /// Rows without padding.
    pub(super) bytes: Vec<u8>,
}

const MAPPING: u8 = 1;
const READY: u8 = 2;
const FAILED: u8 = 3;

/// A copy that is under way.
#[derive(Debug)]
pub(super) struct Capture {
    wanted: Wanted,
    staging: wgpu::Buffer,
    size: [u32; 2],
    format: Option<TextureFormat>,
    pitch: usize,
    tight: usize,
    state: Arc<AtomicU8>,
}

impl Capture {
    /// Records the copy; nothing where it cannot be read.
    pub(super) fn record(program: &Program, encoder: &mut wgpu::CommandEncoder, wanted: Wanted) -> Option<Self> {
        match wanted.clone() {
            Wanted::Buffer { resource, bytes } => {
                let (buffer, size) = program.buffer(resource)?;
                let start = bytes.start.min(size) / 4 * 4;
                let length = (bytes.end.min(size) - start).next_multiple_of(4).min(buffer.size() - start);
                if !buffer.usage().contains(wgpu::BufferUsages::COPY_SRC) || length == 0 {
                    return None;
                }
                let staging = staging(program, length);
                encoder.copy_buffer_to_buffer(buffer, start, &staging, 0, length);
                let tight = length as usize;
                Some(Self { wanted, staging, size: [0; 2], format: None, pitch: tight, tight, state: Arc::default() })
            }
            Wanted::Texture { resource, mip, layer } => {
                let texture = program.texture(resource)?;
                Self::texture(program, encoder, wanted, texture, (mip, layer))
            }
        }
    }

    fn texture(
        program: &Program,
        encoder: &mut wgpu::CommandEncoder,
        wanted: Wanted,
        texture: &wgpu::Texture,
        (mip, layer): (u32, u32),
    ) -> Option<Self> {
        let format = texture.format();
        let aspect = if format.has_depth_aspect() { TextureAspect::DepthOnly } else { TextureAspect::All };
        let block = format.block_copy_size(Some(aspect))?;
        let readable = texture.usage().contains(wgpu::TextureUsages::COPY_SRC)
            && texture.sample_count() == 1
            && format.block_dimensions() == (1, 1)
            && mip < texture.mip_level_count()
            && layer < texture.depth_or_array_layers();
        if !readable {
            return None;
        }
        let [width, height] = [texture.width(), texture.height()].map(|side| (side >> mip).max(1));
        let tight = width * block;
        let pitch = tight.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let staging = staging(program, u64::from(pitch) * u64::from(height));
        let layout =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(pitch), rows_per_image: Some(height) };
        encoder.copy_texture_to_buffer(
            wgpu::TexelCopyTextureInfo {
                texture,
                mip_level: mip,
                origin: wgpu::Origin3d { x: 0, y: 0, z: layer },
                aspect,
            },
            wgpu::TexelCopyBufferInfo { buffer: &staging, layout },
            wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        );
        let (pitch, tight) = (pitch as usize, tight as usize);
        Some(Self { wanted, staging, size: [width, height], format: Some(format), pitch, tight, state: Arc::default() })
    }

    /// Behind the submit.
    pub(super) fn submitted(&self) {
        let state = Arc::clone(&self.state);
        if state.swap(MAPPING, Ordering::AcqRel) == 0 {
            self.staging.map_async(wgpu::MapMode::Read, .., move |mapped| {
                state.store(if mapped.is_ok() { READY } else { FAILED }, Ordering::Release);
            });
        }
    }

    /// Whether it will never come.
    pub(super) fn has_failed(&self) -> bool {
        self.state.load(Ordering::Acquire) == FAILED
    }

    /// The bytes, if they are there.
    pub(super) fn take(&self) -> Option<Got> {
        if self.state.load(Ordering::Acquire) != READY {
            return None;
        }
        let mapped = self.staging.get_mapped_range(..).ok()?;
        let rows = mapped.chunks(self.pitch.max(1)).flat_map(|row| &row[..self.tight.min(row.len())]);
        let bytes = rows.copied().collect();
        Some(Got { wanted: self.wanted.clone(), size: self.size, format: self.format, bytes })
    }
}

fn staging(program: &Program, size: u64) -> wgpu::Buffer {
    program.gpu().device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("inspector"),
        size,
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    })
}
