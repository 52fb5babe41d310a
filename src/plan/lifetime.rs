//! What is alive when.

use super::uses::{Frame, Memory};
use super::{Lifespan, Step};
use crate::graph::{Draft, PassId, ResourceId};
use crate::id::{Id as _, IdVec};

/// An order and what follows from it.
#[derive(Debug)]
pub(super) struct Timeline {
    /// Recorded passes.
    pub order: Vec<PassId>,
    /// By pass, its position; `u32::MAX` if it is not recorded.
    pub position: Vec<u32>,
    /// First and last use of each resource, as positions.
    pub spans: IdVec<ResourceId, Option<Lifespan>>,
}

impl Timeline {
    /// Walks an order.
    pub(super) fn new(frame: &Frame<'_>, order: Vec<PassId>) -> Self {
        let mut position = vec![u32::MAX; frame.facts.len()];
        for (at, pass) in order.iter().enumerate() {
            position[pass.index()] = at as u32;
        }
        let span = |id: ResourceId| {
            let at = frame.uses.of(id).iter().map(|it| position[it.pass.index()]).filter(|at| *at != u32::MAX);
            let (first, last) = at.fold((u32::MAX, 0), |(first, last), at| (first.min(at), last.max(at)));
            (first != u32::MAX).then_some(Lifespan { first, last })
        };
        let spans = frame.standing.ids().map(span).collect();
        Self { order, position, spans }
    }

    /// The most bytes of transients alive at once.
    pub(super) fn peak(&self, frame: &Frame<'_>) -> u64 {
        let spans = frame.standing.iter().zip(&self.spans);
        most_alive(spans.filter_map(|(standing, span)| Some((standing.shareable, (*span)?))), self.order.len())
    }

    /// Whether a pass is recorded.
    pub(super) fn records(&self, pass: PassId) -> bool {
        self.position[pass.index()] != u32::MAX
    }
}

/// When each resource is alive: from its first use to its last.
///
/// What the host or the viewer reads lives to the end of the frame. What is zeroed before a step lives from the start of
/// that step: the zeros go in before the first of its dispatches.
pub(super) fn measure(
    graph: &Draft,
    frame: &Frame<'_>,
    timeline: &Timeline,
    steps: &[Step],
    zeroed: &[(ResourceId, Option<PassId>)],
) -> IdVec<ResourceId, Option<Lifespan>> {
    let end = (timeline.order.len() as u32).saturating_sub(1);
    let mut spans = timeline.spans.clone();
    for (span, standing) in spans.iter_mut().zip(&frame.standing) {
        if standing.memory == Memory::None {
            *span = None;
        } else if standing.given_out {
            *span = span.map(|span| Lifespan { last: end, ..span });
        }
    }
    for (resource, _) in &graph.outputs {
        spans[*resource] = spans[*resource].map(|span| Lifespan { last: end, ..span });
    }
    for (resource, pass) in zeroed {
        if let (Some(span), Some(pass)) = (&mut spans[*resource], pass) {
            span.first = start_of_step(steps, *pass, &timeline.position);
        }
    }
    spans
}

/// The most bytes alive at once.
pub(super) fn most_alive(spans: impl IntoIterator<Item = (u64, Lifespan)>, positions: usize) -> u64 {
    // Differences wrap around, sums of what is alive do not: all together are below the top.
    let mut change = vec![0_u64; positions + 1];
    let mut all = 0_u64;
    for (size, span) in spans {
        all = all.saturating_add(size);
        let (first, behind) = (span.first as usize, span.last as usize + 1);
        change[first] = change[first].wrapping_add(size);
        change[behind] = change[behind].wrapping_sub(size);
    }
    if all == u64::MAX {
        return all;
    }
    let mut alive = 0_u64;
    let mut most = 0;
    for change in change {
        alive = alive.wrapping_add(change);
        most = most.max(alive);
    }
    most
}

fn start_of_step(steps: &[Step], pass: PassId, position: &[u32]) -> u32 {
    let shared = steps.iter().find_map(|step| match step {
        Step::Compute(passes) if passes.contains(&pass) => passes.first(),
        _ => None,
    });
    position[shared.unwrap_or(&pass).index()]
}
