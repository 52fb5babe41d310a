//! `graphs/packed_gbuffer.ron`, `graphs/packed_state.ron`, `graphs/quantized.ron`, and all that WGSL packs.

use glam::Vec3;
use rondag::gpu::Program;
use rondag::graph::ParamValue;
use rondag::reference::packing::*;

use super::{choice, differing, golden};
use crate::gpu::software;
use crate::running::{frame, give, picture, program, words};

const SIZE: [u32; 2] = [320, 180];

fn rings(layout: &str, normals: &str) -> Program {
    let params = [("layout", choice(layout)), ("normals", choice(normals))];
    let mut rings = program("", "graphs/packed_gbuffer.ron", SIZE, &params, &["words"]);
    let camera = rings.graph().camera;
    frame(&mut rings, 0, &camera);
    rings
}

/// Eight bits of albedo and half floats round apart, and so do normals of four and twelve bytes: by less than one sees.
#[test]
fn packed_and_fat_buffers_light_alike() {
    let packed = rings("packed", "snorm8");
    let shown = picture(&packed);
    golden("packed_gbuffer", &shown);
    for (layout, normals) in [("packed", "float"), ("fat", "snorm8"), ("fat", "float")] {
        let other = rings(layout, normals);
        let apart = differing(&shown.bytes, &picture(&other).bytes, 8);
        assert!(apart < 0.003, "{layout}, {normals}: {:.3} % of the texels differ", 100.0 * apart);
        assert_ne!(shown.bytes, picture(&other).bytes, "{layout}, {normals}: it draws the same");
    }
    // Texels of 16 and of 24 bytes, besides depth; normals of 4 and of 12.
    let bytes = |layout, normals| rings(layout, normals).plan().bytes;
    let texels = u64::from(SIZE[0] * SIZE[1]);
    assert_eq!(bytes("fat", "snorm8").unshared - bytes("packed", "snorm8").unshared, 8 * texels);
    let vertices = 49 * 25;
    assert_eq!(bytes("packed", "float").kept - bytes("packed", "snorm8").kept, 8 * vertices);
    let all = words(&packed, "words");
    for (object, word) in (0..).zip(&all) {
        let seed = hash(object);
        let flag = |k: u32, below: f32, flag: u32| if random(seed, k) < below { flag } else { 0 };
        let flags = flag(4, 0.12, TRANSPARENT) | flag(5, 0.06, GLOWING);
        assert_eq!(*word, material_word(hash(object + 5) % 24, flags), "object {object}");
    }
    let with = |flag: u32| all.iter().filter(|word| material_flags(**word) & flag != 0).count();
    assert!(with(TRANSPARENT) > 20 && with(GLOWING) > 5, "{} {}", with(TRANSPARENT), with(GLOWING));
    assert!(all.iter().map(|word| material_index(*word)).max() == Some(23));
}

#[test]
fn one_word_holds_what_four_do() {
    let simulated = |kept: &str, cells: i64, events: i64| {
        let params = [("kept", choice(kept)), ("cells", ParamValue::Int(cells)), ("events", ParamValue::Int(events))];
        let mut board = program("", "graphs/packed_state.ron", SIZE, &params, &[]);
        let camera = board.graph().camera;
        (0..12).for_each(|index| frame(&mut board, index, &camera));
        board
    };
    let one = simulated("one_word", 8100, 1800);
    let four = simulated("four_words", 8100, 1800);
    let states = words(&one, "states");
    assert_eq!(states, rondag::reference::packing::states(8100, 1800, 12));
    assert_eq!(states, words(&four, "states"));
    let flags = |bit: u32| states.iter().filter(|state| **state >> bit & 1 == 1).count();
    assert!((0..3).all(|bit| flags(bit) > 100), "{} {} {}", flags(0), flags(1), flags(2));
    golden("packed_state", &picture(&one));
    for (cells, events) in [(1, 0), (1, 700), (63, 65), (704, 353)] {
        let [one, four] = ["one_word", "four_words"].map(|kept| words(&simulated(kept, cells, events), "states"));
        assert_eq!(one, four, "{cells} {events}");
        assert_eq!(one, rondag::reference::packing::states(cells as u32, events as u32, 12), "{cells} {events}");
    }
}

