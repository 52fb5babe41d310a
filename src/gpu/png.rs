//! Pictures.

use image::{ExtendedColorType, ImageEncoder as _};
use wgpu::TextureFormat;

use super::error::Error;
use super::readback::Image;

/// A PNG of an image. Texels of 8 bits go as they are; floats are clamped to 0..1 and get the sRGB curve; depth is grey;
/// integers are clamped to 255.
///
/// # Errors
/// [`Error::Unreadable`] for formats that have no picture.
pub fn encode_png(name: &str, image: &Image) -> Result<Vec<u8>, Error> {
    let unreadable = |why: String| Error::Unreadable { name: name.to_owned(), why };
    let decode = decoder(image.format).ok_or_else(|| unreadable(format!("{:?} has no picture", image.format)))?;
    let texel = image.bytes.len() / (image.width as usize * image.height as usize).max(1);
    let rgba: Vec<u8> = image.bytes.chunks_exact(texel.max(1)).flat_map(decode).collect();
    let mut png = Vec::new();
    image::codecs::png::PngEncoder::new(&mut png)
        .write_image(&rgba, image.width, image.height, ExtendedColorType::Rgba8)
        .map_err(|why| unreadable(why.to_string()))?;
    Ok(png)
}

type Decode = fn(&[u8]) -> [u8; 4];

#[allow(clippy::too_many_lines, reason = "a table")]
fn decoder(format: TextureFormat) -> Option<Decode> {
    use TextureFormat as F;
    Some(match format {
        F::Rgba8Unorm | F::Rgba8UnormSrgb | F::Rgba8Uint => |t| [t[0], t[1], t[2], t[3]],
        F::Bgra8Unorm | F::Bgra8UnormSrgb => |t| [t[2], t[1], t[0], t[3]],
        F::R8Unorm | F::R8Uint => |t| grey(t[0]),
        F::Rg8Unorm | F::Rg8Uint => |t| [t[0], t[1], 0, 255],
        F::R16Float => |t| grey(curve(half(t, 0))),
        F::Rg16Float => |t| [curve(half(t, 0)), curve(half(t, 1)), 0, 255],
        F::Rgba16Float => |t| [curve(half(t, 0)), curve(half(t, 1)), curve(half(t, 2)), unit(half(t, 3))],
        F::R32Float => |t| grey(curve(single(t, 0))),
        F::Rg32Float => |t| [curve(single(t, 0)), curve(single(t, 1)), 0, 255],
        F::Rgba32Float => |t| [curve(single(t, 0)), curve(single(t, 1)), curve(single(t, 2)), unit(single(t, 3))],
        F::Rg11b10Ufloat => |t| {
            let word = word(t, 0);
            let channel = |shift: u32, bits: u32| {
                // The same exponent as a half float, no sign, a shorter mantissa.
                let value = (word >> shift) & ((1 << bits) - 1);
                curve(from_half((value << (15 - bits)) as u16))
            };
            [channel(0, 11), channel(11, 11), channel(22, 10), 255]
        },
        F::Rgb10a2Unorm => |t| {
            let word = word(t, 0);
            let channel = |shift: u32| unit(((word >> shift) & 1023) as f32 / 1023.0);
            [channel(0), channel(10), channel(20), unit((word >> 30) as f32 / 3.0)]
        },
        F::Depth32Float | F::Depth32FloatStencil8 => |t| grey(unit(single(t, 0))),
        F::Depth16Unorm => |t| grey(t[1]),
        F::R32Uint => |t| grey(capped(t, 0)),
        F::Rg32Uint => |t| [capped(t, 0), capped(t, 1), 0, 255],
        F::Rgba32Uint => |t| [capped(t, 0), capped(t, 1), capped(t, 2), capped(t, 3)],
        _ => return None,
    })
}

const fn grey(level: u8) -> [u8; 4] {
    [level, level, level, 255]
}

fn word(texel: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([texel[4 * at], texel[4 * at + 1], texel[4 * at + 2], texel[4 * at + 3]])
}

fn single(texel: &[u8], at: usize) -> f32 {
    f32::from_bits(word(texel, at))
}

fn half(texel: &[u8], at: usize) -> f32 {
    from_half(u16::from_le_bytes([texel[2 * at], texel[2 * at + 1]]))
}

fn capped(texel: &[u8], at: usize) -> u8 {
    word(texel, at).min(255) as u8
}

/// IEEE 754 binary16.
fn from_half(bits: u16) -> f32 {
    let (sign, exponent, mantissa) = (bits >> 15, (bits >> 10) & 31, f32::from(bits & 1023));
    let size = match exponent {
        0 => mantissa * 2f32.powi(-24),
        31 if mantissa == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1024.0 + mantissa) * 2f32.powi(i32::from(exponent) - 25),
    };
    if sign == 1 { -size } else { size }
}

/// 0..1 to 0..255; not a number is 0.
fn unit(value: f32) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0).round() as u8
}

/// Linear light to sRGB (IEC 61966-2-1).
fn curve(linear: f32) -> u8 {
    let linear = linear.clamp(0.0, 1.0);
    unit(if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_decode() {
        for (bits, value) in [(0x3c00, 1.0), (0xc000, -2.0), (0x0001, 2f32.powi(-24)), (0x7c00, f32::INFINITY)] {
            assert_eq!(from_half(bits), value);
        }
        assert!(from_half(0x7e00).is_nan());
    }

    #[test]
    fn floats_are_clamped_and_curved() {
        assert_eq!(
            [curve(-1.0), curve(0.0), curve(0.5), curve(1.0), curve(9.0), curve(f32::NAN)],
            [0, 0, 188, 255, 255, 0]
        );
    }
}
