//! `rondag run` as a process, on the software adapter.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

/// What a process left behind.
#[derive(Debug)]
struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

fn run(folder: &Path, args: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rondag"));
    command.arg("run").args(args).args(["--adapter", "cpu"]).current_dir(folder);
    // Mesa's device picker complains on standard error where there is no desktop.
    command.env("NODEVICE_SELECT", "1");
    let output = command.output().expect("the binary starts");
    let text = |bytes| String::from_utf8(bytes).expect("rondag writes UTF-8");
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

fn temp() -> TempDir {
    tempfile::tempdir().expect("a temporary folder can be made")
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files(folder: &TempDir) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut names: Vec<_> = entries.map(|entry| entry.expect("it can be listed").file_name()).collect();
    names.sort();
    names.into_iter().map(|name| name.into_string().expect("names are plain")).collect()
}

/// The shipped scene, small.
fn scene(folder: &TempDir, more: &[&str]) -> (Ran, PathBuf, Value) {
    let (png, report) = (folder.path().join("a.png"), folder.path().join("a.json"));
    let shown = |path: &Path| path.to_str().expect("temporary folders have plain names").to_owned();
    let (out, json) = (shown(&png), shown(&report));
    let mut args = vec!["graphs/culled_scene.ron", "--set", "instances=3000", "--size", "320x180", "--frames", "3"];
    args.extend(["--out", &out, "--report", &json, "--hash", "list", "--hash", "color"]);
    args.extend(more);
    let ran = run(root(), &args);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let text = std::fs::read_to_string(&report).expect("the report was written");
    (ran, png, serde_json::from_str(&text).expect("the report is JSON"))
}

/// What a graph of two strategies binds in one of them only has no size in the other; the report says what a texel takes.
#[test]
fn a_buffer_that_a_strategy_leaves_out_needs_no_size() {
    let folder = temp();
    let path = folder.path().join("report.json");
    let report = path.to_str().expect("temporary folders have plain names");
    for (layout, normals, texel) in [("packed", "snorm8", 16), ("fat", "float", 8)] {
        let choices = [format!("layout={layout}"), format!("normals={normals}")];
        let mut args = vec!["graphs/packed_gbuffer.ron", "--size", "33x21", "--report", report];
        for choice in &choices {
            args.extend(["--set", choice.as_str()]);
        }
        let ran = run(root(), &args);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let json: Value = serde_json::from_str(&std::fs::read_to_string(&path).expect("a report")).expect("it is JSON");
        let name = if layout == "packed" { "shade/packed" } else { "shade/normal" };
        let texture = &json["textures"][name];
        assert_eq!((&texture["texel_bytes"], &texture["size"][0]), (&texel.into(), &33.into()), "{json}");
    }
}

#[test]
fn a_run_repeats() {
    let (one, two) = (temp(), temp());
    let (first, first_png, report) = scene(&one, &[]);
    let (second, second_png, _) = scene(&two, &[]);
    assert_eq!(first.out, second.out, "the same hashes");
    assert_eq!(first.out.lines().count(), 2, "{first:?}");
    assert!(first.out.starts_with("list xxh3:"), "{first:?}");
    let bytes = |path: &Path| std::fs::read(path).expect("the picture was written");
    assert_eq!(bytes(&first_png), bytes(&second_png), "the same picture");
    assert_eq!(files(&one), ["a.json", "a.png"], "nothing is left beside");

    let picture = image::open(&first_png).expect("it is a PNG").into_rgb8();
    assert_eq!(picture.dimensions(), (320, 180));
    let colors: std::collections::BTreeSet<_> = picture.pixels().map(|pixel| pixel.0).collect();
    assert!(colors.len() > 100, "there is something to see");

    assert_eq!(report["frames"], 3);
    assert_eq!(report["params"]["instances"], 3000);
    assert_eq!(report["params"]["compaction"], "scan");
    let visible = &report["visible"][0];
    let total = visible["total"].as_u64().expect("the arguments were counted");
    assert!((1..=3000).contains(&total), "{visible}");
    assert_eq!(visible["frame"], 2, "{visible}");
    assert_eq!(visible["instances"].as_array().map(Vec::len), Some(9), "{visible}");
    let timed = report["gpu"]["note"].is_null();
    assert_eq!(timed, report["gpu"]["passes"].as_array().is_some_and(|passes| !passes.is_empty()), "{report}");
    assert!(first.err.contains("instances in `args`"), "{first:?}");
}

#[test]
fn another_camera_makes_another_picture() {
    let (one, two, three) = (temp(), temp(), temp());
    let here = scene(&one, &[]).0;
    let there = scene(&two, &["--camera", "eye=0,9,40 target=0,0,0"]).0;
    let same = scene(&three, &["--camera", "(eye: (0, 9, 40), target: (0, 0, 0))"]).0;
    assert_ne!(here.out, there.out);
    assert_eq!(there.out, same.out);
}

#[test]
fn switches_change_no_picture() {
    let plain = scene(&temp(), &[]).0.out;
    for switch in ["--no-alias", "--no-merge", "--no-reorder", "--no-cull"] {
        assert_eq!(scene(&temp(), &[switch]).0.out, plain, "{switch}");
    }
}

#[test]
fn what_cannot_run_says_so_and_leaves_no_file() {
    let folder = temp();
    let png = folder.path().join("a.png");
    let png = png.to_str().expect("temporary folders have plain names");
    for (args, what) in [
        (&["--dump", "lst=x"][..], "did you mean `list`?"),
        (&["--hash", "view"], "`view`"),
        (&["--in", "ports=x"], "`ports`"),
        (&["--set", "instances=5"], "6 to 134217728"),
        (&["--camera", "over there"], "--camera"),
    ] {
        let ran = run(root(), &[&["graphs/culled_scene.ron", "--out", png], args].concat());
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args:?}: {ran:?}");
        assert!(ran.err.starts_with("error: ") && ran.err.contains(what), "{args:?}: {ran:?}");
        assert_eq!(ran.err.lines().count(), 1, "{args:?}: {ran:?}");
    }
    for (args, what) in [
        (["--camera", "eye=1,2"], "error["),
        (["--max-memory", "1MiB"], "error[memory-limit]"),
        (["--set", "instances=134_217_728"], "-limit]"),
    ] {
        let ran = run(root(), &[&["graphs/culled_scene.ron", "--out", png], &args[..]].concat());
        assert_eq!(ran.code, Some(1), "a finding: {ran:?}");
        assert!(ran.out.contains(what), "{ran:?}");
    }
    assert_eq!(files(&folder), [""; 0]);

    let mut command = Command::new(env!("CARGO_BIN_EXE_rondag"));
    let output =
        command.args(["run", "graphs/culled_scene.ron", "--adapter", "no such card"]).current_dir(root()).output();
    let output = output.expect("the binary starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no adapter matches `no such card`"));
}

