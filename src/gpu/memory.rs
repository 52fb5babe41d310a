//! Which buffers and textures a program needs, checked before any of them is made.

use std::collections::BTreeSet;

use wgpu::{BufferUsages, Features, Limits, TextureUsages};

use super::error::Error;
use crate::graph::{BindingSource, Graph, Lifetime, PassKind, ResourceId, ResourceKind, Texture};
use crate::id::IdVec;
use crate::plan::{Plan, SlotId};
use crate::shader::GlobalKind;
use crate::syntax::document::UsageFlag;

/// A buffer to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BufferSpec {
    pub(super) label: String,
    pub(super) size: u64,
    pub(super) usage: BufferUsages,
}

/// A texture to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TextureSpec {
    pub(super) label: String,
    pub(super) size: wgpu::Extent3d,
    pub(super) mips: u32,
    pub(super) samples: u32,
    pub(super) format: wgpu::TextureFormat,
    pub(super) usage: TextureUsages,
}

impl TextureSpec {
    fn bytes(&self) -> u64 {
        let mips = (0..self.mips).map(|mip| {
            let size = self.size.mip_level_size(mip, wgpu::TextureDimension::D2);
            self.format.theoretical_memory_footprint(size).saturating_mul(self.samples.into())
        });
        mips.fold(0, u64::saturating_add)
    }
}

/// Where a resource lives: indices of what is current in even and odd frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Home {
    /// Nothing uses it, or it is no memory.
    Absent,
    /// The host gives it.
    Port,
    Buffer([usize; 2]),
    Texture([usize; 2]),
}

/// All memory of a program.
#[derive(Debug, Clone)]
pub(super) struct Memory {
    pub(super) buffers: Vec<BufferSpec>,
    pub(super) textures: Vec<TextureSpec>,
    pub(super) homes: IdVec<ResourceId, Home>,
    /// What each resource is used for, as far as it is a buffer.
    pub(super) buffer_usages: IdVec<ResourceId, BufferUsages>,
    /// What each resource is used for, as far as it is a texture.
    pub(super) texture_usages: IdVec<ResourceId, TextureUsages>,
    /// Textures that are zeroed by never being written: they share nothing.
    pub(super) alone: BTreeSet<ResourceId>,
}

impl Memory {
    /// Lays out what the plan asks for. Ports get memory only if `own_ports`.
    ///
    /// # Errors
    /// [`Error::UnknownSize`].
    pub(super) fn plan(graph: &Graph, plan: &Plan, features: Features, own_ports: bool) -> Result<Self, Error> {
        let zeroed = plan.zeroed.iter().map(|(resource, _)| *resource);
        let texture = |id: &ResourceId| matches!(graph.resources[*id].kind, ResourceKind::Texture(_));
        let can_clear = features.contains(Features::CLEAR_TEXTURE);
        let alone = zeroed.filter(|id| texture(id) && !can_clear).collect();
        let mut memory = Self {
            buffers: Vec::new(),
            textures: Vec::new(),
            homes: IdVec::filled(Home::Absent, graph.resources.len()),
            buffer_usages: graph.resources.ids().map(|id| buffer_usage(graph, plan, id)).collect(),
            texture_usages: graph.resources.ids().map(|id| texture_usage(graph, plan, id)).collect(),
            alone,
        };
        let slots = memory.slots(graph, plan)?;
        for (id, resource) in graph.resources.entries() {
            if plan.usages[id].is_empty() && !is_host_uniform(graph, id) {
                continue;
            }
            // What lasts and is bound by no shader of this variant has elements of no known size: there is nothing to keep.
            let is_unsized = matches!(&resource.kind, ResourceKind::Buffer(buffer) if buffer.size.is_none());
            if is_unsized && resource.port.is_none() && !is_accessed(graph, id) {
                continue;
            }
            if resource.port.is_some() && !own_ports {
                memory.homes[id] = Home::Port;
                continue;
            }
            let shared = plan.placement[id].filter(|_| !memory.alone.contains(&id));
            memory.homes[id] = match shared {
                Some(slot) => slots[slot],
                None => memory.own(graph, id)?,
            };
        }
        Ok(memory)
    }

    /// Everything can be copied from and to.
    pub(super) fn observe(&mut self) {
        for buffer in &mut self.buffers {
            buffer.usage |= BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
        }
        for texture in self.textures.iter_mut().filter(|texture| texture.samples == 1) {
            texture.usage |= TextureUsages::COPY_SRC | TextureUsages::COPY_DST;
        }
    }

