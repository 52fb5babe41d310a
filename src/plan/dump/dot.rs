//! A plan for graph drawers: Graphviz and Mermaid.
//!
//! Recorded passes are nodes, compute passes are boxes around theirs, edges carry what they are about: solid for reads of
//! what was written, dashed for overwriting, dotted for `after`. Passes that are not recorded are gray.

use std::fmt::Write as _;

use super::super::{Edge, EdgeReason, Hazard, Plan, Step, words};
use super::passes;
use crate::graph::{Draft, PassId};
use crate::id::Id as _;

/// Edges with one pair of passes, and what all of them are about.
struct Arrow {
    before: PassId,
    after: PassId,
    label: String,
    style: Style,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Style {
    Reads,
    Overwrites,
    Stated,
}

fn arrows(graph: &Draft, plan: &Plan) -> Vec<Arrow> {
    let pairs = plan.edges.chunk_by(|a, b| (a.before, a.after) == (b.before, b.after));
    let arrow = |pair: &[Edge]| {
        let mut style = Style::Stated;
        let mut about: Vec<String> = Vec::new();
        for edge in pair {
            let EdgeReason::Hazard { kind, resource, part, .. } = edge.reason else { continue };
            style = style.min(if kind == Hazard::ReadAfterWrite { Style::Reads } else { Style::Overwrites });
            let name = words::part(graph, resource, part);
            about.extend((!about.contains(&name)).then_some(name));
        }
        Arrow { before: pair[0].before, after: pair[0].after, label: about.join(", "), style }
    };
    pairs.map(arrow).collect()
}

/// Prints a plan as a Graphviz digraph.
pub fn dot(graph: &Draft, plan: &Plan) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let mut out = format!("digraph {} {{\n", quoted(&graph.name));
    out += "  rankdir=TB\n  node [shape=box, fontname=\"sans-serif\"]\n  edge [fontname=\"sans-serif\", fontsize=10]\n";
    for (at, step) in plan.steps.iter().enumerate() {
        let (indent, shared) = if matches!(step, Step::Compute(_)) { ("    ", true) } else { ("  ", false) };
        if shared {
            let _ = writeln!(out, "  subgraph cluster_{at} {{\n    label=\"compute pass\"\n    style=rounded");
        }
        for pass in passes(step) {
            let look = match step {
                Step::Commands(_) => "shape=cds",
                Step::Compute(_) => "shape=box",
                Step::Render(_) => "shape=box, style=\"filled\", fillcolor=\"#dbe9ff\"",
            };
            let _ = writeln!(out, "{indent}p{} [label={}, {look}]", pass.index(), quoted(&graph.passes[*pass].name));
        }
        if shared {
            out += "  }\n";
        }
    }
    for (pass, name) in unrecorded(graph, plan) {
        let _ = writeln!(out, "  p{} [label={}, color=gray, fontcolor=gray]", pass.index(), quoted(name));
    }
    for Arrow { before, after, label, style } in arrows(graph, plan) {
        let style = ["solid", "dashed", "dotted"][style as usize];
        let label = quoted(&label);
        let _ = writeln!(out, "  p{} -> p{} [label={label}, style={style}]", before.index(), after.index());
    }
    out + "}\n"
}

/// Prints a plan as a Mermaid flowchart.
pub fn mermaid(graph: &Draft, plan: &Plan) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('&', "#amp;").replace('"', "#quot;").replace('<', "#lt;"));
    let mut out = String::from("flowchart TD\n");
    for (at, step) in plan.steps.iter().enumerate() {
        let shared = matches!(step, Step::Compute(_));
        if shared {
            let _ = writeln!(out, "  subgraph s{at}[\"compute pass\"]");
        }
        for pass in passes(step) {
            let name = quoted(&graph.passes[*pass].name);
            let node = match step {
                Step::Commands(_) => format!("([{name}])"),
                Step::Compute(_) => format!("[{name}]"),
                Step::Render(_) => format!("[[{name}]]"),
            };
            let _ = writeln!(out, "  {}p{}{node}", if shared { "  " } else { "" }, pass.index());
        }
        if shared {
            out += "  end\n";
        }
    }
    let gray: Vec<String> = unrecorded(graph, plan)
        .map(|(pass, name)| {
            let _ = writeln!(out, "  p{}[{}]:::gray", pass.index(), quoted(name));
            format!("p{}", pass.index())
        })
        .collect();
    for Arrow { before, after, label, style } in arrows(graph, plan) {
        let arrow = if style == Style::Reads { "-->" } else { "-.->" };
        let label = if label.is_empty() { String::new() } else { format!("|{}|", quoted(&label)) };
        let _ = writeln!(out, "  p{} {arrow}{label} p{}", before.index(), after.index());
    }
    if !gray.is_empty() {
        out += "  classDef gray color:#888,stroke:#bbb,fill:#f6f6f6\n";
    }
    out
}

/// Passes that are not recorded in each frame, in file order.
fn unrecorded<'a>(graph: &'a Draft, plan: &'a Plan) -> impl Iterator<Item = (PassId, &'a str)> {
    let mut all: Vec<PassId> = plan.dead.iter().map(|(pass, _)| *pass).chain(plan.once.iter().copied()).collect();
    all.sort_unstable();
    all.into_iter().map(|pass| (pass, graph.passes[pass].name.as_str()))
}
