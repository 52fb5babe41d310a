//! Renders a graph without a window and writes a picture.
//!
//! `cargo run --example headless -- graphs/culled_scene.ron frame.png`
#![allow(clippy::print_stdout, reason = "an example shows what it found")]

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use rondag::gpu::{DeviceOptions, Frame, Gpu, Pick, Program, ProgramOptions, encode_png, read_texture};
use rondag::graph::{Library, Settings};
use rondag::lint;
use rondag::plan::Options;
use rondag::source::{Disk, Files};

const PATIENCE: Duration = Duration::from_secs(30);

fn main() -> anyhow::Result<()> {
    let mut args = std::env::args().skip(1);
    let graph = args.next().unwrap_or_else(|| "graphs/culled_scene.ron".to_owned());
    let picture = args.next().unwrap_or_else(|| "frame.png".to_owned());

    let gpu = Gpu::open(&Pick::Any, DeviceOptions::default())?;
    let mut library = Library::new(Files::new(Disk::new(Path::new("."), "")?));
    let mut faults = Vec::new();
    let top = library.load(&graph, &mut faults)?.file;
    let profile = gpu.profile(lint::MAX_MEMORY);
    let examined = lint::examine(&mut library, top, &Settings::default(), &profile, Options::default());
    let (graph, plan) = examined.accept().map_err(|faults| {
        let lines =
            faults.iter().map(|fault| format!("{}: {}", library.files.place(fault.primary.span), fault.message));
        anyhow!("{}", lines.collect::<Vec<_>>().join("\n"))
    })?;

    let mut program = Program::new(&gpu, graph.clone(), plan, ProgramOptions::default())?;
    for index in 0..3 {
        let time = index as f64 / 60.0;
        let camera = graph.camera.state(graph.surface);
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        program.record(&mut encoder, &Frame { index, time, delta: 1.0 / 60.0, camera })?;
        let submission = gpu.queue.submit([encoder.finish()]);
        program.submitted();
        gpu.wait(Some(submission), PATIENCE)?;
    }

    let (color, _) = graph.outputs.first().context("the graph has no output")?;
    let name = &graph.resources[*color].name;
    let texture = program.texture(*color).with_context(|| format!("`{name}` is not a texture"))?;
    let image = read_texture(&gpu, name, texture, (0, 0), PATIENCE)?;
    std::fs::write(&picture, encode_png(name, &image)?)?;
    println!("{picture}: {} × {} texels of `{name}` on {}", image.width, image.height, gpu.info.name);
    if let Some(times) = program.times() {
        println!("{:.3} ms of GPU time in {} recorded passes", times.sum_ms(), times.rows.len());
    }
    Ok(())
}
