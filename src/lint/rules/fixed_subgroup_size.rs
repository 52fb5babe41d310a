//! `fixed-subgroup-size`: a shader splits its workgroup at a number that is the subgroups' on some devices only.

use crate::diagnostic::{Diagnostic, rule};
use crate::lint::Context;
use crate::shader::{Entry, Shader};
use crate::source::Span;

rule! {
    pub(crate) FIXED_SUBGROUP_SIZE = Warning "fixed-subgroup-size": "a shader counts on one size of subgroups";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    for (shader, entry) in &cx.dispatched {
        out.extend(entry.habits.fixed_subgroup.map(|span| fixed_subgroup(shader, entry, span)));
    }
}

fn fixed_subgroup(shader: &Shader, entry: &Entry, span: Span) -> Diagnostic {
    let message = format!("`{}` splits its workgroup at a fixed subgroup size", entry.name);
    let fault =
        Diagnostic::new(&FIXED_SUBGROUP_SIZE, message, span, "a fixed size").also(entry.span, "the entry point");
    fault
        .note("subgroups have 4 to 128 invocations, by device, and may be smaller than the device's maximum")
        .help("take `@builtin(subgroup_size)`, `@builtin(subgroup_invocation_id)` and `@builtin(subgroup_id)`")
        .at(format!("shaders[\"{}\"].{}", shader.path, entry.name))
}
