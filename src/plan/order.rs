//! The schedule: the order of the file, made to fit the edges, and changed only where that saves a pass boundary.
//!
//! A boundary is saved by letting dispatches share a compute pass. Which dispatches can share is a question of levels: even
//! levels hold commands and render passes, odd ones dispatches, and a pass lies on the lowest level of its parity that is not
//! below its predecessors'. No order that keeps the edges has fewer compute passes than there are odd levels, since each odd
//! level holds a pass that waits for something in the level below it, and so on down. If the file's own order has as few, it
//! stands. Otherwise each pass gets the highest level that still lets all its successors keep within that number, and the
//! file is walked once more: a pass stays where it stands, on the level that the walk has reached, unless that is above its
//! highest level; then it moves up to there.
//!
//! Passes that move make what they use live longer. Where that would cost more than an eighth of the bytes alive at once, the
//! file's own order stands.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use petgraph::csr::Csr;

use super::lifetime::Timeline;
use super::uses::{Class, Frame};
use super::{Edge, Options, Order, cycle, frugal};
use crate::diagnostic::Diagnostic;
use crate::graph::{Draft, PassId};
use crate::id::{Id as _, IdVec};

/// Passes and what must come before what, once for each pair.
pub(super) type Web = Csr<(), ()>;

/// The graph of `edges`, which are sorted.
pub(super) fn web(passes: usize, edges: &[Edge]) -> Web {
    let mut pairs: Vec<(u32, u32)> = edges.iter().map(|e| (e.before.index() as u32, e.after.index() as u32)).collect();
    pairs.dedup();
    let mut web = Web::from_sorted_edges(&pairs).expect("edges are sorted and each pair occurs once");
    while web.node_count() < passes {
        web.add_node(());
    }
    web
}

/// All passes in the order of the file as far as the edges let them. Where passes wait for each other, that is reported
/// and the first of them goes ahead.
pub(super) fn stable(graph: &Draft, web: &Web, edges: &[Edge], found: &mut Vec<Diagnostic>) -> Vec<PassId> {
    if edges.iter().all(|edge| edge.before < edge.after) {
        return graph.passes.ids().collect();
    }
    let n = graph.passes.len() as u32;
    let mut waits = vec![0_u32; n as usize];
    for pass in 0..n {
        for after in web.neighbors_slice(pass) {
            waits[*after as usize] += 1;
        }
    }
    let mut ready: BinaryHeap<Reverse<u32>> = (0..n).filter(|pass| waits[*pass as usize] == 0).map(Reverse).collect();
    let mut order = Vec::with_capacity(n as usize);
    let mut placed = vec![false; n as usize];
    let mut reported = false;
    let mut next_forced = 0_u32;
    loop {
        while let Some(Reverse(pass)) = ready.pop() {
            order.push(PassId::from_index(pass as usize));
            placed[pass as usize] = true;
            for after in web.neighbors_slice(pass) {
                waits[*after as usize] = waits[*after as usize].saturating_sub(1);
                if waits[*after as usize] == 0 && !placed[*after as usize] {
                    ready.push(Reverse(*after));
                }
            }
        }
        if order.len() == n as usize {
            return order;
        }
        if !std::mem::replace(&mut reported, true) {
            cycle::report(graph, web, edges, &placed, found);
        }
        while placed[next_forced as usize] {
            next_forced += 1;
        }
        waits[next_forced as usize] = 0;
        ready.push(Reverse(next_forced));
    }
}

/// The order in which passes are recorded: `stable` without what is not recorded, changed where that saves a boundary.
pub(super) fn schedule(
    frame: &Frame<'_>,
    web: &Web,
    stable: &[PassId],
    recorded: &[bool],
    options: Options,
) -> Timeline {
    let plain: Vec<PassId> = stable.iter().filter(|pass| recorded[pass.index()]).copied().collect();
    let other = match options.order {
        Order::Merge if options.merge => merged(frame, web, stable, recorded, &plain),
        Order::Memory => Some(frugal::order(frame, web, stable, recorded)),
        Order::Shuffle(seed) => Some(shuffled(web, stable, recorded, seed)),
        Order::Merge | Order::File => None,
    };
    let plain = Timeline::new(frame, plain);
    let Some(other) = other.map(|order| Timeline::new(frame, order)) else { return plain };
    let (before, after) = (plain.peak(frame), other.peak(frame));
    let is_better = match options.order {
        Order::Memory => after < before,
        Order::Shuffle(_) => true,
        _ => after <= before.saturating_add(before / 8),
    };
    if is_better { other } else { plain }
}

