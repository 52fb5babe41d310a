//! `texture-limit`: a texture is more than the profile allows.

use crate::diagnostic::{Diagnostic, rule};
use crate::graph::{ResourceKind, Texture};
use crate::lint::Context;
use crate::syntax::document::UsageFlag;
use wgpu_types::TextureUsages;

rule! {
    pub(crate) TEXTURE_LIMIT = Error "texture-limit": "a texture is more than the profile allows";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    for (id, resource) in cx.draft.resources.entries() {
        let ResourceKind::Texture(texture) = &resource.kind else { continue };
        if cx.plan.usages[id].is_empty() {
            continue;
        }
        let uses = |flag: UsageFlag| cx.plan.usages[id].iter().any(|reason| reason.flag == flag);
        if let Some((what, label)) = beyond(texture, cx).or_else(|| unsuited(texture, cx, &uses)) {
            let message = format!("texture `{}` {what}", resource.name);
            let fault = Diagnostic::new(&TEXTURE_LIMIT, message, resource.span, label);
            out.push(fault.at(format!("resources[\"{}\"]", resource.name)));
        }
    }
}

fn beyond(texture: &Texture, cx: &Context<'_>) -> Option<(String, String)> {
    let limits = &cx.profile.limits;
    let [width, height] = texture.size?;
    let side = limits.max_texture_dimension_2d;
    if width > side || height > side {
        return Some((
            format!("has {width} × {height} texels, above the limit of {side} a side"),
            "`max_texture_dimension_2d`".to_owned(),
        ));
    }
    let layers = limits.max_texture_array_layers;
    (texture.layers > layers).then(|| {
        (format!("has {} layers, above the limit of {layers}", texture.layers), "`max_texture_array_layers`".to_owned())
    })
}

fn unsuited(texture: &Texture, cx: &Context<'_>, uses: &impl Fn(UsageFlag) -> bool) -> Option<(String, String)> {
    if !matches!(texture.samples, 1 | 4) {
        return Some((format!("has {} samples a texel", texture.samples), "WebGPU has 1 and 4".to_owned()));
    }
    let several = texture.samples > 1;
    if several && (texture.mips > 1 || texture.layers > 1) {
        return Some((
            "has several samples and several mips or layers".to_owned(),
            "may have one mip and one layer".to_owned(),
        ));
    }
    if several && uses(UsageFlag::Storage) {
        return Some((
            "has several samples, but is stored to".to_owned(),
            "storage textures have one sample".to_owned(),
        ));
    }
    let format = texture.format?;
    if !format.required_features().is_empty() && !cx.profile.features.contains(format.required_features()) {
        return Some((
            format!("has format {format:?}, which needs a feature that the profile lacks"),
            format!("needs {:?}", format.required_features()),
        ));
    }
    let flags = format.guaranteed_format_features(cx.profile.features).flags;
    if several && !flags.contains(wgpu_types::TextureFormatFeatureFlags::MULTISAMPLE_X4) {
        return Some((
            format!("has format {format:?}, of which a texel has one sample"),
            "has several samples".to_owned(),
        ));
    }
    let allowed = format.guaranteed_format_features(cx.profile.features).allowed_usages;
    if uses(UsageFlag::Attachment) && !allowed.contains(TextureUsages::RENDER_ATTACHMENT) {
        return Some((format!("has format {format:?}, which cannot be attached"), "attached by a pass".to_owned()));
    }
    (uses(UsageFlag::Storage) && !allowed.contains(TextureUsages::STORAGE_BINDING)).then(|| {
        (format!("has format {format:?}, which cannot be a storage texture"), "stored to by a shader".to_owned())
    })
}
