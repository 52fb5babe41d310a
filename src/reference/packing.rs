//! Numbers packed into words: WGSL's `pack…` and `unpack…` as its text defines them, `shaders/lib/octahedral.wgsl`,
//! `material_word.wgsl`, `packed_state.wgsl`, `dot_bytes.wgsl` and `byte_network.wgsl`.

use glam::{Vec2, Vec3};

/// `pack4x8unorm`: 0 to 1 in steps of 1/255, the first number lowest.
pub fn pack4x8unorm(v: [f32; 4]) -> u32 {
    u32::from_le_bytes(v.map(|it| (0.5 + 255.0 * it.clamp(0.0, 1.0)).floor() as u8))
}

/// `unpack4x8unorm`.
pub fn unpack4x8unorm(word: u32) -> [f32; 4] {
    word.to_le_bytes().map(|byte| f32::from(byte) / 255.0)
}

/// `pack4x8snorm`: -1 to 1 in steps of 1/127.
pub fn pack4x8snorm(v: [f32; 4]) -> u32 {
    u32::from_le_bytes(v.map(|it| ((0.5 + 127.0 * it.clamp(-1.0, 1.0)).floor() as i8).cast_unsigned()))
}

/// `unpack4x8snorm`.
pub fn unpack4x8snorm(word: u32) -> [f32; 4] {
    word.to_le_bytes().map(|byte| (f32::from(byte.cast_signed()) / 127.0).max(-1.0))
}

/// `pack2x16snorm`: -1 to 1 in steps of 1/32767.
pub fn pack2x16snorm(v: [f32; 2]) -> u32 {
    let [low, high] = v.map(|it| ((0.5 + 32767.0 * it.clamp(-1.0, 1.0)).floor() as i16).cast_unsigned());
    u32::from(low) | u32::from(high) << 16
}

/// `unpack2x16snorm`.
pub fn unpack2x16snorm(word: u32) -> [f32; 2] {
    [word as u16, (word >> 16) as u16].map(|half| (f32::from(half.cast_signed()) / 32767.0).max(-1.0))
}

/// `pack4xI8` and `pack4xU8`: the lowest eight bits of each.
pub const fn pack4x8([a, b, c, d]: [u32; 4]) -> u32 {
    u32::from_le_bytes([a as u8, b as u8, c as u8, d as u8])
}

/// `pack4xI8Clamp`.
pub fn pack4xi8_clamp(v: [i32; 4]) -> u32 {
    pack4x8(v.map(|it| it.clamp(-128, 127).cast_unsigned()))
}

/// `pack4xU8Clamp`.
pub fn pack4xu8_clamp(v: [u32; 4]) -> u32 {
    pack4x8(v.map(|it| it.min(255)))
}

/// `unpack4xI8`.
pub fn unpack4xi8(word: u32) -> [i32; 4] {
    word.to_le_bytes().map(|byte| i32::from(byte.cast_signed()))
}

/// `dot4I8Packed`, and `dot_bytes`.
pub fn dot4i8(a: u32, b: u32) -> i32 {
    unpack4xi8(a).into_iter().zip(unpack4xi8(b)).map(|(a, b)| a * b).sum()
}

/// `dot4U8Packed`.
pub fn dot4u8(a: u32, b: u32) -> u32 {
    a.to_le_bytes().into_iter().zip(b.to_le_bytes()).map(|(a, b)| u32::from(a) * u32::from(b)).sum()
}

/// A unit vector as two numbers from -1 to 1.
pub fn octahedral_from(n: Vec3) -> Vec2 {
    let square = n.truncate() / n.abs().element_sum();
    if n.z >= 0.0 { square } else { fold(square) }
}

/// The unit vector of two numbers.
pub fn octahedral_to(e: Vec2) -> Vec3 {
    let z = 1.0 - e.x.abs() - e.y.abs();
    (if z >= 0.0 { e } else { fold(e) }).extend(z).normalize()
}

fn fold(v: Vec2) -> Vec2 {
    let sign = Vec2::new(if v.x >= 0.0 { 1.0 } else { -1.0 }, if v.y >= 0.0 { 1.0 } else { -1.0 });
    (1.0 - Vec2::new(v.y, v.x).abs()) * sign
}

/// Bits of a material word: it is transparent.
pub const TRANSPARENT: u32 = 1;
/// It glows.
pub const GLOWING: u32 = 2;

/// Bits 0 to 15 are the material's index, bits 16 to 23 flags; more of either is cut off.
pub const fn material_word(index: u32, flags: u32) -> u32 {
    (index & 0xffff) | (flags & 0xff) << 16
}

/// The index of a material word.
pub const fn material_index(word: u32) -> u32 {
    word & 0xffff
}

