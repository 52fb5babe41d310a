//! The shipped shaders against their twins on the CPU: culling, batches, what lies behind the end of a scan. The lengths and
//! flags that `compaction` tries are not tried again.

use glam::Vec4;
use proptest::prelude::*;
use rondag::gpu::Program;
use rondag::graph::camera::Camera;
use rondag::graph::{Initial, ParamValue, ResourceKind};
use rondag::reference::compact::Compacted;
use rondag::reference::cull::View;
use rondag::reference::{batch, compact, cull, packed, scan};
use rondag::syntax::document::ProjectionDecl;

use crate::running::{frame, give, words};

const STRATEGIES: [&str; 7] =
    ["atomic", "aggregated", "scan", "mask", "mask_subgroup", "lookback", "lookback_subgroup"];
const ROADS: [&str; 4] = ["mask", "mask_subgroup", "packed", "packed_subgroup"];

/// A graph whose root is the repository.
fn own(path: &str, surface: [u32; 2], params: &[(&str, ParamValue)]) -> Program {
    crate::running::program(".", path, surface, params, &[])
}

/// Numbers that look random and are the same on every run (xorshift, G. Marsaglia, 2003).
fn noise(len: u32) -> impl Iterator<Item = u32> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    (0..len).map(move |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u32
    })
}

fn scanned(input: &[u32], extra: u32) -> Vec<u32> {
    let (n, extra) = (ParamValue::Int(input.len() as i64), ParamValue::Int(extra.into()));
    let mut program = own("tests/fixtures/reference/scan.ron", [1, 1], &[("n", n), ("extra", extra)]);
    if !input.is_empty() {
        give(&mut program, "input", bytemuck::cast_slice(input));
    }
    frame(&mut program, 0, &Camera::default());
    words(&program, "output")
}

#[test]
fn what_is_behind_the_end_of_a_scan_is_the_total() {
    for len in [1, 1023, 1024, 1025, 70_000] {
        let input: Vec<u32> = noise(len).collect();
        for extra in [0, 1, 16] {
            let found = scanned(&input, extra);
            assert!(found == scan::exclusive(&input, (len + extra) as usize), "{len} elements, room for {extra} more");
        }
    }
}

#[test]
fn scans_of_nothing_are_zeros() {
    assert_eq!(scanned(&[], 5), [0; 5]);
}

/// A program that compacts, with its flags and ranges.
fn compaction(strategy: &str, flags: &[u32], ranges: &[batch::Range]) -> Program {
    let params = [
        ("n", ParamValue::Int(flags.len() as i64)),
        ("batches", ParamValue::Int(ranges.len() as i64)),
        ("compaction", ParamValue::Choice(strategy.to_owned())),
    ];
    let mut program = own("tests/fixtures/reference/compact.ron", [1, 1], &params);
    give(&mut program, "flags", bytemuck::cast_slice(flags));
    give(&mut program, "ranges", bytemuck::cast_slice(ranges));
    program
}

fn compacted(program: &mut Program, index: u64) -> Compacted {
    frame(program, index, &Camera::default());
    Compacted { list: words(program, "list"), starts: words(program, "starts"), counts: words(program, "counts") }
}

/// What each strategy promises of a list.
fn check(strategy: &str, found: &Compacted, flags: &[u32], ranges: &[batch::Range], about: &str) {
    let about = format!("{strategy}, {about}");
    if !["atomic", "aggregated"].contains(&strategy) {
        let expected = compact::scan(flags, ranges);
        assert!(found.list[..expected.list.len()] == expected.list, "{about}: the list");
        assert_eq!((&found.starts, &found.counts), (&expected.starts, &expected.counts), "{about}");
        return;
    }
    let expected = compact::append(flags, ranges);
    assert_eq!((&found.starts, &found.counts), (&expected.starts, &expected.counts), "{about}");
    let mut taken = vec![0_u8; flags.len()];
    for (run, range) in found.runs().zip(ranges) {
        assert!(strategy == "atomic" || compact::keeps_blocks(run), "{about}: a block is torn apart or out of order");
        for instance in run {
            assert!((range.first..range.end()).contains(instance), "{about}: {instance} is of another batch");
            taken[*instance as usize] += 1;
        }
    }
    assert!(taken.iter().zip(flags).all(|(taken, flag)| *taken == u8::from(*flag != 0)), "{about}: other instances");
}

#[test]
fn strategies_serve_one_batch_and_thousands() {
    for batches in [1, 2, 255, 256, 257, 5000] {
        let flags: Vec<u32> = noise(70_000).map(|bits| if bits & 4 == 0 { 0 } else { bits }).collect();
        let ranges = batch::ranges(70_000, batches);
        for strategy in STRATEGIES {
            let found = compacted(&mut compaction(strategy, &flags, &ranges), 0);
            check(strategy, &found, &flags, &ranges, &format!("{batches} batches"));
        }
    }
}

