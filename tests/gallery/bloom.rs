//! Light that is neither made nor lost: the chain of mips against the CPU, at sizes of which none is a power of two.

use std::collections::BTreeSet;
use std::time::Duration;

use rondag::gpu::{Image, Program, read_texture};
use rondag::graph::{ParamValue, ResourceKind, Usage};

use crate::gallery::{differing, golden};
use crate::gpu::software;
use crate::running::{frame, picture, program};

const LIMIT: Duration = Duration::from_mins(1);
/// Odd, square, thin, tiny.
const SIZES: [[u32; 2]; 7] = [[333, 187], [64, 64], [97, 3], [1, 7], [7, 1], [2, 1], [1, 1]];

type Params<'a> = &'a [(&'a str, ParamValue)];

fn choice(value: &str) -> ParamValue {
    ParamValue::Choice(value.to_owned())
}

fn float(value: f64) -> ParamValue {
    ParamValue::Float(value)
}

/// The second frame, so that nothing hangs on the first.
fn shown(surface: [u32; 2], params: Params<'_>) -> Program {
    let mut program = program("", "graphs/bloom.ron", surface, params, &["hdr", "bloom"]);
    let camera = program.graph().camera;
    frame(&mut program, 0, &camera);
    frame(&mut program, 1, &camera);
    program
}

/// Light, RGB.
struct Light {
    size: [usize; 2],
    texels: Vec<[f64; 3]>,
}

impl Light {
    fn mean(&self) -> [f64; 3] {
        let sum = self.texels.iter().fold([0.0; 3], |sum, texel| std::array::from_fn(|i| sum[i] + texel[i]));
        sum.map(|channel| channel / self.texels.len() as f64)
    }
}

fn half(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    assert!(bits >> 15 == 0 && exponent < 31, "light is finite and not below zero: {bits:#x}");
    if exponent == 0 { fraction * 2f64.powi(-24) } else { (1024.0 + fraction) * 2f64.powi(exponent - 25) }
}

fn light(program: &Program, name: &str, mip: u32) -> Light {
    let id = program.find(name).expect("a texture of the graph");
    let texture = program.texture(id).expect("it is used");
    let Image { width, height, bytes, .. } =
        read_texture(&software(), name, texture, (mip, 0), LIMIT).unwrap_or_else(|why| panic!("{why}"));
    let texels = bytes.chunks_exact(8).map(|texel| {
        std::array::from_fn(|channel| half(u16::from_le_bytes([texel[2 * channel], texel[2 * channel + 1]])))
    });
    Light { size: [width as usize, height as usize], texels: texels.collect() }
}

fn mips(program: &Program) -> u32 {
    let id = program.find("bloom").expect("a texture of the graph");
    program.texture(id).expect("it is used").mip_level_count()
}

/// The texels of a row of `large` that the texel `to` of a row of `small` covers, and how much of each.
fn covered(large: usize, to: usize, small: usize) -> impl Iterator<Item = (usize, f64)> + Clone {
    let share = large as f64 / small as f64;
    let (low, high) = (to as f64 * share, (to + 1) as f64 * share);
    let texels = low as usize..(high.ceil() as usize).min(large);
    texels.map(move |from| (from, high.min(from as f64 + 1.0) - low.max(from as f64)))
}

/// The twin of `bloom/down_area.wgsl`.
fn down_area(from: &Light, size: [usize; 2]) -> Vec<[f64; 3]> {
    let area = (from.size[0] * from.size[1]) as f64 / (size[0] * size[1]) as f64;
    let mut texels = Vec::new();
    for (y, x) in (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| (y, x))) {
        let mut light = [0.0; 3];
        for (row, high) in covered(from.size[1], y, size[1]) {
            for (column, wide) in covered(from.size[0], x, size[0]) {
                let texel = from.texels[row * from.size[0] + column];
                light = std::array::from_fn(|i| light[i] + high * wide * texel[i] / area);
            }
        }
        texels.push(light);
    }
    texels
}

/// The twin of `bloom/up.wgsl` where nothing of the larger mip stays: a tent over bilinear taps.
fn up(from: &Light, size: [usize; 2]) -> Vec<[f64; 3]> {
    let texel = |x: i64, y: i64| {
        let [width, height] = from.size.map(|size| size as i64);
        from.texels[(y.clamp(0, height - 1) * width + x.clamp(0, width - 1)) as usize]
    };
    let bilinear = |x: f64, y: f64| {
        let (left, top) = ((x - 0.5).floor(), (y - 0.5).floor());
        let (right, low) = (x - 0.5 - left, y - 0.5 - top);
        let corner = |dx: i64, dy: i64| texel(left as i64 + dx, top as i64 + dy);
        let mix = |a: [f64; 3], b: [f64; 3], t: f64| std::array::from_fn(|i| a[i] * (1.0 - t) + b[i] * t);
        mix(mix(corner(0, 0), corner(1, 0), right), mix(corner(0, 1), corner(1, 1), right), low)
    };
    let mut texels = Vec::new();
    for (row, column) in (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| (y, x))) {
        let at = |i: usize, side: usize| (i as f64 + 0.5) / size[side] as f64 * from.size[side] as f64;
        let mut light = [0.0; 3];
        for (dy, dx) in (-1..=1i32).flat_map(|dy| (-1..=1i32).map(move |dx| (dy, dx))) {
            let tap: [f64; 3] = bilinear(at(column, 0) + f64::from(dx), at(row, 1) + f64::from(dy));
            let weight = f64::from((2 - dx.abs()) * (2 - dy.abs())) / 16.0;
            light = std::array::from_fn(|i| light[i] + weight * tap[i]);
        }
        texels.push(light);
    }
    texels
}

