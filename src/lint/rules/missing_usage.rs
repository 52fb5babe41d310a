//! `missing-usage`: a use that `usage` does not cover.

use crate::diagnostic::{Diagnostic, Edit, rule};
use crate::lint::Context;
use crate::plan::Asker;
use crate::source::Span;

rule! {
    pub(crate) MISSING_USAGE = Error "missing-usage": "a use that `usage` does not cover";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    for (id, resource) in cx.draft.resources.entries() {
        let Some(declared) = &resource.declared_usage else { continue };
        let mut told = Vec::new();
        for reason in &cx.plan.usages[id] {
            let Asker::Pass(pass, span) = reason.asked_by else { continue };
            if told.contains(&reason.flag) || declared.iter().any(|flag| flag.value == reason.flag) {
                continue;
            }
            told.push(reason.flag);
            let flag = format!("{:?}", reason.flag);
            let message = format!("`{}` is used as {flag}, but its `usage` does not say so", resource.name);
            let label = format!("`{}` needs {flag}", cx.draft.passes[pass].name);
            let mut fault = Diagnostic::new(&MISSING_USAGE, message, span, label)
                .also(resource.span, "declared here")
                .help(format!("add `{flag}` to `usage`"))
                .at(format!("resources[\"{}\"].usage", resource.name));
            if let Some(last) = declared.last() {
                let span = Span { start: last.span.end, ..last.span };
                fault = fault.fix(format!("add `{flag}`"), true, vec![Edit { span, text: format!(", {flag}") }]);
            }
            out.push(fault);
        }
    }
}
