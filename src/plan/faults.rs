//! Reads of what holds nothing.

use super::depend::MAX_HAZARDS;
use super::rules::{READ_BEFORE_WRITE, TOO_MANY_HAZARDS, UNCLEARED_ACCUMULATOR};
use super::uses::{Frame, Use};
use super::words;
use crate::diagnostic::Diagnostic;
use crate::graph::{Access, Draft, Effect, Lifetime, Part, PassId, ResourceId, Usage};

/// An access that sees nothing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fault<'a> {
    /// Of what.
    pub resource: ResourceId,
    /// Which part of it.
    pub cell: Part,
    /// Who reads.
    pub pass: PassId,
    /// Where.
    pub access: &'a Access,
    /// Why there is nothing.
    pub kind: FaultKind,
}

/// Why an access sees nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum FaultKind {
    /// Nobody writes it.
    Unwritten,
    /// Several passes below the reader do.
    Ambiguous,
    /// The reader is the first to write.
    ReadsOwn,
    /// Not a fault of the access: hazards were no longer counted.
    TooMany,
}

/// Reports faults, each resource and reader once. While passes may lack accesses nobody knows what they wrote.
pub(super) fn report(graph: &Draft, frame: &Frame<'_>, faults: &[Fault<'_>], found: &mut Vec<Diagnostic>) {
    let mut faults: Vec<&Fault<'_>> = faults.iter().collect();
    faults.sort_by_key(|fault| (fault.resource, fault.pass));
    faults.dedup_by_key(|fault| (fault.resource, fault.pass));
    let mut unwritten: Option<ResourceId> = None;
    for fault in faults {
        match fault.kind {
            FaultKind::TooMany => found.push(too_many(graph, fault)),
            _ if frame.any_poisoned => {}
            FaultKind::Unwritten if unwritten == Some(fault.resource) => {
                if let Some(one) = found.last_mut() {
                    let label = format!("`{}` reads it too", graph.passes[fault.pass].name);
                    *one = one.clone().also(fault.access.span, label);
                }
            }
            FaultKind::Unwritten => {
                unwritten = Some(fault.resource);
                found.push(nobody_writes(graph, fault));
            }
            FaultKind::Ambiguous => found.push(ambiguous(graph, frame, fault)),
            FaultKind::ReadsOwn => found.push(reads_own(graph, frame, fault)),
        }
    }
}

fn too_many(graph: &Draft, fault: &Fault<'_>) -> Diagnostic {
    let resource = &graph.resources[fault.resource];
    let message = format!("parts of `{}` bring the frame above {MAX_HAZARDS} hazards", resource.name);
    Diagnostic::new(&TOO_MANY_HAZARDS, message, resource.span, "each part has writers and readers of its own")
        .help("read only the parts that are needed, or write several in one pass")
        .at(words::resource_path(graph, fault.resource))
}

/// The headline's place: the reader.
fn start(graph: &Draft, fault: &Fault<'_>, message: String, label: &str) -> Diagnostic {
    Diagnostic::new(&READ_BEFORE_WRITE, message, fault.access.span, label).at(words::pass_path(graph, fault.pass))
}

fn nobody_writes(graph: &Draft, fault: &Fault<'_>) -> Diagnostic {
    let resource = &graph.resources[fault.resource];
    let (reader, what) = (&graph.passes[fault.pass].name, words::part(graph, fault.resource, fault.cell));
    start(graph, fault, format!("`{reader}` reads `{what}`, which nothing writes"), "read here")
        .also(resource.span, holds_nothing(resource.lifetime, resource.port.is_some()))
        .help(format!("let a pass above `{reader}` write `{}`, or give it what it should hold", resource.name))
}

fn holds_nothing(lifetime: Lifetime, port: bool) -> &'static str {
    match lifetime {
        _ if port => "an `Out` port: it holds nothing when a frame starts",
        Lifetime::History => "a History holds nothing when a frame starts; last frame's copy is its `.previous`",
        _ => "transient: it holds nothing when a frame starts",
    }
}

/// The passes that write the part, in file order.
fn writers<'f>(frame: &'f Frame<'_>, fault: &'f Fault<'_>) -> impl Iterator<Item = &'f Use<'f>> {
    let writes = |it: &&Use<'_>| it.access.effect.writes() && frame.each_frame(it.pass) == frame.each_frame(fault.pass);
    frame.uses.of(fault.resource).iter().filter(writes).filter(|it| it.access.part.overlaps(fault.cell))
}

fn ambiguous(graph: &Draft, frame: &Frame<'_>, fault: &Fault<'_>) -> Diagnostic {
    let (reader, what) = (&graph.passes[fault.pass].name, words::part(graph, fault.resource, fault.cell));
    let name = |pass: PassId| graph.passes[pass].name.as_str();
    let mut passes: Vec<PassId> = writers(frame, fault).map(|it| it.pass).collect();
    passes.dedup();
    let names = words::list(passes.iter().map(|pass| name(*pass)), "and");
    let message = if passes.len() == 1 {
        format!("`{reader}` reads `{what}` above {names}, which writes it")
    } else {
        format!("`{reader}` reads `{what}` above all of its writers: {names}")
    };
    let mut diagnostic = start(graph, fault, message, "which value is meant?");
    for by in writers(frame, fault).take(4) {
        diagnostic = diagnostic.also(by.access.span, format!("`{}` writes it", name(by.pass)));
    }
    let below = words::list(passes.iter().map(|pass| name(*pass)), "or");
    diagnostic.help(format!("move `{reader}` below the writer that it means: {below}"))
}

fn reads_own(graph: &Draft, frame: &Frame<'_>, fault: &Fault<'_>) -> Diagnostic {
    let resource = &graph.resources[fault.resource];
    let (reader, what) = (&graph.passes[fault.pass].name, words::part(graph, fault.resource, fault.cell));
    let access = fault.access;
    let other = writers(frame, fault).find(|it| it.pass != fault.pass);
    let adds = access.effect == Effect::Accumulate;
    let attached = matches!(access.usage, Usage::ColorAttachment | Usage::DepthAttachment);
    let message = match (adds, attached) {
        (true, _) => format!("`{reader}` adds to `{what}`, which nothing wrote before it"),
        (_, true) => format!("`{reader}` draws over `{what}`, which nothing wrote before it"),
        _ => format!("`{reader}` reads and changes `{what}`, which nothing wrote before it"),
    };
    let help = match other {
        Some(other) => format!("move `{}` above `{reader}`", graph.passes[other.pass].name),
        None if attached => "add `clear` to the attachment".to_owned(),
        None if adds => {
            format!("clear it above `{reader}`: `ClearBuffer(name: \"reset\", target: \"{}\")`", resource.name)
        }
        None => format!("let a pass above `{reader}` write `{}`", resource.name),
    };
    let rule = if adds { &UNCLEARED_ACCUMULATOR } else { &READ_BEFORE_WRITE };
    let mut diagnostic = Diagnostic::new(rule, message, access.span, if adds { "added to here" } else { "read here" })
        .at(words::pass_path(graph, fault.pass))
        .also(resource.span, holds_nothing(resource.lifetime, resource.port.is_some()));
    if let Some(other) = other {
        let label = format!("`{}` writes it, below `{reader}`", graph.passes[other.pass].name);
        diagnostic = diagnostic.also(other.access.span, label);
    }
    diagnostic.help(help)
}
