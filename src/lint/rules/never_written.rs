//! `never-written`: a Persistent or History resource that holds zeros for ever.

use crate::diagnostic::{Diagnostic, rule};
use crate::graph::{Access, Buffer, Resource, ResourceKind};
use crate::lint::Context;

rule! {
    pub(crate) NEVER_WRITTEN = Warning "never-written": "a Persistent or History is read and nothing ever writes it";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    for (id, resource) in cx.lasting().filter(|(_, resource)| !starts_filled(resource)) {
        if let Some((_, read)) = cx.uses[id].first().filter(|_| !cx.is_written(id)) {
            out.push(never_written(resource, read));
        }
    }
}

fn starts_filled(resource: &Resource) -> bool {
    matches!(resource.kind, ResourceKind::Buffer(Buffer { initial: Some(_), .. }))
}

fn never_written(resource: &Resource, access: &Access) -> Diagnostic {
    let message = format!("`{}` is read, but nothing ever writes it: it holds zeros", resource.name);
    let fault = Diagnostic::new(&NEVER_WRITTEN, message, resource.span, "declared here").also(access.span, "read here");
    fault.help("let a pass write it, or give it `values` or a `file`").at(format!("resources[\"{}\"]", resource.name))
}