/// The cull pass and its twin, on the same spheres. Returns how many both see.
fn culled_alike(camera: &Camera, max_distance: f32, spheres: &[Vec4], enabled: &[u32]) -> u32 {
    let params =
        [("n", ParamValue::Int(spheres.len() as i64)), ("max_distance", ParamValue::Float(max_distance.into()))];
    let mut program = own("tests/fixtures/reference/cull.ron", [1280, 720], &params);
    give(&mut program, "spheres", bytemuck::cast_slice(spheres));
    give(&mut program, "enabled", bytemuck::cast_slice(enabled));
    frame(&mut program, 0, camera);
    let found = words(&program, "flags");
    let state = camera.state([1280, 720]);
    let view = View { planes: state.planes, eye: state.eye, max_distance };
    let expected = cull::cull(&view, spheres, enabled);
    for (index, sphere) in spheres.iter().enumerate() {
        let close = cull::margin(&view, *sphere) < 1e-3;
        assert!(close || found[index] == expected[index], "{camera:?}: sphere {index}, {sphere}");
    }
    found.iter().sum()
}

fn random_spheres(len: u32) -> Vec<Vec4> {
    let part = |bits: u32| (bits >> 8) as f32 / (1 << 24) as f32 - 0.5;
    let numbers: Vec<f32> = noise(4 * len).map(part).collect();
    numbers.chunks(4).map(|n| Vec4::new(200.0 * n[0], 200.0 * n[1], 200.0 * n[2], 4.0 * n[3])).collect()
}

#[test]
fn culling_agrees_with_its_twin() {
    let spheres = random_spheres(20_000);
    let enabled: Vec<u32> = noise(625).map(|bits| bits | 0x0f0f_0f0f).collect();
    for projection in
        [ProjectionDecl::Perspective, ProjectionDecl::InfiniteReversed, ProjectionDecl::Orthographic(40.0)]
    {
        let camera = Camera { eye: [20.0, 5.0, 60.0], far: 100.0, projection, ..Camera::default() };
        let far = culled_alike(&camera, 1e6, &spheres, &enabled);
        let near = culled_alike(&camera, 30.0, &spheres, &enabled);
        let nothing = culled_alike(&camera, 1e6, &spheres, &[0; 625]);
        assert!(0 < near && near < far && far < 20_000, "{projection:?}: {near} and {far}");
        assert_eq!(nothing, 0, "{projection:?}");
    }
}

/// BR-114: one policy, here and on the CPU, and good instances among bad ones stay.
#[test]
fn what_is_not_a_number_is_culled() {
    let mut spheres = vec![Vec4::new(0.0, 0.0, 0.0, 1.0); 1000];
    let good = spheres[0];
    let odd = [
        (good.with_x(f32::NAN), 0),
        (good.with_w(f32::NAN), 0),
        (good.with_y(f32::INFINITY), 0),
        (good.with_w(f32::INFINITY), 1),
        (good.with_w(-1.0), 1),
        (Vec4::new(0.0, 0.0, 6.0, -2.0), 1),
    ];
    for (at, (sphere, _)) in odd.iter().enumerate() {
        spheres[100 * at + 7] = *sphere;
    }
    let unseen = odd.iter().filter(|(_, seen)| *seen == 0).count() as u32;
    assert_eq!(culled_alike(&Camera::default(), 500.0, &spheres, &[u32::MAX; 32]), 1000 - unseen);
}

/// A program that culls and compacts in one, after a frame: the objects in its list.
fn fused(road: &str, camera: &Camera, max_distance: f32, spheres: &[Vec4], enabled: &[u32]) -> Compacted {
    let params = [
        ("n", ParamValue::Int(spheres.len() as i64)),
        ("max_distance", ParamValue::Float(max_distance.into())),
        ("road", ParamValue::Choice(road.to_owned())),
    ];
    let mut program = own("tests/fixtures/reference/fused.ron", [1280, 720], &params);
    give(&mut program, "spheres", bytemuck::cast_slice(spheres));
    give(&mut program, "enabled", bytemuck::cast_slice(enabled));
    give(&mut program, "ranges", bytemuck::cast_slice(&batch::ranges(spheres.len() as u32, 6)));
    frame(&mut program, 0, camera);
    Compacted { list: words(&program, "list"), starts: words(&program, "starts"), counts: words(&program, "counts") }
}