    fn slots(&mut self, graph: &Graph, plan: &Plan) -> Result<IdVec<SlotId, Home>, Error> {
        let mut homes = IdVec::new();
        for slot in &plan.slots {
            let residents: Vec<_> = slot.residents.iter().copied().filter(|id| !self.alone.contains(id)).collect();
            let Some(first) = residents.first() else {
                homes.push(Home::Absent);
                continue;
            };
            let names: Vec<_> = residents.iter().map(|id| graph.resources[*id].name.as_str()).collect();
            let label = format!("{}/{}", graph.name, names.join("|"));
            homes.push(match &graph.resources[*first].kind {
                ResourceKind::Texture(texture) => {
                    let usage = residents.iter().map(|id| self.texture_usages[*id]).collect();
                    let at = self.texture(texture, label, usage)?;
                    Home::Texture([at; 2])
                }
                _ => {
                    let usage = residents.iter().map(|id| self.buffer_usages[*id]).collect();
                    let at = self.buffer(label, slot.size, usage);
                    Home::Buffer([at; 2])
                }
            });
        }
        Ok(homes)
    }

    fn own(&mut self, graph: &Graph, id: ResourceId) -> Result<Home, Error> {
        let resource = &graph.resources[id];
        let label = format!("{}/{}", graph.name, resource.name);
        let unknown = || Error::UnknownSize { what: format!("buffer `{}`", resource.name) };
        let size = match &resource.kind {
            ResourceKind::Texture(texture) => {
                let usage = self.texture_usages[id];
                let first = self.texture(texture, label.clone(), usage)?;
                let second = match resource.lifetime {
                    Lifetime::History => self.texture(texture, label, usage)?,
                    _ => first,
                };
                return Ok(Home::Texture([first, second]));
            }
            ResourceKind::Buffer(buffer) => buffer.size.ok_or_else(unknown)?,
            ResourceKind::HostUniform { size } => size.ok_or_else(unknown)?,
            ResourceKind::Sampler(_) | ResourceKind::Uniform => return Ok(Home::Absent),
        };
        let usage = self.buffer_usages[id];
        let first = self.buffer(label.clone(), size, usage);
        let second = match resource.lifetime {
            Lifetime::History => self.buffer(label, size, usage),
            _ => first,
        };
        Ok(Home::Buffer([first, second]))
    }

    fn buffer(&mut self, label: String, size: u64, usage: BufferUsages) -> usize {
        self.buffers.push(BufferSpec { label, size: size.max(4), usage });
        self.buffers.len() - 1
    }

    fn texture(&mut self, texture: &Texture, label: String, usage: TextureUsages) -> Result<usize, Error> {
        let unknown = || Error::UnknownSize { what: format!("texture `{label}`") };
        let [width, height] = texture.size.ok_or_else(unknown)?;
        let format = texture.format.ok_or_else(unknown)?;
        let size = wgpu::Extent3d { width, height, depth_or_array_layers: texture.layers };
        let Texture { mips, samples, .. } = *texture;
        self.textures.push(TextureSpec { label, size, mips, samples, format, usage });
        Ok(self.textures.len() - 1)
    }

    /// Compares with the device's limits and the caller's.
    ///
    /// # Errors
    /// [`Error::Limit`] and [`Error::Memory`], with who asks for too much.
    pub(super) fn check(&self, graph: &Graph, limits: &Limits, uniform: u64, max: u64) -> Result<(), Error> {
        let cap = |what: String, asked: u64, name: &'static str, limit: u64| {
            if asked > limit { Err(Error::Limit { what, asked, name, limit }) } else { Ok(()) }
        };
        let largest_2d = u64::from(limits.max_texture_dimension_2d);
        for buffer in &self.buffers {
            cap(format!("buffer `{}`", buffer.label), buffer.size, "max_buffer_size", limits.max_buffer_size)?;
        }
        for texture in &self.textures {
            let what = || format!("texture `{}`", texture.label);
            let wgpu::Extent3d { width, height, depth_or_array_layers: layers } = texture.size;
            cap(what(), width.max(height).into(), "max_texture_dimension_2d", largest_2d)?;
            cap(what(), layers.into(), "max_texture_array_layers", limits.max_texture_array_layers.into())?;
        }
        cap("the uniforms".to_owned(), uniform, "max_buffer_size", limits.max_buffer_size.min(u32::MAX.into()))?;
        check_bindings(graph, limits, cap)?;
        self.check_sum(uniform, max)
    }

    fn check_sum(&self, uniform: u64, limit: u64) -> Result<(), Error> {
        let buffers = self.buffers.iter().map(|buffer| (buffer.size, buffer.label.as_str()));
        let textures = self.textures.iter().map(|texture| (texture.bytes(), texture.label.as_str()));
        let (asked, (_, largest)) = buffers
            .chain(textures)
            .fold((uniform, (0, "uniforms")), |(sum, largest), item| (sum.saturating_add(item.0), largest.max(item)));
        if asked > limit {
            return Err(Error::Memory { asked, limit, largest: largest.to_owned() });
        }
        Ok(())
    }
}

fn is_accessed(graph: &Graph, id: ResourceId) -> bool {
    graph.passes.iter().flat_map(|pass| &pass.accesses).any(|access| access.resource == id)
}

