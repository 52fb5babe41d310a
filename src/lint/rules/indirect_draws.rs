//! Draws whose arguments lie in a buffer, for the rules about what must lie there.

use crate::graph::{Buffer, Call, Draw, Pass, PassKind, Resource, ResourceKind, Usage};
use crate::lint::Context;
use crate::source::Span;

/// A draw that reads its arguments from a buffer.
pub(super) struct Indirect<'a> {
    pub pass: &'a Pass,
    /// The buffer.
    pub resource: &'a Resource,
    pub buffer: &'a Buffer,
    /// Where the draw names it.
    pub span: Span,
    /// Bytes a record.
    pub bytes: u64,
    /// Byte of the first record.
    pub offset: u64,
    pub count: u32,
    /// What the call is called.
    pub call: &'static str,
}

/// All of them, those of poisoned passes left out.
pub(super) fn indirect_draws<'a>(cx: &Context<'a>) -> impl Iterator<Item = Indirect<'a>> {
    let draft = cx.draft;
    draft.passes.iter().filter(|pass| !pass.poisoned).flat_map(move |pass| {
        let draws = match &pass.kind {
            PassKind::Render(render) => render.draws.as_slice(),
            _ => &[],
        };
        draws.iter().filter_map(move |draw| {
            let Call::Indirect { indexed, args, offset, count, .. } = draw.call else { return None };
            let resource = &draft.resources[args];
            let ResourceKind::Buffer(buffer) = &resource.kind else { return None };
            let used = pass.accesses.iter().filter(|access| access.usage == Usage::Indirect && access.resource == args);
            let span = used.map(|access| access.span).find(|span| within(draw, *span)).unwrap_or(draw.span);
            let (bytes, call) = if indexed { (20, "DrawIndexedIndirect") } else { (16, "DrawIndirect") };
            Some(Indirect { pass, resource, buffer, span, bytes, offset, count, call })
        })
    })
}

fn within(draw: &Draw, inner: Span) -> bool {
    let outer = draw.span;
    outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
}
