//! `missing-feature`: a shader needs a feature that the profile lacks.

use std::collections::BTreeSet;

use crate::diagnostic::{Diagnostic, rule};
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
        let names: Vec<String> = missing.iter_names().map(|(name, _)| name.to_owned()).collect();
        let message =
            format!("`{}` needs {}, which profile `{}` lacks", shader.path, names.join(", "), cx.profile.name);
        let pass = &cx.draft.passes[pass];
        let fault = Diagnostic::new(&MISSING_FEATURE, message, pass.span, "uses this shader");
        let fault =
            fault.help("state it with `requires: […]` in the graph, so that the variant is skipped where it is absent");
        out.push(fault.at(format!("passes[\"{}\"].shader", pass.name)));
    }
}
