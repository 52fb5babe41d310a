//! A plan for people: order with reasons, what is not recorded, resources, slots, memory.

use std::fmt::Write as _;

use super::super::{Asker, DeadReason, Edge, EdgeReason, Lifespan, Plan, Slot, reason, size};
use super::table::{Side, Table};
use super::{kind, passes, positions};
use crate::graph::{Draft, Lifetime, PortKind, Resource, ResourceId, ResourceKind};
use crate::id::Id as _;
use crate::source::{Files, Span};

/// Reasons shown a pass, askers shown a flag, residents shown a slot; the others are counted.
const MOST: usize = 8;
/// Columns of a bar; frames with more passes are drawn to scale.
const BAR: usize = 48;

/// Prints a plan for people.
pub fn text(graph: &Draft, plan: &Plan, files: &Files) -> String {
    let mut out = String::new();
    headline(graph, plan, &mut out);
    order(graph, plan, files, &mut out);
    once(graph, plan, &mut out);
    not_recorded(graph, plan, &mut out);
    resources(graph, plan, &mut out);
    slots(graph, plan, &mut out);
    memory(plan, &mut out);
    out
}

fn count(n: usize, one: &str) -> String {
    format!(
        "{n} {one}{}",
        if n == 1 {
            ""
        } else if one.ends_with("ss") {
            "es"
        } else {
            "s"
        }
    )
}

fn headline(graph: &Draft, plan: &Plan, out: &mut String) {
    let [width, height] = graph.surface;
    let recorded = count(plan.order.len(), "pass");
    let steps = count(plan.steps.len(), "step");
    let _ = writeln!(out, "{} at {width} × {height}: {recorded} in {steps}", graph.name);
}

fn section(out: &mut String, title: &str) {
    let _ = write!(out, "\n{title}\n");
}

/// Recorded passes. Dispatches that share a compute pass are joined by a bracket.
fn order(graph: &Draft, plan: &Plan, files: &Files, out: &mut String) {
    section(out, "ORDER");
    let heading = ["#", "step", "pass", "after", "because it", "here", "there"];
    let mut table =
        Table::new(heading, [Side::Right, Side::Left, Side::Left, Side::Left, Side::Left, Side::Left, Side::Left]);
    let positions = positions(plan, graph.passes.len());
    let mut edges: Vec<&Edge> = plan.edges.iter().filter(|edge| positions[edge.before].is_some()).collect();
    edges.sort_by_key(|edge| (edge.after, positions[edge.before], edge.reason));
    for step in &plan.steps {
        let members = passes(step);
        for (at, pass) in members.iter().enumerate() {
            let first = edges.partition_point(|edge| edge.after < *pass);
            let why = edges[first..].iter().take_while(|edge| edge.after == *pass).copied().collect::<Vec<_>>();
            let label = if at == 0 { kind(step) } else { "" };
            let number = positions[*pass].map_or(String::new(), |at| at.to_string());
            let name = format!("{}{}", bracket(members.len(), at, true), graph.passes[*pass].name);
            let mut head = [number, label.to_owned(), name];
            for [after, reason, here, there] in whys(graph, files, &why) {
                let below = [String::new(), String::new(), bracket(members.len(), at, false).to_owned()];
                let [number, step, name] = std::mem::replace(&mut head, below);
                table.row([number, step, name, after, reason, here, there]);
            }
        }
    }
    table.write(out);
}

/// What joins the members of one step: at the first line of the `at`-th of `n`, and at the lines below it.
fn bracket(n: usize, at: usize, first_line: bool) -> &'static str {
    match (at, first_line) {
        _ if n == 1 => "",
        (0, true) => "┌ ",
        (at, true) if at + 1 == n => "└ ",
        (at, false) if at + 1 == n => "  ",
        (_, true) => "├ ",
        (_, false) => "│ ",
    }
}

