//! `indirect-stride`: indirect arguments that do not line up with what the call reads.

use super::indirect_draws::{Indirect, indirect_draws};
use crate::diagnostic::{Diagnostic, rule};
use crate::graph::Buffer;
use crate::lint::Context;

rule! {
    pub(crate) INDIRECT_STRIDE = Error "indirect-stride": "indirect arguments are records of another size than the call reads";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    out.extend(indirect_draws(cx).filter_map(|draw| stride(&draw)));
}

/// Words and whole records are what one may have; anything else does not line up from the second record on.
pub(super) fn misfits(buffer: &Buffer, bytes: u64, count: u32) -> bool {
    buffer.header == 0
        && buffer.stride.is_some_and(|stride| {
            let other = stride == 16 || stride == 20;
            stride != 4 && stride % bytes != 0 && (other || count > 1)
        })
}

fn stride(draw: &Indirect<'_>) -> Option<Diagnostic> {
    let Indirect { pass, resource, bytes, call, .. } = draw;
    let stride = draw.buffer.stride.filter(|_| misfits(draw.buffer, *bytes, draw.count))?;
    let message = format!("`{call}` reads records of {bytes} bytes, but `{}` has elements of {stride}", resource.name);
    let fault = Diagnostic::new(&INDIRECT_STRIDE, message, draw.span, format!("read in steps of {bytes} bytes"));
    let fault = fault.also(resource.span, "declared here").note(
        "a draw has 16 bytes (vertices, instances, first vertex, first instance), an indexed draw 20 (indices, instances, first index, base vertex, first instance)",
    );
    Some(fault.help("let the shader's struct have the members of the call").at(format!("passes[\"{}\"]", pass.name)))
}
