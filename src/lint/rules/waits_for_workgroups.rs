//! `waits-for-workgroups`: a loop that only another workgroup ends.

use crate::diagnostic::{Diagnostic, rule};
use crate::lint::Context;
use crate::shader::Entry;
use crate::source::Span;

rule! {
    pub(crate) WAITS_FOR_WORKGROUPS = Warning "waits-for-workgroups": "a loop ends only once another workgroup has written something";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    for (_, entry) in &cx.dispatched {
        out.extend(entry.habits.waits.iter().map(|span| waits(cx, entry, *span)));
    }
}

fn waits(cx: &Context<'_>, entry: &Entry, span: Span) -> Diagnostic {
    // The keyword of the loop is enough.
    let word = cx.files.text(span).find(|c: char| !c.is_alphanumeric()).unwrap_or(0).max(1) as u32;
    let span = Span { end: span.end.min(span.start + word), ..span };
    let message = format!("`{}` waits in a loop for what another workgroup writes", entry.name);
    let fault = Diagnostic::new(&WAITS_FOR_WORKGROUPS, message, span, "nothing else ends this loop")
        .also(entry.span, "the entry point");
    fault
        .note("WebGPU promises no progress of other workgroups: the loop may never end, and the device is lost")
        .help("count the rounds and fall back to doing the work itself, or split the pass in two")
}
