//! `overwritten-unread` and `redundant-clear`: a value that is replaced as a whole before anyone reads it.

use std::collections::BTreeSet;

use crate::diagnostic::{Diagnostic, rule};
use crate::graph::{Access, Draft, Effect, PassId, PassKind, ResourceId};
use crate::lint::Context;
use crate::plan::{EdgeReason, Hazard};
use crate::source::Span;

rule! {
    pub(crate) OVERWRITTEN_UNREAD = Warning "overwritten-unread": "a value is replaced before anyone reads it";
    pub(crate) REDUNDANT_CLEAR = Warning "redundant-clear": "what is cleared is replaced as a whole before anyone reads it";
}

/// A write whose value nobody sees.
struct Lost<'a> {
    pass: PassId,
    access: &'a Access,
    by: PassId,
    /// Where it is replaced.
    at: Span,
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    for Lost { pass, access, by, at } in lost(cx) {
        let (resource, writer) = (&cx.draft.resources[access.resource], &cx.draft.passes[pass]);
        let replacer = &cx.draft.passes[by].name;
        let clears = only_clears(cx.draft, pass);
        let (rule, message, help) = if clears {
            (
                &REDUNDANT_CLEAR,
                format!("`{}` clears `{}`, which `{replacer}` then replaces", writer.name, resource.name),
                "remove the clear: nothing sees it",
            )
        } else {
            (
                &OVERWRITTEN_UNREAD,
                format!(
                    "`{}` writes `{}`, which `{replacer}` replaces before anyone reads it",
                    writer.name, resource.name
                ),
                "read it in between, let the later pass build on it (no `clear`), or remove the write",
            )
        };
        let fault = Diagnostic::new(rule, message, access.span, if clears { "cleared here" } else { "written here" })
            .also(resource.span, "declared here")
            .also(at, "replaced here");
        out.push(fault.help(help).at(format!("passes[\"{}\"]", writer.name)));
    }
}

/// Passes of which something is lost: those need no other explanation for being dead.
pub(super) fn losers(cx: &Context<'_>) -> BTreeSet<PassId> {
    lost(cx).into_iter().map(|lost| lost.pass).collect()
}

fn lost<'a>(cx: &Context<'a>) -> Vec<Lost<'a>> {
    let mut lost = Vec::new();
    for edge in &cx.plan.edges {
        let EdgeReason::Hazard { kind: Hazard::WriteAfterWrite, resource, after, .. } = edge.reason else { continue };
        let of = |pass: PassId| {
            let accesses = cx.draft.passes[pass].accesses.iter();
            accesses.filter(move |access| access.resource == resource && !access.previous && access.effect.writes())
        };
        let Some(replaces) = of(edge.after).find(|access| access.effect == Effect::Replace) else { continue };
        let whole = |access: &&Access| {
            let (a, b) = (access.part, replaces.part);
            b.mip <= a.mip
                && a.mip + a.mips <= b.mip + b.mips
                && b.layer <= a.layer
                && a.layer + a.layers <= b.layer + b.layers
        };
        let Some(access) = of(edge.before).find(whole) else { continue };
        let conditional = cx.draft.passes[edge.after].condition.is_some();
        if !conditional && !cx.draft.passes[edge.after].empty && !is_read(cx, edge.before, resource) {
            lost.push(Lost { pass: edge.before, access, by: edge.after, at: after });
        }
    }
    lost
}

/// Whether anyone sees what a pass leaves in a resource.
fn is_read(cx: &Context<'_>, pass: PassId, resource: ResourceId) -> bool {
    cx.plan.edges_from(pass).iter().any(|edge| {
        matches!(edge.reason, EdgeReason::Hazard { kind: Hazard::ReadAfterWrite, resource: of, .. } if of == resource)
    })
}

/// Whether a pass does nothing but clear.
pub(super) fn only_clears(draft: &Draft, pass: PassId) -> bool {
    match &draft.passes[pass].kind {
        PassKind::ClearBuffer { .. } => true,
        PassKind::Render(render) => render.draws.is_empty(),
        _ => false,
    }
}
