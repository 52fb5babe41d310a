//! `storage-for-uniform`: a few constant bytes in a storage buffer.

use crate::diagnostic::{Diagnostic, rule};
use crate::graph::BindingSource;
use crate::lint::Context;
use crate::shader::{GlobalKind, Layout, Type};

rule! {
    pub(crate) STORAGE_FOR_UNIFORM = Warning "storage-for-uniform": "a storage buffer holds what a uniform buffer could, and nothing writes it";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    for (pass, program) in cx.programs() {
        let interface = &cx.draft.shaders[program.shader].interface;
        for binding in &program.bindings {
            let global = &interface.globals[binding.global];
            let (GlobalKind::Storage { layout, declared_write: false }, BindingSource::Buffer { resource, .. }) =
                (&global.kind, binding.source)
            else {
                continue;
            };
            let small = u64::from(layout.size) <= cx.profile.limits.max_uniform_buffer_binding_size;
            if !small || !uniform(layout) || cx.draft.resources[resource].port.is_some() || cx.is_written(resource) {
                continue;
            }
            let (pass, of) = (&cx.draft.passes[pass], &cx.draft.resources[resource]);
            let bound = pass.accesses.iter().find(|access| access.variable == Some(global.span));
            let message = format!(
                "`{}` reads the {} bytes of `{}` as storage, and nothing writes them",
                pass.name, layout.size, of.name
            );
            let fault = Diagnostic::new(
                &STORAGE_FOR_UNIFORM,
                message,
                bound.map_or(pass.span, |access| access.span),
                "bound here",
            )
            .also(of.span, "declared here")
            .also(global.span, "declared as storage");
            let fault = fault.note("all invocations read the same few bytes: that is what constant memory is for");
            let help = format!("declare it as `var<uniform> {}: {}`", global.name, layout.name);
            out.push(fault.help(help).at(format!("passes[\"{}\"]", pass.name)));
        }
    }
}

/// Whether a type may stand in uniform memory as it is.
fn uniform(layout: &Layout) -> bool {
    let one = match &layout.element {
        Type::Vector { size: 4, .. } => layout.size.is_multiple_of(16),
        Type::Vector { size, .. } => layout.size <= u32::from(*size) * 4,
        Type::Scalar(_) => layout.size <= 4,
        Type::Matrix { .. } => true,
        _ => false,
    };
    layout.tail.is_none()
        && match layout.members.as_slice() {
            [] => one,
            members => {
                members.iter().all(|member| aligned(&member.ty) && (!nested(&member.ty) || member.offset % 16 == 0))
            }
        }
}

fn nested(ty: &Type) -> bool {
    matches!(ty, Type::Array { .. } | Type::Struct { .. })
}

fn aligned(ty: &Type) -> bool {
    match ty {
        Type::Scalar(_) | Type::Vector { .. } | Type::Matrix { .. } => true,
        Type::Array { of, count, stride } => count.is_some() && stride % 16 == 0 && aligned(of),
        Type::Struct { members, .. } => {
            members.iter().all(|m| aligned(&m.ty) && (!nested(&m.ty) || m.offset % 16 == 0))
        }
        Type::Atomic(_) | Type::Other(_) => false,
    }
}
