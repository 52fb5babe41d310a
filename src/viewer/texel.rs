//! Texels as numbers, and as something to look at.

use crate::graph::table::half;
use wgpu::TextureFormat;

/// How many channels a format has, and the number of each in one texel; nothing for formats that are not taken apart.
pub(super) fn decode(format: TextureFormat, texel: &[u8]) -> Option<([f32; 4], usize)> {
    use TextureFormat as F;
    let byte = |at: usize| f32::from(texel[at]) / 255.0;
    let signed = |at: usize| (f32::from(texel[at] as i8) / 127.0).max(-1.0);
    let short = |at: usize| u16::from_le_bytes([texel[2 * at], texel[2 * at + 1]]);
    let word = |at: usize| u32::from_le_bytes([texel[4 * at], texel[4 * at + 1], texel[4 * at + 2], texel[4 * at + 3]]);
    let of = |count: usize, value: &dyn Fn(usize) -> f32| {
        let mut all = [0.0, 0.0, 0.0, 1.0];
        (0..count).for_each(|at| all[at] = value(at));
        Some((all, count))
    };
    let float = |at| f32::from_bits(word(at));
    let half_at = |at| half(short(at));
    match format {
        F::R8Unorm => of(1, &byte),
        F::Rg8Unorm => of(2, &byte),
        F::Rgba8Unorm | F::Rgba8UnormSrgb => of(4, &byte),
        F::Rgba8Snorm => of(4, &signed),
        F::Bgra8Unorm | F::Bgra8UnormSrgb => of(4, &|at| byte([2, 1, 0, 3][at])),
        F::R8Uint => of(1, &|at| texel[at].into()),
        F::Rg8Uint => of(2, &|at| texel[at].into()),
        F::Rgba8Uint => of(4, &|at| texel[at].into()),
        F::R16Float => of(1, &half_at),
        F::Rg16Float => of(2, &half_at),
        F::Rgba16Float => of(4, &half_at),
        F::R16Uint => of(1, &|at| short(at).into()),
        F::R32Float | F::Depth32Float | F::Depth32FloatStencil8 => of(1, &float),
        F::Rg32Float => of(2, &float),
        F::Rgba32Float => of(4, &float),
        F::R32Uint => of(1, &|at| word(at) as f32),
        F::Rg32Uint => of(2, &|at| word(at) as f32),
        F::Rgba32Uint => of(4, &|at| word(at) as f32),
        F::R32Sint => of(1, &|at| word(at) as i32 as f32),
        F::Depth16Unorm => of(1, &|at| f32::from(short(at)) / 65535.0),
        F::Rgb10a2Unorm => {
            let of = |shift: u32, most: u32| ((word(0) >> shift) & most) as f32 / most as f32;
            Some(([of(0, 1023), of(10, 1023), of(20, 1023), of(30, 3)], 4))
        }
        F::Rg11b10Ufloat => {
            let of = |shift: u32, bits: u32| half((((word(0) >> shift) & ((1 << bits) - 1)) << (15 - bits)) as u16);
            Some(([of(0, 11), of(11, 11), of(22, 10), 1.0], 3))
        }
        _ => None,
    }
}

/// Which channels are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Channel {
    #[default]
    Color,
    Red,
    Green,
    Blue,
    Alpha,
}

impl Channel {
    pub(super) const ALL: [(Self, &str); 5] =
        [(Self::Color, "RGB"), (Self::Red, "R"), (Self::Green, "G"), (Self::Blue, "B"), (Self::Alpha, "A")];
}

/// What of the numbers is black and white.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Range {
    pub(super) low: f32,
    pub(super) high: f32,
}

/// A texel as a colour. Numbers that are none are magenta.
pub(super) fn color(texel: [f32; 4], count: usize, channel: Channel, range: Range) -> egui::Color32 {
    let level = |value: f32| {
        let part = (value - range.low) / (range.high - range.low).max(1e-9);
        (part.clamp(0.0, 1.0) * 255.0).round() as u8
    };
    let grey = |value: f32| egui::Color32::from_gray(level(value));
    let shown = match channel {
        Channel::Color if count == 1 => &texel[..1],
        Channel::Color => &texel[..3],
        Channel::Red => &texel[..1],
        Channel::Green => &texel[1..2],
        Channel::Blue => &texel[2..3],
        Channel::Alpha => &texel[3..4],
    };
    if shown.iter().any(|value| !value.is_finite()) {
        return egui::Color32::from_rgb(255, 0, 255);
    }
    match shown {
        [one] => grey(*one),
        [r, g, b, ..] => egui::Color32::from_rgb(level(*r), level(*g), level(*b)),
        _ => egui::Color32::BLACK,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_taken_apart() {
        assert_eq!(decode(TextureFormat::Bgra8Unorm, &[0, 0, 255, 255]), Some(([1.0, 0.0, 0.0, 1.0], 4)));
        assert_eq!(decode(TextureFormat::Depth32Float, &0.25f32.to_le_bytes()).unwrap().0[0], 0.25);
        assert_eq!([half(0x3c00), half(0xc000), half(1)], [1.0, -2.0, 2f32.powi(-24)]);
        assert_eq!(decode(TextureFormat::Rg11b10Ufloat, &(0x3c0u32).to_le_bytes()).unwrap().0[0], 1.0);
    }

    #[test]
    fn ranges_and_nans_have_colours() {
        let range = Range { low: 0.9, high: 1.0 };
        assert_eq!(color([0.95, 0.0, 0.0, 1.0], 1, Channel::Color, range), egui::Color32::from_gray(128));
        assert_eq!(color([f32::NAN; 4], 4, Channel::Red, range), egui::Color32::from_rgb(255, 0, 255));
    }
}
