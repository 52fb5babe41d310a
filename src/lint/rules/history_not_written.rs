//! `history-not-written`: a History that is read and not written each frame.

use crate::diagnostic::{Diagnostic, rule};
use crate::graph::{Lifetime, Pass, Run};
use crate::lint::Context;

rule! {
    pub(crate) HISTORY_NOT_WRITTEN = Error "history-not-written": "a History that is read and not written each frame";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let passes = || cx.draft.passes.iter().filter(|pass| pass.run == Run::EachFrame);
    if passes().any(|pass| pass.poisoned) {
        return;
    }
    for (id, resource) in cx.draft.resources.entries().filter(|(_, r)| r.lifetime == Lifetime::History) {
        let writes = |pass: &&Pass| {
            let written = pass.accesses.iter().any(|access| access.resource == id && access.effect.writes());
            written && !pass.empty && pass.condition.is_none()
        };
        let mut uses = passes().flat_map(|pass| &pass.accesses);
        let Some(read) = uses.find(|access| access.resource == id && access.previous) else { continue };
        if passes().any(|pass| writes(&pass)) {
            continue;
        }
        let message = format!("last frame's `{}` is read, but no pass writes it in every frame", resource.name);
        let fault =
            Diagnostic::new(&HISTORY_NOT_WRITTEN, message, read.span, "read here").also(resource.span, "declared here");
        let fault = fault.help("write it in every frame and variant, or make it Persistent");
        out.push(fault.at(format!("resources[\"{}\"]", resource.name)));
    }
}
