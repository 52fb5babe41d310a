//! `graphs/boxes.ron`: volumes, and the order in memory.

use glam::{Vec3, Vec4, Vec4Swizzles as _};
use rondag::graph::ParamValue;
use rondag::reference::bounds;

use super::{choice, golden};
use crate::running::{frame, picture, program, words};

const SIZE: [u32; 2] = [320, 180];
const VOLUMES: [&str; 3] = ["sphere", "box", "sphere_then_box"];

fn reeds(volume: &str, order: &str, asked: &[&str]) -> rondag::gpu::Program {
    let params = [("instances", ParamValue::Int(20_000)), ("volume", choice(volume)), ("order", choice(order))];
    program("", "graphs/boxes.ron", SIZE, &params, asked)
}

fn vectors(words: &[u32]) -> Vec<Vec4> {
    words.chunks_exact(4).map(|it| Vec4::from_array([it[0], it[1], it[2], it[3]].map(f32::from_bits))).collect()
}

#[test]
fn volumes_draw_one_picture_and_boxes_keep_fewer() {
    let mut shown = Vec::new();
    for volume in VOLUMES {
        let mut reeds = reeds(volume, "morton", &["flags", "spheres", "halves"]);
        let camera = reeds.graph().camera;
        frame(&mut reeds, 0, &camera);
        let planes = camera.state(SIZE).planes;
        let (spheres, halves) = (vectors(&words(&reeds, "spheres")), vectors(&words(&reeds, "halves")));
        let mut seen = 0;
        for (index, flag) in words(&reeds, "flags").into_iter().enumerate() {
            let (sphere, half) = (spheres[index], halves[index].xyz());
            let expected = match volume {
                "sphere" => bounds::sees_sphere(&planes, sphere),
                "box" => bounds::sees_box(&planes, sphere.xyz(), half),
                _ => bounds::sees_sphere_then_box(&planes, sphere, half),
            };
            assert!(
                flag == u32::from(expected) || is_close(&planes, sphere, half),
                "{volume}: {index}, {sphere} {half}"
            );
            seen += flag;
        }
        assert_eq!(words(&reeds, "counts"), [seen]);
        shown.push((seen, picture(&reeds)));
    }
    let [(sphere, a), (of_box, b), (both, c)] = shown.try_into().expect("three volumes");
    assert!(a == b && b == c, "a volume lost something that is visible");
    assert!(of_box < sphere && both <= sphere && both >= of_box, "{sphere} {of_box} {both}");
    golden("boxes", &a);
}

/// Rounding may decide where a volume touches a plane.
fn is_close(planes: &[Vec4; 6], sphere: Vec4, half: Vec3) -> bool {
    planes.iter().any(|plane| {
        let away = plane.xyz().dot(sphere.xyz()) + plane.w;
        let reaches = [sphere.w, -sphere.w, plane.xyz().abs().dot(half)];
        reaches.iter().any(|reach| (away + reach).abs() < 1e-3)
    })
}

/// Sorted along the curve, each reed is there once, and neighbours in memory are closer.
#[test]
fn morton_order_moves_reeds_and_loses_none() {
    let [dealt, sorted] = ["dealt", "morton"].map(|order| {
        let mut reeds = reeds("box", order, &["spheres"]);
        let camera = reeds.graph().camera;
        frame(&mut reeds, 0, &camera);
        vectors(&words(&reeds, "spheres"))
    });
    let step = |spheres: &[Vec4]| {
        let steps = spheres.windows(2).map(|two| (two[0].xyz() - two[1].xyz()).length());
        steps.sum::<f32>() / spheres.len() as f32
    };
    assert!(step(&sorted) < 0.1 * step(&dealt), "{} {}", step(&sorted), step(&dealt));
    assert_eq!(in_any_order(&dealt), in_any_order(&sorted));
}

fn in_any_order(spheres: &[Vec4]) -> Vec<[u32; 4]> {
    let mut all: Vec<_> = spheres.iter().map(|it| it.to_array().map(f32::to_bits)).collect();
    all.sort_unstable();
    all
}

/// Numbers of reeds around a block of the sort and around a workgroup.
#[test]
fn odd_numbers_of_reeds_are_sorted() {
    for count in [1, 2, 63, 64, 65, 4095, 4096, 4097] {
        let [sorted, dealt] = ["morton", "dealt"].map(|order| {
            let params = [("instances", ParamValue::Int(count)), ("order", choice(order))];
            let mut reeds = program("", "graphs/boxes.ron", [7, 5], &params, &["spheres"]);
            let camera = reeds.graph().camera;
            frame(&mut reeds, 0, &camera);
            vectors(&words(&reeds, "spheres"))
        });
        // The field is 240 wide.
        let key = |it: &Vec4| bounds::morton_code((Vec3::new(it.x, it.z, 0.0) / 240.0 + 0.5).with_z(0.0));
        assert!(sorted.iter().map(key).is_sorted(), "{count}");
        assert_eq!(in_any_order(&sorted), in_any_order(&dealt), "{count}");
    }
}
