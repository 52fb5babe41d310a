//! `memory-limit`: a frame needs more memory than it may take.

use crate::diagnostic::{Diagnostic, rule};
use crate::lint::Context;

rule! {
    pub(crate) MEMORY_LIMIT = Error "memory-limit": "a frame needs more memory than it may take";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let bytes = &cx.plan.bytes;
    let parts = [bytes.shared, bytes.own, bytes.kept];
    let total = parts.into_iter().fold(0, u64::saturating_add);
    let limit = cx.profile.max_memory;
    if total <= limit {
        return;
    }
    let Some((_, largest)) = cx.draft.resources.entries().max_by_key(|(_, resource)| size(resource)) else { return };
    let message = format!("the frame needs {total} bytes, above the limit of {limit}");
    let label = format!("`{}` is the largest with {} bytes", largest.name, size(largest));
    let fault = Diagnostic::new(&MEMORY_LIMIT, message, largest.span, label);
    let (shared, own) = (bytes.shared, bytes.own);
    let fault =
        fault.note(format!("{shared} bytes of transients that share, {own} that do not, {} that are kept", bytes.kept));
    out.push(fault.help("allow more with `--max-memory`").at(format!("resources[\"{}\"]", largest.name)));
}

/// Bytes of one copy, as far as they are known.
fn size(resource: &crate::graph::Resource) -> u64 {
    use crate::graph::ResourceKind;
    match &resource.kind {
        ResourceKind::Buffer(buffer) => buffer.size.unwrap_or(0),
        ResourceKind::Texture(texture) => {
            let texels = texture.size.map_or(0, |[w, h]| u64::from(w) * u64::from(h));
            let block = texture.format.and_then(|format| format.block_copy_size(None)).unwrap_or(4);
            texels
                .saturating_mul(block.into())
                .saturating_mul(texture.layers.into())
                .saturating_mul(texture.samples.into())
        }
        ResourceKind::Sampler(_) | ResourceKind::Uniform | ResourceKind::HostUniform { .. } => 0,
    }
}