/// One row an edge: after whom, why, and both places.
fn whys(graph: &Draft, files: &Files, edges: &[&Edge]) -> Vec<[String; 4]> {
    let mut rows = Vec::new();
    for edge in edges.iter().take(MOST) {
        let (here, there) = match edge.reason {
            EdgeReason::Stated(span) => (files.place(span), String::new()),
            EdgeReason::Hazard { before, after, .. } => (files.place(after), there(files, after, before)),
        };
        rows.push([graph.passes[edge.before].name.to_string(), reason::edge(graph, edge), here, there]);
    }
    if edges.len() > MOST {
        rows.push([format!("and {} more", edges.len() - MOST), String::new(), String::new(), String::new()]);
    }
    if rows.is_empty() {
        rows.push(<[String; 4]>::default());
    }
    rows
}

/// The other place: line and column, with the file where it is another one.
fn there(files: &Files, here: Span, there: Span) -> String {
    if here.file != there.file {
        return files.place(there);
    }
    let at = files.get(there.file).position(there.start);
    format!("{}:{}", at.line, at.column)
}

fn once(graph: &Draft, plan: &Plan, out: &mut String) {
    if plan.once.is_empty() {
        return;
    }
    section(out, "ONCE, before the frame");
    for pass in &plan.once {
        let _ = writeln!(out, "  {}", graph.passes[*pass].name);
    }
}

fn not_recorded(graph: &Draft, plan: &Plan, out: &mut String) {
    if plan.dead.is_empty() {
        return;
    }
    section(out, "NOT RECORDED");
    let mut table = Table::new(["pass", "state", "because"], [Side::Left; 3]);
    for (pass, why) in &plan.dead {
        let state = match why {
            DeadReason::Unread => "dead",
            DeadReason::Empty => "empty",
            DeadReason::Folded(_) => "folded",
        };
        let reason = reason::dead(graph, plan, *pass, *why);
        table.row([graph.passes[*pass].name.to_string(), state.to_owned(), reason]);
    }
    table.write(out);
}

fn resources(graph: &Draft, plan: &Plan, out: &mut String) {
    section(out, "RESOURCES");
    let heading = ["name", "what", "size", "holds", "slot", "alive", "made for"];
    let mut table =
        Table::new(heading, [Side::Left, Side::Left, Side::Right, Side::Left, Side::Left, Side::Left, Side::Left]);
    for (id, resource) in graph.resources.entries() {
        let size = match (&resource.kind, size::bytes(resource)) {
            (ResourceKind::Buffer(_) | ResourceKind::Texture(_), Some(size)) => reason::human_bytes(size),
            (ResourceKind::Buffer(_) | ResourceKind::Texture(_), None) => "?".to_owned(),
            _ => continue,
        };
        table.row([
            resource.name.to_string(),
            what(resource),
            size,
            holds(graph, plan, id).to_owned(),
            plan.placement[id].map_or(String::new(), |slot| format!("s{}", slot.index())),
            plan.lifetimes[id].map_or(String::new(), |span| bar(&[span], plan.order.len())),
            made_for(graph, plan, id),
        ]);
    }
    table.write(out);
}

/// `buffer`, `Rgba8Unorm 64 × 32, 4 mips`.
fn what(resource: &Resource) -> String {
    let ResourceKind::Texture(texture) = &resource.kind else { return "buffer".to_owned() };
    let format = texture.format.map_or("?".to_owned(), |format| format!("{format:?}"));
    let size = texture.size.map_or("?".to_owned(), |[width, height]| format!("{width} × {height}"));
    let many = |n: u32, what: &str| if n > 1 { format!(", {n} {what}") } else { String::new() };
    let (mips, layers) = (many(texture.mips, "mips"), many(texture.layers, "layers"));
    format!("{format} {size}{mips}{layers}{}", many(texture.samples, "samples"))
}

