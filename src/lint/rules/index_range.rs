//! `index-range`: a draw takes more indices or vertices than there are.

use crate::diagnostic::{Diagnostic, rule};
use crate::graph::{Buffer, Call, Draft, Draw, PassKind, ResourceId, ResourceKind};
use crate::lint::Context;
use wgpu_types::IndexFormat;

rule! {
    pub(crate) INDEX_RANGE = Error "index-range": "a draw takes more indices or vertices than its buffers have";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    for pass in cx.draft.passes.iter().filter(|pass| !pass.poisoned) {
        let PassKind::Render(render) = &pass.kind else { continue };
        let found = render.draws.iter().filter_map(|draw| beyond(cx.draft, draw));
        out.extend(found.map(|fault| fault.at(format!("passes[\"{}\"]", pass.name))));
    }
}

/// What a draw takes too much of.
pub(super) fn beyond(draft: &Draft, draw: &Draw) -> Option<Diagnostic> {
    indices(draft, draw).or_else(|| vertices(draft, draw))
}

fn bytes(draft: &Draft, id: ResourceId) -> Option<u64> {
    match draft.resources[id].kind {
        ResourceKind::Buffer(Buffer { size, .. }) => size,
        _ => None,
    }
}

fn fault(draft: &Draft, draw: &Draw, (what, end, of, has): (&str, u64, ResourceId, u64)) -> Diagnostic {
    let buffer = &draft.resources[of];
    let message = format!("the draw takes {what} up to {end}, but `{}` has {has}", buffer.name);
    let fault = Diagnostic::new(&INDEX_RANGE, message, draw.span, format!("needs {end} {what}"))
        .also(buffer.span, "declared here");
    fault.help(format!("draw at most {has}, or make the buffer larger"))
}

fn indices(draft: &Draft, draw: &Draw) -> Option<Diagnostic> {
    let Call::DrawIndexed { indices: Some(indices), first_index, .. } = draw.call else { return None };
    let (buffer, format) = draw.index_buffer?;
    let size: u64 = if format == IndexFormat::Uint16 { 2 } else { 4 };
    let (end, has) = (u64::from(first_index) + u64::from(indices), bytes(draft, buffer)? / size);
    (end > has).then(|| fault(draft, draw, ("indices", end, buffer, has)))
}

fn vertices(draft: &Draft, draw: &Draw) -> Option<Diagnostic> {
    let Call::Draw { vertices: Some(vertices), first_vertex, .. } = draw.call else { return None };
    draw.vertex_buffers.iter().find_map(|slot| {
        let (end, size) = (u64::from(first_vertex) + u64::from(vertices), bytes(draft, slot.resource)?);
        // The last vertex needs its attributes only, not the whole stride.
        let last = slot.attributes.iter().map(|a| a.offset + a.format.size()).max()?;
        let has = (size + slot.stride).saturating_sub(last).checked_div(slot.stride)?;
        (end > has).then(|| fault(draft, draw, ("vertices", end, slot.resource, has)))
    })
}