/// A count that grows beyond its bits loses what is too much, and sets no flag: ten hits more than 24 bits hold.
#[test]
fn a_count_that_is_full_begins_anew() {
    for kept in ["one_word", "four_words"] {
        let hits = ParamValue::Int((1 << 23) + 5);
        let params = [("kept", choice(kept)), ("cells", ParamValue::Int(1)), ("events", hits)];
        let mut board = program("", "graphs/packed_state.ron", [7, 5], &params, &[]);
        let camera = board.graph().camera;
        (0..2).for_each(|index| frame(&mut board, index, &camera));
        assert_eq!(words(&board, "states"), [10 << 8 | 3], "{kept}");
    }
}

#[test]
fn the_network_is_its_twin_to_the_bit_with_and_without_the_builtin() {
    let dreamt = |product: &str, size: [u32; 2]| {
        let params = [("product", choice(product))];
        let mut dream = program("", "graphs/quantized.ron", size, &params, &["weights"]);
        let camera = dream.graph().camera;
        frame(&mut dream, 0, &camera);
        let id = dream.find("dream").expect("the picture");
        let texture = dream.texture(id).expect("it has texels");
        let image =
            rondag::gpu::read_texture(&software(), "dream", texture, (0, 0), std::time::Duration::from_secs(30));
        (image.unwrap_or_else(|why| panic!("{why}")), words(&dream, "weights"))
    };
    for size in [SIZE, [33, 7], [1, 1]] {
        let (image, weights) = dreamt("dot4", size);
        assert!(image == dreamt("bytes", size).0, "{size:?}");
        let [width, height] = size.map(|side| side as i32);
        for (at, texel) in image.bytes.chunks_exact(4).enumerate() {
            let (x, y) = (at as i32 % width, at as i32 / width);
            let place = [x * 2 - width, y * 2 - height].map(|it| it * 127 / width.max(height));
            let away = (place[0] * place[0] + place[1] * place[1]) / 127 - 64;
            let out = network(&weights, [place[0], place[1], away, 96]);
            let expected = [0, 1, 2].map(|k| (out[k] + 128) as u8);
            assert_eq!(texel[..3], expected, "{size:?}: {x} {y}");
        }
        if size == SIZE {
            golden("quantized", &image);
        }
    }
}

const TABLE: &str = r#"
#import "octahedral.wgsl"
#import "material_word.wgsl"
#import "morton.wgsl"
#import "dot_bytes.wgsl"
@group(0) @binding(0) var<storage, read> given: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> made: array<array<u32, 52>>;
@compute @workgroup_size(64) fn table(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= arrayLength(&made) { return; }
    let u = given[id.x];
    let f = bitcast<vec4f>(u);
    let i = bitcast<vec4i>(u);
    var out: array<u32, 52>;
    out[0] = pack4x8unorm(f);
    out[1] = pack4x8snorm(f);
    out[2] = pack2x16unorm(f.xy);
    out[3] = pack2x16snorm(f.xy);
    out[4] = pack2x16float(f.xy);
    out[5] = pack4xI8(i);
    out[6] = pack4xU8(u);
    out[7] = pack4xI8Clamp(i);
    out[8] = pack4xU8Clamp(u);
    out[9] = bitcast<u32>(dot4I8Packed(u.x, u.y));
    out[10] = dot4U8Packed(u.x, u.y);
    out[11] = bitcast<u32>(dot_bytes(u.x, u.y));
    out[12] = bitcast<u32>(i.x >> (u.y & 31u));
    out[13] = u.x >> (u.y & 31u);
    out[14] = extractBits(u.x, u.y & 31u, u.z & 31u);
    out[15] = bitcast<u32>(extractBits(i.x, u.y & 31u, u.z & 31u));
    out[16] = insertBits(u.x, u.y, u.z & 31u, u.w & 31u);
    out[17] = firstLeadingBit(u.x);
    out[18] = reverseBits(u.x);
    out[19] = countOneBits(u.x);
    out[20] = material_word(u.x, u.y);
    out[21] = morton_code(f.xyz);
    let plain = unpack4x8unorm(u.x);
    let signs = unpack4x8snorm(u.x);
    let pair = unpack2x16snorm(u.x);
    out[22] = bitcast<u32>(plain.x);
    out[23] = bitcast<u32>(plain.w);
    out[24] = bitcast<u32>(signs.x);
    out[25] = bitcast<u32>(signs.w);
    out[26] = bitcast<u32>(pair.x);
    out[27] = bitcast<u32>(pair.y);
    out[28] = bitcast<u32>(unpack4xI8(u.x).z);
    out[29] = unpack4xU8(u.x).z;
    let direction = octahedral_from(f.xyz);
    out[30] = bitcast<u32>(direction.x);
    out[31] = bitcast<u32>(direction.y);
    let unorms = unpack2x16unorm(u.x);
    let halfs = unpack2x16float(u.x);
    let fours = array(plain.y, plain.z, signs.y, signs.z, unorms.x, unorms.y, halfs.x, halfs.y);
    for (var k = 0u; k < 8u; k++) { out[32u + k] = bitcast<u32>(fours[k]); }
    let bytes = unpack4xU8(u.x);
    let signed_bytes = bitcast<vec4u>(unpack4xI8(u.x));
    for (var k = 0u; k < 4u; k++) { out[40u + k] = bytes[k] | (signed_bytes[k] << 8u); }
    let back = octahedral_to(clamp(f.xy, vec2f(-1.0), vec2f(1.0)));
    out[44] = bitcast<u32>(back.x);
    out[45] = bitcast<u32>(back.y);
    out[46] = bitcast<u32>(back.z);
    out[47] = material_index(u.x);
    out[48] = material_flags(u.x);
    out[49] = bitcast<u32>(firstLeadingBit(i.x));
    out[50] = extractBits(u.x, 0u, 32u);
    out[51] = insertBits(u.x, u.y, 0u, 32u);
    made[id.x] = out;
}"#;

