//! `unread-write`: what passes write is read by none.

use std::cell::LazyCell;
use std::collections::BTreeSet;

use crate::diagnostic::{Diagnostic, rule};
use crate::graph::{Access, Buffer, PassId, PassKind, ResourceId, ResourceKind, Usage};
use crate::lint::Context;

rule! {
    pub(crate) UNREAD_WRITE = Warning "unread-write": "a resource is written and never read";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let live = LazyCell::new(|| cx.plan.order.iter().chain(&cx.plan.once).copied().collect::<BTreeSet<_>>());
    let outputs: BTreeSet<ResourceId> =
        cx.draft.outputs.iter().map(|(id, _)| *id).chain(live_arguments(cx)).chain(resolved(cx)).collect();
    // A depth test reads within the pass; a blend does not count.
    let reads = |access: &Access| match access.usage {
        Usage::DepthAttachment => true,
        Usage::ColorAttachment => false,
        _ => access.effect.reads(),
    };
    for (id, resource) in cx.draft.resources.entries() {
        let uses = &cx.uses[id];
        let seen = resource.poisoned || resource.port.is_some() || outputs.contains(&id);
        if seen || uses.iter().any(|(_, access)| reads(access)) {
            continue;
        }
        let writes = |(pass, access): &&(PassId, &Access)| live.contains(pass) && access.effect.writes();
        let Some((pass, access)) = uses.iter().find(writes) else { continue };
        let message = format!("`{}` is written and never read", resource.name);
        let writer = format!("`{}` writes it", cx.draft.passes[*pass].name);
        let fault =
            Diagnostic::new(&UNREAD_WRITE, message, resource.span, "no pass reads it").also(access.span, writer);
        let fault = fault.help("read it, name it in `outputs`, or stop writing it");
        out.push(fault.at(format!("resources[\"{}\"]", resource.name)));
    }
}

/// Arguments that count the live part of a list: dumps read them.
fn live_arguments(cx: &Context<'_>) -> impl Iterator<Item = ResourceId> {
    cx.draft.resources.iter().filter_map(|resource| match resource.kind {
        ResourceKind::Buffer(Buffer { live, .. }) => live,
        _ => None,
    })
}

/// Attachments whose samples a pass averages into another.
fn resolved(cx: &Context<'_>) -> impl Iterator<Item = ResourceId> {
    let color = cx.draft.passes.iter().flat_map(|pass| match &pass.kind {
        PassKind::Render(render) => render.color.as_slice(),
        _ => &[],
    });
    color.filter(|attachment| attachment.resolve.is_some()).map(|attachment| attachment.resource)
}
