//! `vec3-padding`: values that are packed where the shader's elements are not.

use std::collections::BTreeSet;

use super::layouts::{Stored, each_stored, leaves};
use super::struct_layout_mismatch::difference;
use crate::diagnostic::{Diagnostic, rule};
use crate::graph::{Buffer, Initial, ResourceKind};
use crate::lint::Context;
use crate::shader::Type;

rule! {
    pub(crate) VEC3_PADDING = Warning "vec3-padding": "values are packed, but a `vec3` takes 16 bytes";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let mut told = BTreeSet::new();
    each_stored(cx, |stored| {
        // Where two shaders differ, that is told.
        if let Some(fault) = packed(cx, &stored)
            && difference(stored.first.1, stored.layout).is_none()
            && told.insert((stored.resource, stored.global.span))
        {
            out.push(fault.at(format!("passes[\"{}\"]", cx.draft.passes[stored.pass].name)));
        }
    });
}

/// Initial contents that fit the elements exactly if no `vec3` had padding.
fn packed(cx: &Context<'_>, stored: &Stored<'_>) -> Option<Diagnostic> {
    let Stored { global, layout, .. } = stored;
    let resource = &cx.draft.resources[stored.resource];
    let ResourceKind::Buffer(Buffer { initial: Some(Initial::Bytes(bytes)), count: Some(count), .. }) = &resource.kind
    else {
        return None;
    };
    let stride = layout.tail.filter(|tail| tail.offset == 0)?.stride;
    let leaves = leaves(layout)?;
    let used: u32 = leaves.iter().map(|leaf| if leaf.kind == "f16" { 2 } else { 4 }).sum();
    let is_vec3 = |ty: &Type| matches!(ty, Type::Vector { size: 3, .. } | Type::Matrix { rows: 3, .. });
    if !layout.element.any(&is_vec3) || used == stride || *count < 2 || bytes.len() as u64 != u64::from(used) * count {
        return None;
    }
    let offsets: Vec<String> = leaves.iter().map(|leaf| leaf.offset.to_string()).collect();
    let message =
        format!("`{}` is given {used} bytes an element, but the shader's elements have {stride}", resource.name);
    let fault =
        Diagnostic::new(&VEC3_PADDING, message, resource.span, format!("{} bytes for {count} elements", bytes.len()))
            .also(
                global.span,
                format!("`{}`: scalars at bytes {}, then padding up to {stride}", layout.name, offsets.join(", ")),
            );
    Some(
        fault
            .note("a `vec3` is aligned to 16 bytes: in an array each takes 16")
            .help("pad the values to 4 an element, declare `array<vec4f>`, or read an `array<f32>` at 3 * i"),
    )
}