/// Passes in an order that a seed chooses among those that the edges allow.
fn shuffled(web: &Web, stable: &[PassId], recorded: &[bool], seed: u64) -> Vec<PassId> {
    let mut waits = vec![0_u32; stable.len()];
    for pass in stable {
        for after in web.neighbors_slice(pass.index() as u32) {
            waits[*after as usize] += 1;
        }
    }
    let mut ready: Vec<PassId> = stable.iter().filter(|pass| waits[pass.index()] == 0).copied().collect();
    let mut order = Vec::with_capacity(stable.len());
    // Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014.
    let mut state = seed;
    while !ready.is_empty() {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let pass = ready.swap_remove(((bits ^ (bits >> 31)) % ready.len() as u64) as usize);
        for after in web.neighbors_slice(pass.index() as u32) {
            waits[*after as usize] -= 1;
            if waits[*after as usize] == 0 {
                ready.push(PassId::from_index(*after as usize));
            }
        }
        if recorded[pass.index()] {
            order.push(pass);
        }
    }
    order
}

/// An order with as few compute passes as can be, if `plain` has more.
fn merged(frame: &Frame<'_>, web: &Web, stable: &[PassId], recorded: &[bool], plain: &[PassId]) -> Option<Vec<PassId>> {
    let levels = Levels::new(frame, web, stable, recorded);
    if runs(frame, plain) <= levels.compute_passes {
        return None;
    }
    let mut placed = levels.walk(plain);
    placed.sort_by_key(|(level, _)| *level);
    Some(placed.into_iter().map(|(_, pass)| pass).collect())
}

/// The number of compute passes when neighbors share.
fn runs(frame: &Frame<'_>, order: &[PassId]) -> u32 {
    let mut count = 0;
    let mut before = Class::Commands;
    for pass in order {
        let class = frame.facts[*pass].class;
        count += u32::from(class == Class::Compute && before != Class::Compute);
        before = class;
    }
    count
}

/// The parity of the levels that a pass may lie on; a pass that is not recorded may lie on any.
fn parity(frame: &Frame<'_>, recorded: &[bool], pass: PassId) -> Option<u32> {
    recorded[pass.index()].then(|| u32::from(frame.facts[pass].class == Class::Compute))
}

struct Levels {
    parity: IdVec<PassId, Option<u32>>,
    highest: Vec<u32>,
    compute_passes: u32,
}

impl Levels {
    fn new(frame: &Frame<'_>, web: &Web, stable: &[PassId], recorded: &[bool]) -> Self {
        let parity: IdVec<PassId, Option<u32>> = frame.facts.ids().map(|pass| parity(frame, recorded, pass)).collect();
        let mut lowest = vec![0_u32; stable.len()];
        let mut top = 0;
        for pass in stable {
            let at = lowest[pass.index()];
            let level = parity[*pass].map_or(at, |parity| at + (at ^ parity) % 2);
            lowest[pass.index()] = level;
            top = top.max(level);
            for after in web.neighbors_slice(pass.index() as u32) {
                lowest[*after as usize] = lowest[*after as usize].max(level);
            }
        }
        let compute_passes = top.div_ceil(2);
        let mut highest = lowest;
        highest.fill(compute_passes * 2);
        for pass in stable.iter().rev() {
            let mut level = highest[pass.index()];
            for after in web.neighbors_slice(pass.index() as u32) {
                level = level.min(highest[*after as usize]);
            }
            highest[pass.index()] = parity[*pass].map_or(level, |parity| level.saturating_sub((level ^ parity) % 2));
        }
        Self { parity, highest, compute_passes }
    }

    /// Gives each pass its level; `plain` are those that are recorded.
    fn walk(&self, plain: &[PassId]) -> Vec<(u32, PassId)> {
        let mut reached = 0;
        let mut placed = Vec::with_capacity(plain.len());
        for pass in plain {
            let parity = self.parity[*pass].unwrap_or(0);
            let here = reached + (reached ^ parity) % 2;
            let level = here.min(self.highest[pass.index()]);
            reached = reached.max(level);
            placed.push((level, *pass));
        }
        placed
    }
}
