//! `graphs/temporal.ron` and `graphs/front_to_back.ron`: where the order of a list means something.

use rondag::gpu::{Image, Program};

use super::{choice, copy, differing, golden};
use crate::running::{frame, picture, program, words};

const SIZE: [u32; 2] = [320, 180];

fn mosaic(compaction: &str) -> Program {
    program("", "graphs/temporal.ron", SIZE, &[("compaction", choice(compaction))], &["list", "glow"])
}

fn shown(program: &mut Program, frames: u64) -> Image {
    let camera = program.graph().camera;
    for index in 0..frames {
        frame(program, index, &camera);
    }
    picture(program)
}

/// The glow of each place is that of its stone, as far as the frames let it: the CPU's smoothing of what the first frame gave.
#[test]
fn ordered_compaction_keeps_each_stone_its_glow() {
    let mut first = mosaic("scan");
    shown(&mut first, 1);
    let start: Vec<f32> = words(&first, "glow").into_iter().map(f32::from_bits).collect();
    let (mut scan, mut mask) = (mosaic("scan"), mosaic("mask"));
    let pictures = [shown(&mut scan, 40), shown(&mut mask, 40)];
    assert!(pictures[0] == pictures[1]);
    golden("temporal", &pictures[0]);
    let live = words(&scan, "list");
    assert!(live[..13_000].is_sorted());
    let end: Vec<f32> = words(&scan, "glow").into_iter().map(f32::from_bits).collect();
    // From nothing, each frame 8 % of what is left.
    let grown = (1.0 - 0.92_f32.powi(40)) / 0.08;
    for (start, end) in start.iter().zip(&end) {
        assert!((start * grown - end).abs() < 1e-4, "{start} {end}");
    }
}

/// What the linter says of these variants, unless the graph allows it, is true. Workgroups may run in any order, and this adapter
/// takes much the same one each time; here another one comes first in each frame.
#[test]
fn atomics_run_the_colours_together() {
    let ordered = shown(&mut mosaic("scan"), 40);
    let root = copy(
        &["graphs/temporal.ron", "graphs/compact", "shaders/temporal", "shaders/compact", "shaders/scene"],
        |path, text| {
            let (graph, shader) = (path.starts_with("graphs/compact"), path.starts_with("shaders/compact"));
            let text = if graph {
                text.replace(
                    "items: \"len(flags)\")]",
                    "items: \"len(flags)\", set: { \"first\": \"frame.index * 5\" })]",
                )
            } else {
                text
            };
            if !shader {
                return text;
            }
            let declared = "struct First { first: u32 }\n@group(0) @binding(9) var<uniform> turn: First;\n\n@compute";
            let index = "linear_index(global_invocation_id, num_workgroups, BLOCK)";
            let turned = "(linear_index(global_invocation_id, num_workgroups, BLOCK) + BLOCK * turn.first) % (num_workgroups.x * BLOCK)";
            if text.contains(index) && text.contains("atomicAdd") {
                text.replace(index, turned).replacen("@compute", declared, 1)
            } else {
                text
            }
        },
    );
    for compaction in ["atomic", "aggregated"] {
        let params = [("compaction", choice(compaction))];
        let root = root.path().to_str().expect("a path in Unicode");
        let mut turned = program(root, "graphs/temporal.ron", SIZE, &params, &["list", "glow"]);
        let wrong = differing(&ordered.bytes, &shown(&mut turned, 40).bytes, 24);
        assert!(wrong > 0.10, "{compaction}: {:.1} % of the picture differs", 100.0 * wrong);
    }
}

fn town(order: &str) -> Program {
    let asked = ["list", "spheres", "counts"];
    program("", "graphs/front_to_back.ron", SIZE, &[("order", choice(order))], &asked)
}

#[test]
fn front_to_back_shades_each_texel_about_once() {
    let mut shaded = Vec::new();
    let mut pictures = Vec::new();
    for order in ["front_to_back", "back_to_front", "dealt"] {
        let mut town = town(order);
        let camera = town.graph().camera;
        pictures.push(shown(&mut town, 2));
        let (list, spheres) = (words(&town, "list"), words(&town, "spheres"));
        let away = |object: u32| {
            let at = 4 * object as usize;
            let center = glam::Vec3::from_array([spheres[at], spheres[at + 1], spheres[at + 2]].map(f32::from_bits));
            (center - glam::Vec3::from(camera.eye)).length()
        };
        let count = words(&town, "counts")[0] as usize;
        assert!(count > 1000);
        let steps = list[..count].windows(2).map(|two| away(two[1]) - away(two[0]));
        match order {
            "front_to_back" => assert!(steps.into_iter().all(|step| step > -1e-4)),
            "back_to_front" => assert!(steps.into_iter().all(|step| step < 1e-4)),
            _ => assert!(list[..count].is_sorted()),
        }
        let [fragments, texels] = words(&town, "shaded")[..] else { panic!("two counts") };
        shaded.push(f64::from(fragments) / f64::from(texels));
    }
    assert!(pictures.windows(2).all(|two| two[0] == two[1]), "the order shows in the picture");
    let [front, back, dealt] = shaded[..] else { panic!("three orders") };
    assert!(front < 1.05 && dealt > 1.5 && back > dealt, "{front} {back} {dealt}");
    golden("front_to_back", &pictures[0]);
}
