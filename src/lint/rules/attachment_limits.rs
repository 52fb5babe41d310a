//! `attachment-limit`: a render pass has more colour than the profile allows.

use crate::diagnostic::{Diagnostic, rule};
use crate::graph::{PassKind, ResourceKind};
use crate::lint::Context;

rule! {
    pub(crate) ATTACHMENT_LIMIT = Error "attachment-limit": "a render pass has more colour than the profile allows";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let limits = &cx.profile.limits;
    for pass in &cx.draft.passes {
        let PassKind::Render(render) = &pass.kind else { continue };
        let formats: Vec<_> = render
            .color
            .iter()
            .filter_map(|color| match &cx.draft.resources[color.resource].kind {
                ResourceKind::Texture(texture) => texture.format,
                _ => None,
            })
            .collect();
        let n = render.color.len() as u32;
        let bytes = bytes_a_sample(&formats);
        let what = if n > limits.max_color_attachments {
            format!("has {n} colour attachments, above the limit of {}", limits.max_color_attachments)
        } else if bytes > limits.max_color_attachment_bytes_per_sample {
            format!(
                "has {bytes} bytes of colour a sample, above the limit of {}",
                limits.max_color_attachment_bytes_per_sample
            )
        } else {
            continue;
        };
        let fault = Diagnostic::new(&ATTACHMENT_LIMIT, format!("`{}` {what}", pass.name), pass.span, "this pass");
        out.push(fault.at(format!("passes[\"{}\"].color", pass.name)));
    }
}

/// The sum that WebGPU compares with its limit: each target's cost at the next multiple of its component's alignment.
fn bytes_a_sample(formats: &[wgpu_types::TextureFormat]) -> u32 {
    formats.iter().fold(0, |sum: u32, format| {
        let cost = format.target_pixel_byte_cost().unwrap_or(0);
        let align = format.target_component_alignment().unwrap_or(1).max(1);
        sum.next_multiple_of(align) + cost
    })
}
