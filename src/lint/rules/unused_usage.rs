//! `unused-usage`: a flag of `usage` that nothing needs.

use crate::diagnostic::{Diagnostic, rule};
use crate::lint::Context;
use crate::plan::{Asker, UsageReason};

rule! {
    pub(crate) UNUSED_USAGE = Warning "unused-usage": "a flag of `usage` that nothing needs";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    for (id, resource) in cx.draft.resources.entries().filter(|(_, resource)| !resource.poisoned) {
        for flag in resource.declared_usage.iter().flatten() {
            let needed = |reason: &UsageReason| reason.flag == flag.value && matches!(reason.asked_by, Asker::Pass(..));
            if !cx.plan.usages[id].iter().any(needed) {
                let message = format!("nothing uses `{}` as {:?}", resource.name, flag.value);
                let fault = Diagnostic::new(&UNUSED_USAGE, message, flag.span, "not needed");
                let fault = fault.help("remove it").at(format!("resources[\"{}\"].usage", resource.name));
                // An empty list would be a contract for nothing.
                let others = resource.declared_usage.as_ref().is_some_and(|flags| flags.len() > 1);
                out.push(if others { cx.removable(fault, flag.span, true) } else { fault });
            }
        }
    }
}
