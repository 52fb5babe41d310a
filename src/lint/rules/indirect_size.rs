//! `indirect-size`: indirect arguments reach beyond their buffer.

use crate::diagnostic::{Diagnostic, rule};
use crate::graph::{Buffer, Call, Groups, PassKind, ResourceKind, Usage};
use crate::lint::Context;

rule! {
    pub(crate) INDIRECT_SIZE = Error "indirect-size": "indirect arguments reach beyond their buffer";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    for pass in cx.draft.passes.iter().filter(|pass| !pass.poisoned) {
        let mut reads = Vec::new();
        match &pass.kind {
            PassKind::Dispatch(dispatch) => {
                if let Groups::Indirect { resource, offset } = dispatch.groups {
                    reads.push((resource, offset, 12, "a dispatch"));
                }
            }
            PassKind::Render(render) => {
                for draw in &render.draws {
                    let Call::Indirect { indexed, args, offset, count, count_buffer, .. } = draw.call else { continue };
                    let (record, what) = if indexed { (20, "an indexed draw") } else { (16, "a draw") };
                    let misfits = |buffer| super::indirect_stride::misfits(buffer, record, count);
                    if !matches!(&cx.draft.resources[args].kind, ResourceKind::Buffer(buffer) if misfits(buffer)) {
                        reads.push((args, offset, u64::from(count) * record, what));
                    }
                    reads.extend(count_buffer.map(|(counts, at)| (counts, at, 4, "a count of records")));
                }
            }
            _ => {}
        }
        for (resource, offset, bytes, what) in reads {
            let ResourceKind::Buffer(Buffer { size: Some(size), .. }) = cx.draft.resources[resource].kind else {
                continue;
            };
            if offset.saturating_add(bytes) <= size {
                continue;
            }
            let declared = &cx.draft.resources[resource];
            let message = format!(
                "`{}` reads bytes {offset} to {} of `{}`, which has {size}",
                pass.name,
                offset.saturating_add(bytes),
                declared.name
            );
            let used =
                pass.accesses.iter().find(|access| access.resource == resource && access.usage == Usage::Indirect);
            let fault = Diagnostic::new(
                &INDIRECT_SIZE,
                message,
                used.map_or(pass.span, |access| access.span),
                format!("arguments of {what}"),
            );
            out.push(fault.also(declared.span, "declared here").at(format!("passes[\"{}\"]", pass.name)));
        }
    }
}
