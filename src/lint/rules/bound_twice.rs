//! `bound-twice`: one shader reads the same thing through two variables.

use crate::diagnostic::{Diagnostic, rule};
use crate::graph::Access;
use crate::lint::Context;

rule! {
    pub(crate) BOUND_TWICE = Warning "bound-twice": "one shader reads the same resource through two variables";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    for pass in cx.draft.passes.iter().filter(|pass| !pass.poisoned) {
        for (index, access) in pass.accesses.iter().enumerate().filter(|(_, access)| access.variable.is_some()) {
            let same = |other: &&Access| {
                other.variable.is_some()
                    && (other.resource, other.part, other.previous) == (access.resource, access.part, access.previous)
                    && other.variable != access.variable
                    && other.variable.map(|v| v.file) == access.variable.map(|v| v.file)
                    && !other.effect.writes()
                    && !access.effect.writes()
            };
            // Two draws of a pass may each have their own shader.
            let Some(other) = pass.accesses[..index].iter().find(same) else { continue };
            let name = &cx.draft.resources[access.resource].name;
            let variable = |access: &Access| access.variable.map(|span| cx.files.text(span)).unwrap_or_default();
            let message = format!(
                "`{}` reads `{name}` through `{}` and through `{}`",
                pass.name,
                variable(other),
                variable(access)
            );
            let fault = Diagnostic::new(&BOUND_TWICE, message, access.span, "bound here").also(other.span, "and here");
            let fault = fault.help("bind what was meant to one of them, or use one variable in the shader");
            out.push(fault.at(format!("passes[\"{}\"].bind", pass.name)));
        }
    }
}
