//! `unused-resource`: a resource that no pass uses.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, rule};
use crate::graph::{BindingSource, ResourceId};
use crate::id::IdVec;
use crate::lint::Context;
use crate::source::Span;

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
    if cx.draft.resources.entries().all(|(id, resource)| used[id] || resource.poisoned) {
        return;
    }
    // Of a pack of meshes, one buffer in use is enough; a file that is included twice declares its resources once.
    let mut declared: BTreeMap<Span, (ResourceId, bool)> = BTreeMap::new();
    for (id, resource) in cx.draft.resources.entries() {
        declared.entry(resource.span).or_insert((id, false)).1 |= used[id] || resource.poisoned;
    }
    for (span, (id, _)) in declared.into_iter().filter(|(_, (_, used))| !used) {
        let name = &cx.draft.resources[id].name;
        let name = name.split('.').next().unwrap_or(name);
        let message = format!("no pass uses `{name}`");
        let fault = Diagnostic::new(&UNUSED_RESOURCE, message, span, "never used");
        let fault = fault.help("remove it").at(format!("resources[\"{name}\"]"));
        out.push(cx.removable(fault, span, false));
    }
}
