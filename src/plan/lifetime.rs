//! What is alive when.

use super::uses::Frame;
use super::{Lifespan, Step};
use crate::graph::{Draft, PassId, PortKind, ResourceId, ResourceKind};
use crate::id::{Id as _, IdVec};

/// First and last use of each resource, as positions in `order`.
///
/// What the host or the viewer reads lives to the end of the frame. What is zeroed before a step lives from the start of
/// that step: the zeros go in before the first of its dispatches.
pub(super) fn measure(
    graph: &Draft,
    frame: &Frame<'_>,
    order: &[PassId],
    steps: &[Step],
    zeroed: &[(ResourceId, Option<PassId>)],
) -> IdVec<ResourceId, Option<Lifespan>> {
    let mut position = vec![u32::MAX; graph.passes.len()];
    for (at, pass) in order.iter().enumerate() {
        position[pass.index()] = at as u32;
    }
    let end = (order.len() as u32).saturating_sub(1);
    let mut spans: IdVec<ResourceId, Option<Lifespan>> = IdVec::filled(None, graph.resources.len());
    for (id, resource) in graph.resources.entries() {
        let held = matches!(
            resource.kind,
            ResourceKind::Buffer(_) | ResourceKind::Texture(_) | ResourceKind::HostUniform { .. }
        );
        let at = frame.uses.of(id).iter().map(|it| position[it.pass.index()]).filter(|at| held && *at != u32::MAX);
        let span = at.fold((u32::MAX, 0), |(first, last), at| (first.min(at), last.max(at)));
        let seen = matches!(resource.port, Some(PortKind::Out | PortKind::InOut));
        spans[id] = (span.0 != u32::MAX).then_some(Lifespan { first: span.0, last: if seen { end } else { span.1 } });
    }
    for (resource, _) in &graph.outputs {
        if let Some(span) = &mut spans[*resource] {
            span.last = end;
        }
    }
    for (resource, pass) in zeroed {
        if let (Some(span), Some(pass)) = (&mut spans[*resource], pass) {
            span.first = start_of_step(steps, *pass, &position);
        }
    }
    spans
}

/// The most bytes of transients alive at once, were passes recorded in this order.
pub(super) fn peak(frame: &Frame<'_>, order: &[PassId]) -> u64 {
    let mut position = vec![u32::MAX; frame.facts.len()];
    for (at, pass) in order.iter().enumerate() {
        position[pass.index()] = at as u32;
    }
    let spans = frame.standing.entries().filter(|(_, standing)| standing.shareable > 0).filter_map(|(id, standing)| {
        let at = frame.uses.of(id).iter().map(|it| position[it.pass.index()]).filter(|at| *at != u32::MAX);
        let (first, last) = at.fold((u32::MAX, 0), |(first, last), at| (first.min(at), last.max(at)));
        (first != u32::MAX).then_some((standing.shareable, Lifespan { first, last }))
    });
    most_alive(spans, order.len())
}

/// The most bytes alive at once.
pub(super) fn most_alive(spans: impl IntoIterator<Item = (u64, Lifespan)>, positions: usize) -> u64 {
    let mut change = vec![0_i128; positions + 1];
    for (size, span) in spans {
        change[span.first as usize] += i128::from(size);
        change[span.last as usize + 1] -= i128::from(size);
    }
    let mut alive = 0;
    let most = change.into_iter().map(|change| {
        alive += change;
        alive
    });
    u64::try_from(most.max().unwrap_or(0)).unwrap_or(u64::MAX)
}

fn start_of_step(steps: &[Step], pass: PassId, position: &[u32]) -> u32 {
    let shared = steps.iter().find_map(|step| match step {
        Step::Compute(passes) if passes.contains(&pass) => passes.first(),
        _ => None,
    });
    position[shared.unwrap_or(&pass).index()]
}
