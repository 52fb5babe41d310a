//! Which transients share memory.
//!
//! A slot is one buffer or texture; its residents are never alive together. Textures share only where all of their descriptor
//! is equal, so a slot costs the same whoever lives in it, and taking them by first use with any free slot needs as few as
//! can be (intervals are a perfect graph). A buffer slot is as large as its largest resident, which makes the least sum hard
//! to find (max-coloring of intervals: Pemmaraju, Raman, Varadarajan, "Buffer minimization using max-coloring", SODA 2004).
//! So several orders are tried, largest first among them, and the least sum is kept; the first one that reaches the most bytes
//! alive at once cannot be beaten and ends the search. First fit in file order is always among them.

use super::{Bytes, Lifespan, Options, Slot, SlotId, size};
use crate::graph::{Draft, Lifetime, ResourceId, ResourceKind, Run, Texture};
use crate::id::IdVec;

use super::uses::Frame;

/// A transient that may share.
#[derive(Debug, Clone, Copy)]
struct Item {
    resource: ResourceId,
    size: u64,
    first: u32,
    last: u32,
}

/// Slots under construction: sizes, and for each item its slot.
struct Packing {
    slots: Vec<u64>,
    of: Vec<u32>,
}

impl Packing {
    fn total(&self) -> u64 {
        self.slots.iter().fold(0, |sum, size| sum.saturating_add(*size))
    }
}

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
        homes.extend(packing.slots.iter().map(|size| (*size, Vec::new())));
        for (item, slot) in items.iter().zip(&packing.of) {
            homes[base + *slot as usize].1.push(*item);
        }
    };
    bytes.bound = bound(buffers.iter().chain(textures.iter().flatten()), positions);
    if options.alias {
        pack_into(&buffers, &pack_buffers(&buffers, bound(&buffers, positions)));
        for alike in &textures {
            pack_into(alike, &by_first_use(alike));
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
    let mut output: IdVec<ResourceId, bool> = IdVec::filled(false, graph.resources.len());
    graph.outputs.iter().for_each(|(resource, _)| output[*resource] = true);
    let mut buffers = Vec::new();
    let mut textures: Vec<(&Texture, Item)> = Vec::new();
    for (id, resource) in graph.resources.entries() {
        let held = matches!(resource.kind, ResourceKind::Buffer(_) | ResourceKind::Texture(_));
        if !held || resource.port.is_some() {
            continue;
        }
        let size = size::bytes(resource);
        bytes.unknown |= size.is_none();
        let size = size.unwrap_or(0);
        let sum = match resource.lifetime {
            Lifetime::Persistent | Lifetime::History => &mut bytes.kept,
            Lifetime::Transient => &mut bytes.own,
        };
        let copies = if resource.lifetime == Lifetime::History { 2 } else { 1 };
        let once = || frame.any_once && frame.uses.of(id).iter().any(|it| frame.facts[it.pass].run == Run::Once);
        let alone = resource.lifetime != Lifetime::Transient || frame.standing[id].starts || output[id];
        let Some(span) = lifetimes[id].filter(|_| !alone && size > 0 && !once()) else {
            let used = alone || lifetimes[id].is_some() || once();
            *sum = sum.saturating_add(if used { size.saturating_mul(copies) } else { 0 });
            continue;
        };
        bytes.unshared = bytes.unshared.saturating_add(size);
        let item = Item { resource: id, size, first: span.first, last: span.last };
        match &resource.kind {
            ResourceKind::Texture(texture) => textures.push((texture, item)),
            _ => buffers.push(item),
        }
    }
    (buffers, alike(textures), bytes)
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

/// The most bytes alive at once.
fn bound<'a>(items: impl IntoIterator<Item = &'a Item>, positions: usize) -> u64 {
    let mut change = vec![0_i128; positions + 1];
    for item in items {
        change[item.first as usize] += i128::from(item.size);
        change[item.last as usize + 1] -= i128::from(item.size);
    }
    let mut alive = 0;
    let most = change.into_iter().map(|change| {
        alive += change;
        alive
    });
    u64::try_from(most.max().unwrap_or(0)).unwrap_or(u64::MAX)
}

/// Equal items in order of first use: each takes the slot that was freed first.
fn by_first_use(items: &[Item]) -> Packing {
    let mut free: std::collections::BinaryHeap<std::cmp::Reverse<(u32, u32)>> = std::collections::BinaryHeap::new();
    let mut packing = Packing { slots: Vec::new(), of: Vec::with_capacity(items.len()) };
    for item in items {
        let slot = match free.peek() {
            Some(std::cmp::Reverse((last, slot))) if *last < item.first => {
                let slot = *slot;
                free.pop();
                slot
            }
            _ => {
                packing.slots.push(item.size);
                packing.slots.len() as u32 - 1
            }
        };
        free.push(std::cmp::Reverse((item.last, slot)));
        packing.of.push(slot);
    }
    packing
}

/// The best of several packings.
fn pack_buffers(items: &[Item], bound: u64) -> Packing {
    let in_order = |key: &dyn Fn(&Item) -> (u64, u32, u64)| {
        let mut order: Vec<u32> = (0..items.len() as u32).collect();
        order.sort_unstable_by_key(|at| (key(&items[*at as usize]), *at));
        order
    };
    let largest = || in_order(&|item| (u64::MAX - item.size, item.first, 0));
    let file: Vec<u32> = (0..items.len() as u32).collect();
    let mut best = fit(items, &file, Choice::First);
    let attempts: [&dyn Fn() -> Packing; 4] = [
        &|| fit(items, &largest(), Choice::First),
        &|| fit(items, &largest(), Choice::Tightest),
        &|| fit(items, &in_order(&|item| (u64::from(item.first), item.last, 0)), Choice::Tightest),
        &|| {
            fit(
                items,
                &in_order(&|item| (u64::MAX - u64::from(item.last - item.first), item.first, 0)),
                Choice::Tightest,
            )
        },
    ];
    for attempt in attempts {
        if best.total() <= bound {
            break;
        }
        let other = attempt();
        if other.total() < best.total() {
            best = other;
        }
    }
    best
}

/// Which of the slots that are free for an item it takes.
#[derive(Clone, Copy, PartialEq)]
enum Choice {
    /// The oldest.
    First,
    /// The one whose size changes and wastes least.
    Tightest,
}

/// Gives items slots in the given order.
fn fit(items: &[Item], order: &[u32], choice: Choice) -> Packing {
    let mut packing = Packing { slots: Vec::new(), of: vec![0; items.len()] };
    let mut taken: Vec<Vec<(u32, u32)>> = Vec::new();
    for at in order {
        let item = &items[*at as usize];
        let is_free = |slot: &usize| {
            let spans = &taken[*slot];
            let next = spans.partition_point(|(_, last)| *last < item.first);
            spans.get(next).is_none_or(|(first, _)| *first > item.last)
        };
        let waste = |slot: &usize| {
            let size = packing.slots[*slot];
            (item.size.saturating_sub(size), size.saturating_sub(item.size))
        };
        let mut free = (0..taken.len()).filter(is_free);
        let slot = match choice {
            Choice::First => free.next(),
            Choice::Tightest => free.min_by_key(waste),
        };
        let slot = slot.unwrap_or_else(|| {
            packing.slots.push(0);
            taken.push(Vec::new());
            taken.len() - 1
        });
        packing.slots[slot] = packing.slots[slot].max(item.size);
        packing.of[*at as usize] = slot as u32;
        let spans = &mut taken[slot];
        let next = spans.partition_point(|(_, last)| *last < item.first);
        spans.insert(next, (item.first, item.last));
    }
    packing
}
