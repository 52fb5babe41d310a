//! `sees-only-a-clear`: a pass reads a value that is nothing but a clear, while a later pass writes more.

use std::cell::LazyCell;
use std::collections::BTreeMap;

use super::lost::only_clears;
use crate::diagnostic::{Diagnostic, rule};
use crate::graph::{Effect, PassId, ResourceId};
use crate::lint::Context;
use crate::plan::{EdgeReason, Hazard};
use crate::source::Span;

rule! {
    pub(crate) SEES_ONLY_A_CLEAR = Warning "sees-only-a-clear": "a pass reads a cleared value that a later pass goes on to fill";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    // How many writers' values each reader sees: of a texture it may see several.
    let seen = LazyCell::new(|| {
        let mut seen: BTreeMap<(PassId, ResourceId), usize> = BTreeMap::new();
        for edge in &cx.plan.edges {
            if let EdgeReason::Hazard { kind: Hazard::ReadAfterWrite, resource, .. } = edge.reason {
                *seen.entry((edge.after, resource)).or_default() += 1;
            }
        }
        seen
    });
    for edge in &cx.plan.edges {
        let EdgeReason::Hazard { kind: Hazard::ReadAfterWrite, resource, before, after, .. } = edge.reason else {
            continue;
        };
        let (clear, reader) = (edge.before, edge.after);
        if !only_clears(cx.draft, clear) || !merely_reads(cx, reader, resource) {
            continue;
        }
        let Some((filler, at)) = filled_by(cx, reader, resource) else { continue };
        if seen[&(reader, resource)] > 1 {
            continue;
        }
        let name = |pass: PassId| &cx.draft.passes[pass].name;
        let of = &cx.draft.resources[resource].name;
        let message = format!(
            "`{}` reads `{of}` right after `{}` cleared it, and `{}` fills it only then",
            name(reader),
            name(clear),
            name(filler)
        );
        let fault = Diagnostic::new(&SEES_ONLY_A_CLEAR, message, after, "reads nothing but the clear")
            .also(before, "cleared here")
            .also(at, "filled here")
            .note("a read takes the nearest writer above it");
        let help = format!(
            "move `{}` below `{}`, or make `{of}` Persistent or a History if last frame's is meant",
            name(reader),
            name(filler)
        );
        out.push(fault.help(help).at(format!("passes[\"{}\"]", name(reader))));
    }
}

fn merely_reads(cx: &Context<'_>, pass: PassId, resource: ResourceId) -> bool {
    let mut accesses = cx.draft.passes[pass].accesses.iter().filter(|access| access.resource == resource);
    accesses.all(|access| access.effect == Effect::Read)
}

/// A later pass that builds on what the reader saw.
fn filled_by(cx: &Context<'_>, reader: PassId, resource: ResourceId) -> Option<(PassId, Span)> {
    cx.plan.edges_from(reader).iter().find_map(|edge| match edge.reason {
        EdgeReason::Hazard { kind: Hazard::WriteAfterRead, resource: of, after, .. } if of == resource => {
            let mut accesses = cx.draft.passes[edge.after].accesses.iter().filter(|access| access.resource == resource);
            let builds = |effect: Effect| matches!(effect, Effect::Write | Effect::ReadWrite | Effect::Accumulate);
            accesses.any(|access| builds(access.effect)).then_some((edge.after, after))
        }
        _ => None,
    })
}
