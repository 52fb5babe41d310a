//! `binding-size-limit`: a buffer is larger than a binding or a buffer may be.

use crate::diagnostic::{Diagnostic, rule};
use crate::graph::{Buffer, ResourceKind};
use crate::lint::Context;
use crate::syntax::document::UsageFlag;

rule! {
    pub(crate) BINDING_SIZE_LIMIT = Error "binding-size-limit": "a buffer is larger than a binding or a buffer may be";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let limits = &cx.profile.limits;
    for (id, resource) in cx.draft.resources.entries() {
        let ResourceKind::Buffer(Buffer { size: Some(size), count, stride, .. }) = &resource.kind else { continue };
        let uses = || cx.plan.usages[id].iter().map(|reason| reason.flag);
        let bounds = [
            (
                uses().any(|flag| flag == UsageFlag::Storage),
                limits.max_storage_buffer_binding_size,
                "max_storage_buffer_binding_size",
            ),
            (
                uses().any(|flag| flag == UsageFlag::Uniform),
                limits.max_uniform_buffer_binding_size,
                "max_uniform_buffer_binding_size",
            ),
            (uses().next().is_some(), limits.max_buffer_size, "max_buffer_size"),
        ];
        let Some((_, limit, name)) = bounds.into_iter().find(|(applies, limit, _)| *applies && size > limit) else {
            continue;
        };
        let message = format!("`{}` has {size} bytes, above the limit of {limit}", resource.name);
        let mut fault = Diagnostic::new(
            &BINDING_SIZE_LIMIT,
            message,
            resource.span,
            format!("`{name}` of profile `{}`", cx.profile.name),
        );
        if let (Some(count), Some(stride)) = (count, stride) {
            let fits = limit / stride.max(&1);
            fault = fault.note(format!("{count} elements of {stride} bytes; {fits} fit"));
        }
        out.push(fault.at(format!("resources[\"{}\"]", resource.name)));
    }
}
