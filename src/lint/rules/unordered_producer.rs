//! `unordered-producer-ordered-consumer`: a list whose order means something is filled in no order.

use crate::diagnostic::{Diagnostic, rule};
use crate::graph::{BindingSource, Buffer, Program, Resource, ResourceId, ResourceKind};
use crate::lint::Context;
use crate::source::Span;
use crate::syntax::document::ListOrder;

rule! {
    pub(crate) UNORDERED_PRODUCER = Warning "unordered-producer-ordered-consumer": "a list whose order means something is filled by atomics, in no order";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    for (pass, program) in cx.programs() {
        for (resource, store) in appended(cx, program) {
            let of = &cx.draft.resources[resource];
            if !is_ordered(of) {
                continue;
            }
            let pass = &cx.draft.passes[pass];
            let bound = pass.accesses.iter().find(|access| access.resource == resource && access.effect.writes());
            let message =
                format!("`{}` appends to `{}` in no order, but its order means something", pass.name, of.name);
            // Told where the order is asked for: who fills it may be an included graph that others include with any order.
            let fault = Diagnostic::new(&UNORDERED_PRODUCER, message, of.span, "`order: Kept`")
                .also(bound.map_or(pass.span, |access| access.span), "filled here")
                .also(store, "the index comes from an atomic addition: whoever comes first is first");
            let help = "fill it by a prefix sum (a `Scan`, `compact/scan.ron`), or say `order: Any` if the order means nothing";
            out.push(fault.help(help).at(format!("resources[\"{}\"]", of.name)));
        }
    }
}

/// Buffers to which a program appends by atomics, with the store.
fn appended<'c>(cx: &Context<'c>, program: &'c Program) -> impl Iterator<Item = (ResourceId, Span)> {
    let interface = &cx.draft.shaders[program.shader].interface;
    let appends = program.entries.iter().flat_map(|entry| &interface.entries[*entry].habits.appends);
    let bound = move |global: usize| {
        program.bindings.iter().find(|binding| binding.global == global).and_then(|binding| match binding.source {
            BindingSource::Buffer { resource, previous: false } => Some(resource),
            _ => None,
        })
    };
    appends.filter_map(move |(global, span)| Some((bound(*global)?, *span)))
}

/// Whether the author said that the order of a list means something.
fn is_ordered(resource: &Resource) -> bool {
    matches!(resource.kind, ResourceKind::Buffer(Buffer { order: Some(ListOrder::Kept), .. }))
}
