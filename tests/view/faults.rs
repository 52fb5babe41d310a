//! What goes wrong while somebody looks.

use super::*;

/// A frame that takes some seconds, inside what llvmpipe leaves of loops.
const SLOW: &str = "
    @group(0) @binding(0) var<storage, read_write> sum: array<u32>;
    @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
        if id.x >= arrayLength(&sum) { return; }
        var it = f32(id.x);
        for (var i = 0u; i < 60000u; i++) { it = sin(it) + cos(it * 1.1) + exp(-it * it); }
        sum[id.x] = bitcast<u32>(it);
    }";

const QUICK: &str = "
    @group(0) @binding(0) var<storage, read_write> sum: array<u32>;
    @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
        if id.x < arrayLength(&sum) { sum[id.x] = id.x; }
    }";

const GRAPH: &str = r#"(
    version: 1,
    resources: { "sum": Buffer(count: 16_384, stride: 4, lifetime: Persistent) },
    passes: [Dispatch(name: "hang", shader: "work.wgsl", items: "len(sum)")],
    outputs: ["sum"],
)"#;

#[test]
fn br_040_a_frame_that_does_not_end_is_told_once_and_mended_by_an_edit() {
    let scene = Scene::new();
    scene.write("graphs/culled_scene.ron", GRAPH);
    scene.write("shaders/work.wgsl", QUICK);
    scene.write("slow.wgsl", SLOW);
    scene.write("quick.wgsl", QUICK);
    let script = "
        settle
        wait 5
        write shaders/work.wgsl slow.wgsl
        reloaded
        sleep 4
        screenshot hung.png
        sleep 12
        write shaders/work.wgsl quick.wgsl
        reloaded
        sleep 2
        screenshot mended_device.png
        quit";
    let said = scene.play(script, &["--size", "640x480", "--timeout", "1"]);
    assert_eq!(said.matches("did not finish within").count(), 1, "{said}");
    assert!(said.contains("hang") && !said.contains("panicked"), "{said}");
    let of = |name: &str| picture(&scene.path(name));
    assert!(has(&of("hung.png"), RED, 100) && !has(&of("mended_device.png"), RED, 100));
}

#[test]
fn a_window_wider_than_any_texture_is_shown_in_part() {
    let scene = Scene::new();
    let mut child = scene.command(&["--set", "instances=50", "--size", "400x100"]).spawn().expect("it starts");
    let window = scene.display.xdotool(&["search", "--sync", "--name", "rondag"]);
    std::thread::sleep(Duration::from_secs(2));
    scene.display.xdotool(&["windowsize", &window, "20000", "60"]);
    std::thread::sleep(Duration::from_secs(4));
    scene.display.xdotool(&["windowsize", &window, "400", "300"]);
    std::thread::sleep(Duration::from_secs(2));
    assert!(child.try_wait().expect("it can be asked").is_none(), "it ended");
    child.kill().expect("it runs");
    let output = child.wait_with_output().expect("it ended");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!said.contains("panicked") && !said.contains("error"), "{said}");
}
