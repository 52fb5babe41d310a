//! `missing-bounds-guard`: a dispatch runs beyond its items, and its shader does not look.

use crate::diagnostic::{Diagnostic, rule};
use crate::graph::{Pass, PassKind};
use crate::lint::Context;
use crate::shader::Entry;

rule! {
    pub(crate) MISSING_BOUNDS_GUARD = Warning "missing-bounds-guard": "a dispatch has more invocations than items, and its shader never compares an index";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    for pass in cx.draft.passes.iter().filter(|pass| !pass.poisoned) {
        let PassKind::Dispatch(dispatch) = &pass.kind else { continue };
        let shader = &cx.draft.shaders[dispatch.program.shader];
        let (Some(index), Some(items)) = (dispatch.program.entries.first(), dispatch.items) else { continue };
        let entry = &shader.interface.entries[*index];
        if entry.habits.unguarded.is_some()
            && let Ok(size) = shader.workgroup_size_with(*index, &dispatch.program.constants)
        {
            out.extend(unguarded(pass, entry, items, size));
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
