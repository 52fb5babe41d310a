//! One frame three times: written by hand a pass a node, written by hand and merged, and as a graph.
//!
//! `cargo run --release --example handwritten` (an adapter's name, `cpu` or `gpu` may follow, then `lean` to leave wgpu's checks
//! of indirect calls and shaders away). A clear, five dispatches and 64 indirect draws, recorded, finished and submitted;
//! the three take turns, so that what else the machine does falls on all of them alike. `tests/by_hand.rs` is the frame by
//! hand.
#![allow(clippy::print_stdout, reason = "an example shows what it found")]

#[allow(dead_code, reason = "tests use more of it")]
#[path = "../tests/by_hand.rs"]
mod by_hand;
#[path = "../tests/sketch.rs"]
mod sketch;

use std::time::{Duration, Instant};

use rondag::gpu::{DeviceOptions, Frame, Gpu, Pick, Program, ProgramOptions};

const DISPATCHES: usize = 5;
const BATCHES: u32 = 64;
const TURNS: usize = 1500;
const PATIENCE: Duration = Duration::from_secs(30);

fn main() -> anyhow::Result<()> {
    let mut args = std::env::args().skip(1);
    let pick = args.next().map_or(Pick::Any, |name| Pick::from(name.as_str()));
    let lean = args.next().is_some_and(|word| word == "lean");
    let gpu = Gpu::open(&pick, DeviceOptions { indirect_validation: !lean })?;
    let (graph, plan) = sketch::scene(DISPATCHES, BATCHES.into());
    let options = ProgramOptions { labels: false, timing: false, trusted: lean, ..ProgramOptions::default() };
    let mut program = Program::new(&gpu, graph, plan, options)?;
    let mut hand = by_hand::ByHand::new(&gpu, DISPATCHES, BATCHES);
    let frame = Frame { index: 0, time: 0.0, delta: 0.0, camera: sketch::camera() };

    let mut times = [const { Vec::new() }; 3];
    for turn in 0..3 * TURNS {
        let started = Instant::now();
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        match turn % 3 {
            0 => hand.record_apart(&mut encoder, 0.1),
            1 => hand.record_merged(&mut encoder, 0.1),
            _ => program.record(&mut encoder, &frame)?,
        }
        let submission = gpu.queue.submit([encoder.finish()]);
        let took = started.elapsed();
        gpu.wait(Some(submission), PATIENCE)?;
        // The first third warms up.
        if turn >= TURNS {
            times[turn % 3].push(took.as_secs_f64() * 1e6);
        }
    }
    let [apart, merged, graph] = times.map(|mut side| {
        side.sort_by(f64::total_cmp);
        side[side.len() / 2]
    });
    let joined = if gpu.device.features().contains(by_hand::MANY) { "one call" } else { "a call each" };
    println!(
        "{}: clear, {DISPATCHES} dispatches, {BATCHES} indirect draws ({joined} where merged), median CPU time",
        gpu.info.name
    );
    println!("by hand, a pass a node  {apart:8.1} us");
    println!("by hand, merged         {merged:8.1} us");
    println!(
        "as a graph              {graph:8.1} us  {:.3} of the first, {:.3} of the second",
        graph / apart,
        graph / merged
    );
    Ok(())
}
