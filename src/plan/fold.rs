//! Clears that fold into the next render pass on the same targets.
//!
//! A render pass without draws only sets its targets. It folds into a later render pass if that one is the very next to
//! touch each of them, attaches them as well, and nobody reads them in between: then the later pass clears on its way in,
//! and the same texels hold the same values whenever someone looks.

use super::depend::{Chains, LinkId};
use super::uses::{Class, Frame};
use super::{DeadReason, Plan};
use crate::graph::{Access, Draft, Part, Pass, PassId, PassKind, Render, ResourceId, Run, Usage};
use crate::id::{Id as _, IdVec};

/// What a render pass clears when it begins.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Clears {
    /// By location: components, or the target is loaded.
    pub color: Vec<Option<[f64; 4]>>,
    /// Depth, or the target is loaded.
    pub depth: Option<f32>,
}

/// The values that a recorded render pass clears its attachments to: its own, else those of the passes folded into it.
///
/// Passes that do not render have none.
pub fn clears(graph: &Draft, plan: &Plan, pass: PassId) -> Clears {
    let Some(own) = render(graph, pass) else { return Clears::default() };
    let into = |(from, reason): &(PassId, DeadReason)| (*reason == DeadReason::Folded(pass)).then_some(*from);
    let folded: Vec<&Render> = plan.dead.iter().filter_map(into).filter_map(|from| render(graph, from)).collect();
    let last_color = |resource: ResourceId, part: Part| {
        let mut all = folded.iter().rev().flat_map(|it| &it.color);
        all.find(|it| (it.resource, it.part) == (resource, part) && it.clear.is_some()).and_then(|it| it.clear)
    };
    let last_depth = |resource: ResourceId, part: Part| {
        let mut all = folded.iter().rev().filter_map(|it| it.depth.as_ref());
        all.find(|it| (it.resource, it.part) == (resource, part) && it.clear.is_some()).and_then(|it| it.clear)
    };
    Clears {
        color: own.color.iter().map(|it| it.clear.or_else(|| last_color(it.resource, it.part))).collect(),
        depth: own.depth.as_ref().and_then(|it| it.clear.or_else(|| last_depth(it.resource, it.part))),
    }
}

fn render(graph: &Draft, pass: PassId) -> Option<&Render> {
    match &graph.passes[pass].kind {
        PassKind::Render(render) => Some(render),
        _ => None,
    }
}

/// The passes that fold and where to, in file order.
pub(super) fn targets(graph: &Draft, frame: &Frame<'_>, chains: &Chains<'_>, live: &[bool]) -> Vec<(PassId, PassId)> {
    let mut candidates: Vec<PassId> = Vec::new();
    let mut is_candidate: IdVec<PassId, bool> = IdVec::filled(false, graph.passes.len());
    for (pass, facts) in frame.facts.entries().filter(|(_, facts)| facts.class == Class::Render) {
        let plain = !facts.empty && !facts.conditional && !facts.poisoned && facts.run == Run::EachFrame;
        if plain && live[pass.index()] && only_clears(&graph.passes[pass]) {
            candidates.push(pass);
            is_candidate[pass] = true;
        }
    }
    if candidates.is_empty() {
        return Vec::new();
    }
    for (before, _) in frame.told.iter().flat_map(|pass| &graph.passes[*pass].after) {
        is_candidate[*before] = false;
    }
    let mut links: Vec<(PassId, LinkId)> =
        chains.links.entries().filter(|(_, link)| is_candidate[link.pass]).map(|(id, link)| (link.pass, id)).collect();
    links.sort_unstable();
    let mut into: IdVec<PassId, Option<PassId>> = IdVec::filled(None, graph.passes.len());
    for pass in candidates.into_iter().rev() {
        let at = links.partition_point(|(of, _)| *of < pass);
        let own = links[at..].iter().take_while(|(of, _)| *of == pass).map(|(_, link)| *link);
        into[pass] = next(graph, frame, chains, own).map(|next| into[next].unwrap_or(next));
    }
    into.entries().filter_map(|(pass, into)| into.map(|into| (pass, into))).collect()
}

/// It draws nothing, clears something, and only attaches: it resolves nothing.
fn only_clears(pass: &Pass) -> bool {
    let PassKind::Render(render) = &pass.kind else { return false };
    let clears = render.color.iter().any(|it| it.clear.is_some()) || render.depth.iter().any(|it| it.clear.is_some());
    let attaches = |access: &Access| matches!(access.usage, Usage::ColorAttachment | Usage::DepthAttachment);
    render.draws.is_empty() && clears && pass.accesses.iter().all(attaches)
}

/// The one render pass that comes next on all of the values that a pass leaves, if there is one.
fn next(graph: &Draft, frame: &Frame<'_>, chains: &Chains<'_>, own: impl Iterator<Item = LinkId>) -> Option<PassId> {
    let mut target = None;
    for id in own {
        let link = &chains.links[id];
        if link.partial {
            continue;
        }
        let next = chains.links[link.next?].pass;
        let facts = frame.facts[next];
        let fits = link.readers == 0 && !facts.empty && !facts.conditional && !facts.poisoned;
        if !fits || *target.get_or_insert(next) != next || !attaches(graph, next, link.pass, link.resource) {
            return None;
        }
    }
    target
}

/// Whether a pass attaches, not only resolves to or samples, what another one attaches of a resource.
fn attaches(graph: &Draft, pass: PassId, other: PassId, resource: ResourceId) -> bool {
    let (Some(render), Some(other)) = (render(graph, pass), render(graph, other)) else { return false };
    let color =
        |of: &Render| of.color.iter().filter(|it| it.resource == resource).map(|it| it.part).collect::<Vec<_>>();
    let depth = |of: &Render| of.depth.as_ref().filter(|it| it.resource == resource).map(|it| it.part);
    let colors = color(render);
    color(other).iter().all(|part| colors.contains(part)) && (depth(other).is_none() || depth(other) == depth(render))
}
