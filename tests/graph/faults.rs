//! One fault a case: the rule, and the characters under its primary label. A case without a fault is quiet.

use rondag::graph::Settings;

use super::{resolve_files, shown};

/// Shaders that the cases share.
const SHADERS: [(&str, &str); 7] = [
    (
        "shaders/fill.wgsl",
        "@group(0) @binding(0) var<storage, read_write> list: array<u32>;
@compute @workgroup_size(64) fn fill(@builtin(global_invocation_id) id: vec3u) { list[id.x] = id.x; }",
    ),
    (
        "shaders/scale.wgsl",
        "override FACTOR: f32;
struct Step { shift: u32 }
@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> from_: array<u32>;
@group(0) @binding(2) var<storage, read_write> to: array<u32>;
@compute @workgroup_size(64) fn scale(@builtin(global_invocation_id) id: vec3u) {
    to[id.x] = u32(FACTOR * f32(from_[id.x] << step.shift));
}",
    ),
    (
        "shaders/padded.wgsl",
        "struct Padded { a: vec3<u32>, b: f32, c: u32 }
@group(0) @binding(0) var<storage, read_write> list: array<Padded>;
@compute @workgroup_size(64) fn pad(@builtin(global_invocation_id) id: vec3u) { list[id.x].c = id.x; }",
    ),
    (
        "shaders/blur.wgsl",
        "@group(0) @binding(0) var src: texture_2d<f32>;
@group(0) @binding(1) var dst: texture_storage_2d<rgba8unorm, write>;
@compute @workgroup_size(8, 8) fn blur(@builtin(global_invocation_id) id: vec3u) {
    textureStore(dst, id.xy, textureLoad(src, id.xy, 0));
}",
    ),
    (
        "shaders/draw.wgsl",
        "struct View { view_proj: mat4x4f, time: f32 }
@group(0) @binding(0) var<uniform> view: View;
@vertex fn vs(@location(0) position: vec3f) -> @builtin(position) vec4f {
    return view.view_proj * vec4f(position * view.time, 1);
}
@fragment fn fs() -> @location(0) vec4f { return vec4f(1); }",
    ),
    (
        "shaders/two.wgsl",
        "@group(0) @binding(0) var<storage, read_write> list: array<u32>;
@compute @workgroup_size(64) fn one() { list[0] = 1u; }
@compute @workgroup_size(64) fn two() { list[0] = 2u; }",
    ),
    (
        "shaders/args.wgsl",
        "@group(0) @binding(0) var<storage, read_write> args: array<u32>;
@group(0) @binding(1) var<storage, read_write> other: array<u32>;
@compute @workgroup_size(1) fn make() { args[0] = 1u; other[0] = 2u; }",
    ),
];

/// A frame around params, resources and passes.
fn frame(params: &str, resources: &str, passes: &str) -> String {
    format!("(version: 1, params: {{{params}}}, resources: {{{resources}}}, passes: [{passes}])")
}

/// Checks the faults of a frame: each as `code: characters`, in order.
#[track_caller]
fn check(text: &str, more: &[(&str, &str)], expected: &[&str]) {
    let files = SHADERS.into_iter().chain(more.iter().copied()).chain([("frame.ron", text)]);
    let (library, _, found) = resolve_files(files, &Settings::default());
    let is: Vec<String> =
        found.iter().map(|fault| format!("{}: {}", fault.rule.code, library.files.text(fault.primary.span))).collect();
    assert_eq!(is, expected, "\n{text}\n{}", shown(&library, &found));
    for fault in &found {
        assert!(
            !fault.message.is_empty() && fault.message.starts_with(|c: char| !c.is_uppercase()),
            "{}",
            fault.message
        );
        assert!(!fault.message.ends_with('.'), "{}", fault.message);
    }
}

/// Checks a frame of one buffer `list` of `n` elements and these passes.
#[track_caller]
fn passes(passes: &str, expected: &[&str]) {
    let params = r#""n": Int(default: 8, min: 0, max: 1000), "x": Float(default: 1.0, min: 0.0, max: 2.0)"#;
    let resources = r#""list": Buffer(count: "n", stride: 4), "other": Buffer(count: "n"), "image": Texture(format: Rgba8Unorm, size: (16, 16), mips: 3),
        "depth": Texture(format: Depth32Float, size: Surface), "color": Texture(format: Rgba8UnormSrgb, size: Surface),
        "props": Meshes([Cube]), "args": Buffer(count: "n", stride: 4), "view": Uniform({ "view_proj": "camera.view_proj", "time": "frame.time" })"#;
    check(&frame(params, resources, passes), &[], expected);
}

