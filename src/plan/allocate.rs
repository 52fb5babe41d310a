//! Which transients share memory.
//!
//! A slot is one buffer or texture; its residents are never alive together. Textures share only where all of their descriptor
//! is equal, so a slot costs the same whoever lives in it, and taking them by first use with any free slot needs as few as
//! can be (intervals are a perfect graph). A buffer slot is as large as its largest resident, which makes the least sum hard
//! to find (max-coloring of intervals: Pemmaraju, Raman, Varadarajan, "Buffer minimization using max-coloring", SODA 2004).
//! So several orders are tried, and the least sum is kept: by first use, first fit in file order, largest first, longest first.
//! The first one that reaches the most bytes alive at once cannot be beaten and ends the search.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use super::uses::Frame;
use super::{Bytes, Lifespan, Options, Slot, SlotId, lifetime, size};
use crate::graph::{Draft, Lifetime, Resource, ResourceId, ResourceKind, Texture};
use crate::id::IdVec;

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
    let mut buffers = Vec::new();
    let mut textures: Vec<(&Texture, Item)> = Vec::new();
    for (id, resource) in graph.resources.entries() {
        let size = frame.standing[id].shareable;
        match lifetimes[id] {
            Some(Lifespan { first, last }) if size > 0 => {
                bytes.unshared = bytes.unshared.saturating_add(size);
                let item = Item { resource: id, size, first, last };
                match &resource.kind {
                    ResourceKind::Texture(texture) => textures.push((texture, item)),
                    _ => buffers.push(item),
                }
            }
            None if size > 0 => {}
            _ => count_own(resource, &mut bytes),
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

/// The most bytes alive at once.
fn bound<'a>(items: impl IntoIterator<Item = &'a Item>, positions: usize) -> u64 {
    let spans = items.into_iter().map(|item| (item.size, Lifespan { first: item.first, last: item.last }));
    lifetime::most_alive(spans, positions)
}

/// Equal items in order of first use: each takes the slot that was freed first.
fn by_first_use(items: &[Item]) -> Packing {
    let mut free: BinaryHeap<Reverse<(u32, u32)>> = BinaryHeap::new();
    let mut packing = Packing { slots: Vec::new(), of: Vec::with_capacity(items.len()) };
    for item in items {
        let slot = match free.peek() {
            Some(Reverse((last, slot))) if *last < item.first => {
                let slot = *slot;
                free.pop();
                slot
            }
            _ => {
                packing.slots.push(item.size);
                packing.slots.len() as u32 - 1
            }
        };
        free.push(Reverse((item.last, slot)));
        packing.of.push(slot);
    }
    packing
}

/// Frames with more buffers are packed by the one order that needs no search.
const MANY: usize = 2048;

/// The best of several packings.
fn pack_buffers(items: &[Item], bound: u64) -> Packing {
    let mut best = by_time(items);
    let in_order = |key: &dyn Fn(&Item) -> (u64, u32)| {
        let mut order: Vec<u32> = (0..items.len() as u32).collect();
        order.sort_by_cached_key(|at| key(&items[*at as usize]));
        order
    };
    let largest = || in_order(&|item| (u64::MAX - item.size, item.first));
    let longest = || in_order(&|item| (u64::MAX - u64::from(item.last - item.first), item.first));
    let attempts: [&dyn Fn() -> Option<Packing>; 4] = [
        &|| fit(items, &(0..items.len() as u32).collect::<Vec<_>>(), Choice::First),
        &|| fit(items, &largest(), Choice::First),
        &|| fit(items, &largest(), Choice::Tightest),
        &|| fit(items, &longest(), Choice::Tightest),
    ];
    for attempt in &attempts[..if items.len() > MANY { 1 } else { 4 }] {
        if best.total() <= bound {
            break;
        }
        best = attempt().filter(|other| other.total() < best.total()).unwrap_or(best);
    }
    best
}

/// Takes items by first use: each gets the smallest free slot that holds it, else the largest free one, which grows.
fn by_time(items: &[Item]) -> Packing {
    let mut order: Vec<u32> = (0..items.len() as u32).collect();
    order.sort_unstable_by_key(|at| (items[*at as usize].first, u64::MAX - items[*at as usize].size, *at));
    let mut packing = Packing { slots: Vec::new(), of: vec![0; items.len()] };
    let mut free: BTreeSet<(u64, u32)> = BTreeSet::new();
    let mut taken: BinaryHeap<Reverse<(u32, u32)>> = BinaryHeap::new();
    for at in order {
        let item = &items[at as usize];
        while let Some(Reverse((_, slot))) = taken.peek().copied().filter(|Reverse((last, _))| *last < item.first) {
            taken.pop();
            free.insert((packing.slots[slot as usize], slot));
        }
        let fits = free.range((item.size, 0)..).next().or_else(|| free.last()).copied();
        let slot = if let Some(found) = fits {
            free.remove(&found);
            found.1
        } else {
            packing.slots.push(0);
            packing.slots.len() as u32 - 1
        };
        let size = &mut packing.slots[slot as usize];
        *size = item.size.max(*size);
        packing.of[at as usize] = slot;
        taken.push(Reverse((item.last, slot)));
    }
    packing
}

/// Which of the slots that are free for an item it takes.
#[derive(Clone, Copy, PartialEq)]
enum Choice {
    /// The oldest.
    First,
    /// The one whose size changes and wastes least.
    Tightest,
}

/// Gives items slots in the given order; gives up when that takes more than 64 looks an item.
fn fit(items: &[Item], order: &[u32], choice: Choice) -> Option<Packing> {
    let mut packing = Packing { slots: Vec::new(), of: vec![0; items.len()] };
    let mut taken: Vec<Vec<(u32, u32)>> = Vec::new();
    let mut looks = 64 * items.len().max(MANY);
    for at in order {
        let item = &items[*at as usize];
        looks = looks.checked_sub(taken.len())?;
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
        looks = looks.checked_sub((spans.len() - next) / 16)?;
        spans.insert(next, (item.first, item.last));
    }
    Some(packing)
}
