//! `non-uniform-barrier`: a barrier that some invocations of a workgroup may not reach.

use crate::diagnostic::{Diagnostic, rule};
use crate::lint::Context;
use crate::shader::Entry;
use crate::source::Span;

rule! {
    pub(crate) NON_UNIFORM_BARRIER = Warning "non-uniform-barrier": "not all invocations of a workgroup are known to reach a barrier";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    for (_, entry) in &cx.dispatched {
        out.extend(entry.habits.lone_barriers.iter().map(|at| lone_barrier(cx, entry, *at)));
    }
}

fn lone_barrier(cx: &Context<'_>, entry: &Entry, (barrier, condition): (Span, Span)) -> Diagnostic {
    let message = format!("not all invocations of `{}` are known to reach this barrier", entry.name);
    let fault = Diagnostic::new(&NON_UNIFORM_BARRIER, message, barrier, "all must come here, or none");
    fault
        .also(first_line(cx, condition), "some may go another way here")
        .note("browsers refuse such a shader; elsewhere the result is not defined")
        .help("move the barrier out, and put what only some do into an `if` of its own")
}

/// What stands in the first line of a span.
fn first_line(cx: &Context<'_>, span: Span) -> Span {
    let bytes = cx.files.text(span).lines().next().map_or(0, str::len) as u32;
    Span { end: span.end.min(span.start + bytes), ..span }
}
