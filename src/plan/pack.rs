//! Packings: intervals with sizes into slots, each as large as its largest resident, the sum as small as may be.
//!
//! Where all sizes are equal, taking items by first use with any free slot needs as few as can be: intervals are a perfect
//! graph. Sizes that differ make the least sum hard to find (max-coloring of intervals: Pemmaraju, Raman, Varadarajan, "Buffer
//! minimization using max-coloring", SODA 2004). So several orders are tried, and the least sum is kept: by first use, first
//! fit in file order, largest first, longest first. One that reaches the most bytes alive at once cannot be beaten and ends
//! the search. What still may be beaten is searched for a bounded while, where there are few.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use super::{Lifespan, lifetime, search};
use crate::graph::ResourceId;

/// A transient that may share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    /// Who.
    pub resource: ResourceId,
    /// Bytes.
    pub size: u64,
    /// Position of the first use.
    pub first: u32,
    /// Position of the last use.
    pub last: u32,
}

/// Slots and who lives in them.
#[derive(Debug)]
pub(super) struct Packing {
    /// Bytes of each slot.
    pub slots: Vec<u64>,
    /// The slot of each item.
    pub of: Vec<u32>,
}

impl Packing {
    fn total(&self) -> u64 {
        self.slots.iter().fold(0, |sum, size| sum.saturating_add(*size))
    }
}

/// The most bytes alive at once.
pub(super) fn bound<'a>(items: impl IntoIterator<Item = &'a Item>, positions: usize) -> u64 {
    let spans = items.into_iter().map(|item| (item.size, Lifespan { first: item.first, last: item.last }));
    lifetime::most_alive(spans, positions)
}

/// Equal items in order of first use: each takes the slot that was freed first.
pub(super) fn pack_alike(items: &[Item]) -> Packing {
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

/// Frames with no more buffers are searched.
const FEW: usize = 64;

/// The best of several packings.
pub(super) fn pack_buffers(items: &[Item], bound: u64) -> Packing {
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
            return best;
        }
        best = attempt().filter(|other| other.total() < best.total()).unwrap_or(best);
    }
    if items.len() <= FEW && best.total() > bound {
        best = search::improve(items, best);
    }
    best
}

/// Takes items by first use: each gets the smallest free slot that holds it, else the largest free one, which grows.
fn by_time(items: &[Item]) -> Packing {
    let item = |at: u32| &items[at as usize];
    let mut starts: Vec<u32> = (0..items.len() as u32).collect();
    let mut ends = starts.clone();
    starts.sort_unstable_by_key(|at| (item(*at).first, Reverse(item(*at).size), *at));
    ends.sort_unstable_by_key(|at| (item(*at).last, *at));
    let mut ends = ends.into_iter().peekable();
    let mut packing = Packing { slots: Vec::new(), of: vec![0; items.len()] };
    let mut free: BTreeSet<(u64, u32)> = BTreeSet::new();
    for at in starts {
        while let Some(over) = ends.next_if(|over| item(*over).last < item(at).first) {
            let slot = packing.of[over as usize];
            free.insert((packing.slots[slot as usize], slot));
        }
        let fits = free.range((item(at).size, 0)..).next().or_else(|| free.last()).copied();
        let slot = if let Some(found) = fits {
            free.remove(&found);
            found.1
        } else {
            packing.slots.push(0);
            packing.slots.len() as u32 - 1
        };
        let size = &mut packing.slots[slot as usize];
        *size = item(at).size.max(*size);
        packing.of[at as usize] = slot;
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::id::Id as _;

    fn items(raw: &[(u32, u32, u64)]) -> Vec<Item> {
        let item = |(at, (first, length, size)): (usize, &(u32, u32, u64))| Item {
            resource: ResourceId::from_index(at),
            size: size * 64,
            first: *first,
            last: first + length,
        };
        raw.iter().enumerate().map(item).collect()
    }

    /// The least sum of slot sizes, by trying every way; `taken` holds each slot's size and residents.
    fn least(items: &[Item], taken: &mut Vec<(u64, Vec<usize>)>, at: usize, best: &mut u64) {
        let sum: u64 = taken.iter().map(|(size, _)| size).sum();
        if sum >= *best {
            return;
        }
        let Some(item) = items.get(at) else {
            *best = sum;
            return;
        };
        for slot in 0..taken.len() {
            let apart = |other: &usize| items[*other].last < item.first || item.last < items[*other].first;
            if taken[slot].1.iter().all(apart) {
                let size = taken[slot].0;
                taken[slot].0 = size.max(item.size);
                taken[slot].1.push(at);
                least(items, taken, at + 1, best);
                taken[slot].1.pop();
                taken[slot].0 = size;
            }
        }
        taken.push((item.size, vec![at]));
        least(items, taken, at + 1, best);
        taken.pop();
    }

    fn ratio(items: &[Item]) -> f64 {
        let made = pack_buffers(items, bound(items, 40)).total();
        let mut best = made + 1;
        let mut by_size = items.to_vec();
        by_size.sort_by_key(|item| Reverse(item.size));
        least(&by_size, &mut Vec::new(), 0, &mut best);
        made as f64 / best as f64
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn packings_are_near_the_least(raw in prop::collection::vec((0..20_u32, 0..8_u32, 1..64_u64), 1..=14)) {
            let items = items(&raw);
            let in_file_order: Vec<u32> = (0..items.len() as u32).collect();
            let first_fit = fit(&items, &in_file_order, Choice::First).expect("it is small").total();
            prop_assert!(ratio(&items) <= 1.05, "{} {:?}", ratio(&items), items);
            prop_assert!(pack_buffers(&items, bound(&items, 40)).total() <= first_fit);
        }
    }

    #[test]
    fn half_of_the_packings_are_the_least() {
        let mut state = 1_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let mut ratios: Vec<f64> = (0..201)
            .map(|_| {
                let count = 1 + random(14);
                let raw: Vec<_> = (0..count).map(|_| (random(20) as u32, random(8) as u32, 1 + random(64))).collect();
                ratio(&items(&raw))
            })
            .collect();
        ratios.sort_by(f64::total_cmp);
        assert!(ratios[100] == 1.0 && ratios[200] <= 1.05, "{} {}", ratios[100], ratios[200]);
    }

    #[test]
    fn many_that_never_rest_are_packed_in_time() {
        let item = |at: u32| (at % 7, 20_000, 1 + u64::from(at * 7919 % 1000));
        let items = items(&(0..30_000).map(item).collect::<Vec<_>>());
        let bound = bound(&items, 30_000);
        assert_eq!(pack_buffers(&items, bound).total(), bound);
    }
}
