//! `missing-bounds-guard`, `fixed-subgroup-size` and `waits-for-workgroups`: what compute shaders do that is legal and often
//! wrong.

use std::collections::BTreeSet;

use crate::diagnostic::{Diagnostic, rule};
use crate::graph::{Pass, PassKind};
use crate::lint::Context;
use crate::shader::{Entry, Shader};
use crate::source::Span;

rule! {
    pub(crate) MISSING_BOUNDS_GUARD = Warning "missing-bounds-guard": "a dispatch has more invocations than items, and its shader never compares an index";
    pub(crate) FIXED_SUBGROUP_SIZE = Warning "fixed-subgroup-size": "a shader counts on one size of subgroups";
    pub(crate) NON_UNIFORM_BARRIER = Warning "non-uniform-barrier": "not all invocations of a workgroup are known to reach a barrier";
    pub(crate) WAITS_FOR_WORKGROUPS = Warning "waits-for-workgroups": "a loop ends only once another workgroup has written something";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let mut told = BTreeSet::new();
    for pass in cx.draft.passes.iter().filter(|pass| !pass.poisoned) {
        let PassKind::Dispatch(dispatch) = &pass.kind else { continue };
        let shader = &cx.draft.shaders[dispatch.program.shader];
        let Some(index) = dispatch.program.entries.first() else { continue };
        let entry = &shader.interface.entries[*index];
        if let Some(items) = dispatch.items
            && let Ok(size) = shader.workgroup_size_with(*index, &dispatch.program.constants)
        {
            out.extend(unguarded(pass, entry, items, size));
        }
        // What a shader does by itself is said once, whoever dispatches it.
        if told.insert(entry.span) {
            out.extend(entry.habits.fixed_subgroup.map(|span| fixed_subgroup(shader, entry, span)));
            out.extend(entry.habits.lone_barriers.iter().map(|at| lone_barrier(cx, entry, *at)));
            out.extend(entry.habits.waits.iter().map(|span| waits(cx, entry, *span)));
        }
    }
}

fn unguarded(pass: &Pass, entry: &Entry, items: [u64; 3], size: [u32; 3]) -> Option<Diagnostic> {
    let store = entry.habits.unguarded?;
    let axis = (0..3).find(|axis| !items[*axis].is_multiple_of(u64::from(size[*axis].max(1))))?;
    let (items, size) = (items[axis], u64::from(size[axis]));
    let runs = items.next_multiple_of(size);
    let message = format!(
        "`{}` runs {runs} invocations for {items} items, and `{}` never compares its index",
        pass.name, entry.name
    );
    let fault =
        Diagnostic::new(&MISSING_BOUNDS_GUARD, message, pass.span, format!("{items} items in workgroups of {size}"))
            .also(store, "stores here, whatever the index")
            .also(entry.span, "the entry point");
    let fault = fault.note("a store beyond the end of a buffer is lost or goes to another element");
    Some(
        fault
            .help("return early: `if index >= arrayLength(&list) { return; }`")
            .at(format!("passes[\"{}\"]", pass.name)),
    )
}

fn fixed_subgroup(shader: &Shader, entry: &Entry, span: Span) -> Diagnostic {
    let message = format!("`{}` splits its workgroup at a fixed subgroup size", entry.name);
    let fault =
        Diagnostic::new(&FIXED_SUBGROUP_SIZE, message, span, "a fixed size").also(entry.span, "the entry point");
    fault
        .note("subgroups have 4 to 128 invocations, by device, and may be smaller than the device's maximum")
        .help("take `@builtin(subgroup_size)`, `@builtin(subgroup_invocation_id)` and `@builtin(subgroup_id)`")
        .at(format!("shaders[\"{}\"].{}", shader.path, entry.name))
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
