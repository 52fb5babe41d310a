//! Checks a whole plan against the graph it was made for, by other means than those that made it.
//!
//! Runs in debug builds after each plan, and in tests. A violation is a defect of rondag, never of a graph.

use super::{Plan, SlotId, Step, size};
use crate::graph::{Draft, Lifetime, PassId, ResourceId, ResourceKind, Run};
use crate::id::{Id as _, IdVec};

/// All violations, one sentence each; none for a sound plan.
pub fn verify(graph: &Draft, plan: &Plan) -> Vec<String> {
    let mut position: IdVec<PassId, Option<usize>> = IdVec::filled(None, graph.passes.len());
    let mut broken = Vec::new();
    for (at, pass) in plan.order.iter().enumerate() {
        if position[*pass].replace(at).is_some() {
            broken.push(format!("`{}` is recorded twice", graph.passes[*pass].name));
        }
    }
    every_pass(graph, plan, &position, &mut broken);
    every_edge(graph, plan, &position, &mut broken);
    every_step(plan, &mut broken);
    for (slot, _) in plan.slots.entries() {
        every_resident(graph, plan, slot, &position, &mut broken);
    }
    broken
}

/// Each pass is recorded, runs once or is dead, and only one of them.
fn every_pass(graph: &Draft, plan: &Plan, position: &IdVec<PassId, Option<usize>>, broken: &mut Vec<String>) {
    let mut accounts: IdVec<PassId, u32> = position.iter().map(|at| u32::from(at.is_some())).collect();
    plan.once.iter().for_each(|pass| accounts[*pass] += 1);
    plan.dead.iter().for_each(|(pass, _)| accounts[*pass] += 1);
    for (id, pass) in graph.passes.entries() {
        if accounts[id] != 1 {
            broken.push(format!("`{}` is accounted for {} times", pass.name, accounts[id]));
        }
        if pass.run == Run::Once && position[id].is_some() {
            broken.push(format!("`{}` runs once but is recorded in each frame", pass.name));
        }
    }
}

fn every_edge(graph: &Draft, plan: &Plan, position: &IdVec<PassId, Option<usize>>, broken: &mut Vec<String>) {
    for edge in &plan.edges {
        if let (Some(before), Some(after)) = (position[edge.before], position[edge.after])
            && before >= after
        {
            let (before, after) = (&graph.passes[edge.before].name, &graph.passes[edge.after].name);
            broken.push(format!("`{after}` is recorded before `{before}`, which it waits for"));
        }
    }
    if !plan.edges.is_sorted() {
        broken.push("edges are not sorted".to_owned());
    }
}

fn every_step(plan: &Plan, broken: &mut Vec<String>) {
    let mut walked = Vec::with_capacity(plan.order.len());
    for step in &plan.steps {
        match step {
            Step::Commands(pass) | Step::Render(pass) => walked.push(*pass),
            Step::Compute(passes) => walked.extend(passes),
        }
    }
    if walked != plan.order {
        broken.push("the steps do not walk the order".to_owned());
    }
}

/// Residents may share, fit, and are never used at one time or by one pass.
fn every_resident(
    graph: &Draft,
    plan: &Plan,
    slot: SlotId,
    position: &IdVec<PassId, Option<usize>>,
    broken: &mut Vec<String>,
) {
    let Some((first, residents)) = plan.slots[slot].residents.split_first() else {
        broken.push(format!("slot {} is empty", slot.index()));
        return;
    };
    let mut users: Vec<(usize, ResourceId)> = Vec::new();
    for id in std::iter::once(first).chain(residents) {
        let resource = &graph.resources[*id];
        let name = &resource.name;
        if plan.placement[*id] != Some(slot) {
            broken.push(format!("`{name}` lives in slot {} but is placed elsewhere", slot.index()));
        }
        let output = graph.outputs.iter().any(|(output, _)| output == id);
        if resource.lifetime != Lifetime::Transient || resource.port.is_some() || output {
            broken.push(format!("`{name}` must have memory of its own"));
        }
        if size::bytes(resource).is_none_or(|size| size > plan.slots[slot].size) {
            broken.push(format!("`{name}` does not fit slot {}", slot.index()));
        }
        if !alike(&graph.resources[*first].kind, &resource.kind) {
            broken.push(format!("`{name}` and `{}` cannot share", graph.resources[*first].name));
        }
        let touches = |pass: PassId| graph.passes[pass].accesses.iter().any(|access| access.resource == *id);
        let recorded = position.entries().filter_map(|(pass, at)| at.map(|at| (pass, at)));
        if residents.is_empty() {
            continue;
        }
        users.extend(recorded.filter(|(pass, _)| touches(*pass)).map(|(_, at)| (at, *id)));
    }
    users.sort_unstable();
    let changes = users.windows(2).filter(|pair| pair[0].1 != pair[1].1).count();
    let overlaps = users.windows(2).any(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1);
    if changes != residents.len() * usize::from(!users.is_empty()) || overlaps {
        broken.push(format!("residents of slot {} are alive together", slot.index()));
    }
}

/// Two buffers, or two textures of one descriptor.
fn alike(a: &ResourceKind, b: &ResourceKind) -> bool {
    match (a, b) {
        (ResourceKind::Buffer(_), ResourceKind::Buffer(_)) => true,
        (ResourceKind::Texture(a), ResourceKind::Texture(b)) => a == b,
        _ => false,
    }
}
