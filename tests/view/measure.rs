//! What BENCHMARKS.md says of the viewer. Run alone, with a release build:
//! `cargo test --release --test main -- --ignored --nocapture view::measure`.

#![allow(clippy::print_stdout, reason = "a measurement shows what it found")]

use std::fmt::Write as _;

use super::*;

/// Seconds of CPU that a process took so far.
fn cpu(id: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).expect("it runs");
    let fields: Vec<&str> = stat.rsplit(')').next().expect("it has a name").split_whitespace().collect();
    let ticks = |at: usize| fields[at].parse::<f64>().expect("it is a number");
    (ticks(11) + ticks(12)) / 100.0
}

fn summary(name: &str, report: &serde_json::Value) {
    let column = |key: &str| {
        let reloads = report["reloads"].as_array().expect("a list").iter();
        let mut values: Vec<f64> = reloads.map(|it| it[key].as_f64().expect("a number")).collect();
        values.sort_by(f64::total_cmp);
        format!("{:.1} / {:.1}", values[values.len() / 2], values[(values.len() - 1) * 99 / 100])
    };
    println!("{name}: {} reloads, median / 99th percentile in ms", report["reloads"].as_array().map_or(0, Vec::len));
    for key in ["saved_to_presented", "examine", "make", "pipelines"] {
        println!("  {key:20} {}", column(key));
    }
    for key in ["frames_steady", "frames_while_building", "panel"] {
        println!("  {key:20} {}", report[key]);
    }
}

#[test]
#[ignore = "it measures"]
fn saves_to_presented_frames() {
    let scene = Scene::new();
    let graph = scene.text("graphs/culled_scene.ron");
    let shader = scene.text("shaders/scene/draw.wgsl");
    for round in 0..2 {
        scene.write(
            &format!("g{round}.ron"),
            &graph.replace("\"hidden\": Float(default: 0.0", &format!("\"hidden\": Float(default: 0.{round}")),
        );
        scene.write(&format!("s{round}.wgsl"), &format!("{shader}\n// {round}\nconst ROUND: u32 = {round}u;\n"));
    }
    for (name, to, from) in [
        ("graph", "graphs/culled_scene.ron", ["g1.ron", "g0.ron"]),
        ("shader", "shaders/scene/draw.wgsl", ["s1.wgsl", "s0.wgsl"]),
    ] {
        let mut script = String::from("settle\nwait 60\n");
        for round in 0..200 {
            writeln!(script, "write {to} {}\nreloaded\nwait 6", from[round % 2]).expect("a string takes all");
        }
        script.push_str("report report.json\nquit");
        scene.play(&script, &["--set", "instances=200", "--size", "640x480"]);
        summary(name, &scene.report("report.json"));
    }
}

#[test]
#[ignore = "it measures"]
fn an_idle_viewer_that_is_paused() {
    let scene = Scene::new();
    let mut child = scene.command(&["--set", "instances=200", "--size", "640x480"]).spawn().expect("it starts");
    let window = scene.display.xdotool(&["search", "--sync", "--name", "rondag"]);
    std::thread::sleep(Duration::from_secs(3));
    scene.display.xdotool(&["windowfocus", &window]);
    scene.display.xdotool(&["key", "space"]);
    std::thread::sleep(Duration::from_secs(2));
    let before = cpu(child.id());
    std::thread::sleep(Duration::from_secs(20));
    println!("idle and paused: {:.1} % of one core", (cpu(child.id()) - before) / 20.0 * 100.0);
    child.kill().expect("it runs");
    child.wait().expect("it ended");
}
