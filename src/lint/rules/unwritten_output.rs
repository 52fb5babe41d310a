//! `unwritten-output`: an output that nothing writes.

use crate::diagnostic::{Diagnostic, rule};
use crate::graph::Lifetime;
use crate::lint::Context;

rule! {
    pub(crate) UNWRITTEN_OUTPUT = Error "unwritten-output": "an output that nothing writes";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    if cx.draft.passes.iter().any(|pass| pass.poisoned) {
        // What a poisoned pass would have written is not known.
        return;
    }
    let writes = |id| {
        let mut uses = cx.draft.passes.iter().flat_map(|pass| &pass.accesses);
        uses.any(|access| access.resource == id && access.effect.writes())
    };
    for (id, span) in &cx.draft.outputs {
        let resource = &cx.draft.resources[*id];
        let holds = resource.lifetime != Lifetime::Transient || resource.port.is_some();
        if holds || resource.poisoned || writes(*id) {
            continue;
        }
        let message = format!("output `{}` is written by no pass", resource.name);
        let fault =
            Diagnostic::new(&UNWRITTEN_OUTPUT, message, *span, "an output").also(resource.span, "declared here");
        out.push(fault.help("write it, or take it from `outputs`").at("outputs"));
    }
}
