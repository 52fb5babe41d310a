//! `over-declared-access`: a variable is declared writable and only read.

use crate::diagnostic::{Diagnostic, Edit, rule};
use crate::lint::Context;
use crate::shader::{GlobalKind, Layout, Type};

rule! {
    pub(crate) OVER_DECLARED_ACCESS = Warning "over-declared-access": "a storage variable is declared `read_write` and never written";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    for shader in &cx.draft.shaders {
        for (index, global) in shader.interface.globals.iter().enumerate() {
            let GlobalKind::Storage { declared_write: true, layout } = &global.kind else { continue };
            let uses = || shader.interface.entries.iter().flat_map(|entry| &entry.uses).filter(|of| of.global == index);
            let reads = uses().any(|of| of.read);
            if !reads || uses().any(|of| of.write || of.accumulates) || has_atomic(layout) {
                continue;
            }
            let message = format!("`{}` is declared `read_write`, but the code only reads it", global.name);
            let mut fault = Diagnostic::new(&OVER_DECLARED_ACCESS, message, global.span, "never written");
            fault = fault.note("two passes that only read a buffer may share it with each other, and with draws");
            fault = fault.help("declare it `var<storage, read>`");
            if let Some(span) = access_mode(cx, global.span) {
                fault = fault.fix("declare it `read`", true, vec![Edit { span, text: "read".to_owned() }]);
            }
            out.push(fault.at(format!("shaders[\"{}\"].{}", shader.path, global.name)));
        }
    }
}

/// Atomics must be declared `read_write`, whatever is done to them.
fn has_atomic(layout: &Layout) -> bool {
    let is_atomic = |ty: &Type| matches!(ty, Type::Atomic(_));
    layout.element.any(&is_atomic) || layout.members.iter().any(|member| member.ty.any(&is_atomic))
}

/// The word `read_write` in front of a variable's name, in the same declaration.
fn access_mode(cx: &Context<'_>, name: crate::source::Span) -> Option<crate::source::Span> {
    let text = &cx.files.get(name.file).text;
    let before = text.get(..name.start as usize)?;
    let from = before.rfind("var")?;
    let at = from + before[from..].rfind("read_write")?;
    Some(crate::source::Span::new(name.file, at, at + "read_write".len()))
}
