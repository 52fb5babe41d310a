//! `index-range`: a draw takes more indices or vertices than there are.

use crate::diagnostic::{Diagnostic, rule};
use crate::graph::{Buffer, Call, Draft, Draw, Initial, PassKind, ResourceId, ResourceKind};
use crate::lint::Context;
use wgpu_types::IndexFormat;

rule! {
    pub(crate) INDEX_RANGE = Error "index-range": "a draw takes more indices or vertices than its buffers have";
    pub(crate) MESH_PACK_DRAWN_WHOLE = Warning "mesh-pack-drawn-whole": "one draw takes the indices of all meshes of a pack";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    for pass in cx.draft.passes.iter().filter(|pass| !pass.poisoned) {
        let PassKind::Render(render) = &pass.kind else { continue };
        let found = render.draws.iter().filter_map(|draw| {
            indices(cx.draft, draw).or_else(|| vertices(cx.draft, draw)).or_else(|| whole(cx.draft, draw))
        });
        out.extend(found.map(|fault| fault.at(format!("passes[\"{}\"]", pass.name))));
    }
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

/// Indices count from the first vertex of their mesh: drawn in one go, all meshes but the first get wrong vertices.
fn whole(draft: &Draft, draw: &Draw) -> Option<Diagnostic> {
    let Call::DrawIndexed { indices: Some(indices), first_index, base_vertex: 0, .. } = draw.call else { return None };
    let buffer = &draft.resources[draw.index_buffer?.0];
    let ResourceKind::Buffer(Buffer { initial: Some(Initial::Indices(pack)), .. }) = &buffer.kind else { return None };
    let first = pack.draws.first()?;
    if pack.draws.len() < 2 || first_index + indices <= first.index_count {
        return None;
    }
    let message =
        format!("one draw takes {indices} indices of `{}`, which holds {} meshes", buffer.name, pack.draws.len());
    let fault = Diagnostic::new(&MESH_PACK_DRAWN_WHOLE, message, draw.span, "goes beyond the first mesh")
        .also(buffer.span, "declared here");
    let fault = fault.note("the indices of each mesh count from its own first vertex");
    Some(
        fault.help("draw one mesh with `mesh: \"pack[0]\"`, or all of them with DrawIndexedIndirect over `pack.draws`"),
    )
}
