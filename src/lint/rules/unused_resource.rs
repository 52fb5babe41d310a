//! `unused-resource`: a resource that no pass uses.

use crate::diagnostic::{Diagnostic, rule};
use crate::graph::{BindingSource, ResourceId};
use crate::id::IdVec;
use crate::lint::Context;

rule! {
    pub(crate) UNUSED_RESOURCE = Warning "unused-resource": "a resource that no pass uses";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let mut used: IdVec<ResourceId, bool> = IdVec::filled(false, cx.draft.resources.len());
    for pass in &cx.draft.passes {
        if pass.poisoned {
            // What a poisoned pass would have used is not known.
            return;
        }
        pass.accesses.iter().for_each(|access| used[access.resource] = true);
    }
    for (_, program) in cx.programs() {
        for binding in &program.bindings {
            match binding.source {
                BindingSource::Sampler(id) | BindingSource::Buffer { resource: id, .. } => used[id] = true,
                BindingSource::Texture { .. } | BindingSource::Block(_) => {}
            }
        }
    }
    cx.draft.uniforms.iter().for_each(|id| used[*id] = true);
    cx.draft.outputs.iter().for_each(|(id, _)| used[*id] = true);
    for (id, resource) in cx.draft.resources.entries() {
        // Of a pack of meshes, one buffer in use is enough.
        let is_idle =
            cx.draft.resources.entries().filter(|(_, other)| other.span == resource.span).all(|(id, _)| !used[id]);
        let first = cx.draft.resources.entries().find(|(_, other)| other.span == resource.span).map(|(id, _)| id);
        if is_idle && first == Some(id) && !resource.poisoned {
            let name = resource.name.split('.').next().unwrap_or(&resource.name);
            let message = format!("no pass uses `{name}`");
            let fault = Diagnostic::new(&UNUSED_RESOURCE, message, resource.span, "never used");
            out.push(fault.help("remove it").at(format!("resources[\"{name}\"]")));
        }
    }
}
