//! Whether a texture fits the variable it is bound to.

use crate::graph::{Part, Texture};
use crate::shader::{GlobalKind, Use};
use wgpu_types::{TextureAspect, TextureSampleType, TextureViewDimension};

/// What a texture variable needs that the texture lacks.
pub(super) fn texture_needs(kind: &GlobalKind, texture: &Texture, part: Part, used: Use) -> Option<String> {
    match kind {
        GlobalKind::Texture { view, sample, multisampled } => {
            if *multisampled != (texture.samples > 1) {
                return Some(
                    if *multisampled { "a texture with several samples" } else { "a texture with one sample" }
                        .to_owned(),
                );
            }
            view_needs(*view, part).or_else(|| texture.format.and_then(|format| sample_needs(*sample, format, used)))
        }
        GlobalKind::StorageTexture { view, format, .. } => {
            if part.mips != 1 {
                return Some("one mip: add `.mip(e)`".to_owned());
            }
            let wrong = texture.format.is_some_and(|has| has != *format);
            view_needs(*view, part).or_else(|| wrong.then(|| format!("a texture of format {format:?}")))
        }
        _ => None,
    }
}

fn view_needs(view: TextureViewDimension, part: Part) -> Option<String> {
    match view {
        TextureViewDimension::D2 if part.layers != 1 => Some("one layer: add `.layer(e)`".to_owned()),
        TextureViewDimension::D2 | TextureViewDimension::D2Array => None,
        TextureViewDimension::Cube if part.layers == 6 => None,
        TextureViewDimension::Cube => Some("six layers".to_owned()),
        TextureViewDimension::CubeArray if part.layers.is_multiple_of(6) => None,
        TextureViewDimension::CubeArray => Some("a multiple of six layers".to_owned()),
        TextureViewDimension::D1 | TextureViewDimension::D3 => {
            Some("a texture of one or three dimensions, which graphs do not have".to_owned())
        }
    }
}

fn sample_needs(sample: TextureSampleType, format: wgpu_types::TextureFormat, used: Use) -> Option<String> {
    let has = format
        .sample_type(Some(TextureAspect::All), None)
        .or_else(|| format.sample_type(Some(TextureAspect::DepthOnly), None));
    let fits = match (sample, has) {
        (TextureSampleType::Float { .. }, Some(TextureSampleType::Float { filterable })) => !used.sampled || filterable,
        // A depth texture may be loaded from through `texture_2d<f32>`, not filtered.
        (TextureSampleType::Float { .. }, Some(TextureSampleType::Depth)) => !used.sampled,
        (wanted, Some(has)) => wanted == has,
        (_, None) => true,
    };
    let wanted = match sample {
        TextureSampleType::Float { .. } if used.sampled => "a filterable float texture",
        TextureSampleType::Float { .. } => "a float texture",
        TextureSampleType::Depth => "a depth texture",
        TextureSampleType::Sint => "a texture of signed integers",
        TextureSampleType::Uint => "a texture of unsigned integers",
    };
    (!fits).then(|| wanted.to_owned())
}
