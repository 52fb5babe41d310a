//! `graphs/occlusion.ron`: nothing that is visible is missing, whatever the camera does.

use rondag::gpu::Program;
use rondag::graph::ParamValue;
use rondag::graph::camera::Camera;

use super::{choice, copy, golden};
use crate::running::{frame, picture, program, words};

fn town(occlusion: &str, surface: [u32; 2]) -> Program {
    let params = [("instances", ParamValue::Int(8_000)), ("occlusion", choice(occlusion))];
    program("", "graphs/occlusion.ron", surface, &params, &[])
}

/// Walks, turns, and cuts to elsewhere.
fn path(start: Camera) -> Vec<Camera> {
    let mut cameras = Vec::new();
    for step in 0..5 {
        let (sin, cos) = (0.25 * step as f32).sin_cos();
        cameras.push(Camera { eye: [3.0 * step as f32, 3.0, 150.0 - 9.0 * step as f32], ..start });
        cameras.push(Camera { eye: [0.0, 3.0, 70.0], target: [70.0 * sin, 4.0, 70.0 - 70.0 * cos], ..start });
    }
    cameras.push(Camera { eye: [30.0, 60.0, 40.0], target: [0.0, 0.0, 0.0], ..start });
    cameras.push(Camera { eye: [-49.0, 2.0, -49.0], target: [-20.0, 2.0, -49.0], ..start });
    cameras
}

/// Odd sizes, powers of two, one row, one column, one texel.
#[test]
fn nothing_visible_is_missing_over_a_moving_camera() {
    for surface in [[160, 90], [201, 103], [128, 64], [1, 64], [33, 1], [1, 1]] {
        let (mut held, mut all) = (town("two_phase", surface), town("off", surface));
        let mut share = 0.0_f64;
        for (index, camera) in path(held.graph().camera).iter().enumerate() {
            frame(&mut held, index as u64, camera);
            frame(&mut all, index as u64, camera);
            assert!(picture(&held) == picture(&all), "{surface:?}, frame {index}");
            let [inside, hidden] = words(&held, "tally")[..] else { panic!("two counts") };
            assert_eq!(inside, words(&all, "tally")[0], "{surface:?}, frame {index}");
            share = share.max(f64::from(hidden) / f64::from(inside.max(1)));
        }
        assert!(share > 0.8 || surface[0].min(surface[1]) < 50, "{surface:?}: at most {share} of the town is hidden");
    }
}

#[test]
fn a_still_camera_draws_all_early() {
    let mut town = program(
        "",
        "graphs/occlusion.ron",
        [320, 180],
        &[("instances", ParamValue::Int(20_000))],
        &["draw/early_args", "draw/late_args", "draw/seen"],
    );
    let camera = town.graph().camera;
    let counts = |town: &Program| ["draw/early_args", "draw/late_args"].map(|args| words(town, args)[1]);
    frame(&mut town, 0, &camera);
    let [early, late] = counts(&town);
    assert_eq!(early, 0, "nothing was seen before the first frame");
    for index in 1..3 {
        frame(&mut town, index, &camera);
    }
    let [inside, hidden] = words(&town, "tally")[..] else { panic!("two counts") };
    assert_eq!(counts(&town), [inside - hidden, 0]);
    assert!(late > inside - hidden, "the first frame draws what it cannot know to be hidden");
    assert_eq!(words(&town, "draw/seen").iter().map(|word| word.count_ones()).sum::<u32>(), inside - hidden);
    golden("occlusion", &picture(&town));
}

/// The same with depth that grows with distance: the shaders take the direction from an override.
#[test]
fn depth_may_grow_with_distance() {
    let root = copy(
        &["graphs/occlusion.ron", "graphs/occlusion", "shaders/occlusion", "shaders/placed", "shaders/town"],
        |path, text| {
            let text = text.replace("clear: 0)", "clear: 1)").replace("compare: GreaterEqual", "compare: LessEqual");
            let text =
                text.replace("compare: Greater)", "compare: Less)").replace("projection: InfiniteReversed", "far: 500");
            // The sky lies at the far plane.
            let text = text.replace("vec4f(clip, 0.0, 1.0)", "vec4f(clip, 1.0, 1.0)");
            let with = "set: { \"depth_reversed\": false },";
            ["top", "down", "late"].iter().filter(|_| path.ends_with("two_phase.ron")).fold(text, |text, name| {
                let shader = format!("\"occlusion/{name}.wgsl\",");
                text.replace(&shader, &format!("{shader} {with}"))
            })
        },
    );
    let load = |occlusion: &str| {
        let params = [("instances", ParamValue::Int(8_000)), ("occlusion", choice(occlusion))];
        program(root.path().to_str().expect("a path in Unicode"), "graphs/occlusion.ron", [201, 103], &params, &[])
    };
    let (mut held, mut all) = (load("two_phase"), load("off"));
    let mut hidden = 0;
    for (index, camera) in path(held.graph().camera).iter().enumerate() {
        frame(&mut held, index as u64, camera);
        frame(&mut all, index as u64, camera);
        assert!(picture(&held) == picture(&all), "frame {index}");
        hidden += words(&held, "tally")[1];
    }
    assert!(hidden > 1000, "{hidden}");
}
