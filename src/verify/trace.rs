//! What each pass of a frame left behind, and where two runs part.

use std::collections::BTreeMap;
use std::time::Duration;

use super::Unordered;
use crate::gpu::{Error, Program, contents, elements};
use crate::graph::{BindingSource, Buffer, Draft, PassId, PassKind, ResourceId, ResourceKind};
use crate::id::IdVec;
use crate::source::content_hash;
use crate::syntax::document::ListOrder;

/// Hashes of what steps wrote, in the order in which they were recorded.
#[derive(Debug, Default)]
pub(super) struct Trace {
    steps: Vec<Step>,
}

#[derive(Debug)]
struct Step {
    /// Resource, the passes of this step that write it, and the hash of what it holds behind them.
    wrote: Vec<(ResourceId, Vec<PassId>, u64)>,
}

/// Where two runs part.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) frame: usize,
    pub(super) passes: Vec<PassId>,
    pub(super) resource: ResourceId,
}

impl Trace {
    /// Looks at what the passes of a step wrote.
    pub(super) fn look(
        &mut self,
        program: &Program,
        step: usize,
        unordered: &Unordered,
        limit: Duration,
    ) -> Result<(), Error> {
        let graph = program.graph();
        let members = &program.script().steps[step].members;
        let mut writers: BTreeMap<ResourceId, Vec<PassId>> = BTreeMap::new();
        for pass in members {
            for access in graph.passes[*pass].accesses.iter().filter(|access| access.effect.writes()) {
                let known = writers.entry(access.resource).or_default();
                if known.last() != Some(pass) {
                    known.push(*pass);
                }
            }
        }
        let mut wrote = Vec::new();
        for (id, passes) in writers.into_iter().filter(|(id, _)| !unordered[*id]) {
            match contents(program, id, limit) {
                Ok(bytes) => wrote.push((id, passes, hash(graph, id, &bytes))),
                // Several samples a texel cannot be read.
                Err(Error::Unreadable { .. }) => {}
                Err(why) => return Err(why),
            }
        }
        self.steps.push(Step { wrote });
        Ok(())
    }
}

/// Of the bytes, or of the elements in a fixed order where theirs means nothing.
fn hash(graph: &Draft, id: ResourceId, bytes: &[u8]) -> u64 {
    let elements = elements(graph, id);
    if !elements.any_order {
        return content_hash(bytes);
    }
    let mut sorted: Vec<&[u8]> = bytes.chunks(elements.stride.max(1)).collect();
    sorted.sort_unstable();
    content_hash(&sorted.concat())
}

/// Lists that a pass appends to by atomics although nobody says whether their order means anything, and how much of them is alive:
/// they may differ where nothing is wrong.
pub(super) fn unordered(graph: &Draft) -> Unordered {
    let mut found = IdVec::filled(false, graph.resources.len());
    for pass in &graph.passes {
        let PassKind::Dispatch(dispatch) = &pass.kind else { continue };
        let interface = &graph.shaders[dispatch.program.shader].interface;
        let appended = dispatch.program.entries.iter().flat_map(|entry| &interface.entries[*entry].habits.appends);
        for (global, _) in appended {
            let binding = dispatch.program.bindings.iter().find(|binding| binding.global == *global);
            if let Some(BindingSource::Buffer { resource, .. }) = binding.map(|binding| &binding.source) {
                found[*resource] = !is_said(&graph.resources[*resource].kind);
            }
        }
    }
    found
}

fn is_said(kind: &ResourceKind) -> bool {
    match kind {
        ResourceKind::Buffer(Buffer { order: Some(ListOrder::Any), live, .. }) => live.is_some(),
        ResourceKind::Buffer(Buffer { order, .. }) => order.is_some(),
        _ => true,
    }
}

/// The first step of `ours` behind which a resource holds something else than behind the same pass of `theirs`, whose steps have
/// one pass each.
pub(super) fn first(theirs: &[Trace], ours: &[Trace]) -> Option<Found> {
    for (frame, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
        let wrote = theirs.steps.iter().flat_map(|step| &step.wrote);
        let expected: BTreeMap<(ResourceId, PassId), u64> =
            wrote.flat_map(|(id, passes, hash)| passes.iter().map(|pass| ((*id, *pass), *hash))).collect();
        for (id, passes, hash) in ours.steps.iter().flat_map(|step| &step.wrote) {
            let known = passes.last().and_then(|pass| expected.get(&(*id, *pass)));
            if known.is_some_and(|known| known != hash) {
                return Some(Found { frame, passes: passes.clone(), resource: *id });
            }
        }
    }
    None
}