/// The flags of a material word.
pub const fn material_flags(word: u32) -> u32 {
    word >> 16 & 0xff
}

/// `shaders/lib/hash.wgsl`.
pub const fn hash(value: u32) -> u32 {
    let state = value.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277_803_737);
    (word >> 22) ^ word
}

/// The `k`-th random number of something that has the hash `seed`, from 0 to below 1.
pub fn random(seed: u32, k: u32) -> f32 {
    (hash(seed.wrapping_add(k)) >> 8) as f32 / 16_777_216.0
}

/// States of cells after `events` hits in each of `frames`: bits 0 to 2 are flags, bits 8 to 31 a count. Which hit of a frame
/// comes first does not matter.
pub fn states(cells: u32, events: u32, frames: u32) -> Vec<u32> {
    let mut states = vec![0_u32; cells as usize];
    for frame in 0..frames {
        for event in 0..events {
            let state = &mut states[state_cell(event, frame, cells) as usize];
            let before = *state >> 8;
            let flags = u32::from(before == 0) | u32::from(before >= 7) << 1 | u32::from(frame >= 6 && before < 3) << 2;
            *state = state.wrapping_add(256) | flags;
        }
    }
    states
}

fn state_cell(event: u32, frame: u32, cells: u32) -> u32 {
    let blots = (cells / 352).max(1);
    let blot = hash(event % blots + blots * (frame / 4));
    let around = hash(hash(event).wrapping_add(frame));
    let spread = ((around & 255) * (around >> 8 & 255)) >> 8;
    let row = ((cells as f32 * 16.0 / 9.0).sqrt() as u32).max(1);
    (blot % cells + spread % 17 + row * (spread / 17)) % cells
}

/// What the network of `byte_network.wgsl` makes of four inputs, with 96 words of weights.
pub fn network(weights: &[u32], inputs: [i32; 4]) -> [i32; 4] {
    let neuron = |values: &[u32; 4], first: usize| {
        (0..4).map(|word| dot4i8(values[word], weights[first + word])).fold(0, i32::wrapping_add)
    };
    let first = pack4xi8_clamp(inputs);
    let pack = |four: [i32; 4]| pack4x8(four.map(i32::cast_unsigned));
    let hidden: [u32; 4] =
        std::array::from_fn(|word| pack(std::array::from_fn(|k| wave(dot4i8(first, weights[4 * word + k])))));
    let deeper: [u32; 4] =
        std::array::from_fn(|word| pack(std::array::from_fn(|k| wave(neuron(&hidden, 16 + 4 * (4 * word + k))))));
    std::array::from_fn(|k| wave(neuron(&deeper, 80 + 4 * k)))
}

fn wave(sum: i32) -> i32 {
    let phase = (sum >> 7) & 511;
    (if phase > 255 { 384 - phase } else { phase - 128 }).clamp(-127, 127)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Half a step of the format, and nothing beyond its ends.
        #[test]
        fn what_is_packed_comes_back_within_half_a_step(v in [-2.0_f32..2.0, -2.0..2.0, -2.0..2.0, -2.0..2.0]) {
            for (is, was) in unpack4x8unorm(pack4x8unorm(v)).into_iter().zip(v) {
                prop_assert!((is - was.clamp(0.0, 1.0)).abs() <= 0.5 / 255.0 + 1e-6);
            }
            for (is, was) in unpack4x8snorm(pack4x8snorm(v)).into_iter().zip(v) {
                prop_assert!((is - was.clamp(-1.0, 1.0)).abs() <= 0.5 / 127.0 + 1e-6);
            }
            for (is, was) in unpack2x16snorm(pack2x16snorm([v[0], v[1]])).into_iter().zip(v) {
                prop_assert!((is - was.clamp(-1.0, 1.0)).abs() <= 0.5 / 32767.0 + 1e-6);
            }
        }

        #[test]
        fn normals_come_back_through_the_octahedron(v in [-1.0_f32..1.0, -1.0..1.0, -1.0..1.0]) {
            let n = Vec3::from(v);
            prop_assume!(n.length() > 1e-3);
            let n = n.normalize();
            let e = octahedral_from(n);
            prop_assert!(e.abs().max_element() <= 1.0 + 1e-6);
            let back = octahedral_to(unpack2x16snorm(pack2x16snorm(e.into())).into());
            prop_assert!((back - n).length() < 2e-4, "{n} {back}");
        }

        #[test]
        fn a_material_word_holds_both(index in 0..0x1_0000_u32, flags in 0..0x100_u32, more in any::<u32>()) {
            let word = material_word(index, flags);
            prop_assert_eq!((material_index(word), material_flags(word)), (index, flags));
            prop_assert_eq!(material_word(index | more << 16, flags | more << 8), word);
        }
    }
}
