//! Recorded passes: what a recorder walks.

use super::depend::Chains;
use super::lifetime::Timeline;
use super::uses::{Class, Frame};
use super::{Options, Step};
use crate::graph::{PassId, ResourceId};

/// Groups neighboring dispatches into compute passes.
pub(super) fn group(frame: &Frame<'_>, order: &[PassId], options: Options) -> Vec<Step> {
    let class = |pass: &PassId| frame.facts[*pass].class;
    let shares = |a: &PassId, b: &PassId| options.merge && class(a) == Class::Compute && class(b) == Class::Compute;
    let step = |passes: &[PassId]| match class(&passes[0]) {
        Class::Commands => Step::Commands(passes[0]),
        Class::Render => Step::Render(passes[0]),
        Class::Compute => Step::Compute(passes.to_vec()),
    };
    order.chunk_by(shares).map(step).collect()
}

/// What must be zeroed because only passes without work wrote it: each resource with the first recorded pass that touches
/// it, or none where only the host does.
pub(super) fn zeroed(frame: &Frame<'_>, chains: &Chains<'_>, timeline: &Timeline) -> Vec<(ResourceId, Option<PassId>)> {
    if !frame.any_empty {
        return Vec::new();
    }
    let mut blank: Vec<ResourceId> = Vec::new();
    for pass in &timeline.order {
        let read = chains.reads.of(*pass).iter().map(|(_, link)| &chains.links[*link]);
        blank.extend(read.filter(|link| link.blank).map(|link| link.resource));
    }
    for link in chains.links.iter().filter(|link| link.partial && timeline.records(link.pass)) {
        blank.extend(link.prev.filter(|prev| chains.links[*prev].blank).map(|_| link.resource));
    }
    blank.extend(chains.finals.iter().map(|id| &chains.links[*id]).filter(|link| link.blank).map(|link| link.resource));
    blank.sort_unstable();
    blank.dedup();
    let first_user = |resource: ResourceId| timeline.spans[resource].map(|span| timeline.order[span.first as usize]);
    blank.into_iter().map(|resource| (resource, first_user(resource))).collect()
}
