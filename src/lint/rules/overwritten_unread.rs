//! `overwritten-unread`: a value that is replaced as a whole before anyone reads it.

use super::lost::{lost, only_clears};
use crate::diagnostic::{Diagnostic, rule};
use crate::graph::PassId;
use crate::lint::Context;

rule! {
    pub(crate) OVERWRITTEN_UNREAD = Warning "overwritten-unread": "a value is replaced before anyone reads it";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    for one in lost(cx).into_iter().filter(|one| !only_clears(cx.draft, one.pass)) {
        let name = |pass: PassId| &cx.draft.passes[pass].name;
        let resource = &cx.draft.resources[one.access.resource].name;
        let message = format!(
            "`{}` writes `{resource}`, which `{}` replaces before anyone reads it",
            name(one.pass),
            name(one.by)
        );
        let fault = one.fault(cx, &OVERWRITTEN_UNREAD, message, "written here");
        let help = "read it in between, let the later pass build on it (no `clear`), or remove the write";
        out.push(fault.help(help));
    }
}