#[test]
fn quiet_frames_are_quiet() {
    passes(r#"Dispatch(name: "a", shader: "fill.wgsl", items: "n")"#, &[]);
    passes(
        r#"Dispatch(name: "a", shader: "scale.wgsl", items: "n", bind: { "from_": "list", "to": "other" }, set: { "FACTOR": "x * 0.5 + x", "shift": 3 })"#,
        &[],
    );
    passes(
        r#"Render(name: "a", color: [(target: "color", clear: (0, 0, 0, 1))], depth: (target: "depth", clear: 1),
            draws: [(shader: "draw.wgsl", call: DrawIndexed(mesh: "props[0]"))])"#,
        &[],
    );
}

#[test]
fn names_that_mean_nothing() {
    passes(r#"Dispatch(name: "a", shader: "fill.wgsl", items: "m")"#, &["unknown-name: m"]);
    passes(r#"Dispatch(name: "a", shader: "fill.wgsl", items: "camera.eyes")"#, &["unknown-name: camera.eyes"]);
    passes(r#"Dispatch(name: "a", shader: "fill.wgsl", items: "sqrt(n)")"#, &["unknown-name: sqrt"]);
    passes(r#"ClearBuffer(name: "a", target: "lists")"#, &["unknown-resource: lists"]);
    passes(r#"ClearBuffer(name: "a", target: "list", after: ["b"])"#, &["unknown-pass: b"]);
    passes(
        r#"Dispatch(name: "a", shader: "fill.wgsl", items: "n", bind: { "lst": "list" })"#,
        &["unknown-variable: lst"],
    );
    passes(r#"Dispatch(name: "a", shader: "fill.wgsl", items: "n", set: { "y": 1 })"#, &["unknown-value: y"]);
    passes(r#"Dispatch(name: "a", shader: "nothing.wgsl", items: "n")"#, &["missing-file: nothing.wgsl"]);
    passes(r#"Dispatch(name: "a", shader: "two.wgsl", items: "n")"#, &["entry-point: two.wgsl"]);
    passes(r#"Dispatch(name: "a", shader: "two.wgsl", entry: "too", items: "n")"#, &["entry-point: too"]);
    passes(r#"Dispatch(name: "a", shader: "draw.wgsl", items: "n")"#, &["entry-point: draw.wgsl"]);
}

#[test]
fn what_a_shader_lacks() {
    passes(
        r#"Dispatch(name: "a", shader: "scale.wgsl", items: "n", bind: { "to": "other" }, set: { "FACTOR": 2, "shift": 1 })"#,
        &["unbound-variable: a"],
    );
    passes(
        r#"Dispatch(name: "a", shader: "scale.wgsl", items: "n", bind: { "from_": "list", "to": "other" }, set: { "FACTOR": 2 })"#,
        &["missing-value: a"],
    );
    passes(
        r#"Dispatch(name: "a", shader: "scale.wgsl", items: "n", bind: { "from_": "list", "to": "other" }, set: { "shift": 1 })"#,
        &["missing-value: a"],
    );
    // A misspelt key is told, and not that its variable or value has nothing.
    let scale = |bind: &str, set: &str, expected: &[&str]| {
        let pass = format!(
            r#"Dispatch(name: "a", shader: "scale.wgsl", items: "n", bind: {{ {bind}, "to": "other" }}, set: {{ {set} }})"#
        );
        passes(&pass, expected);
    };
    scale(r#""form_": "list""#, r#""FACTOR": 2, "shift": 1"#, &["unknown-variable: form_"]);
    scale(r#""from_": "list""#, r#""FACTR": 2, "shift": 1"#, &["unknown-value: FACTR"]);
    scale(r#""from_": "list""#, r#""FACTOR": 2, "shfit": 1"#, &["unknown-value: shfit"]);
    scale(r#""nothing": "list""#, r#""FACTOR": 2, "shift": 1"#, &["unbound-variable: a", "unknown-variable: nothing"]);
    check(
        &frame(
            "",
            r#""view": Uniform({ "view_proj": "camera.view_proj" }), "props": Meshes([Cube]), "color": Texture(format: Rgba8Unorm, size: Surface)"#,
            r#"Render(name: "a", color: [(target: "color", clear: (0, 0, 0, 1))], draws: [(shader: "draw.wgsl", call: DrawIndexed(mesh: "props[0]"))])"#,
        ),
        &[],
        &["missing-member: (shader: \"draw.wgsl\", call: DrawIndexed(mesh: \"props[0]\"))"],
    );
}

#[test]
fn kinds_types_and_values() {
    passes(r#"ClearBuffer(name: "a", target: "n")"#, &["wrong-kind: n"]);
    passes(r#"ClearBuffer(name: "a", target: "image")"#, &["wrong-kind: image"]);
    passes(r#"ClearBuffer(name: "a", target: "props")"#, &["wrong-kind: props"]);
    passes(r#"ClearBuffer(name: "a", target: "list.vertices")"#, &["wrong-kind: .vertices"]);
    passes(r#"ClearBuffer(name: "a", target: "list.previous")"#, &["no-previous: .previous"]);
    passes(r#"Dispatch(name: "a", shader: "fill.wgsl", items: "n + true")"#, &["type-mismatch: n + true"]);
    passes(r#"Dispatch(name: "a", shader: "fill.wgsl", items: 0.5)"#, &["type-mismatch: 0.5"]);
    passes(r#"Dispatch(name: "a", shader: "fill.wgsl", items: "len(n)")"#, &["wrong-kind: n"]);
    passes(r#"Dispatch(name: "a", shader: "fill.wgsl", items: "n / (n - 8)")"#, &["arithmetic: n / (n - 8)"]);
    passes(r#"Dispatch(name: "a", shader: "fill.wgsl", items: "n - 9")"#, &["negative-size: n - 9"]);
    passes(r#"Dispatch(name: "a", shader: "fill.wgsl", items: "frame.index")"#, &["unplannable-value: frame.index"]);
    passes(
        r#"Dispatch(name: "a", shader: "scale.wgsl", items: "n", bind: { "from_": "list", "to": "other" }, set: { "FACTOR": "camera.near", "shift": 1 })"#,
        &["unplannable-value: camera.near"],
    );
    passes(
        r#"Dispatch(name: "a", shader: "scale.wgsl", items: "n", bind: { "from_": "list", "to": "other" }, set: { "FACTOR": 2, "shift": "frame.time" })"#,
        &["type-mismatch: frame.time"],
    );
    passes(
        r#"Dispatch(name: "a", shader: "scale.wgsl", items: "n", bind: { "from_": "list", "to": "other" }, set: { "FACTOR": 2, "shift": -1 })"#,
        &["number-range: -1"],
    );
    passes(r#"Dispatch(name: "a", shader: "fill.wgsl", items: "n", when: "n")"#, &["type-mismatch: n"]);
    // The second operand is not asked where the first decides.
    passes(r#"Dispatch(name: "a", shader: "fill.wgsl", items: "n", when: "n > 100 && 1 / (n - 8) > 0")"#, &[]);
}

#[test]
fn textures_and_attachments() {
    let blur = |src: &str, dst: &str| {
        format!(
            r#"Dispatch(name: "a", shader: "blur.wgsl", items: (16, 16), bind: {{ "src": "{src}", "dst": "{dst}" }})"#
        )
    };
    passes(&blur("image.mip(0)", "image.mip(1)"), &[]);
    passes(&blur("image.mip(0)", "image"), &["binding-mismatch: image"]);
    passes(&blur("image.mip(3)", "image.mip(1)"), &["subresource-range: .mip(3)"]);
    passes(&blur("image", "image.mip(1)"), &["usage-conflict: image.mip(1)"]);
    passes(&blur("list", "image.mip(1)"), &["binding-mismatch: list"]);
    passes(&blur("image.mip(0)", "color"), &["binding-mismatch: color"]);
    let render = |color: &str, depth: &str| {
        format!(
            r#"Render(name: "a", color: [(target: "{color}", clear: (0, 0, 0, 1))], depth: (target: "{depth}", clear: 1))"#
        )
    };
    passes(&render("color", "depth"), &[]);
    passes(&render("color", "color"), &["attachment-mismatch: color"]);
    passes(&render("depth", "depth"), &["attachment-mismatch: depth"]);
    passes(&render("image", "depth"), &["subresource-range: image"]);
    passes(&render("image.mip(0)", "depth"), &["attachment-mismatch: (target: \"depth\", clear: 1)"]);
    passes(r#"Render(name: "a", color: [(target: "list", clear: (0, 0, 0, 1))])"#, &["wrong-kind: list"]);
    passes(
        r#"Render(name: "a", color: [(target: "color", clear: (0, 0, 0, 1))], depth: (target: "depth", clear: 2))"#,
        &["number-range: 2"],
    );
}

#[test]
fn draws() {
    let draw = |draw: &str| {
        format!(
            r#"Render(name: "a", color: [(target: "color", clear: (0, 0, 0, 1))], draws: [(shader: "draw.wgsl", {draw})])"#
        )
    };
    passes(&draw("call: Draw(vertices: 3)"), &["vertex-layout: (shader: \"draw.wgsl\", call: Draw(vertices: 3))"]);
    passes(&draw(r#"vertex_buffers: ["props"], call: Draw(vertices: 3)"#), &["wrong-kind: props"]);
    passes(&draw(r#"vertex_buffers: ["props.vertices"], call: Draw(vertices: 3)"#), &[]);
    passes(
        &draw(r#"vertex_buffers: ["props.vertices"], call: DrawIndexed(indices: 3)"#),
        &[r#"vertex-layout: (shader: "draw.wgsl", vertex_buffers: ["props.vertices"], call: DrawIndexed(indices: 3))"#],
    );
    passes(&draw(r#"call: DrawIndexed(mesh: "props[1]")"#), &["subresource-range: props[1]"]);
    passes(
        &draw(r#"call: DrawIndexed(mesh: "props[0]"), when: "frame.index > 3""#),
        &["unplannable-value: frame.index > 3"],
    );
    passes(
        r#"Dispatch(name: "b", shader: "fill.wgsl", items: 1, bind: { "list": "args" }, set: {}),
        Render(name: "a", color: [(target: "color", clear: (0, 0, 0, 1))],
            draws: [(shader: "draw.wgsl", vertex_buffers: ["props.vertices"], call: DrawIndirect(args: "args", count: "draw_index"))])"#,
        &["unplannable-value: draw_index"],
    );
}

#[test]
fn transfers_and_scans() {
    passes(r#"ClearBuffer(name: "a", target: "list", size: 6)"#, &["copy-alignment: 6"]);
    passes(r#"ClearBuffer(name: "a", target: "list", offset: 3, size: 8)"#, &["copy-alignment: 3"]);
    passes(r#"CopyBuffer(name: "a", source: "list", target: "list")"#, &["copy-within: list"]);
    passes(r#"ClearBuffer(name: "a", target: "list", offset: 16, size: 16)"#, &[]);
    passes(r#"ClearBuffer(name: "a", target: "list", offset: 16, size: 20)"#, &["range: list"]);
    passes(r#"ClearBuffer(name: "a", target: "list", offset: 36)"#, &["range: list"]);
    passes(r#"CopyBuffer(name: "a", source: "list", target: "args", size: 36)"#, &["range: list"]);
    passes(r#"CopyBuffer(name: "a", source: "list", target: "args", target_offset: 16, size: 32)"#, &["range: args"]);
    passes(r#"CopyBuffer(name: "a", source: "list", source_offset: 16, target: "args")"#, &[]);
    passes(r#"CopyTexture(name: "a", source: "image", target: "color")"#, &["subresource-range: image"]);
    passes(r#"CopyTexture(name: "a", source: "depth", target: "color")"#, &["attachment-mismatch: color"]);
    passes(
        r#"CopyTexture(name: "a", source: "image.mip(0)", target: "color", size: (32, 32))"#,
        &["range: image.mip(0)"],
    );
    passes(r#"Scan(name: "a", input: "list", output: "list")"#, &["copy-within: list"]);
    passes(r#"Scan(name: "a", input: "image", output: "list")"#, &["wrong-kind: image"]);
}

#[test]
fn several_uses_at_once() {
    let both = r#"Dispatch(name: "a", shader: "args.wgsl", indirect: "args", bind: { "other": "list" })"#;
    passes(both, &["indirect-written-in-same-dispatch: args"]);
    let alias = r#"Dispatch(name: "a", shader: "args.wgsl", items: 1, bind: { "args": "list", "other": "list" })"#;
    passes(alias, &["aliased-writable: list"]);
    let read = r#"Dispatch(name: "a", shader: "scale.wgsl", items: "n", bind: { "from_": "list", "to": "list" }, set: { "FACTOR": 1, "shift": 1 })"#;
    passes(read, &["usage-conflict: list"]);
}

#[test]
fn sizes() {
    let one = |resources: &str, expected: &[&str]| {
        check(&frame("", resources, r#"Dispatch(name: "a", shader: "fill.wgsl", items: 4)"#), &[], expected);
    };
    one(r#""list": Buffer(count: 4)"#, &[]);
    one(r#""list": Buffer()"#, &["missing-field: Buffer"]);
    one(r#""list": Buffer(count: "len(list)")"#, &["size-cycle: list"]);
    one(r#""list": Buffer(count: "len(b)"), "b": Buffer(count: "len(list)")"#, &["size-cycle: list"]);
    one(r#""list": Buffer(count: -1)"#, &["negative-size: -1"]);
    one(r#""list": Buffer(count: 4294967295, stride: 4294967296)"#, &["stride-mismatch: a"]);
    one(r#""list": Buffer(count: 9223372036854775807)"#, &["number-range: list"]);
    one(r#""list": Buffer(size: 2)"#, &["binding-size: a"]);
    one(r#""list": Buffer(count: 2, values: [1, 2, 3])"#, &["binding-size: list"]);
    one(r#""list": Buffer(count: 2, values: [1, 99999999999])"#, &["number-range: 99999999999"]);
    one(r#""list": Buffer(file: "nothing.bin")"#, &["missing-file: nothing.bin"]);
    one(r#""list": Buffer(count: 4, stride: 0)"#, &["number-range: 0"]);
    one(r#""list": Buffer(count: 4), "t": Texture(size: (1, 1))"#, &["missing-field: Texture"]);
    one(r#""list": Buffer(count: 4), "m": Meshes([Sphere(rings: 1)])"#, &["out-of-range: 1"]);
    let padded = r#"Dispatch(name: "a", shader: "padded.wgsl", items: 20)"#;
    check(&frame("", r#""list": Buffer(count: 20, stride: 20)"#, padded), &[], &["stride-mismatch: a"]);
    check(&frame("", r#""list": Buffer(count: 20, stride: 32)"#, padded), &[], &[]);
    let two = format!(r#"Dispatch(name: "b", shader: "fill.wgsl", items: 4), {padded}"#);
    check(&frame("", r#""list": Buffer(count: 20)"#, &two), &[], &["stride-mismatch: a"]);
    check(&frame("", r#""list": Buffer(count: 20, stride: 4)"#, &two), &[], &[]);
    let clear = r#"ClearBuffer(name: "a", target: "b")"#;
    check(&frame("", r#""b": Buffer(count: 20)"#, clear), &[], &["unknown-stride: b"]);
}

#[test]
fn repeats() {
    passes(r#"Repeat(name: "r", var: "n", count: 2, passes: [])"#, &["shadowed-name: n"]);
    passes(
        r#"Repeat(name: "r", var: "i", count: 4_000_000_000, passes: [ClearBuffer(name: "a", target: "list", size: 4)])"#,
        &["expansion-limit: 4_000_000_000"],
    );
    passes(
        r#"Repeat(name: "r", var: "i", count: 60_000, passes: [Repeat(name: "s", var: "j", count: 60_000, passes: [ClearBuffer(name: "a", target: "list", size: 4)])])"#,
        &[r#"expansion-limit: ClearBuffer(name: "a", target: "list", size: 4)"#],
    );
    passes(r#"Repeat(name: "r", var: "i", count: 0, passes: [ClearBuffer(name: "a", target: "list", size: 4)])"#, &[]);
}

#[test]
fn once_passes() {
    passes(
        r#"Dispatch(name: "a", shader: "scale.wgsl", items: "n", run: Once, bind: { "from_": "list", "to": "other" }, set: { "FACTOR": 2, "shift": "frame.index" })"#,
        &["once-reads-frame: a"],
    );
    passes(
        r#"ClearBuffer(name: "a", target: "list", run: Once, when: "frame.index > 2")"#,
        &["once-reads-frame: frame.index > 2"],
    );
}

#[test]
fn dispatches_beyond_the_limit() {
    let many = |n: &str, expected: &[&str]| {
        let pass = format!(r#"Dispatch(name: "a", shader: "fill.wgsl", items: {n})"#);
        check(&frame("", r#""list": Buffer(count: 4)"#, &pass), &[], expected);
    };
    many("4194240", &[]); // 64 * 65,535
    many("4194241", &["dispatch-limit: 4194241"]);
    many("(4194240, 65536)", &["dispatch-limit: (4194240, 65536)"]);
}

#[test]
fn includes() {
    let main = |bind: &str, set: &str| {
        frame(
            r#""n": Int(default: 8, min: 0, max: 1000)"#,
            r#""list": Buffer(count: "n"), "image": Texture(format: Rgba8Unorm, size: (4, 4))"#,
            &format!(r#"Include(name: "inc", graph: "part.ron", bind: {{{bind}}}, set: {{{set}}})"#),
        )
    };
    let part = |params: &str, list: &str, passes: &str| {
        format!(r#"(version: 1, params: {{{params}}}, resources: {{"list": {list}}}, passes: [{passes}])"#)
    };
    let fill = r#"Dispatch(name: "a", shader: "fill.wgsl", items: "len(list)")"#;
    let case = |main: &str, part: &str, expected: &[&str]| check(main, &[("part.ron", part)], expected);
    case(&main("", ""), &part("", "Out(Buffer())", fill), &[]);
    case(&main("", ""), &part("", "In(Buffer())", fill), &["port-direction: a"]);
    case(&main("", ""), &part("", "Out(Buffer())", ""), &["port-direction: inc"]);
    case(&main("", ""), &part("", "Out(Texture())", fill), &["port-mismatch: inc"]);
    case(&main(r#""lists": "list""#, ""), &part("", "Out(Buffer())", fill), &["unknown-port: lists"]);
    case(&main(r#""list": "lists""#, ""), &part("", "Out(Buffer())", fill), &["unknown-resource: lists"]);
    case(&main("", r#""k": 1"#), &part("", "Out(Buffer())", fill), &["unknown-value: k"]);
    let k = r#""k": Int(default: 1, min: 0, max: 3)"#;
    case(&main("", r#""k": 4"#), &part(k, "Out(Buffer())", fill), &["value-range: 4"]);
    case(&main("", r#""k": 0.5"#), &part(k, "Out(Buffer())", fill), &["type-mismatch: 0.5"]);
    let other = r#"(version: 1, resources: {"nothing": Out(Buffer())}, passes: [Dispatch(name: "a", shader: "fill.wgsl", items: 1, bind: {"list": "nothing"})])"#;
    case(&main("", ""), other, &["missing-port: inc"]);
    case(&main(r#""nothin": "list""#, ""), other, &["unknown-port: nothin"]);
    check(&main("", ""), &[], &["missing-file: part.ron"]);
    let itself = r#"Include(name: "again", graph: "part.ron")"#;
    case(&main("", ""), &part("", "Out(Buffer())", itself), &["include-cycle: part.ron"]);
    let typed =
        frame("", r#""list": Texture(format: Rgba8Unorm, size: (4, 4))"#, r#"Include(name: "inc", graph: "part.ron")"#);
    let clear = r#"Render(name: "a", color: [(target: "list", clear: (0, 0, 0, 0))])"#;
    case(&typed, &part("", "Out(Texture(format: Rgba8Unorm))", clear), &[]);
    case(&typed, &part("", "Out(Texture(format: R32Float))", clear), &["port-mismatch: inc"]);
}

#[test]
fn a_fault_is_reported_once_and_hides_no_other() {
    passes(
        r#"ClearBuffer(name: "a", target: "lists"), Dispatch(name: "b", shader: "fill.wgsl", items: "m"), ClearBuffer(name: "c", target: "image")"#,
        &["unknown-resource: lists", "unknown-name: m", "wrong-kind: image"],
    );
    // A resource that is wrong is reported where it is declared, not where it is used.
    check(
        &frame(
            "",
            r#""list": Buffer(count: "m")"#,
            r#"Dispatch(name: "a", shader: "fill.wgsl", items: "len(list)"), ClearBuffer(name: "b", target: "list")"#,
        ),
        &[],
        &["unknown-name: m"],
    );
}