#[track_caller]
fn near(is: &[[f64; 3]], expected: &[[f64; 3]], relative: f64, what: &str) {
    assert_eq!(is.len(), expected.len(), "{what}");
    for (at, (is, expected)) in is.iter().flatten().zip(expected.iter().flatten()).enumerate() {
        let room = relative * expected.abs() + 1e-5;
        assert!((is - expected).abs() <= room, "{what}, channel {at}: {is} is not {expected}");
    }
}

#[test]
fn the_picture_is_golden() {
    let drawn = |params: Params<'_>| picture(&shown([480, 270], params));
    let weighted = drawn(&[]);
    golden("bloom", &weighted);
    let taps = drawn(&[("down", choice("taps"))]);
    assert!(differing(&weighted.bytes, &taps.bytes, 40) < 0.02, "both chains spread light alike");
    let without = drawn(&[("strength", float(0.0))]);
    let spread = differing(&weighted.bytes, &without.bytes, 8);
    assert!(spread > 0.05, "bloom shows: {spread}");
}

/// With nothing of the smaller mips mixed in, each mip is what the one above it was brought down to.
#[test]
fn mips_hold_the_mean_of_what_they_cover() {
    for surface in SIZES {
        let program = shown(surface, &[("spread", float(0.0)), ("levels", ParamValue::Int(14))]);
        let hdr = light(&program, "hdr", 0);
        let mean = hdr.mean();
        let half = surface.map(|side| side.div_ceil(2));
        assert_eq!(mips(&program), half[0].max(half[1]).ilog2() + 1, "{surface:?}: as many mips as there is room for");
        let mut larger = hdr;
        for mip in 0..mips(&program) {
            let is = light(&program, "bloom", mip);
            let size = half.map(|side| (side >> mip).max(1) as usize);
            assert_eq!(is.size, size, "{surface:?}");
            near(&is.texels, &down_area(&larger, size), 1.0 / 1024.0, &format!("{surface:?}, mip {mip}"));
            near(&[is.mean()], &[mean], 0.005, &format!("{surface:?}, mip {mip}, mean"));
            larger = is;
        }
        assert_eq!(larger.size, [1, 1], "the last mip is the mean of all");
    }
}

#[test]
fn light_comes_up_as_a_tent_spreads_it() {
    for surface in SIZES {
        let program = shown(surface, &[("spread", float(1.0)), ("levels", ParamValue::Int(14))]);
        for mip in 1..mips(&program) {
            let (small, large) = (light(&program, "bloom", mip), light(&program, "bloom", mip - 1));
            let what = format!("{surface:?}, mip {mip} over {}", mip - 1);
            // Samplers may place a texel as coarsely as by 1/256.
            near(&large.texels, &up(&small, large.size), 0.02, &what);
        }
    }
}

/// What scatters is the light that there was. Taps that half the size are a part of a texel off at odd sizes, and lose some.
#[test]
fn no_light_is_made_or_lost() {
    for surface in [[333, 187], [320, 180], [95, 63]] {
        let share_kept = |down: &str| {
            let program = shown(surface, &[("down", choice(down))]);
            let (before, after) = (light(&program, "hdr", 0).mean(), light(&program, "bloom", 0).mean());
            after[0] / before[0]
        };
        let area = share_kept("area");
        assert!((area - 1.0).abs() < 0.02, "{surface:?}: {area}");
        assert!(surface != [95, 63] || share_kept("taps") < 0.95, "taps may be the default again");
    }
}

#[test]
fn weighing_tames_bright_samples_and_leaves_the_rest() {
    let of = |samples: &str| light(&shown([160, 90], &[("samples", choice(samples))]), "hdr", 0);
    let (plain, weighted) = (of("plain"), of("weighted"));
    let brightest = |texel: &[f64; 3]| texel.iter().copied().fold(0.0, f64::max);
    let pairs = || plain.texels.iter().map(brightest).zip(weighted.texels.iter().map(brightest));
    assert!(pairs().all(|(plain, weighted)| weighted <= plain * 1.002 + 1e-4), "never brighter");
    let tamed = pairs().filter(|(plain, weighted)| *plain > 1.0 && *weighted < 0.7 * plain).count();
    let same = pairs().filter(|(plain, weighted)| (plain - weighted).abs() <= 0.002 * plain + 1e-4).count();
    assert!(tamed > 20 && same > plain.texels.len() / 2, "{tamed} edges, {same} of {} inside", plain.texels.len());
}

#[test]
fn every_kind_of_resource_is_in_use() {
    let program = shown([8, 8], &[("samples", choice("plain")), ("down", choice("taps"))]);
    let graph = program.graph();
    let usages: BTreeSet<Usage> = graph.passes.iter().flat_map(|pass| &pass.accesses).map(|it| it.usage).collect();
    for usage in [
        Usage::Vertex,
        Usage::Index,
        Usage::Sampled,
        Usage::StorageTexture,
        Usage::ColorAttachment,
        Usage::DepthAttachment,
        Usage::ResolveTarget,
    ] {
        assert!(usages.contains(&usage), "{usage:?}");
    }
    let is = |wanted: fn(&ResourceKind) -> bool| graph.resources.iter().any(|resource| wanted(&resource.kind));
    assert!(is(|kind| matches!(kind, ResourceKind::Sampler(_))));
    assert!(is(|kind| matches!(kind, ResourceKind::Uniform)));
    assert!(is(|kind| matches!(kind, ResourceKind::Texture(texture) if texture.samples == 4)));
    assert!(is(|kind| matches!(kind, ResourceKind::Texture(texture) if texture.mips > 1)));
}
