//! `graphs/lod.ron`: levels of detail chosen by the cull pass, draws counted on the GPU.

use glam::{Vec4, Vec4Swizzles as _};
use rondag::gpu::Program;
use rondag::graph::ParamValue;
use rondag::graph::camera::{Camera, CameraState};
use rondag::reference::bounds::sees_sphere;

use super::golden;
use crate::running::{frame, picture, program, words};

const SIZE: [u32; 2] = [320, 180];
const LEVELS: usize = 4;
const ASKED: [&str; 5] = ["spheres", "args", "runs", "list", "batches"];

fn sea(instances: i64, kinds: i64, surface: [u32; 2]) -> Program {
    let params = [("instances", ParamValue::Int(instances)), ("kinds", ParamValue::Int(kinds))];
    program("", "graphs/lod.ron", surface, &params, &ASKED)
}

/// The exact level before it is rounded up.
fn level(camera: &CameraState, sphere: Vec4, height: u32, finest: f32) -> f32 {
    let away = (sphere.xyz() - camera.eye).length().max(sphere.w);
    let pixels = 0.5 * height as f32 * camera.projection.y_axis.y * sphere.w / away;
    (finest / pixels.max(1e-6)).log2()
}

/// The counts of the batches by the CPU, and how many spheres rounding may have put elsewhere.
fn expected(program: &Program, camera: &Camera, kinds: usize) -> (Vec<u32>, u32) {
    let surface = program.graph().surface;
    let state = camera.state(surface);
    let spheres = words(program, "spheres");
    let (mut counts, mut close) = (vec![0; kinds * LEVELS], 0);
    for (index, sphere) in spheres.chunks_exact(4).enumerate() {
        let sphere = Vec4::from_array([sphere[0], sphere[1], sphere[2], sphere[3]].map(f32::from_bits));
        let edge = state.planes.iter().any(|plane| (plane.xyz().dot(sphere.xyz()) + plane.w + sphere.w).abs() < 1e-3);
        let exact = level(&state, sphere, surface[1], 24.0);
        let seen = sees_sphere(&state.planes, sphere);
        close += u32::from(edge || seen && (exact - exact.round()).abs() < 1e-3);
        if seen {
            let down = exact.ceil().clamp(0.0, 31.0) as usize;
            counts[index % kinds * LEVELS + down.min(LEVELS - 1)] += 1;
        }
    }
    (counts, close)
}

#[test]
fn levels_are_chosen_counted_and_drawn() {
    let mut sea = sea(20_000, 16, SIZE);
    let camera = sea.graph().camera;
    frame(&mut sea, 0, &camera);
    let counts = words(&sea, "counts");
    let (expected, close) = expected(&sea, &camera, 16);
    let apart: u32 = counts.iter().zip(&expected).map(|(a, b)| a.abs_diff(*b)).sum();
    assert!(apart <= 2 * close && close < 40, "{apart} apart, {close} close to an edge\n{counts:?}\n{expected:?}");
    let used = (0..LEVELS).filter(|level| counts.iter().skip(*level).step_by(LEVELS).any(|count| *count > 0));
    assert!(used.count() > 2, "{counts:?}");
    check_draws(&sea, &counts);
    golden("lod", &picture(&sea));
}

/// The draws that are not empty stand side by side and are as many as is said; each visible object stands in the run of its batch.
fn check_draws(sea: &Program, counts: &[u32]) {
    let drawn = words(sea, "drawn")[0] as usize;
    assert_eq!(drawn, counts.iter().filter(|count| **count > 0).count());
    let (args, runs, list, batches) =
        (words(sea, "args"), words(sea, "runs"), words(sea, "list"), words(sea, "batches"));
    let mut placed = 0;
    for (at, (draw, run)) in args.chunks_exact(5).zip(runs.chunks_exact(2)).enumerate() {
        let (first, batch) = (run[0] as usize, run[1]);
        assert_eq!((draw[1], draw[4]), (counts[batch as usize], 0), "draw {at}");
        assert_eq!(draw[1] > 0, at < drawn, "draw {at}");
        assert!(first == placed || draw[1] == 0, "draw {at}");
        placed += draw[1] as usize;
        assert!(list[first..][..draw[1] as usize].iter().all(|object| batches[*object as usize] == batch), "draw {at}");
    }
    let mut all = list[..placed].to_vec();
    all.sort_unstable();
    let visible = (0..batches.len() as u32).filter(|object| batches[*object as usize] != u32::MAX);
    assert!(all.into_iter().eq(visible), "each visible object once");
}

/// One multi-draw that is counted on the GPU, or a loop over all records: one picture.
#[test]
fn counted_and_looped_draws_draw_one_picture() {
    use rondag::gpu::ProgramOptions;
    use rondag::record::Command;
    let counted = sea(3_000, 16, SIZE);
    let (graph, plan) = (counted.graph().clone(), counted.plan().clone());
    let options = ProgramOptions { join: false, ..ProgramOptions::default() };
    let looped = Program::new(counted.gpu(), graph, plan, options).expect("it fits");
    let calls = |program: &Program| {
        let counted = |it: &&Command| matches!(it, Command::DrawCounted(_));
        let each = |it: &Command| if let Command::DrawEach { count, .. } = it { Some(*count) } else { None };
        let frame = &program.script().frame;
        (frame.iter().filter(counted).count(), frame.iter().filter_map(each).sum::<u32>())
    };
    assert_eq!(calls(&counted), (1, 0), "the software adapter has counted multi-draws");
    assert_eq!(calls(&looped), (0, 64));
    let pictures = [counted, looped].map(|mut program| {
        let camera = program.graph().camera;
        frame(&mut program, 0, &camera);
        picture(&program)
    });
    assert!(pictures[0] == pictures[1]);
}

/// One more than what a dispatch of one row of workgroups of 64 holds, and then some.
#[test]
fn more_than_four_million_are_culled_by_a_folded_dispatch() {
    let mut sea = sea(65_535 * 64 + 257, 16, [16, 9]);
    // Along the edge of the sea, away from most of it.
    let camera = Camera { eye: [150.0, 3.0, 150.0], target: [170.0, 3.0, 160.0], ..sea.graph().camera };
    frame(&mut sea, 0, &camera);
    let counts = words(&sea, "counts");
    let (expected, close) = expected(&sea, &camera, 16);
    let apart: u32 = counts.iter().zip(&expected).map(|(a, b)| a.abs_diff(*b)).sum();
    assert!(apart <= 2 * close, "{apart} apart, {close} close to an edge");
    assert!(counts.iter().sum::<u32>() > 500, "{counts:?}");
    check_draws(&sea, &counts);
    assert!(words(&sea, "batches").iter().rposition(|batch| *batch != u32::MAX) > Some(65_535 * 64 - 100_000));
}

#[test]
fn few_objects_and_many_batches_leave_most_batches_empty() {
    for (instances, kinds) in [(1, 64), (3, 1), (300, 64)] {
        let mut sea = sea(instances, kinds, [64, 36]);
        let camera = Camera { eye: [0.0, 400.0, 0.1], target: [0.0, 0.0, 0.0], ..sea.graph().camera };
        frame(&mut sea, 0, &camera);
        let counts = words(&sea, "counts");
        assert_eq!(counts.iter().sum::<u32>(), instances as u32, "all are in sight from above");
        check_draws(&sea, &counts);
    }
}
