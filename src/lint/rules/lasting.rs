//! `never-reset` and `never-written`: Persistent resources that count for ever, or hold zeros for ever.

use crate::diagnostic::{Diagnostic, rule};
use crate::graph::{Access, Buffer, Effect, Lifetime, PassId, Resource, ResourceKind, Run};
use crate::lint::Context;

rule! {
    pub(crate) NEVER_RESET = Warning "never-reset": "a Persistent counter is added to in each frame and never reset";
    pub(crate) NEVER_WRITTEN = Warning "never-written": "a Persistent or History is read and nothing ever writes it";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    if cx.draft.passes.iter().any(|pass| pass.poisoned) {
        return;
    }
    for (id, resource) in cx.draft.resources.entries() {
        if resource.poisoned || resource.port.is_some() || resource.lifetime == Lifetime::Transient {
            continue;
        }
        let run = |pass: PassId| cx.draft.passes[pass].run;
        let accesses = || cx.uses[id].iter().map(|(pass, access)| (run(*pass), *access));
        let mut writes = accesses().filter(|(_, access)| access.effect.writes());
        if let Some((run, first)) = writes.next() {
            let adds = |(run, access): &(Run, &Access)| *run == Run::EachFrame && access.effect == Effect::Accumulate;
            if adds(&(run, first)) && writes.all(|write| adds(&write)) {
                out.push(never_reset(resource, first));
            }
        } else if let Some((_, read)) = accesses().next()
            && !starts_filled(resource)
        {
            out.push(never_written(resource, read));
        }
    }
}

fn starts_filled(resource: &Resource) -> bool {
    matches!(resource.kind, ResourceKind::Buffer(Buffer { initial: Some(_), .. }))
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

fn never_written(resource: &Resource, access: &Access) -> Diagnostic {
    let message = format!("`{}` is read, but nothing ever writes it: it holds zeros", resource.name);
    let fault = Diagnostic::new(&NEVER_WRITTEN, message, resource.span, "declared here").also(access.span, "read here");
    fault.help("let a pass write it, or give it `values` or a `file`").at(format!("resources[\"{}\"]", resource.name))
}
