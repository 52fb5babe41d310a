//! `never-reset`: a Persistent counter that counts for ever.

use crate::diagnostic::{Diagnostic, rule};
use crate::graph::{Access, Effect, Resource, Run};
use crate::lint::Context;

rule! {
    pub(crate) NEVER_RESET = Warning "never-reset": "a Persistent counter is added to in each frame and never reset";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    for (id, resource) in cx.lasting() {
        let adds = |run: Run, access: &Access| run == Run::EachFrame && access.effect == Effect::Accumulate;
        let mut writes = cx.uses[id].iter().filter(|(_, access)| access.effect.writes());
        let all = writes.clone().all(|(pass, access)| adds(cx.draft.passes[*pass].run, access));
        if let Some((_, first)) = writes.next().filter(|_| all) {
            out.push(never_reset(resource, first));
        }
    }
}

fn never_reset(resource: &Resource, access: &Access) -> Diagnostic {
    let message = format!("`{}` is added to in each frame and never reset", resource.name);
    let fault = Diagnostic::new(&NEVER_RESET, message, access.span, "added to here")
        .also(resource.span, "keeps what the last frame left");
    let fault = fault.note("a u32 wraps after 4,294,967,295");
    fault
        .help("clear it with a ClearBuffer, or make it transient and clear it in each frame")
        .at(format!("resources[\"{}\"]", resource.name))
}
