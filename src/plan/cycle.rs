//! Passes that wait for each other: the shortest way around, with both places of each step.

use std::collections::VecDeque;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use super::order::Web;
use super::rules::DEPENDENCY_CYCLE;
use super::{Edge, EdgeReason, Hazard, words};
use crate::diagnostic::Diagnostic;
use crate::graph::{Draft, PassId};
use crate::id::Id as _;

/// Reports each group of passes that wait for each other. All of them are among those not `placed`.
pub(super) fn report(graph: &Draft, web: &Web, edges: &[Edge], placed: &[bool], found: &mut Vec<Diagnostic>) {
    let mut nodes = vec![NodeIndex::end(); placed.len()];
    let mut stuck = DiGraph::<u32, ()>::new();
    for pass in (0..placed.len()).filter(|pass| !placed[*pass]) {
        nodes[pass] = stuck.add_node(pass as u32);
    }
    for pass in (0..placed.len()).filter(|pass| !placed[*pass]) {
        for after in web.neighbors_slice(pass as u32) {
            if !placed[*after as usize] {
                stuck.add_edge(nodes[pass], nodes[*after as usize], ());
            }
        }
    }
    let mut groups = kosaraju_scc(&stuck);
    groups.retain(|group| group.len() > 1 || stuck.contains_edge(group[0], group[0]));
    for group in &mut groups {
        group.sort_unstable();
    }
    groups.sort_unstable();
    let mut member = vec![usize::MAX; stuck.node_count()];
    for (at, group) in groups.iter().enumerate() {
        for node in group {
            member[node.index()] = at;
        }
        let way = shortest(&stuck, group[0], |node| member[node.index()] == at);
        let way: Vec<PassId> = way.into_iter().map(|node| PassId::from_index(stuck[node] as usize)).collect();
        found.push(diagnostic(graph, edges, &way));
    }
}

/// The shortest way from `start` back to itself among its group; breadth first.
fn shortest(stuck: &DiGraph<u32, ()>, start: NodeIndex, inside: impl Fn(NodeIndex) -> bool) -> Vec<NodeIndex> {
    let mut from = vec![NodeIndex::end(); stuck.node_count()];
    let mut queue = VecDeque::from([start]);
    while let Some(node) = queue.pop_front() {
        let mut next: Vec<NodeIndex> = stuck.neighbors(node).filter(|next| inside(*next)).collect();
        next.sort_unstable();
        for after in next {
            if after == start {
                let mut way = vec![node];
                while let Some(before) = way.last().filter(|last| **last != start) {
                    way.push(from[before.index()]);
                }
                way.reverse();
                return way;
            }
            if from[after.index()] == NodeIndex::end() {
                from[after.index()] = node;
                queue.push_back(after);
            }
        }
    }
    vec![start]
}

fn diagnostic(graph: &Draft, edges: &[Edge], way: &[PassId]) -> Diagnostic {
    let name = |pass: PassId| graph.passes[pass].name.as_str();
    if let [only] = way {
        let span = stated_span(edges, *only).unwrap_or(graph.passes[*only].span);
        let message = format!("pass `{}` is told to come after itself", name(*only));
        return Diagnostic::new(&DEPENDENCY_CYCLE, message, span, "this is the pass itself")
            .help("remove it from `after`")
            .at(words::pass_path(graph, *only));
    }
    let around: Vec<String> = way.iter().chain(way.first()).map(|pass| format!("`{}`", name(*pass))).collect();
    let message = format!("passes wait for each other: {}", around.join(" → "));
    let first = &graph.passes[way[0]];
    let mut diagnostic = Diagnostic::new(&DEPENDENCY_CYCLE, message, first.span, "this pass comes before itself");
    for (at, before) in way.iter().enumerate() {
        let after = way[(at + 1) % way.len()];
        let Some(edge) = edge_between(edges, *before, after) else { continue };
        diagnostic = step(graph, diagnostic, edge);
    }
    diagnostic
        .help("remove one step: an `after`, or an access by giving one of the passes a resource of its own")
        .at(words::pass_path(graph, way[0]))
}

/// Adds both places of one step.
fn step(graph: &Draft, diagnostic: Diagnostic, edge: &Edge) -> Diagnostic {
    let (before, after) = (&graph.passes[edge.before].name, &graph.passes[edge.after].name);
    match edge.reason {
        EdgeReason::Stated(span) => diagnostic.also(span, format!("`{after}` is told to come after `{before}`")),
        EdgeReason::Hazard { kind, resource, part, before: from, after: to } => {
            let what = words::part(graph, resource, part);
            let (does, then) = match kind {
                Hazard::ReadAfterWrite => ("writes", "reads"),
                Hazard::WriteAfterRead => ("reads", "changes"),
                Hazard::WriteAfterWrite => ("writes", "changes"),
            };
            diagnostic
                .also(from, format!("`{before}` {does} `{what}` here"))
                .also(to, format!("`{after}` {then} it here, so it comes after `{before}`"))
        }
    }
}

/// The first edge from one pass to another.
fn edge_between(edges: &[Edge], before: PassId, after: PassId) -> Option<&Edge> {
    let at = edges.partition_point(|edge| (edge.before, edge.after) < (before, after));
    edges.get(at).filter(|edge| edge.before == before && edge.after == after)
}

fn stated_span(edges: &[Edge], pass: PassId) -> Option<crate::source::Span> {
    edge_between(edges, pass, pass).and_then(|edge| match edge.reason {
        EdgeReason::Stated(span) => Some(span),
        EdgeReason::Hazard { .. } => None,
    })
}
