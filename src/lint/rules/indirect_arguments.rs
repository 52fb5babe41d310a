//! `indirect-stride` and `first-instance-nonzero`: indirect arguments that are not what the call reads.

use wgpu_types::Features;

use crate::diagnostic::{Diagnostic, rule};
use crate::graph::{Buffer, Call, Draw, Initial, Pass, PassKind, Resource, ResourceKind, Usage};
use crate::lint::Context;
use crate::source::Span;

rule! {
    pub(crate) INDIRECT_STRIDE = Error "indirect-stride": "indirect arguments are records of another size than the call reads";
    pub(crate) FIRST_INSTANCE_NONZERO = Error "first-instance-nonzero": "indirect arguments start with another instance than the first";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    for pass in cx.draft.passes.iter().filter(|pass| !pass.poisoned) {
        let PassKind::Render(render) = &pass.kind else { continue };
        for draw in &render.draws {
            let Call::Indirect { args, .. } = draw.call else { continue };
            let resource = &cx.draft.resources[args];
            let ResourceKind::Buffer(buffer) = &resource.kind else { continue };
            let used = pass.accesses.iter().filter(|access| access.usage == Usage::Indirect && access.resource == args);
            let span = used.map(|access| access.span).find(|span| within(draw.span, *span)).unwrap_or(draw.span);
            out.extend(stride(pass, draw, resource, buffer, span));
            if !cx.profile.features.contains(Features::INDIRECT_FIRST_INSTANCE) {
                out.extend(first_instance(pass, draw, resource, buffer, span));
            }
        }
    }
}

fn within(outer: Span, inner: Span) -> bool {
    outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
}

fn record(draw: &Draw) -> Option<(u64, u64, u32, &'static str)> {
    match draw.call {
        Call::Indirect { indexed: true, offset, count, .. } => Some((20, offset, count, "DrawIndexedIndirect")),
        Call::Indirect { indexed: false, offset, count, .. } => Some((16, offset, count, "DrawIndirect")),
        _ => None,
    }
}

/// Words and whole records are what one may have; anything else does not line up from the second record on.
pub(super) fn misfits(buffer: &Buffer, bytes: u64, count: u32) -> bool {
    buffer.header == 0
        && buffer.stride.is_some_and(|stride| {
            let other = stride == 16 || stride == 20;
            stride != 4 && stride % bytes != 0 && (other || count > 1)
        })
}

fn stride(pass: &Pass, draw: &Draw, resource: &Resource, buffer: &Buffer, span: Span) -> Option<Diagnostic> {
    let (bytes, _, count, call) = record(draw)?;
    let stride = buffer.stride.filter(|_| misfits(buffer, bytes, count))?;
    let message = format!("`{call}` reads records of {bytes} bytes, but `{}` has elements of {stride}", resource.name);
    let fault = Diagnostic::new(&INDIRECT_STRIDE, message, span, format!("read in steps of {bytes} bytes"));
    let fault = fault.also(resource.span, "declared here").note(
        "a draw has 16 bytes (vertices, instances, first vertex, first instance), an indexed draw 20 (indices, instances, first index, base vertex, first instance)",
    );
    Some(fault.help("let the shader's struct have the members of the call").at(format!("passes[\"{}\"]", pass.name)))
}

/// What the file itself puts into the arguments.
fn first_instance(pass: &Pass, draw: &Draw, resource: &Resource, buffer: &Buffer, span: Span) -> Option<Diagnostic> {
    let (bytes, offset, count, _) = record(draw)?;
    let Some(Initial::Bytes(values)) = &buffer.initial else { return None };
    let records = values.get(usize::try_from(offset).ok()?..)?.chunks_exact(bytes as usize).take(count as usize);
    let word = |record: &[u8]| record.last_chunk::<4>().map_or(0, |word| u32::from_le_bytes(*word));
    let (index, first) = records.map(word).enumerate().find(|(_, first)| *first != 0)?;
    let message = format!("record {index} of `{}` starts with instance {first}", resource.name);
    let fault = Diagnostic::new(&FIRST_INSTANCE_NONZERO, message, span, "read here")
        .also(resource.span, "filled here")
        .note("without the feature `IndirectFirstInstance` the draw is skipped or starts with 0");
    let help = "put 0 there and let the batch find its range with `set: { \"batch\": \"draw_index\" }`, or require the feature";
    Some(fault.help(help).at(format!("passes[\"{}\"]", pass.name)))
}
