//! `workgroup-limit`: a workgroup is more than the profile allows.

use std::collections::BTreeSet;

use crate::diagnostic::{Diagnostic, rule};
use crate::lint::Context;
use crate::shader::Stage;

rule! {
    pub(crate) WORKGROUP_LIMIT = Error "workgroup-limit": "a workgroup is more than the profile allows";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let mut seen = BTreeSet::new();
    for (pass, program) in cx.programs() {
        let shader = &cx.draft.shaders[program.shader];
        let Some(entry) =
            program.entries.first().filter(|index| shader.interface.entries[**index].stage == Stage::Compute)
        else {
            continue;
        };
        let Ok((size, bytes)) = shader.workgroup_with(*entry, &program.constants) else { continue };
        let Some((what, limit)) = beyond(cx, size, bytes) else { continue };
        let entry = &shader.interface.entries[*entry];
        if seen.insert(entry.span) {
            let message = format!("the workgroup of `{}` has {what}", entry.name);
            let fault = Diagnostic::new(
                &WORKGROUP_LIMIT,
                message,
                entry.span,
                format!("`{limit}` of profile `{}`", cx.profile.name),
            );
            let pass = &cx.draft.passes[pass];
            out.push(fault.also(pass.span, "used by this pass").at(format!("passes[\"{}\"].shader", pass.name)));
        }
    }
}

fn beyond(cx: &Context<'_>, size: [u32; 3], bytes: u32) -> Option<(String, &'static str)> {
    let limits = &cx.profile.limits;
    let sides = [
        (size[0], limits.max_compute_workgroup_size_x, "max_compute_workgroup_size_x"),
        (size[1], limits.max_compute_workgroup_size_y, "max_compute_workgroup_size_y"),
        (size[2], limits.max_compute_workgroup_size_z, "max_compute_workgroup_size_z"),
    ];
    let all: u64 = size.iter().map(|side| u64::from(*side)).product();
    let most = limits.max_compute_invocations_per_workgroup;
    if all > u64::from(most) {
        let [x, y, z] = size;
        return Some((
            format!("{all} invocations ({x} × {y} × {z}), above the limit of {most}"),
            "max_compute_invocations_per_workgroup",
        ));
    }
    if let Some((side, limit, name)) = sides.into_iter().find(|(side, limit, _)| side > limit) {
        return Some((format!("{side} invocations in one dimension, above the limit of {limit}"), name));
    }
    let memory = limits.max_compute_workgroup_storage_size;
    (bytes > memory).then(|| {
        (format!("{bytes} bytes of memory, above the limit of {memory}"), "max_compute_workgroup_storage_size")
    })
}
