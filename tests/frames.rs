//! The ten frames, run: what each claims to do, on the software adapter.

use rondag::gpu::{Image, Program};
use rondag::graph::ParamValue;
use rondag::graph::camera::Camera;

use crate::running::{frame, picture, program, words};

fn load(name: &str, surface: [u32; 2], params: &[(&str, ParamValue)], asked: &[&str]) -> Program {
    program(&format!("tests/fixtures/frames/{name}"), "frame.ron", surface, params, asked)
}

fn int(value: i64) -> ParamValue {
    ParamValue::Int(value)
}

/// Frames `0..count` from the graph's own camera, and what the last one shows.
fn show(program: &mut Program, count: u64) -> Image {
    let camera = program.graph().camera;
    for index in 0..count {
        frame(program, index, &camera);
    }
    picture(program)
}

/// Mean brightness, 0 to 255.
fn brightness(image: &Image) -> f64 {
    let sum: u64 = image.bytes.chunks(4).flat_map(|texel| &texel[..3]).map(|channel| u64::from(*channel)).sum();
    sum as f64 / (3.0 * f64::from(image.width * image.height))
}

/// Texels of which a channel differs by more than `tolerance`.
fn differing(a: &Image, b: &Image, tolerance: u8) -> usize {
    let far = |(a, b): (&[u8], &[u8])| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > tolerance);
    a.bytes.chunks(4).zip(b.bytes.chunks(4)).filter(|pair| far(*pair)).count()
}

#[test]
fn strategies_of_the_culled_scene_draw_alike() {
    let pictures = ["atomic", "aggregated", "scan"].map(|strategy| {
        let params = [("instances", int(3000)), ("compaction", ParamValue::Choice(strategy.to_owned()))];
        show(&mut load("01_culled_scene", [160, 90], &params, &[]), 1)
    });
    assert!(brightness(&pictures[0]) > 20.0);
    assert!(differing(&pictures[0], &pictures[1], 0) < 5 && differing(&pictures[0], &pictures[2], 0) < 5);
}

/// Occlusion may save work, never change the picture: a program that knows what it saw before draws what one draws that
/// knows nothing, and the odd surface keeps the pyramid honest (BR-112).
#[test]
fn occlusion_changes_no_picture() {
    for surface in [[160, 90], [201, 103], [128, 64], [7, 5]] {
        let params = [("instances", int(5000))];
        let asked = ["early_args", "late_args", "seen"];
        let mut lasting = load("02_two_phase_hiz", surface, &params, &asked);
        let start = lasting.graph().camera;
        let mut hidden = false;
        for index in 0..6_u64 {
            let (sin, cos) = (0.2 * index as f32).sin_cos();
            let camera = Camera { eye: [70.0 * sin, 6.0, 70.0 * cos], ..start };
            frame(&mut lasting, index, &camera);
            let mut fresh = load("02_two_phase_hiz", surface, &params, &asked);
            frame(&mut fresh, index, &camera);
            let differing = differing(&picture(&lasting), &picture(&fresh), 0);
            assert_eq!(differing, 0, "{surface:?}, frame {index}");
            let drawn = words(&lasting, "early_args")[1] + words(&lasting, "late_args")[1];
            hidden |= words(&lasting, "seen").iter().sum::<u32>() < drawn;
        }
        assert!(hidden || surface[0] < 100, "{surface:?}: nothing that was drawn turned out hidden");
    }
}

#[test]
fn packed_and_fat_buffers_light_alike() {
    let pictures = ["packed", "fat"].map(|layout| {
        let params = [("instances", int(150)), ("layout", ParamValue::Choice(layout.to_owned()))];
        show(&mut load("03_gbuffer", [160, 90], &params, &[]), 1)
    });
    assert!(differing(&pictures[0], &pictures[1], 12) < 40, "eight bits and half floats round apart");
}

#[test]
fn bloom_adds_light_at_every_size() {
    for (surface, levels) in [([160, 90], 6), ([161, 91], 12), ([1, 1], 12), ([33, 2], 3)] {
        let lit = |strength: f64| {
            let params = [("levels", int(levels)), ("strength", ParamValue::Float(strength))];
            brightness(&show(&mut load("04_bloom", surface, &params, &[]), 1))
        };
        let (without, with) = (lit(0.0), lit(1.0));
        assert!(with >= without && (surface[0] < 100 || with > without + 1.0), "{surface:?}: {without}, {with}");
    }
}

