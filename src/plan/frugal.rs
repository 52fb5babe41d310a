//! An order that keeps few bytes alive: of the passes that may come next, the one that lets go of most and takes least goes
//! first, and the file's order decides between equals.
//!
//! Greedy list scheduling by register pressure (Goodman, Hsu, "Code scheduling and register allocation in large basic blocks",
//! ICS 1988), with buffers for registers. It looks at a bounded number of passes at a time, so that it stays near-linear, and
//! promises nothing: whoever asks for it compares its peak with the file's own.

use std::collections::BTreeSet;

use super::order::Web;
use super::uses::Frame;
use crate::graph::{PassId, ResourceId};
use crate::id::{Id as _, IdVec};

/// Passes that are looked at for each place.
const LOOKS: usize = 64;

/// Bytes that come and go with passes.
struct Alive {
    /// By pass, the transients that it uses, each once.
    used: IdVec<PassId, Vec<ResourceId>>,
    size: IdVec<ResourceId, u64>,
    /// Recorded passes that still use a resource.
    left: IdVec<ResourceId, u32>,
    seen: IdVec<ResourceId, bool>,
}

impl Alive {
    fn new(frame: &Frame<'_>, recorded: &[bool]) -> Self {
        let size: IdVec<ResourceId, u64> = frame.standing.iter().map(|standing| standing.shareable).collect();
        let mut used: IdVec<PassId, Vec<ResourceId>> = IdVec::filled(Vec::new(), recorded.len());
        let mut left: IdVec<ResourceId, u32> = IdVec::filled(0, size.len());
        for id in size.ids().filter(|id| size[*id] > 0) {
            for it in frame.uses.of(id).iter().filter(|it| recorded[it.pass.index()]) {
                if used[it.pass].last() != Some(&id) {
                    used[it.pass].push(id);
                    left[id] += 1;
                }
            }
        }
        let seen = IdVec::filled(false, size.len());
        Self { used, size, left, seen }
    }

    /// Bytes that are alive behind a pass and were not before it; below zero where it lets go of more than it takes.
    fn growth(&self, pass: PassId) -> i128 {
        let change = |id: &ResourceId| {
            let size = i128::from(self.size[*id]);
            let taken = if self.seen[*id] { 0 } else { size };
            let freed = if self.left[*id] == 1 { size } else { 0 };
            taken - freed
        };
        self.used[pass].iter().map(change).sum()
    }

    fn place(&mut self, pass: PassId) {
        for id in &self.used[pass] {
            self.seen[*id] = true;
            self.left[*id] -= 1;
        }
    }
}

/// Recorded passes in an order that keeps few bytes alive; `stable` is the file's, of all passes.
pub(super) fn order(frame: &Frame<'_>, web: &Web, stable: &[PassId], recorded: &[bool]) -> Vec<PassId> {
    let mut alive = Alive::new(frame, recorded);
    let mut rank = vec![0_u32; stable.len()];
    for (at, pass) in stable.iter().enumerate() {
        rank[pass.index()] = at as u32;
    }
    let mut waits = vec![0_u32; stable.len()];
    for pass in stable {
        for after in web.neighbors_slice(pass.index() as u32) {
            // Edges of a cycle, which is reported elsewhere, would never be satisfied.
            waits[*after as usize] += u32::from(rank[*after as usize] > rank[pass.index()]);
        }
    }
    let mut ready: BTreeSet<u32> =
        (0..stable.len()).filter(|at| waits[stable[*at].index()] == 0).map(|at| at as u32).collect();
    let mut order = Vec::with_capacity(stable.len());
    while !ready.is_empty() {
        let free = ready.iter().copied().find(|at| !recorded[stable[*at as usize].index()]);
        let best = || ready.iter().copied().take(LOOKS).min_by_key(|at| (alive.growth(stable[*at as usize]), *at));
        let Some(at) = free.or_else(best) else { break };
        ready.remove(&at);
        let pass = stable[at as usize];
        if recorded[pass.index()] {
            alive.place(pass);
            order.push(pass);
        }
        for after in web.neighbors_slice(pass.index() as u32) {
            if rank[*after as usize] > at {
                waits[*after as usize] -= 1;
                if waits[*after as usize] == 0 {
                    ready.insert(rank[*after as usize]);
                }
            }
        }
    }
    order
}