/// Words of all kinds: floats in and out of range, their edges, words at random.
fn inputs() -> Vec<[u32; 4]> {
    let edges = [
        0.0_f32,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -0.5,
        1.0 / 255.0,
        0.5 / 255.0,
        1.0 / 127.0,
        2.0,
        -2.0,
        0.25,
        65504.0,
        1e-7,
        7e4,
        -1e6,
    ];
    let mut all: Vec<[u32; 4]> =
        (0..edges.len()).map(|at| std::array::from_fn(|k| edges[(at + 3 * k) % edges.len()].to_bits())).collect();
    for word in [0, 1, 0x80, 0x7f, 0xff, 0x8000_0000, 0xffff_ffff, 0x7fff_ffff, 0x0102_0304, 0x8081_82ff] {
        all.push([word, !word, word.rotate_left(7), 31]);
    }
    let mut state = 1_u32;
    let mut random = || {
        state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        state.rotate_left(11) ^ state
    };
    all.extend((0..200).map(|_| std::array::from_fn(|_| random())));
    all.extend((0..200).map(|_| std::array::from_fn(|_| (random() as f32 / u32::MAX as f32 * 2.4 - 1.2).to_bits())));
    all
}

#[test]
fn all_that_is_packed_agrees_with_its_twin() {
    let root = tempfile::tempdir().expect("a folder");
    let given = inputs();
    let graph = format!(
        "(version: 1, resources: {{ \"given\": In(Buffer(count: {0})), \"made\": Buffer(count: {0}) }},
        passes: [Dispatch(name: \"table\", shader: \"table.wgsl\", items: {0})], outputs: [\"made\"])",
        given.len()
    );
    std::fs::create_dir_all(root.path().join("shaders")).expect("a folder");
    std::fs::write(root.path().join("table.ron"), graph).expect("a file");
    std::fs::write(root.path().join("shaders/table.wgsl"), TABLE).expect("a file");
    let mut table = program(root.path().to_str().expect("a plain path"), "table.ron", [4, 4], &[], &[]);
    give(&mut table, "given", bytemuck::cast_slice(&given));
    let camera = table.graph().camera;
    frame(&mut table, 0, &camera);
    let made = words(&table, "made");
    for (u, made) in given.iter().zip(made.chunks_exact(52)) {
        check(*u, made);
    }
}

fn check(u: [u32; 4], made: &[u32]) {
    let (f, i) = (u.map(f32::from_bits), u.map(u32::cast_signed));
    let said = format!("{u:x?} {f:?}");
    if f.iter().all(|it| it.is_finite()) {
        check_floats(f, made, &said);
    }
    let expected = [
        (5, pack4x8(u)),
        (6, pack4x8(u)),
        (7, pack4xi8_clamp(i)),
        (8, pack4xu8_clamp(u)),
        (9, dot4i8(u[0], u[1]).cast_unsigned()),
        (10, dot4u8(u[0], u[1])),
        (11, dot4i8(u[0], u[1]).cast_unsigned()),
        (12, (i[0] >> (u[1] & 31)).cast_unsigned()),
        (13, u[0] >> (u[1] & 31)),
        (14, bits(u[0], u[1] & 31, u[2] & 31)),
        (15, signed_bits(u[0], u[1] & 31, u[2] & 31)),
        (16, inserted(u[0], u[1], u[2] & 31, u[3] & 31)),
        (17, u[0].checked_ilog2().unwrap_or(u32::MAX)),
        (18, u[0].reverse_bits()),
        (19, u[0].count_ones()),
        (20, material_word(u[0], u[1])),
        (28, unpack4xi8(u[0])[2].cast_unsigned()),
        (29, u32::from(u[0].to_le_bytes()[2])),
        (47, material_index(u[0])),
        (48, material_flags(u[0])),
        // Of what is negative, the highest bit that is no copy of the sign.
        (49, (u[0] ^ (i[0] >> 31).cast_unsigned()).checked_ilog2().unwrap_or(u32::MAX)),
        (50, u[0]),
        (51, u[1]),
    ];
    for (k, (byte, signed)) in u[0].to_le_bytes().into_iter().zip(unpack4xi8(u[0])).enumerate() {
        assert_eq!(made[40 + k], u32::from(byte) | signed.cast_unsigned() << 8, "byte {k} of {said}");
    }
    let unorms = [u[0] & 0xffff, u[0] >> 16].map(|half| half as f32 / 65535.0);
    let lanes = [plain_lanes(u[0]), signed_lanes(u[0]), unorms].concat();
    for (at, expected) in (32..).zip(lanes) {
        assert!((f32::from_bits(made[at]) - expected).abs() <= 1e-6, "number {at} of {said}");
    }
    for (at, half) in (38..).zip([u[0] as u16, (u[0] >> 16) as u16]) {
        let (is, expected) = (f32::from_bits(made[at]), rondag::graph::table::half(half));
        // Adapters may take numbers below 2^-14 for zero.
        let is_tiny = expected.abs() < 2.0_f32.powi(-14) && is == 0.0;
        assert!(
            is == expected || is_tiny || is.is_nan() && expected.is_nan(),
            "number {at} of {said}: {is} {expected}"
        );
    }
    for (at, expected) in expected {
        assert_eq!(made[at], expected, "number {at} of {said}");
    }
    let [unorm, snorm] = [unpack4x8unorm(u[0]), unpack4x8snorm(u[0])];
    let pair = unpack2x16snorm(u[0]);
    for (at, expected) in [(22, unorm[0]), (23, unorm[3]), (24, snorm[0]), (25, snorm[3]), (26, pair[0]), (27, pair[1])]
    {
        assert!((f32::from_bits(made[at]) - expected).abs() <= 1e-6, "number {at} of {said}");
    }
}

/// Rounding to the nearest step may go either way from the middle.
fn check_floats(f: [f32; 4], made: &[u32], said: &str) {
    let near = |at: usize, step: f32, is: &[f32], low: f32| {
        for (is, was) in is.iter().zip(f) {
            assert!((is - was.clamp(low, 1.0)).abs() <= 0.501 * step, "number {at} of {said}: {is} {was}");
        }
    };
    near(0, 1.0 / 255.0, &unpack4x8unorm(made[0]), 0.0);
    near(1, 1.0 / 127.0, &unpack4x8snorm(made[1]), -1.0);
    let pair = [made[2] & 0xffff, made[2] >> 16].map(|half| half as f32 / 65535.0);
    near(2, 1.0 / 65535.0, &pair, 0.0);
    near(3, 1.0 / 32767.0, &unpack2x16snorm(made[3]), -1.0);
    for (half, was) in [made[4] as u16, (made[4] >> 16) as u16].into_iter().zip(f) {
        let is = rondag::graph::table::half(half);
        let fits = was.abs() <= 65504.0;
        // Eleven bits of a number, or steps of 2^-24 near zero. Beyond the range it is the largest, infinite, or (WGSL leaves it open) some
        // number; never a small one.
        assert!(fits || is.is_nan() || is.abs() >= 65504.0, "{said}: {is} {was}");
        assert!(!fits || (is - was).abs() <= (was.abs() / 1024.0).max(2.0_f32.powi(-24)), "{said}: {is} {was}");
    }
    let square = glam::Vec2::new(f[0], f[1]).clamp(glam::Vec2::NEG_ONE, glam::Vec2::ONE);
    let back = Vec3::new(f32::from_bits(made[44]), f32::from_bits(made[45]), f32::from_bits(made[46]));
    assert!((octahedral_to(square) - back).length() < 1e-5, "{said}: {back}");
    let direction = Vec3::new(f[0], f[1], f[2]);
    if direction.length() > 1e-3 && direction.length() < 1e3 {
        let twin = octahedral_from(direction);
        let is = glam::Vec2::new(f32::from_bits(made[30]), f32::from_bits(made[31]));
        assert!((twin - is).abs().max_element() < 1e-5, "{said}: {is} {twin}");
    }
    assert_eq!(made[21], rondag::reference::bounds::morton_code(direction), "{said}");
}

fn plain_lanes(word: u32) -> [f32; 2] {
    let [_, y, z, _] = unpack4x8unorm(word);
    [y, z]
}

fn signed_lanes(word: u32) -> [f32; 2] {
    let [_, y, z, _] = unpack4x8snorm(word);
    [y, z]
}

fn bits(word: u32, offset: u32, count: u32) -> u32 {
    let count = count.min(32 - offset);
    if count == 0 { 0 } else { word >> offset & (u32::MAX >> (32 - count)) }
}

fn signed_bits(word: u32, offset: u32, count: u32) -> u32 {
    let count = count.min(32 - offset);
    if count == 0 {
        0
    } else {
        ((bits(word, offset, count) << (32 - count)).cast_signed() >> (32 - count)).cast_unsigned()
    }
}

fn inserted(word: u32, new: u32, offset: u32, count: u32) -> u32 {
    let count = count.min(32 - offset);
    let mask = if count == 0 { 0 } else { (u32::MAX >> (32 - count)) << offset };
    word & !mask | new << offset & mask
}

/// What is not a number makes no step of any format wrong: a NaN packs to something, and its neighbours as they are.
#[test]
fn a_nan_leaves_its_neighbours_alone() {
    let root = tempfile::tempdir().expect("a folder");
    let shader = "@group(0) @binding(0) var<storage, read> given: array<vec4f>;
        @group(0) @binding(1) var<storage, read_write> made: array<u32>;
        @compute @workgroup_size(1) fn nan() { made[0] = pack4x8unorm(given[0]); made[1] = pack4x8snorm(given[0]); }";
    let graph = "(version: 1, resources: { \"given\": In(Buffer(count: 1)), \"made\": Buffer(count: 2) },
        passes: [Dispatch(name: \"nan\", shader: \"nan.wgsl\", groups: 1)], outputs: [\"made\"])";
    std::fs::create_dir_all(root.path().join("shaders")).expect("a folder");
    std::fs::write(root.path().join("nan.ron"), graph).expect("a file");
    std::fs::write(root.path().join("shaders/nan.wgsl"), shader).expect("a file");
    let mut nan = program(root.path().to_str().expect("a plain path"), "nan.ron", [4, 4], &[], &[]);
    give(&mut nan, "given", bytemuck::cast_slice(&[1.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY]));
    let camera = nan.graph().camera;
    frame(&mut nan, 0, &camera);
    let [unorm, snorm] = words(&nan, "made")[..] else { panic!("two words") };
    assert_eq!((unorm & 0xff, unorm >> 16), (255, 0x00ff));
    assert_eq!((snorm & 0xff, snorm >> 16), (127, 0x817f));
}
