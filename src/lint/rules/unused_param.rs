//! `unused-param`: a param that nothing reads.

use crate::diagnostic::{Diagnostic, rule};
use crate::lint::Context;
use crate::syntax::document::ParamKind;

rule! {
    pub(crate) UNUSED_PARAM = Warning "unused-param": "a param that nothing reads";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    for param in cx.draft.params.iter().filter(|param| !param.read && param.kind != ParamKind::Poison) {
        let message = format!("nothing reads the param `{}`", param.name);
        let fault = Diagnostic::new(&UNUSED_PARAM, message, param.span, "declared here");
        let fault = fault.help("use it in an expression, name a uniform member or override after it, or remove it");
        let fault = fault.at(format!("params[\"{}\"]", param.name));
        out.push(cx.removable(fault, param.span, false));
    }
}
