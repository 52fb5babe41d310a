//! `rondag bench` as a process, on the software adapter.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn bench(args: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_rondag"));
    command.arg("bench").args(args).args(["--adapter", "cpu", "--repeat", "2"]).current_dir(root);
    command.env("NODEVICE_SELECT", "1");
    command.output().expect("the binary starts")
}

fn shown(path: &Path) -> &str {
    path.to_str().expect("temporary folders have plain names")
}

#[test]
fn every_strategy_is_timed_and_right() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let (json, svg) = (folder.path().join("a.json"), folder.path().join("a.svg"));
    let vary = ["--vary", "instances=1e4,20_000", "--vary", "compaction=all"];
    let files = ["--json", shown(&json), "--plot", shown(&svg)];
    let ran = bench(&[&["graphs/bench/compact.ron"], &vary[..], &files].concat());
    let out = String::from_utf8_lossy(&ran.stdout);
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
    assert_eq!(out.lines().filter(|line| line.ends_with("as the CPU twin")).count(), 14, "{out}");
    let text = std::fs::read_to_string(&json).expect("the JSON was written");
    let table: Value = serde_json::from_str(&text).expect("it is JSON");
    let rows = table["rows"].as_array().expect("it has rows");
    assert_eq!(rows.len(), 14);
    for row in rows {
        assert_eq!(row["verdict"], "twin");
        assert!(row["times"]["median_us"].as_f64().is_some_and(|time| time > 0.0), "{row}");
        assert!(row["bytes"]["moved"].as_u64() >= row["bytes"]["best"].as_u64(), "{row}");
    }
    let plot = std::fs::read_to_string(&svg).expect("the plot was written");
    assert_eq!(plot.matches("<polyline").count(), 8, "seven strategies and the floor: {plot}");
}

#[test]
fn roads_are_held_against_the_first() {
    let ran = bench(&["graphs/bench/cull.ron", "--set", "instances=20000", "--vary", "road=all"]);
    let out = String::from_utf8_lossy(&ran.stdout);
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
    assert_eq!(out.matches("the first").count(), 5, "{out}");
}

/// A variant with another result has no speed, and the bench fails.
#[test]
fn a_wrong_result_has_no_speed() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("it is below the folder")).expect("folders can be made");
        std::fs::write(path, text).expect("files can be written");
    };
    write(
        "a.ron",
        "(version: 1, params: { \"way\": Choice(default: \"one\", of: [\"one\", \"two\"]) },
            resources: { \"x\": Buffer(count: 64, lifetime: Persistent) },
            passes: [Dispatch(name: \"fill\", shader: \"{way}.wgsl\", items: 64)], outputs: [\"x\"])",
    );
    for (name, value) in [("one", 1), ("two", 2)] {
        let text = format!(
            "@group(0) @binding(0) var<storage, read_write> x: array<u32>;
            @compute @workgroup_size(64) fn fill(@builtin(global_invocation_id) id: vec3u) {{
                if id.x < arrayLength(&x) {{ x[id.x] = {value}u; }}
            }}"
        );
        write(&format!("shaders/{name}.wgsl"), &text);
    }
    let graph = folder.path().join("a.ron");
    let root = ["--root", shown(folder.path())];
    let ran = bench(&[&[shown(&graph), "--vary", "way=all"][..], &root].concat());
    let out = String::from_utf8_lossy(&ran.stdout);
    assert_eq!(ran.status.code(), Some(1), "{ran:?}");
    let wrong = out.lines().find(|line| line.contains("WRONG")).expect("the second one is wrong");
    assert!(wrong.trim_start().starts_with("two") && wrong.contains(" -  "), "{wrong}");
    for (vary, what) in [("way=three", "`three`"), ("wy=one", "did you mean `way`?")] {
        let ran = bench(&[&[shown(&graph), "--vary", vary][..], &root].concat());
        assert_eq!(ran.status.code(), Some(2), "{ran:?}");
        assert!(String::from_utf8_lossy(&ran.stderr).contains(what), "{ran:?}");
    }
}
