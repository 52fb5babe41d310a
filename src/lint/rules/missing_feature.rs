//! `missing-feature`: a shader needs a feature that the profile lacks.

use std::collections::BTreeSet;

use crate::diagnostic::{Diagnostic, rule};
use crate::graph::feature_names;
use crate::lint::Context;

rule! {
    pub(crate) MISSING_FEATURE = Error "missing-feature": "a shader needs a feature that the profile lacks";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let mut seen = BTreeSet::new();
    for (pass, program) in cx.programs() {
        let shader = &cx.draft.shaders[program.shader];
        let missing = shader.interface.features.difference(cx.profile.features);
        if missing.is_empty() || !seen.insert(program.shader) {
            continue;
        }
        let names = feature_names(missing).join(", ");
        let message = format!("`{}` needs {names}, which profile `{}` lacks", shader.path, cx.profile.name);
        let pass = &cx.draft.passes[pass];
        let fault = Diagnostic::new(&MISSING_FEATURE, message, pass.span, "uses this shader");
        let help =
            format!("state `requires: [{names}]` in the graph, so that the variant is skipped where it is absent");
        let fault = fault.help(help);
        out.push(fault.at(format!("passes[\"{}\"].shader", pass.name)));
    }
}