#[test]
fn ports_take_files_and_buffers_are_dumped_whole() {
    let folder = temp();
    let write =
        |path: &str, bytes: &[u8]| std::fs::write(folder.path().join(path), bytes).expect("files can be written");
    let graph = "(
        version: 1,
        resources: { \"x\": In(Buffer(stride: 4)), \"y\": Buffer(size: 16) },
        passes: [ClearBuffer(name: \"zero\", target: \"y\"), CopyBuffer(name: \"copy\", source: \"x\", target: \"y\", size: 8)],
        outputs: [\"y\"],
    )";
    write("a.ron", graph.as_bytes());
    write("x.bin", &[1, 2, 3, 4, 5, 6, 7, 8]);
    let ran = run(folder.path(), &["a.ron", "--in", "x=x.bin", "--dump", "y=y.bin"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let dumped = std::fs::read(folder.path().join("y.bin")).expect("the dump was written");
    assert_eq!(dumped, [1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0]);
    let ran = run(folder.path(), &["a.ron"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("--in x=FILE"), "{ran:?}");
    let ran = run(folder.path(), &["a.ron", "--in", "x=x.bin", "--out", "a.png"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("no texture among its outputs"), "{ran:?}");
}

#[test]
fn a_shader_that_never_ends_is_left_behind() {
    let folder = temp();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("it is below the folder")).expect("folders can be made");
        std::fs::write(path, text).expect("files can be written");
    };
    write(
        "a.ron",
        "(version: 1, resources: { \"x\": Buffer(count: 64, lifetime: Persistent) },
            passes: [ClearBuffer(name: \"clear\", target: \"x\"), Dispatch(name: \"spin\", shader: \"spin.wgsl\", items: 4_000_000)], outputs: [\"x\"])",
    );
    write(
        "shaders/spin.wgsl",
        "@group(0) @binding(0) var<storage, read_write> x: array<atomic<u32>>;
        @compute @workgroup_size(64) fn spin(@builtin(global_invocation_id) id: vec3u) {
            // The software adapter leaves a loop after 65,536 rounds; four million times that is an afternoon.
            while atomicAdd(&x[id.x % arrayLength(&x)], 0u) != 7u { }
        }",
    );
    let started = std::time::Instant::now();
    let ran = run(folder.path(), &["a.ron", "--timeout", "1", "--dump", "x=x.bin"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
    assert!(ran.err.contains("frame 0 did not finish within 1 s"), "{ran:?}");
    assert!(ran.err.contains("known to have finished is `a/clear`"), "{ran:?}");
    assert!(started.elapsed() < std::time::Duration::from_secs(30), "{:?}", started.elapsed());
    assert!(!folder.path().join("x.bin").exists());
}

#[test]
fn a_value_that_fails_in_a_frame_is_a_finding() {
    let project = temp();
    let mut command = Command::new(env!("CARGO_BIN_EXE_rondag"));
    assert!(command.args(["new", "spinner"]).current_dir(&project).status().expect("the binary starts").success());
    let path = project.path().join("spinner/spinner.ron");
    let graph = std::fs::read_to_string(&path).expect("it was written");
    std::fs::write(&path, graph.replace("spin * frame.time", "spin / (2 - frame.index)")).expect("it can be written");
    let ran = run(project.path(), &["spinner/spinner.ron", "--size", "64x64", "--frames", "4", "--out", "a.png"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.starts_with("error[arithmetic]: `angle` of `view"), "{ran:?}");
    assert!(ran.out.contains("has no value in frame 2") && ran.out.contains("--> spinner/spinner.ron:10:"), "{ran:?}");
    assert_eq!(files(&project), ["spinner"]);
}
