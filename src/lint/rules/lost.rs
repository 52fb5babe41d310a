//! Values that are replaced as a whole before anyone reads them, for the rules about them.

use std::collections::BTreeSet;

use crate::diagnostic::{Diagnostic, Rule};
use crate::graph::{Access, Draft, Effect, PassId, PassKind, ResourceId};
use crate::lint::Context;
use crate::plan::{EdgeReason, Hazard};
use crate::source::Span;

/// A write whose value nobody sees.
pub(super) struct Lost<'a> {
    pub pass: PassId,
    pub access: &'a Access,
    pub by: PassId,
    /// Where it is replaced.
    at: Span,
}

impl Lost<'_> {
    /// A fault of such a write.
    pub(super) fn fault(&self, cx: &Context<'_>, rule: &'static Rule, message: String, label: &str) -> Diagnostic {
        Diagnostic::new(rule, message, self.access.span, label)
            .also(cx.draft.resources[self.access.resource].span, "declared here")
            .also(self.at, "replaced here")
            .at(format!("passes[\"{}\"]", cx.draft.passes[self.pass].name))
    }
}

/// Passes of which something is lost: those need no other explanation for being dead.
pub(super) fn losers(cx: &Context<'_>) -> BTreeSet<PassId> {
    lost(cx).into_iter().map(|lost| lost.pass).collect()
}

/// All of them.
pub(super) fn lost<'a>(cx: &Context<'a>) -> Vec<Lost<'a>> {
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
