//! What lives on when one program follows another.
//!
//! Contents go only when count, stride, size, format, mips, layers or samples change, never by an edit elsewhere. Memory
//! of the same description is shared by the two programs; where only its usages grew, new memory is made and the contents
//! are copied over when the new program takes its place.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::known::Known;
use super::memory::Memory;
use super::program::Program;
use super::store::{Kept, Store, initial_bytes};
use crate::graph::{Buffer, Graph, Lifetime, Resource, ResourceId, ResourceKind};

/// What a program leaves to one that will take its place: a snapshot of its memory and pipelines, so that the next one can be
/// made on another thread while this one draws.
#[derive(Debug, Clone)]
pub struct Past {
    graph: Arc<Graph>,
    store: Store,
    pub(super) known: Known,
}

impl Program {
    /// What a program that takes this one's place can share with it.
    pub fn past(&self) -> Past {
        Past { graph: Arc::clone(self.graph()), store: self.store().clone(), known: self.parts.pipelines.known() }
    }
}

/// What a program will take over.
#[derive(Debug)]
pub(super) struct Heritage {
    pub(super) kept: Kept,
    /// Same description, other usages: from the old resource to the new one.
    pub(super) copies: Vec<(ResourceId, ResourceId)>,
    /// Everything that goes on holding what it held: new resource and old one.
    pub(super) alive: BTreeMap<ResourceId, ResourceId>,
}

impl Heritage {
    /// Compares a graph with the program before it.
    pub(super) fn of(graph: &Graph, memory: &Memory, old: Option<&Past>) -> Self {
        let kept = Kept::nothing(graph);
        let mut heritage = Self { kept, copies: Vec::new(), alive: BTreeMap::new() };
        let Some(old) = old else { return heritage };
        let names: BTreeMap<_, _> = old.graph.resources.entries().map(|(id, it)| (it.name.as_str(), id)).collect();
        for (id, resource) in graph.resources.entries() {
            let Some(&before) = names.get(resource.name.as_str()) else { continue };
            if same(graph, resource, &old.graph.resources[before]) {
                heritage.take(memory, old, id, before);
            }
        }
        heritage
    }

    fn take(&mut self, memory: &Memory, old: &Past, id: ResourceId, before: ResourceId) {
        let store = &old.store;
        if let Some(pair) = &store.buffers[before] {
            if pair[0].usage().contains(memory.buffer_usages[id]) {
                self.kept.buffers[id] = Some(pair.clone());
            } else if pair[0].usage().contains(wgpu::BufferUsages::COPY_SRC) {
                self.copies.push((before, id));
            } else {
                return;
            }
            self.alive.insert(id, before);
        }
        if let Some(pair) = &store.textures[before] {
            if pair[0].usage().contains(memory.texture_usages[id]) {
                self.kept.textures[id] = Some(pair.clone());
            } else if pair[0].usage().contains(wgpu::TextureUsages::COPY_SRC) {
                self.copies.push((before, id));
            } else {
                return;
            }
            self.alive.insert(id, before);
        }
    }

    /// Records the copies of what could not be shared.
    pub(super) fn copy(&self, encoder: &mut wgpu::CommandEncoder, old: &Program, new: &Program) {
        for (before, after) in &self.copies {
            if let (Some(from), Some(to)) = (&old.store().buffers[*before], &new.store().buffers[*after]) {
                for (from, to) in from.iter().zip(to).take(halves(from)) {
                    encoder.copy_buffer_to_buffer(from, 0, to, 0, from.size().min(to.size()));
                }
            }
            if let (Some(from), Some(to)) = (&old.store().textures[*before], &new.store().textures[*after]) {
                for (from, to) in from.iter().zip(to).take(halves(from)) {
                    copy_texture(encoder, from, to);
                }
            }
        }
    }
}

/// 2 for a History, whose halves are two.
fn halves<T: PartialEq>(pair: &[T; 2]) -> usize {
    if pair[0] == pair[1] { 1 } else { 2 }
}

fn copy_texture(encoder: &mut wgpu::CommandEncoder, from: &wgpu::Texture, to: &wgpu::Texture) {
    for mip in 0..from.mip_level_count() {
        let size = from.size().mip_level_size(mip, from.dimension());
        let at = |texture| wgpu::TexelCopyTextureInfo {
            texture,
            mip_level: mip,
            origin: wgpu::Origin3d::ZERO,
            aspect: wgpu::TextureAspect::All,
        };
        encoder.copy_texture_to_texture(at(from), at(to), size);
    }
}

/// Whether a resource of this name goes on being the old one.
fn same(graph: &Graph, new: &Resource, old: &Resource) -> bool {
    if new.lifetime != old.lifetime || new.port != old.port {
        return false;
    }
    match (&new.kind, &old.kind) {
        (ResourceKind::Buffer(new_buffer), ResourceKind::Buffer(old_buffer)) => {
            let shape = |it: &Buffer| (it.count, it.stride, it.header, it.size);
            let is_state = new.lifetime != Lifetime::Transient || new.port.is_some();
            let kept = is_state && (is_written(graph, new) || new_buffer.initial == old_buffer.initial);
            shape(new_buffer) == shape(old_buffer) && (kept || same_data(graph, new, new_buffer, old_buffer))
        }
        (ResourceKind::Texture(new_texture), ResourceKind::Texture(old_texture)) => {
            (new.lifetime != Lifetime::Transient || new.port.is_some()) && new_texture == old_texture
        }
        (ResourceKind::HostUniform { size: new }, ResourceKind::HostUniform { size: old }) => new == old,
        _ => false,
    }
}

/// Constant data that an edit did not touch need not be uploaded again.
fn same_data(graph: &Graph, resource: &Resource, new: &Buffer, old: &Buffer) -> bool {
    let Some((new, old)) = new.initial.as_ref().zip(old.initial.as_ref()) else { return false };
    !is_written(graph, resource) && initial_bytes(new) == initial_bytes(old)
}

fn is_written(graph: &Graph, resource: &Resource) -> bool {
    let mut accesses = graph.passes.iter().flat_map(|pass| &pass.accesses);
    accesses.any(|it| it.effect.writes() && graph.resources[it.resource].name == resource.name)
}
