//! Which features a module needs: those without which wgpu would refuse it.

use naga::valid::{ModuleInfo, ValidationError, ValidationFlags, Validator};
use naga::{Module, WithSpan};
use wgpu_naga_bridge::features_to_naga_capabilities;
use wgpu_types::{DownlevelFlags, Features};

/// Validates a module as a device with every feature would, and finds a smallest set of features that is enough.
///
/// Asking wgpu's own judge with fewer and fewer features keeps no second list of what needs what. A module that needs
/// none is validated once, one that needs what many need three times.
pub(super) fn validate(module: &Module) -> Result<(ModuleInfo, Features), Box<WithSpan<ValidationError>>> {
    if let Ok(info) = validate_with(module, Features::empty()) {
        return Ok((info, Features::empty()));
    }
    // Where one feature is enough, and nothing is without it and those that bring it, there is no weaker set.
    let subgroup = (Features::SUBGROUP, Features::SUBGROUP | Features::SUBGROUP_VERTEX);
    for (likely, bringing) in [subgroup, (Features::SHADER_F16, Features::SHADER_F16)] {
        if let Ok(info) = validate_with(module, likely)
            && validate_with(module, Features::all().difference(bringing)).is_err()
        {
            return Ok((info, likely));
        }
    }
    let info = validate_with(module, Features::all())?;
    let mut kept = Features::all();
    // Where either of two features would do, the weaker one is to be found.
    drop_unneeded(module, &mut kept, &[Features::SUBGROUP_VERTEX]);
    drop_unneeded(module, &mut kept, &[Features::SHADER_INT64_ATOMIC_ALL_OPS]);
    let candidates: Vec<Features> = kept.iter().collect();
    drop_unneeded(module, &mut kept, &candidates);
    Ok((info, kept))
}

/// What a device must have for `enable` directives. Browsers ask for it whatever the code does, and one text serves both.
pub(super) fn enabled(extensions: &[String]) -> Features {
    let feature = |name: &String| match name.as_str() {
        "f16" => Features::SHADER_F16,
        "subgroups" => Features::SUBGROUP,
        "clip_distances" => Features::CLIP_DISTANCES,
        "dual_source_blending" => Features::DUAL_SOURCE_BLENDING,
        "primitive_index" => Features::PRIMITIVE_INDEX,
        _ => Features::empty(),
    };
    extensions.iter().map(feature).fold(Features::empty(), Features::union)
}

/// What a device must have to bind what the module declares, where validation looks at code only.
pub(super) fn bound(module: &Module) -> Features {
    let feature = |ty: &naga::Type| match ty.inner {
        naga::TypeInner::Image { class: naga::ImageClass::Storage { format, access }, .. }
            if access.contains(naga::StorageAccess::ATOMIC) =>
        {
            if format == naga::StorageFormat::R64Uint {
                Features::TEXTURE_INT64_ATOMIC
            } else {
                Features::TEXTURE_ATOMIC
            }
        }
        _ => Features::empty(),
    };
    module.types.iter().map(|(_, ty)| feature(ty)).fold(Features::empty(), Features::union)
}

/// Takes as many of `candidates` out of `kept` as the module can do without: all at once, else by halves.
fn drop_unneeded(module: &Module, kept: &mut Features, candidates: &[Features]) {
    let fewer = candidates.iter().fold(*kept, |kept, candidate| kept.difference(*candidate));
    if validate_with(module, fewer).is_ok() {
        *kept = fewer;
    } else if candidates.len() > 1 {
        let (front, back) = candidates.split_at(candidates.len() / 2);
        drop_unneeded(module, kept, back);
        drop_unneeded(module, kept, front);
    }
}

fn validate_with(module: &Module, features: Features) -> Result<ModuleInfo, Box<WithSpan<ValidationError>>> {
    let capabilities = features_to_naga_capabilities(features, DownlevelFlags::all());
    Validator::new(ValidationFlags::all(), capabilities).validate(module).map_err(Box::new)
}
