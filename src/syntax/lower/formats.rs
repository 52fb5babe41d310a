//! Names of formats. wgpu's own texts are WebGPU's (`rgba8unorm-srgb`); the file says what Rust says.
//!
//! The tables cannot fall behind: the compiler refuses a `match` that leaves a format out.

use wgpu_types::{TextureFormat, VertexFormat};

use crate::source::Sp;

use super::super::document::FormatDecl;
use super::super::tree::{Kind, Node};
use super::Lower;

/// Lists the names of an enum, and checks that none but `$rest` is left out.
macro_rules! names {
    ($table:ident, $ty:ident: $($name:ident)* $(, not $rest:pat)?) => {
        const $table: (&[&str], &[$ty]) = {
            const fn is_listed(format: $ty) -> bool {
                match format {
                    $($ty::$name => true,)*
                    $($rest => false,)?
                }
            }
            assert!($(is_listed($ty::$name) &&)* true);
            (&[$(stringify!($name)),*], &[$($ty::$name),*])
        };
    };
}

names! { VERTEX_FORMATS, VertexFormat:
    Uint8 Uint8x2 Uint8x4 Sint8 Sint8x2 Sint8x4 Unorm8 Unorm8x2 Unorm8x4 Snorm8 Snorm8x2 Snorm8x4 Uint16 Uint16x2 Uint16x4
    Sint16 Sint16x2 Sint16x4 Unorm16 Unorm16x2 Unorm16x4 Snorm16 Snorm16x2 Snorm16x4 Float16 Float16x2 Float16x4 Float32
    Float32x2 Float32x3 Float32x4 Uint32 Uint32x2 Uint32x3 Uint32x4 Sint32 Sint32x2 Sint32x3 Sint32x4 Float64 Float64x2
    Float64x3 Float64x4 Unorm10_10_10_2 Unorm8x4Bgra
}

names! { TEXTURE_FORMATS, TextureFormat:
    R8Unorm R8Snorm R8Uint R8Sint R16Uint R16Sint R16Unorm R16Snorm R16Float Rg8Unorm Rg8Snorm Rg8Uint Rg8Sint R32Uint
    R32Sint R32Float Rg16Uint Rg16Sint Rg16Unorm Rg16Snorm Rg16Float Rgba8Unorm Rgba8UnormSrgb Rgba8Snorm Rgba8Uint Rgba8Sint
    Bgra8Unorm Bgra8UnormSrgb Rgb9e5Ufloat Rgb10a2Uint Rgb10a2Unorm Rg11b10Ufloat R64Uint Rg32Uint Rg32Sint Rg32Float
    Rgba16Uint Rgba16Sint Rgba16Unorm Rgba16Snorm Rgba16Float Rgba32Uint Rgba32Sint Rgba32Float Stencil8 Depth16Unorm
    Depth24Plus Depth24PlusStencil8 Depth32Float Depth32FloatStencil8 NV12 P010 Bc1RgbaUnorm Bc1RgbaUnormSrgb Bc2RgbaUnorm
    Bc2RgbaUnormSrgb Bc3RgbaUnorm Bc3RgbaUnormSrgb Bc4RUnorm Bc4RSnorm Bc5RgUnorm Bc5RgSnorm Bc6hRgbUfloat Bc6hRgbFloat
    Bc7RgbaUnorm Bc7RgbaUnormSrgb Etc2Rgb8Unorm Etc2Rgb8UnormSrgb Etc2Rgb8A1Unorm Etc2Rgb8A1UnormSrgb Etc2Rgba8Unorm
    Etc2Rgba8UnormSrgb EacR11Unorm EacR11Snorm EacRg11Unorm EacRg11Snorm,
    not TextureFormat::Astc { .. }
}

impl<'n> Lower<'n, '_> {
    /// A vertex format by name: `Snorm8x4`.
    pub(super) fn vertex_format(&mut self, node: &'n Node<'n>) -> Option<Sp<VertexFormat>> {
        self.format(node, VERTEX_FORMATS).map(|format| Sp::new(format, self.span(node)))
    }

    /// A texture format by name, or `Surface`.
    pub(super) fn texture_format(&mut self, node: &'n Node<'n>) -> Option<Sp<FormatDecl>> {
        let is_surface = matches!((&node.kind, node.name), (Kind::Unit, Some(name)) if name == "Surface");
        let format = if is_surface { FormatDecl::Surface } else { FormatDecl::Is(self.format(node, TEXTURE_FORMATS)?) };
        Some(Sp::new(format, self.span(node)))
    }

    fn format<T: Copy>(&mut self, node: &'n Node<'n>, (names, formats): (&[&str], &[T])) -> Option<T> {
        let (Kind::Unit, Some(name)) = (&node.kind, node.name) else {
            self.no_name(node, "the name of a format", names);
            return None;
        };
        let found = names.iter().position(|known| *known == name);
        if found.is_none() {
            self.unknown_name(node, "format", names);
        }
        found.map(|index| formats[index])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_wgpu_prints() {
        for (name, format) in TEXTURE_FORMATS.0.iter().zip(TEXTURE_FORMATS.1) {
            assert_eq!(*name, format!("{format:?}"));
        }
        for (name, format) in VERTEX_FORMATS.0.iter().zip(VERTEX_FORMATS.1) {
            assert_eq!(name.replace('_', ""), format!("{format:?}").replace('_', ""));
        }
    }
}
