//! `dead-pass`: a pass whose work reaches nothing.

use super::lost::losers;
use crate::diagnostic::{Diagnostic, rule};
use crate::lint::Context;
use crate::plan::DeadReason;

rule! {
    pub(crate) DEAD_PASS = Warning "dead-pass": "a pass whose work reaches nothing";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    if cx.plan.dead.is_empty() {
        return;
    }
    let losers = losers(cx);
    for (id, reason) in &cx.plan.dead {
        let pass = &cx.draft.passes[*id];
        if *reason != DeadReason::Unread || pass.poisoned || losers.contains(id) {
            continue;
        }
        let written: Vec<String> = pass
            .accesses
            .iter()
            .filter(|access| access.effect.writes())
            .map(|access| format!("`{}`", cx.draft.resources[access.resource].name))
            .collect();
        let what = if written.is_empty() { "nothing".to_owned() } else { written.join(", ") };
        let message = format!("`{}` is never recorded: what it writes reaches no output", pass.name);
        let fault = Diagnostic::new(&DEAD_PASS, message, pass.span, format!("writes {what}"));
        let fault = fault.help("read what it writes, name it in `outputs`, or remove the pass");
        out.push(fault.at(format!("passes[\"{}\"]", pass.name)));
    }
}
