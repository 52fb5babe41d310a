//! `bindings-limit`: a shader stage binds more than the profile allows.

use std::collections::BTreeSet;

use crate::diagnostic::{Diagnostic, rule};
use crate::lint::Context;
use crate::shader::{Entry, Global, GlobalKind, Shader, Stage};

rule! {
    pub(crate) BINDINGS_LIMIT = Error "bindings-limit": "a shader stage binds more than the profile allows";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let (mut asked, mut seen) = (BTreeSet::new(), BTreeSet::new());
    for (pass, program) in cx.programs() {
        let shader = &cx.draft.shaders[program.shader];
        for index in program.entries.iter().filter(|index| asked.insert((program.shader, **index))) {
            let entry = &shader.interface.entries[*index];
            let Some((what, limit)) = beyond(cx, shader, entry) else { continue };
            if seen.insert(entry.span) {
                let pass = &cx.draft.passes[pass];
                let message = format!("`{}` of `{}` {what}", entry.name, shader.path);
                let fault = Diagnostic::new(
                    &BINDINGS_LIMIT,
                    message,
                    entry.span,
                    format!("{limit} of profile `{}`", cx.profile.name),
                );
                out.push(fault.also(pass.span, "used by this pass").at(format!("passes[\"{}\"].shader", pass.name)));
            }
        }
    }
}

/// What is too much, and which limit says so.
fn beyond(cx: &Context<'_>, shader: &Shader, entry: &Entry) -> Option<(String, String)> {
    let limits = &cx.profile.limits;
    let globals: Vec<&Global> = entry.uses.iter().map(|used| &shader.interface.globals[used.global]).collect();
    let count = |test: &dyn Fn(&GlobalKind) -> bool| globals.iter().filter(|global| test(&global.kind)).count() as u32;
    let counts: [(u32, u32, &str, &str); 5] = [
        (
            count(&|k| matches!(k, GlobalKind::Storage { .. })),
            limits.max_storage_buffers_per_shader_stage,
            "storage buffers",
            "max_storage_buffers_per_shader_stage",
        ),
        (
            count(&|k| matches!(k, GlobalKind::Uniform(_))),
            limits.max_uniform_buffers_per_shader_stage,
            "uniform buffers",
            "max_uniform_buffers_per_shader_stage",
        ),
        (
            count(&|k| matches!(k, GlobalKind::Texture { .. })),
            limits.max_sampled_textures_per_shader_stage,
            "sampled textures",
            "max_sampled_textures_per_shader_stage",
        ),
        (
            count(&|k| matches!(k, GlobalKind::StorageTexture { .. })),
            limits.max_storage_textures_per_shader_stage,
            "storage textures",
            "max_storage_textures_per_shader_stage",
        ),
        (
            count(&|k| matches!(k, GlobalKind::Sampler { .. })),
            limits.max_samplers_per_shader_stage,
            "samplers",
            "max_samplers_per_shader_stage",
        ),
    ];
    if let Some((has, limit, what, name)) = counts.into_iter().find(|(has, limit, ..)| has > limit) {
        return Some((format!("binds {has} {what}, above the limit of {limit} a stage"), format!("`{name}`")));
    }
    if let Some(global) = globals.iter().find(|global| global.group >= limits.max_bind_groups) {
        let what = format!("uses bind group {}, but there are {}", global.group, limits.max_bind_groups);
        return Some((what, "`max_bind_groups`".to_owned()));
    }
    let writes = entry.uses.iter().any(|used| used.write) && entry.stage == Stage::Vertex;
    let allowed = cx.profile.features.contains(wgpu_types::Features::VERTEX_WRITABLE_STORAGE);
    (writes && !allowed)
        .then(|| ("writes storage in the vertex stage, which the profile lacks".to_owned(), "features".to_owned()))
}