fn holds(graph: &Draft, plan: &Plan, id: ResourceId) -> &'static str {
    let resource = &graph.resources[id];
    match (resource.port, resource.lifetime) {
        (Some(PortKind::In), _) => "given",
        (Some(PortKind::Out), _) => "given to fill",
        (Some(PortKind::InOut), _) => "given and filled",
        (_, Lifetime::Persistent) => "persistent",
        (_, Lifetime::History) => "history",
        _ if plan.zeroed.iter().any(|(zeroed, _)| *zeroed == id) => "zeros",
        _ => "transient",
    }
}

/// When something is alive: one column a pass, or to scale.
fn bar(spans: &[Lifespan], positions: usize) -> String {
    let columns = positions.min(BAR);
    let alive = |column: usize| {
        let (first, last) = (column * positions / columns, ((column + 1) * positions).div_ceil(columns));
        spans.iter().any(|span| (span.first as usize) < last && span.last as usize >= first)
    };
    (0..columns).map(|column| if alive(column) { '█' } else { '·' }).collect()
}

/// Each flag with who asked for it.
fn made_for(graph: &Draft, plan: &Plan, id: ResourceId) -> String {
    let reasons = &plan.usages[id];
    let groups = reasons.chunk_by(|a, b| a.flag == b.flag);
    let flag = |group: &[super::super::UsageReason]| {
        let mut names: Vec<&str> = group.iter().map(|one| asker(graph, one.asked_by)).collect();
        names.dedup();
        format!("{:?}: {}", group[0].flag, some(&names))
    };
    groups.map(flag).collect::<Vec<_>>().join("; ")
}

fn asker(graph: &Draft, asker: Asker) -> &str {
    match asker {
        Asker::Pass(pass, _) => &graph.passes[pass].name,
        Asker::Upload => "(contents)",
        Asker::State => "(state)",
        Asker::Output => "(output)",
        Asker::Zero => "(zeros)",
    }
}

/// The first few names, and how many more there are.
fn some(names: &[&str]) -> String {
    match names.len() {
        0..=MOST => names.join(", "),
        n => format!("{} and {} more", names[..MOST].join(", "), n - MOST),
    }
}

fn slots(graph: &Draft, plan: &Plan, out: &mut String) {
    if plan.slots.is_empty() {
        return;
    }
    section(out, "SLOTS");
    let mut table =
        Table::new(["slot", "size", "taken", "residents"], [Side::Left, Side::Right, Side::Left, Side::Left]);
    for (id, Slot { size, residents }) in plan.slots.entries() {
        let spans: Vec<Lifespan> = residents.iter().filter_map(|id| plan.lifetimes[*id]).collect();
        let names: Vec<&str> = residents.iter().map(|id| graph.resources[*id].name.as_str()).collect();
        let bar = bar(&spans, plan.order.len());
        table.row([format!("s{}", id.index()), reason::human_bytes(*size), bar, some(&names)]);
    }
    table.write(out);
}

fn memory(plan: &Plan, out: &mut String) {
    section(out, "MEMORY");
    let bytes = &plan.bytes;
    let mut table = Table::new(["", "", ""], [Side::Left, Side::Right, Side::Left]);
    let percent = |part: u64, whole: u64| (u128::from(part) * 100).checked_div(u128::from(whole)).unwrap_or(100);
    let saved = 100 - percent(bytes.shared, bytes.unshared);
    let mut row = |what: &str, size: u64, note: String| table.row([what.to_owned(), reason::human_bytes(size), note]);
    row("slots", bytes.shared, format!("{saved} % less than unshared"));
    row("unshared", bytes.unshared, "had each transient its own".to_owned());
    let over = percent(bytes.shared, bytes.bound).saturating_sub(100);
    row("bound", bytes.bound, format!("the most alive at once; slots take {over} % more"));
    row("own", bytes.own, "transients that cannot share: outputs and what is left to `Once` passes".to_owned());
    row("kept", bytes.kept, "Persistent and both copies of History".to_owned());
    table.write(out);
    if bytes.unknown {
        out.push_str("  Sizes that only the host knows (?) are in none of these sums.\n");
    }
}
