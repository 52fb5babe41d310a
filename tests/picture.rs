//! The shipped scene as a picture: all strategies and roads draw the same one, and it is the one that was looked at.

use std::path::Path;
use std::time::Duration;

use rondag::gpu::{Frame, Gpu, Image, Program, ProgramOptions, read_buffer, read_texture};
use rondag::graph::{Library, ParamValue, Settings};
use rondag::lint;
use rondag::plan::Options;
use rondag::record::Command;
use rondag::source::{Disk, Files};

use crate::gallery::golden;
use crate::gpu::software;

const LIMIT: Duration = Duration::from_mins(1);
const SIZE: [u32; 2] = [320, 180];

struct Drawn {
    image: Image,
    counts: Vec<u32>,
    /// Calls that draw several records.
    calls: usize,
}

fn draw(gpu: &Gpu, params: &[(&str, ParamValue)], options: Options) -> Drawn {
    drawn(gpu, params, options, ProgramOptions::default())
}

fn drawn(gpu: &Gpu, params: &[(&str, ParamValue)], options: Options, how: ProgramOptions<'_>) -> Drawn {
    let door = Disk::new(Path::new(env!("CARGO_MANIFEST_DIR")), "").expect("the repository");
    let mut library = Library::new(Files::new(door));
    let mut found = Vec::new();
    let top = library.load("graphs/culled_scene.ron", &mut found).expect("the shipped scene").file;
    let params = params.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let settings = Settings { params, surface: SIZE, ..Settings::default() };
    let examined = lint::examine(&mut library, top, &settings, &gpu.profile(lint::MAX_MEMORY), options);
    let (graph, plan) = examined.accept().unwrap_or_else(|found| panic!("{found:#?}"));
    let mut program = Program::new(gpu, graph.clone(), plan, how).expect("the scene fits");
    for index in 0..2 {
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let frame = Frame { index, time: index as f64, delta: 1.0, camera: graph.camera.state(SIZE) };
        program.record(&mut encoder, &frame).expect("every value fits");
        let submission = gpu.queue.submit([encoder.finish()]);
        program.submitted();
        gpu.wait(Some(submission), LIMIT).unwrap_or_else(|why| panic!("{why}"));
    }
    let id = |name: &str| program.find(name).expect("a resource of the scene");
    let texture = program.texture(id("color")).expect("it is drawn to");
    let image = read_texture(gpu, "color", texture, (0, 0), LIMIT).expect("it is an output");
    let (buffer, size) = program.buffer(id("counts")).expect("it is counted in");
    let counts = read_buffer(gpu, "counts", buffer, 0..size, LIMIT).expect("it is an output");
    let several = |command: &&Command| matches!(command, Command::DrawIndirect { count, .. } if *count > 1);
    let calls = program.script().frame.iter().filter(several).count();
    Drawn { image, counts: bytemuck::pod_collect_to_vec(&counts), calls }
}

fn scene(compaction: &str) -> Vec<(&'static str, ParamValue)> {
    vec![("instances", ParamValue::Int(20_000)), ("compaction", ParamValue::Choice(compaction.to_owned()))]
}

#[test]
fn all_strategies_and_roads_draw_the_golden_picture() {
    let gpu = software();
    let scan = draw(&gpu, &scene("scan"), Options::default());
    for other in ["atomic", "aggregated", "mask", "mask_subgroup", "lookback", "lookback_subgroup"] {
        let drawn = draw(&gpu, &scene(other), Options::default());
        assert_eq!(drawn.counts, scan.counts, "{other}");
        assert!(drawn.image == scan.image, "{other} draws another picture than scan");
    }
    for road in ["mask", "mask_subgroup", "packed", "packed_subgroup"] {
        let params = [("instances", ParamValue::Int(20_000)), ("road", ParamValue::Choice(road.to_owned()))];
        let drawn = draw(&gpu, &params, Options::default());
        let loses_none = drawn.counts.iter().zip(&scan.counts).all(|(drawn, scan)| drawn >= scan);
        assert!(loses_none && (road.starts_with("packed") || drawn.counts == scan.counts), "{road}");
        assert!(drawn.image == scan.image, "{road} draws another picture than flags");
    }
    assert!(scan.counts.iter().all(|count| *count > 0), "{:?}", scan.counts);
    golden("culled_scene", &scan.image);
}

#[test]
fn each_optimisation_off_draws_the_same_picture() {
    let gpu = software();
    let best = draw(&gpu, &scene("scan"), Options::default());
    let off = Options { alias: false, merge: false, order: rondag::plan::Order::File, cull: false };
    let drawn = draw(&gpu, &scene("scan"), off);
    assert_eq!(drawn.counts, best.counts);
    assert!(drawn.image == best.image);
}

/// One call for all batches, with their values found by the draw's index, or a call each.
#[test]
fn joined_draws_draw_the_same_picture() {
    let gpu = software();
    let joined = draw(&gpu, &scene("scan"), Options::default());
    let apart = drawn(&gpu, &scene("scan"), Options::default(), ProgramOptions { join: false, ..Default::default() });
    assert!(joined.image == apart.image);
    let needed = wgpu::Features::SHADER_DRAW_INDEX | wgpu::Features::MULTI_DRAW_INDIRECT_COUNT;
    assert!(gpu.device.features().contains(needed), "the software adapter has what joining needs");
    assert_eq!((joined.calls, apart.calls), (1, 0));
    let trusted =
        drawn(&gpu, &scene("mask"), Options::default(), ProgramOptions { trusted: true, ..Default::default() });
    assert!(trusted.image == joined.image);
}

#[test]
fn nothing_visible_draws_nothing() {
    let gpu = software();
    let hidden = [("instances", ParamValue::Int(6)), ("hidden", ParamValue::Float(1.0))];
    let drawn = draw(&gpu, &hidden, Options::default());
    assert!(drawn.counts.iter().all(|count| *count == 0), "{:?}", drawn.counts);
}
