//! Branch and bound for packings of few items.
//!
//! Items come largest first, so a slot is never larger than the item that opened it, and any open slot is large enough for
//! any later item: only opening costs. Sort the slots of any packing by size, and at any moment the items alive by size: the
//! i-th slot is at least as large as the i-th item, since the i largest items alive live in i slots. So the i-th slot is at
//! least as large as the largest i-th item of all moments. These least sizes, summed from the next slot on, are what a partial
//! packing is sure to cost yet, and what it costs in all is given up when it is not less than the best that is known.

use super::pack::{Item, Packing};

/// Ways that are tried at most: some tens of microseconds.
const MOST: u32 = 4000;

/// The best packing found, `known` if none is better.
pub(super) fn improve(items: &[Item], known: Packing) -> Packing {
    let mut order: Vec<u32> = (0..items.len() as u32).collect();
    order.sort_by_key(|at| (u64::MAX - items[*at as usize].size, items[*at as usize].first, *at));
    let overlaps = |a: &Item, b: &Item| a.first <= b.last && b.first <= a.last;
    let conflicts = |at: &u32| {
        let others = order.iter().enumerate();
        others.fold(0_u64, |mask, (bit, other)| {
            mask | u64::from(overlaps(&items[*at as usize], &items[*other as usize])) << bit
        })
    };
    let least = least_sizes(items, &order);
    let mut search = Search {
        sizes: order.iter().map(|at| items[*at as usize].size).collect(),
        conflicts: order.iter().map(conflicts).collect(),
        least,
        slots: Vec::new(),
        of: vec![0; items.len()],
        best: known.slots.iter().fold(0, |sum, size| sum.saturating_add(*size)),
        found: None,
        left: MOST,
    };
    search.place(0, 0);
    let Some(found) = search.found else { return known };
    let mut packing = Packing { slots: Vec::new(), of: vec![0; items.len()] };
    for (bit, at) in order.iter().enumerate() {
        let slot = found[bit];
        if slot as usize == packing.slots.len() {
            packing.slots.push(search.sizes[bit]);
        }
        packing.of[*at as usize] = slot;
    }
    packing
}

/// Element `i`: what the slots from the `i`-th on are sure to cost; one more element than slots, which is zero.
fn least_sizes(items: &[Item], order: &[u32]) -> Vec<u64> {
    let mut least: Vec<u64> = Vec::new();
    for moment in items.iter().map(|item| item.first) {
        let alive = order.iter().map(|at| &items[*at as usize]);
        for (rank, item) in alive.filter(|item| item.first <= moment && moment <= item.last).enumerate() {
            if rank == least.len() {
                least.push(0);
            }
            least[rank] = least[rank].max(item.size);
        }
    }
    least.push(0);
    for at in (0..least.len() - 1).rev() {
        least[at] = least[at].saturating_add(least[at + 1]);
    }
    least
}

struct Search {
    sizes: Vec<u64>,
    /// For each item the items that are alive at some time with it.
    conflicts: Vec<u64>,
    least: Vec<u64>,
    /// For each open slot its residents.
    slots: Vec<u64>,
    of: Vec<u32>,
    best: u64,
    found: Option<Vec<u32>>,
    left: u32,
}

impl Search {
    /// Places the items from `at` on, `cost` being paid.
    fn place(&mut self, at: usize, cost: u64) {
        let sure = self.least.get(self.slots.len()).copied().unwrap_or(0);
        if cost.saturating_add(sure) >= self.best || self.left == 0 {
            return;
        }
        self.left -= 1;
        if at == self.sizes.len() {
            self.best = cost;
            self.found = Some(self.of.clone());
            return;
        }
        for slot in 0..self.slots.len() {
            if self.slots[slot] & self.conflicts[at] == 0 {
                self.slots[slot] |= 1 << at;
                self.of[at] = slot as u32;
                self.place(at + 1, cost);
                self.slots[slot] &= !(1 << at);
            }
        }
        self.slots.push(1 << at);
        self.of[at] = self.slots.len() as u32 - 1;
        self.place(at + 1, cost.saturating_add(self.sizes[at]));
        self.slots.pop();
    }
}
