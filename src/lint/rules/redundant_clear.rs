//! `redundant-clear`: a clear that is replaced as a whole before anyone sees it.

use super::lost::{lost, only_clears};
use crate::diagnostic::{Diagnostic, rule};
use crate::graph::PassId;
use crate::lint::Context;

rule! {
    pub(crate) REDUNDANT_CLEAR = Warning "redundant-clear": "what is cleared is replaced as a whole before anyone reads it";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    for one in lost(cx).into_iter().filter(|one| only_clears(cx.draft, one.pass)) {
        let name = |pass: PassId| &cx.draft.passes[pass].name;
        let resource = &cx.draft.resources[one.access.resource].name;
        let message = format!("`{}` clears `{resource}`, which `{}` then replaces", name(one.pass), name(one.by));
        let fault = one.fault(cx, &REDUNDANT_CLEAR, message, "cleared here");
        out.push(fault.help("remove the clear: nothing sees it"));
    }
}
