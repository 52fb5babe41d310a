//! `mesh-pack-drawn-whole`: all meshes of a pack in one draw.

use super::index_range::beyond;
use crate::diagnostic::{Diagnostic, rule};
use crate::graph::{Buffer, Call, Draft, Draw, Initial, PassKind, ResourceKind};
use crate::lint::Context;

rule! {
    pub(crate) MESH_PACK_DRAWN_WHOLE = Warning "mesh-pack-drawn-whole": "one draw takes the indices of all meshes of a pack";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    for pass in cx.draft.passes.iter().filter(|pass| !pass.poisoned) {
        let PassKind::Render(render) = &pass.kind else { continue };
        // A draw beyond the end has a fault already.
        let within = render.draws.iter().filter(|draw| beyond(cx.draft, draw).is_none());
        let found = within.filter_map(|draw| whole(cx.draft, draw));
        out.extend(found.map(|fault| fault.at(format!("passes[\"{}\"]", pass.name))));
    }
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
