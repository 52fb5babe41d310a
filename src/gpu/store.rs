//! The memory of a program, made.

use std::borrow::Cow;

use super::device::Gpu;
use super::error::Error;
use super::memory::{BufferSpec, Home, Memory, TextureSpec, declared_size};
use crate::graph::{Graph, Initial, ResourceId, ResourceKind};
use crate::id::IdVec;

/// Buffers and textures by resource: what is current in even and in odd frames. The two are one unless it is a History.
#[derive(Debug, Clone)]
pub(super) struct Store {
    pub(super) buffers: IdVec<ResourceId, Option<[wgpu::Buffer; 2]>>,
    pub(super) textures: IdVec<ResourceId, Option<[wgpu::Texture; 2]>>,
    /// Declared bytes.
    pub(super) sizes: IdVec<ResourceId, u64>,
}

impl Store {
    /// Makes everything. What `kept` gives for a resource is taken instead of something new.
    ///
    /// # Errors
    /// [`Error::Refused`], with the name of what the device did not make.
    pub(super) fn make(gpu: &Gpu, graph: &Graph, memory: &Memory, kept: &Kept) -> Result<Self, Error> {
        let mut buffers: Vec<_> = memory.buffers.iter().map(|_| None).collect();
        let mut textures: Vec<_> = memory.textures.iter().map(|_| None).collect();
        for (id, home) in memory.homes.entries() {
            match home {
                Home::Buffer(at) => {
                    if let Some(pair) = &kept.buffers[id] {
                        at.iter().zip(pair).for_each(|(at, buffer)| buffers[*at] = Some(buffer.clone()));
                    }
                }
                Home::Texture(at) => {
                    if let Some(pair) = &kept.textures[id] {
                        at.iter().zip(pair).for_each(|(at, texture)| textures[*at] = Some(texture.clone()));
                    }
                }
                Home::Absent | Home::Port => {}
            }
        }
        let buffers =
            buffers.into_iter().zip(&memory.buffers).map(|(kept, spec)| kept.map_or_else(|| buffer(gpu, spec), Ok));
        let buffers = buffers.collect::<Result<Vec<_>, _>>()?;
        let textures =
            textures.into_iter().zip(&memory.textures).map(|(kept, spec)| kept.map_or_else(|| texture(gpu, spec), Ok));
        let textures = textures.collect::<Result<Vec<_>, _>>()?;
        let buffer_of = |home: &Home| match home {
            Home::Buffer(at) => Some(at.map(|at| buffers[at].clone())),
            _ => None,
        };
        let texture_of = |home: &Home| match home {
            Home::Texture(at) => Some(at.map(|at| textures[at].clone())),
            _ => None,
        };
        let store = Self {
            buffers: memory.homes.iter().map(buffer_of).collect(),
            textures: memory.homes.iter().map(texture_of).collect(),
            sizes: graph.resources.ids().map(|id| declared_size(graph, id)).collect(),
        };
        store.upload(gpu, graph, kept);
        Ok(store)
    }

    /// Writes initial contents, except into what was kept.
    fn upload(&self, gpu: &Gpu, graph: &Graph, kept: &Kept) {
        for (id, resource) in graph.resources.entries() {
            let ResourceKind::Buffer(buffer) = &resource.kind else { continue };
            let (Some(initial), Some(pair), None) = (&buffer.initial, &self.buffers[id], &kept.buffers[id]) else {
                continue;
            };
            let bytes = initial_bytes(initial);
            let room = self.sizes[id].min(pair[0].size()) as usize;
            write_padded(&gpu.queue, &pair[0], &bytes[..bytes.len().min(room)]);
            if pair[1] != pair[0] {
                write_padded(&gpu.queue, &pair[1], &bytes[..bytes.len().min(room)]);
            }
        }
    }
}

/// What a program takes over from the one before it: the same memory under the same name.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) buffers: IdVec<ResourceId, Option<[wgpu::Buffer; 2]>>,
    pub(super) textures: IdVec<ResourceId, Option<[wgpu::Texture; 2]>>,
}

impl Kept {
    pub(super) fn nothing(graph: &Graph) -> Self {
        let count = graph.resources.len();
        Self { buffers: IdVec::filled(None, count), textures: IdVec::filled(None, count) }
    }
}

/// Initial contents as they are uploaded.
pub(super) fn initial_bytes(initial: &Initial) -> &[u8] {
    match initial {
        Initial::Bytes(bytes) => bytes,
        Initial::Vertices(pack) => bytemuck::cast_slice(&pack.vertices),
        Initial::Indices(pack) => bytemuck::cast_slice(&pack.indices),
        Initial::Draws(pack) => bytemuck::cast_slice(&pack.draws),
        Initial::Bounds(pack) => bytemuck::cast_slice(&pack.bounds),
    }
}

/// Writes bytes of any length to the start of a buffer: copies go by four, so zeros follow, inside the buffer's real size.
pub(super) fn write_padded(queue: &wgpu::Queue, buffer: &wgpu::Buffer, bytes: &[u8]) {
    let mut padded = Cow::Borrowed(bytes);
    if !bytes.len().is_multiple_of(4) {
        padded.to_mut().resize(bytes.len().next_multiple_of(4), 0);
    }
    if !padded.is_empty() {
        queue.write_buffer(buffer, 0, &padded);
    }
}

fn buffer(gpu: &Gpu, spec: &BufferSpec) -> Result<wgpu::Buffer, Error> {
    let descriptor = wgpu::BufferDescriptor {
        label: Some(&spec.label),
        size: spec.size,
        usage: spec.usage,
        mapped_at_creation: false,
    };
    gpu.scope(|| format!("buffer `{}`", spec.label), || gpu.device.create_buffer(&descriptor))
}

fn texture(gpu: &Gpu, spec: &TextureSpec) -> Result<wgpu::Texture, Error> {
    let descriptor = wgpu::TextureDescriptor {
        label: Some(&spec.label),
        size: spec.size,
        mip_level_count: spec.mips,
        sample_count: spec.samples,
        dimension: wgpu::TextureDimension::D2,
        format: spec.format,
        usage: spec.usage,
        view_formats: &[],
    };
    gpu.scope(|| format!("texture `{}`", spec.label), || gpu.device.create_texture(&descriptor))
}
