//! Which transients share memory.
//!
//! A slot is one buffer or texture; its residents are never alive together. Any buffers may share; textures share only where
//! all of their descriptor is equal. Outputs, ports, what has state, what starts with contents and what `Once` passes work
//! with have memory of their own.

use super::pack::{Item, Packing, bound, pack_alike, pack_buffers};
use super::uses::{Frame, Memory};
use super::{Bytes, Lifespan, Options, Slot, SlotId, size};
use crate::graph::{Draft, Lifetime, Resource, ResourceId, ResourceKind, Texture};
use crate::id::IdVec;

/// Where everything lives.
pub(super) struct Placement {
    pub of: IdVec<ResourceId, Option<SlotId>>,
    pub slots: IdVec<SlotId, Slot>,
    pub bytes: Bytes,
}

/// Places all transients.
pub(super) fn place(
    graph: &Draft,
    frame: &Frame<'_>,
    lifetimes: &IdVec<ResourceId, Option<Lifespan>>,
    positions: usize,
    options: Options,
) -> Placement {
    let (buffers, textures, mut bytes) = sort_out(graph, frame, lifetimes);
    let mut homes: Vec<(u64, Vec<Item>)> = Vec::new();
    let mut pack_into = |items: &[Item], packing: &Packing| {
        let base = homes.len();
        let mut counts = vec![0_usize; packing.slots.len()];
        packing.of.iter().for_each(|slot| counts[*slot as usize] += 1);
        homes.extend(packing.slots.iter().zip(counts).map(|(size, count)| (*size, Vec::with_capacity(count))));
        for (item, slot) in items.iter().zip(&packing.of) {
            homes[base + *slot as usize].1.push(*item);
        }
    };
    let least = bound(&buffers, positions);
    bytes.bound =
        if textures.is_empty() { least } else { bound(buffers.iter().chain(textures.iter().flatten()), positions) };
    if options.alias {
        pack_into(&buffers, &pack_buffers(&buffers, least));
        for alike in &textures {
            pack_into(alike, &pack_alike(alike));
        }
    } else {
        let alone = |items: &[Item]| Packing {
            slots: items.iter().map(|item| item.size).collect(),
            of: (0..items.len() as u32).collect(),
        };
        pack_into(&buffers, &alone(&buffers));
        for alike in &textures {
            pack_into(alike, &alone(alike));
        }
    }
    for (_, residents) in &mut homes {
        residents.sort_unstable_by_key(|item| (item.first, item.resource));
    }
    homes.sort_unstable_by_key(|(_, residents)| (residents[0].first, residents[0].resource));
    let mut of = IdVec::filled(None, graph.resources.len());
    let mut slots = IdVec::new();
    for (size, residents) in homes {
        bytes.shared = bytes.shared.saturating_add(size);
        let id = slots.next_id();
        for item in &residents {
            of[item.resource] = Some(id);
        }
        slots.push(Slot { size, residents: residents.iter().map(|item| item.resource).collect() });
    }
    Placement { of, slots, bytes }
}

/// Buffers that may share, textures that may share by descriptor, and the bytes of everything.
fn sort_out(
    graph: &Draft,
    frame: &Frame<'_>,
    lifetimes: &IdVec<ResourceId, Option<Lifespan>>,
) -> (Vec<Item>, Vec<Vec<Item>>, Bytes) {
    let mut bytes = Bytes::default();
    let mut buffers = Vec::new();
    let mut textures: Vec<(&Texture, Item)> = Vec::new();
    for (id, standing) in frame.standing.entries() {
        let size = standing.shareable;
        match lifetimes[id] {
            Some(Lifespan { first, last }) if size > 0 => {
                bytes.unshared = bytes.unshared.saturating_add(size);
                let item = Item { resource: id, size, first, last };
                if standing.memory == Memory::Buffer {
                    buffers.push(item);
                } else if let ResourceKind::Texture(texture) = &graph.resources[id].kind {
                    textures.push((texture, item));
                }
            }
            None if size > 0 => {}
            _ => count_own(&graph.resources[id], &mut bytes),
        }
    }
    (buffers, alike(textures), bytes)
}

/// Counts what has memory of its own.
fn count_own(resource: &Resource, bytes: &mut Bytes) {
    let held = matches!(resource.kind, ResourceKind::Buffer(_) | ResourceKind::Texture(_));
    if !held || resource.port.is_some() {
        return;
    }
    let size = size::bytes(resource);
    bytes.unknown |= size.is_none();
    let (sum, copies) = match resource.lifetime {
        Lifetime::Transient => (&mut bytes.own, 1),
        Lifetime::Persistent => (&mut bytes.kept, 1),
        Lifetime::History => (&mut bytes.kept, 2),
    };
    *sum = sum.saturating_add(size.unwrap_or(0).saturating_mul(copies));
}

/// Groups textures of equal descriptors, each in order of first use.
fn alike(mut textures: Vec<(&Texture, Item)>) -> Vec<Vec<Item>> {
    let key = |texture: &Texture| (texture.size, texture.mips, texture.layers, texture.samples);
    // Formats have no order of their own; their index among those met gives them one.
    let mut formats = Vec::new();
    for (texture, _) in &textures {
        if !formats.contains(&texture.format) {
            formats.push(texture.format);
        }
    }
    let format = |texture: &Texture| formats.iter().position(|format| *format == texture.format);
    textures.sort_by_cached_key(|(texture, item)| (format(texture), key(texture), item.first, item.resource));
    let groups = textures.chunk_by(|(a, _), (b, _)| a.format == b.format && key(a) == key(b));
    groups.map(|group| group.iter().map(|(_, item)| *item).collect()).collect()
}
