//! `unused-value`: a value of a Uniform that no struct takes.

use crate::diagnostic::{Diagnostic, did_you_mean, rule};
use crate::graph::NamedValue;
use crate::lint::Context;

rule! {
    pub(crate) UNUSED_VALUE = Warning "unused-value": "a value of a Uniform that no shader's struct takes";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    for NamedValue { uniform, span, is_taken } in &cx.draft.named_values {
        // A Uniform that nobody binds is reported as a whole.
        if *is_taken || !cx.draft.uniforms.contains(uniform) {
            continue;
        }
        let resource = &cx.draft.resources[*uniform];
        let name = cx.files.text(*span).trim_matches('"');
        let message = format!("no struct that is bound to `{}` has a member `{name}`", resource.name);
        let fault = Diagnostic::new(&UNUSED_VALUE, message, *span, "taken by no shader");
        let members = cx.draft.blocks.iter().flat_map(|block| &block.fields).map(|field| field.name.as_str());
        let help =
            did_you_mean(name, members).unwrap_or_else(|| "remove it, or add the member to the struct".to_owned());
        let fault = fault.help(help).at(format!("resources[\"{}\"].{name}", resource.name));
        out.push(cx.removable(fault, *span, false));
    }
}
