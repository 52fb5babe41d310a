//! Checks of passes that do not run in every frame: `Once` passes, and those whose `when` reads the frame.

use super::rules::{CONDITIONAL_WRITE, ONCE_AFTER_FRAME, ONCE_SHARES_TRANSIENT};
use super::uses::{Frame, Use};
use super::words;
use crate::diagnostic::Diagnostic;
use crate::graph::{Draft, Lifetime, PassId, ResourceId, Run};
use crate::id::Id as _;

/// Checks what such passes touch and what they come after.
pub(super) fn check(graph: &Draft, frame: &Frame<'_>, found: &mut Vec<Diagnostic>) {
    if frame.any_once {
        for (id, resource) in graph.resources.entries().filter(|(_, resource)| !resource.poisoned) {
            if resource.port.is_some() {
                found.extend(writes_port(graph, frame, id));
            } else if resource.lifetime == Lifetime::Transient {
                found.extend(shares(graph, frame, id));
            }
        }
        for pass in frame.told.iter().copied().filter(|pass| frame.facts[*pass].run == Run::Once) {
            found.extend(graph.passes[pass].after.iter().filter_map(|(before, span)| {
                comes_too_late(graph, frame, pass, *before).map(|(message, help)| {
                    Diagnostic::new(
                        &ONCE_AFTER_FRAME,
                        message,
                        *span,
                        format!("`{}` runs later", graph.passes[*before].name),
                    )
                    .also(graph.passes[pass].span, "this pass runs before the frame")
                    .help(help)
                    .at(words::pass_path(graph, pass))
                })
            }));
        }
    }
    found.extend(frame.conditional.iter().filter_map(|pass| conditional(graph, *pass)));
}

/// A `Once` pass and the frame touch a transient, or it is an output.
fn shares(graph: &Draft, frame: &Frame<'_>, id: ResourceId) -> Option<Diagnostic> {
    let uses = frame.uses.of(id);
    let once = uses.iter().find(|it| !frame.each_frame(it.pass) && it.access.effect.writes());
    let once = once.or_else(|| uses.iter().find(|it| !frame.each_frame(it.pass)))?;
    let each = uses.iter().find(|it| frame.each_frame(it.pass)).map(|it| (it.pass, it.access.span));
    let resource = &graph.resources[id];
    let output = graph.outputs.iter().find(|(output, _)| *output == id).map(|(_, span)| *span);
    let (name, pass) = (&resource.name, &graph.passes[once.pass].name);
    if frame.standing[id].starts_once {
        return None;
    }
    let message = match (each, output) {
        (Some((each, _)), _) => {
            format!("`{name}` is transient, but `{pass}` runs once and `{}` in each frame", graph.passes[each].name)
        }
        (None, Some(_)) => format!("output `{name}` is transient, but only `{pass}`, which runs once, touches it"),
        (None, None) => return None,
    };
    let other = each.map_or_else(
        || (output.unwrap_or(resource.span), "an output of each frame".to_owned()),
        |(each, span)| (span, format!("`{}` touches it in each frame", graph.passes[each].name)),
    );
    let diagnostic =
        Diagnostic::new(&ONCE_SHARES_TRANSIENT, message, once.access.span, "touched before the frame, and not in each")
            .also(other.0, other.1)
            .also(resource.span, "holds nothing when a frame starts")
            .help(format!("add `lifetime: Persistent` to `{name}`"))
            .at(words::resource_path(graph, id));
    Some(diagnostic)
}

/// A `Once` pass writes a port.
fn writes_port(graph: &Draft, frame: &Frame<'_>, id: ResourceId) -> Option<Diagnostic> {
    let writes = |it: &&Use<'_>| !frame.each_frame(it.pass) && it.access.effect.writes();
    let by = frame.uses.of(id).iter().find(writes)?;
    let resource = &graph.resources[id];
    let message = format!("`{}` runs once and writes the port `{}`", graph.passes[by.pass].name, resource.name);
    let diagnostic = Diagnostic::new(&ONCE_SHARES_TRANSIENT, message, by.access.span, "written before the frame")
        .also(resource.span, "the host's, given for each frame")
        .help("let the pass write a `Persistent` resource, and copy it to the port in each frame")
        .at(words::resource_path(graph, id));
    Some(diagnostic)
}

fn comes_too_late(graph: &Draft, frame: &Frame<'_>, pass: PassId, before: PassId) -> Option<(String, String)> {
    let (name, other) = (&graph.passes[pass].name, &graph.passes[before].name);
    if frame.each_frame(before) {
        let message = format!("`{name}` runs once, before the frame, and is told to come after `{other}`");
        return Some((message, format!("remove `{other}` from `after`, or let `{name}` run in each frame")));
    }
    let message = format!("`{name}` is told to come after `{other}`, but `Once` passes run in file order");
    (before.index() >= pass.index()).then(|| (message, format!("move `{name}` below `{other}`")))
}

/// A conditional pass writes something that does not last.
fn conditional(graph: &Draft, id: PassId) -> Option<Diagnostic> {
    let pass = &graph.passes[id];
    let lasts = |resource: ResourceId| graph.resources[resource].lifetime == Lifetime::Persistent;
    let bad = pass
        .accesses
        .iter()
        .find(|it| it.effect.writes() && !lasts(it.resource) && !graph.resources[it.resource].poisoned)?;
    let resource = &graph.resources[bad.resource];
    let message =
        format!("`{}` does not run in every frame and writes `{}`, which is not Persistent", pass.name, resource.name);
    let diagnostic = Diagnostic::new(&CONDITIONAL_WRITE, message, bad.span, "written in some frames only")
        .also(resource.span, "holds nothing when a frame starts")
        .help(format!("add `lifetime: Persistent` to `{}`", resource.name))
        .at(words::pass_path(graph, id));
    Some(diagnostic)
}