/// Bindings have the declared size of their buffer.
fn check_bindings(
    graph: &Graph,
    limits: &Limits,
    cap: impl Fn(String, u64, &'static str, u64) -> Result<(), Error>,
) -> Result<(), Error> {
    let programs = graph.passes.iter().flat_map(|pass| match &pass.kind {
        PassKind::Dispatch(dispatch) => vec![&dispatch.program],
        PassKind::Render(render) => render.draws.iter().map(|draw| &draw.program).collect(),
        _ => Vec::new(),
    });
    for program in programs {
        let globals = &graph.shaders[program.shader].interface.globals;
        for binding in &program.bindings {
            let global = &globals[binding.global];
            let (size, name) = match binding.source {
                BindingSource::Buffer { resource, .. } => {
                    (declared_size(graph, resource), &graph.resources[resource].name)
                }
                BindingSource::Block(block) => (u64::from(graph.blocks[block].size), &graph.blocks[block].name),
                _ => continue,
            };
            let what = format!("the binding of `{name}`");
            match &global.kind {
                GlobalKind::Uniform(layout) => {
                    let asked = size.min(layout.size.into());
                    cap(what, asked, "max_uniform_buffer_binding_size", limits.max_uniform_buffer_binding_size)?;
                }
                GlobalKind::Storage { .. } => {
                    cap(what, size, "max_storage_buffer_binding_size", limits.max_storage_buffer_binding_size)?;
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// The bytes that the graph declares; 0 where it is no buffer or nobody knows.
pub(super) fn declared_size(graph: &Graph, id: ResourceId) -> u64 {
    match &graph.resources[id].kind {
        ResourceKind::Buffer(buffer) => buffer.size.unwrap_or(0),
        ResourceKind::HostUniform { size } => size.unwrap_or(0),
        _ => 0,
    }
}

/// What rondag itself needs: reading back what is kept or asked for, uploads, zeros.
fn extra(graph: &Graph, plan: &Plan, id: ResourceId) -> (bool, bool) {
    let resource = &graph.resources[id];
    let state = resource.lifetime != Lifetime::Transient;
    let output = graph.outputs.iter().any(|(output, _)| *output == id);
    let initial = matches!(&resource.kind, ResourceKind::Buffer(buffer) if buffer.initial.is_some());
    let host = is_host_uniform(graph, id);
    let zeroed = plan.zeroed.iter().any(|(zeroed, _)| *zeroed == id);
    let port = resource.port.is_some();
    (state || output || port, state || initial || host || zeroed || port)
}

fn is_host_uniform(graph: &Graph, id: ResourceId) -> bool {
    matches!(graph.resources[id].kind, ResourceKind::HostUniform { .. })
}

fn buffer_usage(graph: &Graph, plan: &Plan, id: ResourceId) -> BufferUsages {
    let asked = plan.usages[id].iter().map(|reason| match reason.flag {
        UsageFlag::Storage => BufferUsages::STORAGE,
        UsageFlag::Uniform => BufferUsages::UNIFORM,
        UsageFlag::Vertex => BufferUsages::VERTEX,
        UsageFlag::Index => BufferUsages::INDEX,
        UsageFlag::Indirect => BufferUsages::INDIRECT,
        UsageFlag::CopySrc => BufferUsages::COPY_SRC,
        UsageFlag::CopyDst => BufferUsages::COPY_DST,
        UsageFlag::Sampled | UsageFlag::Attachment => BufferUsages::empty(),
    });
    let mut usage: BufferUsages = asked.collect();
    usage.set(BufferUsages::UNIFORM, usage.contains(BufferUsages::UNIFORM) || is_host_uniform(graph, id));
    let (source, target) = extra(graph, plan, id);
    usage.set(BufferUsages::COPY_SRC, source || usage.contains(BufferUsages::COPY_SRC));
    usage.set(BufferUsages::COPY_DST, target || usage.contains(BufferUsages::COPY_DST));
    usage
}

fn texture_usage(graph: &Graph, plan: &Plan, id: ResourceId) -> TextureUsages {
    let asked = plan.usages[id].iter().map(|reason| match reason.flag {
        UsageFlag::Sampled => TextureUsages::TEXTURE_BINDING,
        UsageFlag::Storage => TextureUsages::STORAGE_BINDING,
        UsageFlag::Attachment => TextureUsages::RENDER_ATTACHMENT,
        UsageFlag::CopySrc => TextureUsages::COPY_SRC,
        UsageFlag::CopyDst => TextureUsages::COPY_DST,
        UsageFlag::Uniform | UsageFlag::Vertex | UsageFlag::Index | UsageFlag::Indirect => TextureUsages::empty(),
    });
    let mut usage: TextureUsages = asked.collect();
    let (source, target) = extra(graph, plan, id);
    usage.set(TextureUsages::COPY_SRC, source || usage.contains(TextureUsages::COPY_SRC));
    usage.set(TextureUsages::COPY_DST, target || usage.contains(TextureUsages::COPY_DST));
    if matches!(&graph.resources[id].kind, ResourceKind::Texture(texture) if texture.samples > 1) {
        usage |= TextureUsages::RENDER_ATTACHMENT;
    }
    usage
}
