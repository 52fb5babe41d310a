//! `dead-pass`: a pass whose work reaches nothing.

use crate::diagnostic::{Diagnostic, rule};
use crate::lint::Context;
use crate::plan::DeadReason;

rule! {
    /// ## What it does
    /// Finds passes whose writes reach no output, no written port and no Persistent or History resource, in every variant that has them.
    ///
    /// ## Why is this bad?
    /// They are not recorded. A missing reader is often a misspelled name.
    ///
    /// ## Example
    /// ```text
    /// a pass that writes `blurred`, which nobody reads
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// outputs: ["blurred"]
    /// ```
    pub(crate) DEAD_PASS = Warning "dead-pass": "a pass whose work reaches nothing";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    for (id, reason) in &cx.plan.dead {
        let pass = &cx.draft.passes[*id];
        if *reason != DeadReason::Unread || pass.poisoned {
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
