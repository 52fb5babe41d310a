//! Reasons in words, for whoever prints a plan or explains a part of it.

use super::{DeadReason, Edge, EdgeReason, Hazard, Plan, words};
use crate::graph::{Draft, PassId, ResourceId};

/// Why a pass is not recorded: half a sentence, for example ``nothing reads what it writes: `lost` ``.
pub fn dead(graph: &Draft, plan: &Plan, pass: PassId, reason: DeadReason) -> String {
    match reason {
        DeadReason::Empty => "it has no work: zero items, vertices or records".to_owned(),
        DeadReason::Folded(into) => format!("`{}` clears what it would clear", graph.passes[into].name),
        DeadReason::Unread => unread(graph, plan, pass),
    }
}

fn unread(graph: &Draft, plan: &Plan, pass: PassId) -> String {
    let name = |pass: PassId| graph.passes[pass].name.as_str();
    let mut written: Vec<ResourceId> =
        graph.passes[pass].accesses.iter().filter(|it| it.effect.writes()).map(|it| it.resource).collect();
    written.sort_unstable();
    written.dedup();
    if written.is_empty() {
        return "it writes nothing".to_owned();
    }
    let following = |wanted: Hazard| {
        let edges = plan.edges.iter().filter(move |edge| edge.before == pass);
        let mut passes: Vec<PassId> = edges
            .filter(|edge| matches!(edge.reason, EdgeReason::Hazard { kind, .. } if kind == wanted))
            .map(|edge| edge.after)
            .collect();
        passes.dedup();
        passes
    };
    let readers = following(Hazard::ReadAfterWrite);
    if !readers.is_empty() {
        let names = words::list(readers.iter().map(|pass| name(*pass)), "and");
        return format!("what it writes is read only by {names}, not recorded either");
    }
    let writers = following(Hazard::WriteAfterWrite);
    let names = words::list(written.iter().map(|id| graph.resources[*id].name.as_str()), "and");
    match writers.first() {
        Some(writer) => format!("nothing reads what it writes, {names}, before `{}` writes anew", name(*writer)),
        None => format!("nothing reads what it writes: {names}"),
    }
}

/// Why the later pass of an edge waits: ``reads `counts` ``, ``changes `flags`, read before``.
pub fn edge(graph: &Draft, edge: &Edge) -> String {
    match edge.reason {
        EdgeReason::Stated(_) => "is told to".to_owned(),
        EdgeReason::Hazard { kind, resource, part, .. } => {
            let what = words::part(graph, resource, part);
            match kind {
                Hazard::ReadAfterWrite => format!("reads {what}"),
                Hazard::WriteAfterRead => format!("changes {what} after it was read"),
                Hazard::WriteAfterWrite => format!("changes {what}"),
            }
        }
    }
}

/// Bytes with a unit: `80 B`, `1.5 KiB`, `12.0 MiB`.
pub fn human_bytes(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    // Tenths, rounded; a unit is left when they would read 1024.0.
    let tenths = |unit: u32| (u128::from(bytes) * 10 + (1_u128 << (10 * unit - 1))) >> (10 * unit);
    let unit = (1..6).find(|unit| tenths(*unit) < 10_240).unwrap_or(6);
    format!("{}.{} {}", tenths(unit) / 10, tenths(unit) % 10, UNITS[unit as usize - 1])
}