/// The fused road lists what its twin sees, but for spheres at which rounding decides; the packed one loses nothing.
fn fused_alike(road: &str, camera: &Camera, max_distance: f32, spheres: &[Vec4], enabled: &[u32]) {
    let found = fused(road, camera, max_distance, spheres, enabled);
    let mut listed = vec![0; spheres.len()];
    found.runs().flatten().for_each(|object| listed[*object as usize] += 1);
    assert!(found.runs().flatten().is_sorted_by(|a, b| a < b), "{road}: out of order");
    let again = compact::scan(&listed, &batch::ranges(spheres.len() as u32, 6));
    assert_eq!((&found.starts, &found.counts), (&again.starts, &again.counts), "{road}");
    let state = camera.state([1280, 720]);
    let view = View { planes: state.planes, eye: state.eye, max_distance };
    let exact = cull::cull(&view, spheres, enabled);
    let cube = packed::Cube { extent: 128.0, radius: 32.0 };
    let bounds: Vec<_> = spheres.iter().map(|sphere| packed::pack_sphere(*sphere, cube)).collect();
    let wide = packed::cull(&view, &bounds, enabled, cube);
    for (index, sphere) in spheres.iter().enumerate() {
        if !road.starts_with("packed") {
            let close = cull::margin(&view, *sphere) < 1e-3;
            assert!(close || listed[index] == exact[index], "{road}: sphere {index}, {sphere}");
            continue;
        }
        let held = packed::unpack_sphere(bounds[index], cube);
        let close = held.is_some_and(|sphere| cull::margin(&view, sphere) < 1e-3);
        assert!(close || listed[index] == wide[index], "{road}: sphere {index}, {sphere}");
        assert!(listed[index] >= exact[index], "{road}: sphere {index}, {sphere} is lost");
    }
}

#[test]
fn fused_roads_agree_with_their_twins() {
    let mut spheres = random_spheres(20_001);
    let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30];
    for (at, value) in odd.into_iter().enumerate() {
        (spheres[100 * at].x, spheres[100 * at + 1].w) = (value, value);
    }
    let enabled: Vec<u32> = noise(626).map(|bits| bits | 0x0f0f_0f0f).collect();
    let camera = Camera { eye: [20.0, 5.0, 60.0], far: 100.0, ..Camera::default() };
    for road in ROADS {
        fused_alike(road, &camera, 1e4, &spheres, &enabled);
        fused_alike(road, &camera, 30.0, &spheres, &enabled);
        for few in [1, 31, 33, 8192, 8193] {
            fused_alike(road, &camera, 1e4, &spheres[..few], &enabled[..few.div_ceil(32)]);
        }
    }
}

fn scene(strategy: &str, instances: i64) -> Program {
    let params = [("instances", ParamValue::Int(instances)), ("compaction", ParamValue::Choice(strategy.to_owned()))];
    own("graphs/culled_scene.ron", [64, 36], &params)
}

#[test]
fn few_instances_leave_batches_empty() {
    for strategy in STRATEGIES {
        let mut program = scene(strategy, 6);
        let camera = program.graph().camera;
        frame(&mut program, 0, &camera);
        let counts = words(&program, "counts");
        assert!(counts[0] > 0 && counts[1..].iter().all(|count| *count == 0), "{strategy}: {counts:?}");
    }
}

/// Draws scale meshes by the radii that the shader states.
#[test]
fn the_scenes_shader_knows_its_meshes() {
    let program = scene("scan", 6);
    let draws = program.find("props.draws").expect("the scene has meshes");
    let ResourceKind::Buffer(buffer) = &program.graph().resources[draws].kind else { panic!("a buffer") };
    let Some(Initial::Draws(pack)) = &buffer.initial else { panic!("draws of a pack") };
    let text = include_str!("../shaders/scene/draw.wgsl");
    let (_, rest) = text.split_once("MESH_RADIUS: array<f32, 3> = array(").expect("the shader states radii");
    let (list, _) = rest.split_once(')').expect("a list");
    let stated: Vec<f32> = list.split(", ").map(|radius| radius.parse().expect("a number")).collect();
    assert_eq!(stated.len(), pack.radii.len());
    for (stated, measured) in stated.iter().zip(&pack.radii) {
        assert!(stated >= measured && stated - measured < 1e-6, "{stated} is said, {measured} measured");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn any_flags_are_compacted_alike(
        flags in prop::collection::vec(prop_oneof![Just(0), Just(1), any::<u32>()], 1..3000),
        batches in 1..20u32,
    ) {
        let ranges = batch::ranges(flags.len() as u32, batches);
        for strategy in STRATEGIES {
            let found = compacted(&mut compaction(strategy, &flags, &ranges), 0);
            check(strategy, &found, &flags, &ranges, "random");
        }
    }
}
