//! Reads a graph, checks every variant of it and prints its plan. No GPU, no wgpu: `--no-default-features` is enough.
//!
//! `cargo run --no-default-features --example plan_only -- graphs/culled_scene.ron`
#![allow(clippy::print_stdout, reason = "an example shows what it found")]

use std::path::Path;

use anyhow::bail;
use rondag::graph::{Library, Settings};
use rondag::lint::{self, Profile};
use rondag::plan::Options;
use rondag::source::{Disk, Files};

fn main() -> anyhow::Result<()> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "graphs/culled_scene.ron".to_owned());
    let mut library = Library::new(Files::new(Disk::new(Path::new("."), "")?));
    let mut faults = Vec::new();
    let top = library.load(&path, &mut faults)?.file;

    let report = lint::check(&mut library, top, &Settings::default(), &Profile::default());
    for fault in faults.iter().chain(&report.found) {
        println!("{}: {}: {}", library.files.place(fault.primary.span), fault.level.name(), fault.message);
    }

    let examined = lint::examine(&mut library, top, &Settings::default(), &Profile::default(), Options::default());
    let Ok((graph, plan)) = examined.accept() else { bail!("{path} has errors") };
    for step in &plan.steps {
        println!("{step:?}");
    }
    println!("{} passes in the file", graph.passes.len());
    let memory = plan.bytes.shared + plan.bytes.own + plan.bytes.kept;
    println!("{memory} bytes for {} recorded passes", plan.steps.len());
    Ok(())
}
