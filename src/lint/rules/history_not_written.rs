//! `history-not-written`: a History that is read and not written each frame.

use crate::diagnostic::{Diagnostic, rule};
use crate::graph::{Access, Lifetime, Pass, Run};
use crate::lint::Context;

rule! {
    pub(crate) HISTORY_NOT_WRITTEN = Error "history-not-written": "a History that is read and not written each frame";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    if cx.draft.passes.iter().any(|pass| pass.run == Run::EachFrame && pass.poisoned) {
        return;
    }
    for (id, resource) in cx.draft.resources.entries().filter(|(_, r)| r.lifetime == Lifetime::History) {
        let uses = || {
            let uses = cx.uses[id].iter().map(|(pass, access)| (&cx.draft.passes[*pass], *access));
            uses.filter(|(pass, _)| pass.run == Run::EachFrame)
        };
        let writes = |pass: &Pass, access: &Access| access.effect.writes() && !pass.empty && pass.condition.is_none();
        let Some((_, read)) = uses().find(|(_, access)| access.previous) else { continue };
        if uses().any(|(pass, access)| writes(pass, access)) {
            continue;
        }
        let message = format!("last frame's `{}` is read, but no pass writes it in every frame", resource.name);
        let fault =
            Diagnostic::new(&HISTORY_NOT_WRITTEN, message, read.span, "read here").also(resource.span, "declared here");
        let fault = fault.help("write it in every frame and variant, or make it Persistent");
        out.push(fault.at(format!("resources[\"{}\"]", resource.name)));
    }
}