#[test]
fn particles_live_die_and_are_sorted() {
    let params = [("capacity", int(1000)), ("emit", int(40))];
    let asked = ["keys", "alive", "dead", "draw_args"];
    let mut fountain = load("05_particles", [160, 90], &params, &asked);
    let camera = fountain.graph().camera;
    for index in 0..240 {
        frame(&mut fountain, index, &camera);
        let (alive, dead) = (words(&fountain, "alive"), words(&fountain, "dead"));
        assert_eq!(alive[0] + dead[0], 1000, "frame {index}: none is lost");
        let mut all: Vec<u32> = [&alive[4..][..alive[0] as usize], &dead[4..][..dead[0] as usize]].concat();
        all.sort_unstable();
        assert!(all.iter().copied().eq(0..1000), "frame {index}: none is twice");
        assert_eq!(words(&fountain, "draw_args"), [4, alive[0], 0, 0]);
    }
    let keys: Vec<u32> = words(&fountain, "keys").chunks(2).map(|pair| pair[0]).collect();
    assert_eq!(keys.len(), 1024);
    assert!(keys.is_sorted(), "far ones come first");
}

#[test]
fn averaging_smooths_what_stands_still() {
    let shown = |taa: bool, frames: u64| {
        let params = [("taa", ParamValue::Bool(taa)), ("spin", ParamValue::Float(0.0))];
        show(&mut load("06_taa", [160, 90], &params, &[]), frames)
    };
    assert_eq!(differing(&shown(true, 1), &shown(false, 1), 0), 0, "the first frame has no history");
    let jitter = differing(&shown(false, 16), &shown(false, 17), 8);
    let averaged = differing(&shown(true, 16), &shown(true, 17), 8);
    assert!(averaged * 4 < jitter, "{jitter} texels jump from frame to frame, {averaged} of the average");
}

#[test]
fn cascades_throw_shadows() {
    let lit = |cascades: i64, bits: i64| {
        let params = [("cascades", int(cascades)), ("shadow_bits", int(bits)), ("instances", int(1500))];
        show(&mut load("07_cascades", [160, 90], &params, &[]), 1)
    };
    let (one, four) = (lit(1, 10), lit(4, 11));
    assert!(brightness(&four) > 60.0);
    let shifted = differing(&one, &four, 40);
    assert!(shifted > 20 && shifted < 160 * 90 / 4, "{shifted} texels: finer cascades show finer shadows");
}

#[test]
fn clusters_hold_the_lights_that_reach_them() {
    let mut scene = load("08_clusters", [160, 90], &[("lights_n", int(300))], &["clusters", "indices"]);
    let shown = show(&mut scene, 1);
    let used = words(&scene, "used")[0] as usize;
    let clusters = words(&scene, "clusters");
    let total: u32 = clusters.chunks(2).map(|run| run[1]).sum();
    assert_eq!(total as usize, used);
    let mut taken = vec![0; used];
    for run in clusters.chunks(2) {
        taken[run[0] as usize..][..run[1] as usize].iter_mut().for_each(|taken| *taken += 1);
    }
    assert!(used > 300 && taken.iter().all(|taken| *taken == 1), "runs do not overlap");
    assert!(words(&scene, "indices")[..used].iter().all(|light| *light < 300));
    assert!(brightness(&shown) > 1.0);
}

#[test]
fn keys_are_sorted_at_every_length() {
    for n in [2, 3, 4095, 4096, 4097, 70_000] {
        let mut sort = load("09_radix_sort", [1, 1], &[("n", int(n))], &[]);
        let camera = sort.graph().camera;
        frame(&mut sort, 0, &camera);
        let keys = words(&sort, "keys0");
        assert_eq!(keys.len(), n as usize);
        assert!(keys.is_sorted() && keys[0] != keys[keys.len() - 1], "{n} keys");
        assert_eq!(words(&sort, "faults"), [0], "{n} keys");
    }
}
