//! A plan for programs.
//!
//! Names are those of the file; places are `path:line:column`; sizes are bytes, `null` where only the host knows them.

use serde_json::{Value, json};

use super::super::{Asker, DeadReason, Edge, EdgeReason, Hazard, Plan, Slot, UsageReason, reason, size};
use super::{kind, passes};
use crate::graph::{Draft, PassId, ResourceId, ResourceKind};
use crate::id::Id;
use crate::source::Files;

/// Prints a plan as JSON.
pub fn json(graph: &Draft, plan: &Plan, files: &Files) -> String {
    format!("{:#}\n", value(graph, plan, files))
}

pub(super) fn value(graph: &Draft, plan: &Plan, files: &Files) -> Value {
    let pass = |pass: &PassId| graph.passes[*pass].name.as_str();
    let bytes = &plan.bytes;
    let steps = plan.steps.iter().map(|step| {
        let members: Vec<&str> = passes(step).iter().map(pass).collect();
        json!({ "kind": kind(step), "passes": members })
    });
    let dead = plan.dead.iter().map(|(id, why)| {
        let state = match why {
            DeadReason::Unread => "dead",
            DeadReason::Empty => "empty",
            DeadReason::Folded(_) => "folded",
        };
        let into = if let DeadReason::Folded(into) = why { Some(pass(into)) } else { None };
        json!({ "pass": pass(id), "state": state, "into": into, "because": reason::dead(graph, plan, *id, *why) })
    });
    let zeroed = plan.zeroed.iter().map(|(resource, before)| {
        json!({ "resource": graph.resources[*resource].name, "before": before.as_ref().map(pass) })
    });
    let slots = plan.slots.iter().map(|Slot { size, residents }| {
        let names: Vec<&str> = residents.iter().map(|id| graph.resources[*id].name.as_str()).collect();
        json!({ "size": size, "residents": names })
    });
    json!({
        "graph": graph.name,
        "surface": graph.surface,
        "order": plan.order.iter().map(pass).collect::<Vec<_>>(),
        "steps": steps.collect::<Value>(),
        "once": plan.once.iter().map(pass).collect::<Vec<_>>(),
        "not_recorded": dead.collect::<Value>(),
        "edges": plan.edges.iter().map(|one| edge(graph, files, one)).collect::<Value>(),
        "resources": graph.resources.ids().filter_map(|id| resource(graph, plan, files, id)).collect::<Value>(),
        "zeroed": zeroed.collect::<Value>(),
        "slots": slots.collect::<Value>(),
        "bytes": {
            "slots": bytes.shared,
            "unshared": bytes.unshared,
            "bound": bytes.bound,
            "own": bytes.own,
            "kept": bytes.kept,
            "unknown_sizes": bytes.unknown,
        },
    })
}

fn edge(graph: &Draft, files: &Files, edge: &Edge) -> Value {
    let (before, after) = (&graph.passes[edge.before].name, &graph.passes[edge.after].name);
    match edge.reason {
        EdgeReason::Stated(span) => {
            json!({ "before": before, "after": after, "kind": "stated", "at": files.place(span) })
        }
        EdgeReason::Hazard { kind, resource, part, before: from, after: to } => {
            let kind = match kind {
                Hazard::ReadAfterWrite => "read-after-write",
                Hazard::WriteAfterRead => "write-after-read",
                Hazard::WriteAfterWrite => "write-after-write",
            };
            json!({
                "before": before,
                "after": after,
                "kind": kind,
                "resource": graph.resources[resource].name,
                "mip": part.mip,
                "layer": part.layer,
                "before_at": files.place(from),
                "at": files.place(to),
            })
        }
    }
}

/// A buffer or texture; the others take no memory.
fn resource(graph: &Draft, plan: &Plan, files: &Files, id: ResourceId) -> Option<Value> {
    let it = &graph.resources[id];
    let kind = match &it.kind {
        ResourceKind::Buffer(_) => "buffer",
        ResourceKind::Texture(_) => "texture",
        ResourceKind::Sampler(_) | ResourceKind::Uniform | ResourceKind::HostUniform { .. } => return None,
    };
    let usage = |UsageReason { flag, asked_by }: &UsageReason| {
        let (by, at) = match asked_by {
            Asker::Pass(pass, span) => (graph.passes[*pass].name.as_str(), Some(files.place(*span))),
            Asker::Upload => ("contents", None),
            Asker::State => ("state", None),
            Asker::Output => ("output", None),
            Asker::Zero => ("zeros", None),
        };
        json!({ "flag": format!("{flag:?}"), "asked_by": by, "at": at })
    };
    Some(json!({
        "name": it.name,
        "kind": kind,
        "size": size::bytes(it),
        "lifetime": format!("{:?}", it.lifetime).to_lowercase(),
        "port": it.port.map(|port| format!("{port:?}").to_lowercase()),
        "alive": plan.lifetimes[id].map(|span| [span.first, span.last]),
        "slot": plan.placement[id].map(Id::index),
        "usages": plan.usages[id].iter().map(usage).collect::<Value>(),
    }))
}
