//! Public reports of what goes wrong in this work, each as it would be for rondag, named by its id: those about graphs,
//! shaders, sizes and names. Others stand with what they are about.

use rondag::diagnostic::Level;
use rondag::graph::Settings;
use rondag::lint::Profile;

use super::checked::{self, Checked, checked};

impl Checked {
    /// Codes with the characters they stand at, in order of place; notes left out.
    fn faults(&self) -> Vec<String> {
        let faults = self.found.iter().filter(|fault| fault.level > Level::Note);
        faults.map(|fault| format!("{}: {}", fault.rule.code, self.text(fault))).collect()
    }

    /// All that the only fault says.
    #[track_caller]
    fn only(&self) -> String {
        let faults: Vec<_> = self.found.iter().filter(|fault| fault.level > Level::Note).collect();
        let [fault] = faults.as_slice() else { panic!("{:#?}", self.faults()) };
        let labels = std::iter::once(&fault.primary).chain(&fault.secondary).map(|label| label.text.clone());
        let texts =
            std::iter::once(fault.message.clone()).chain(labels).chain(fault.help.clone()).chain(fault.notes.clone());
        texts.collect::<Vec<_>>().join("\n")
    }
}

/// Checks the inside of a frame with shaders by their names.
fn check_with(body: &str, shaders: &[(&str, &str)], settings: &Settings) -> Checked {
    let text = format!("(version: 1, {body})");
    let paths: Vec<String> = shaders.iter().map(|(name, _)| format!("shaders/{name}")).collect();
    let shaders = paths.iter().zip(shaders).map(|(path, (_, text))| (path.as_str(), *text));
    checked(shaders.chain([("frame.ron", text.as_str())]), settings, &Profile::default())
}

fn check(body: &str, shaders: &[(&str, &str)]) -> Checked {
    check_with(body, shaders, &Settings::default())
}

const FILL: (&str, &str) = ("fill.wgsl", checked::FILL);

const TRIANGLE: (&str, &str) = (
    "triangle.wgsl",
    "@vertex fn corner(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f { return vec4f(f32(i), 0.0, 0.5, 1.0); }
@fragment fn shade() -> @location(0) vec4f { return vec4f(1.0); }",
);

#[test]
fn br_009_a_missing_pass_is_named_once_a_place() {
    let passes = |after: &str| {
        format!(
            "resources: {{ \"a\": Buffer(count: 64), \"b\": Buffer(count: 64) }}, passes: [
                Dispatch(name: \"shadow_pass\", shader: \"fill.wgsl\", items: 64, bind: {{ \"list\": \"a\" }}),
                Dispatch(name: \"main_pass\", shader: \"fill.wgsl\", items: 64, bind: {{ \"list\": \"b\" }}, after: [{after}]),
            ], outputs: [\"a\", \"b\"]"
        )
    };
    let one = check(&passes("\"ShadowPass\""), &[FILL]);
    assert!(one.only().contains("did you mean `shadow_pass`?"), "{}", one.only());
    let three = check(&passes("\"ShadowPass\", \"ShadowPass\", \"ShadowPass\""), &[FILL]);
    assert_eq!(three.faults(), ["unknown-pass: ShadowPass"; 3]);
}

#[test]
fn br_019_depth_is_sampled_only_where_nothing_writes_it() {
    let shadow = (
        "shadow.wgsl",
        "@group(0) @binding(0) var depth: texture_depth_2d;
@vertex fn corner(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f { return vec4f(f32(i), 0.0, 0.5, 1.0); }
@fragment fn shade(@builtin(position) at: vec4f) -> @location(0) vec4f { return vec4f(textureLoad(depth, vec2u(at.xy), 0)); }",
    );
    let frame = |state: &str| {
        format!(
            "resources: {{ \"depth\": Texture(format: Depth32Float, size: Surface), \"color\": Texture(format: Rgba8Unorm, size: Surface) }},
            passes: [
                Render(name: \"first\", depth: (target: \"depth\", clear: 1), color: [(target: \"color\", clear: (0, 0, 0, 1))],
                    draws: [(shader: \"triangle.wgsl\", call: Draw(vertices: 3))]),
                Render(name: \"second\", depth: (target: \"depth\"), color: [(target: \"color\")],
                    draws: [(shader: \"shadow.wgsl\", call: Draw(vertices: 3){state})]),
            ], outputs: [\"color\"]"
        )
    };
    let clash = check(&frame(""), &[shadow, TRIANGLE]);
    assert!(
        clash.only().contains("a depth attachment") && clash.only().contains("a sampled texture"),
        "{}",
        clash.only()
    );
    assert!(check(&frame(", depth: (write: false)"), &[shadow, TRIANGLE]).faults().is_empty());
}

#[test]
fn br_031_imports_in_a_circle_show_the_way() {
    let entry = (
        "x.wgsl",
        "#import \"a.wgsl\"
@group(0) @binding(0) var<storage, read_write> list: array<u32>;
@compute @workgroup_size(64) fn fill() { list[0] = one(); }",
    );
    let frame = "resources: { \"list\": Buffer(count: 4) }, passes: [Dispatch(name: \"x\", shader: \"x.wgsl\", groups: 1)], outputs: [\"list\"]";
    let two = check(
        frame,
        &[
            entry,
            ("lib/a.wgsl", "#import \"b.wgsl\"\nfn one() -> u32 { return two(); }"),
            ("lib/b.wgsl", "#import \"a.wgsl\"\nfn two() -> u32 { return 2u; }"),
        ],
    );
    assert!(two.faults()[0].starts_with("import-cycle: "), "{:?}", two.faults());
    assert!(two.only().contains("a.wgsl") && two.only().contains("b.wgsl"), "{}", two.only());
    let itself = check(frame, &[entry, ("lib/a.wgsl", "#import \"a.wgsl\"\nfn one() -> u32 { return 1u; }")]);
    assert!(itself.faults()[0].starts_with("import-cycle: "), "{:?}", itself.faults());
}

#[test]
fn br_048_uniform_structs_are_rounded_up() {
    let shader = (
        "use.wgsl",
        "struct Big { m: array<vec4f, 9>, x: f32 }
@group(0) @binding(0) var<uniform> big: Big;
@group(0) @binding(1) var<storage, read_write> list: array<f32>;
@compute @workgroup_size(64) fn use_(@builtin(global_invocation_id) id: vec3u) {
    if id.x < arrayLength(&list) { list[id.x] = big.x + big.m[1].y; }
}",
    );
    let frame = |size: &str| {
        format!(
            "resources: {{ \"big\": Buffer({size}, values: [1.0], lifetime: Persistent), \"list\": Buffer(count: 64) }},
            passes: [Dispatch(name: \"use\", shader: \"use.wgsl\", items: 64)], outputs: [\"list\"]"
        )
    };
    let small = check(&frame("size: 148"), &[shader]);
    assert!(small.only().contains("148") && small.only().contains("160"), "{}", small.only());
    assert!(check(&frame("size: 160"), &[shader]).faults().is_empty());
    assert!(check(&frame("count: 1"), &[shader]).faults().is_empty());
}

#[test]
fn br_050_a_variable_that_no_code_uses_may_stay_bound() {
    let shader = |body: &str| {
        format!(
            "@group(0) @binding(0) var<storage, read_write> list: array<u32>;
@group(0) @binding(2) var<storage, read> other: array<u32>;
@compute @workgroup_size(64) fn fill(@builtin(global_invocation_id) id: vec3u) {{
    if id.x < arrayLength(&list) {{ list[id.x] = {body}; }}
}}"
        )
    };
    let frame = "resources: { \"a\": Buffer(count: 64), \"b\": Buffer(count: 64) }, passes: [
            Dispatch(name: \"fill\", shader: \"fill.wgsl\", items: 64, bind: { \"list\": \"b\" }),
            Dispatch(name: \"use\", shader: \"use.wgsl\", items: 64, bind: { \"list\": \"a\", \"other\": \"b\" }),
        ], outputs: [\"a\", \"b\"]";
    for body in ["other[id.x]", "id.x"] {
        let shader = shader(body);
        let found = check(frame, &[FILL, ("use.wgsl", &shader)]);
        assert!(found.found.iter().all(|fault| fault.level < Level::Error), "{:?}", found.faults());
    }
}

#[test]
fn br_052_barriers_that_some_do_not_reach_are_told() {
    for body in
        ["if i < 9u { part[i] = 1u; workgroupBarrier(); }", "if i > 9u { return; } workgroupBarrier(); part[i] = 1u;"]
    {
        let text = format!(
            "@group(0) @binding(0) var<storage, read_write> list: array<u32>;
var<workgroup> part: array<u32, 64>;
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {{ {body} list[0] = part[0]; }}"
        );
        let frame = "resources: { \"list\": Buffer(count: 4) }, passes: [Dispatch(name: \"x\", shader: \"x.wgsl\", groups: 1)], outputs: [\"list\"]";
        let found = check(frame, &[("x.wgsl", &text)]);
        assert!(found.faults()[0].starts_with("non-uniform-barrier: "), "{body}: {:?}", found.faults());
        assert!(found.only().contains("browsers refuse"), "{}", found.only());
    }
}

#[test]
fn br_054_the_product_of_a_workgroup_is_named() {
    let cube = (
        "cube.wgsl",
        "@group(0) @binding(0) var<storage, read_write> list: array<u32>;
@compute @workgroup_size(8, 8, 8) fn cube() { list[0] = 1u; }",
    );
    let frame = "resources: { \"list\": Buffer(count: 4) }, passes: [Dispatch(name: \"x\", shader: \"cube.wgsl\", groups: 1)], outputs: [\"list\"]";
    let said = check(frame, &[cube]).only();
    assert!(
        said.contains("512") && said.contains("256") && said.contains("max_compute_invocations_per_workgroup"),
        "{said}"
    );
}

/// The stride of arguments against the kind of draw; the picture of counted draws needs a device that has them.
#[test]
fn br_056_arguments_have_the_size_of_their_call() {
    let writer = |fields: &str| {
        format!(
            "struct Draw {{ {fields} }}
@group(0) @binding(0) var<storage, read_write> args: array<Draw>;
@compute @workgroup_size(1) fn arguments() {{ args[0].vertices = 3u; args[1].instances = 1u; }}"
        )
    };
    let (four, five) = (
        writer("vertices: u32, instances: u32, first: u32, first_instance: u32"),
        writer("vertices: u32, instances: u32, first: u32, base: u32, first_instance: u32"),
    );
    let frame = |call: &str| {
        let indices = if call.contains("Indexed") { "index_buffer: \"pack.indices\", " } else { "" };
        let pack = if indices.is_empty() { "" } else { "\"pack\": Meshes([Cube]), " };
        format!(
            "resources: {{ \"args\": Buffer(count: 4), {pack}\"color\": Texture(format: Rgba8Unorm, size: Surface) }},
            passes: [
                ClearBuffer(name: \"reset\", target: \"args\"),
                Dispatch(name: \"arguments\", shader: \"arguments.wgsl\", groups: 1),
                Render(name: \"draw\", color: [(target: \"color\", clear: (0, 0, 0, 1))],
                    draws: [(shader: \"triangle.wgsl\", {indices}call: {call}(args: \"args\", count: 4))]),
            ], outputs: [\"color\"]"
        )
    };
    for (call, right, wrong) in [("DrawIndirect", &four, &five), ("DrawIndexedIndirect", &five, &four)] {
        let frame = frame(call);
        assert_eq!(check(&frame, &[TRIANGLE, ("arguments.wgsl", right)]).faults(), [""; 0], "{call}");
        assert_eq!(check(&frame, &[TRIANGLE, ("arguments.wgsl", wrong)]).faults(), ["indirect-stride: args"], "{call}");
    }
}

#[test]
fn br_058_a_first_instance_needs_its_feature() {
    let frame = |first: u32| {
        format!(
            "resources: {{ \"args\": Buffer(values: [3, 1, 0, {first}], stride: 16, lifetime: Persistent), \"color\": Texture(format: Rgba8Unorm, size: Surface) }},
            passes: [Render(name: \"draw\", color: [(target: \"color\", clear: (0, 0, 0, 1))],
                draws: [(shader: \"triangle.wgsl\", call: DrawIndirect(args: \"args\"))])], outputs: [\"color\"]"
        )
    };
    let said = check(&frame(7), &[TRIANGLE]).only();
    assert!(said.contains("instance 7") && said.contains("IndirectFirstInstance"), "{said}");
    assert!(check(&frame(0), &[TRIANGLE]).faults().is_empty());
}

#[test]
fn br_060_dispatches_fold_or_say_why_not() {
    let folding = (
        "fold.wgsl",
        "@group(0) @binding(0) var<storage, read_write> list: array<u32>;
@compute @workgroup_size(64) fn fill(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let at = id.x + id.y * groups.x * 64u;
    if at < arrayLength(&list) { list[at] = at; }
}",
    );
    let frame = |shader: &str, items: u64| {
        format!(
            "resources: {{ \"list\": Buffer(count: 64) }}, passes: [Dispatch(name: \"x\", shader: \"{shader}\", items: {items})], outputs: [\"list\"]"
        )
    };
    for items in [64 * 65_535, 64 * 65_535 + 1, 50_000_000] {
        assert!(check(&frame("fold.wgsl", items), &[folding]).faults().is_empty(), "{items}");
        let found = check(&frame("fill.wgsl", items), &[FILL]);
        if items == 64 * 65_535 {
            assert!(found.faults().is_empty());
        } else {
            let said = found.only();
            assert!(said.contains("65535") && said.contains(&items.div_ceil(64).to_string()), "{said}");
        }
    }
}

#[test]
fn br_062_nothing_is_no_fault() {
    let frame = "params: { \"n\": Int(default: 0, min: 0, max: 9) },
        resources: { \"list\": Buffer(count: \"n\"), \"color\": Texture(format: Rgba8Unorm, size: Surface) }, passes: [
            Dispatch(name: \"fill\", shader: \"fill.wgsl\", items: \"n\"),
            Render(name: \"draw\", color: [(target: \"color\", clear: (0, 0, 0, 1))],
                draws: [(shader: \"triangle.wgsl\", call: Draw(vertices: 3, instances: \"n\"))]),
        ], outputs: [\"list\", \"color\"]";
    assert!(check(frame, &[FILL, TRIANGLE]).faults().is_empty());
}

#[test]
fn br_064_clears_and_copies_are_of_whole_words() {
    for (passes, bytes) in [
        ("ClearBuffer(name: \"x\", target: \"b\", offset: 3, size: 8)", "3 bytes"),
        ("ClearBuffer(name: \"x\", target: \"b\", size: 7)", "7 bytes"),
        ("CopyBuffer(name: \"x\", source: \"a\", target: \"b\", size: 6)", "6 bytes"),
    ] {
        let frame = format!(
            "resources: {{ \"a\": Buffer(size: 28, values: [1]), \"b\": Buffer(size: 28) }}, passes: [
                ClearBuffer(name: \"begin\", target: \"b\"), {passes}], outputs: [\"b\", \"a\"]"
        );
        let found = check(&frame, &[]);
        let said: Vec<_> = found.found.iter().filter(|fault| fault.rule.code == "copy-alignment").collect();
        assert!(said.len() == 1 && said[0].message.contains(bytes), "{passes}: {:?}", found.found);
        assert!(said[0].primary.text.contains("multiple of 4") || said[0].message.contains("multiple of 4"));
    }
}

#[test]
fn br_070_sizes_of_the_surface_are_held_against_limits() {
    let frame = "resources: { \"list\": Buffer(count: \"surface.width * surface.height * 4\") }, passes: [
            Dispatch(name: \"fill\", shader: \"fill.wgsl\", items: 64)], outputs: [\"list\"]";
    assert!(check(frame, &[FILL]).faults().is_empty());
    let large = Settings { surface: [5120, 2880], ..Settings::default() };
    let found = check_with(frame, &[FILL], &large);
    assert_eq!(found.faults(), ["binding-size-limit: list"]);
    assert!(found.only().contains("134217728"), "{}", found.only());
}

#[test]
fn br_072_bindings_of_a_stage_are_counted() {
    let nine = |of: &dyn Fn(usize) -> String| (0..9).map(of).collect::<Vec<_>>().concat();
    let variables = nine(&|i| format!("@group(0) @binding({i}) var<storage, read_write> b{i}: array<u32>;\n"));
    let stores = nine(&|i| format!("b{i}[0] = 1u; "));
    let shader = format!("{variables}@compute @workgroup_size(64) fn main() {{ {stores} }}");
    let resources = nine(&|i| format!("\"b{i}\": Buffer(count: 4), "));
    let outputs = nine(&|i| format!("\"b{i}\", "));
    let frame = format!(
        "resources: {{ {resources} }}, passes: [Dispatch(name: \"cull\", shader: \"x.wgsl\", groups: 1)], outputs: [{outputs}]"
    );
    let said = check(&frame, &[("x.wgsl", &shader)]).only();
    assert!(
        said.contains('9') && said.contains('8') && said.contains("max_storage_buffers_per_shader_stage"),
        "{said}"
    );
}

#[test]
fn br_076_samples_agree_or_are_resolved() {
    let frame = |overlay: &str, resolve: &str| {
        format!(
            "resources: {{ \"wide\": Texture(format: Rgba8Unorm, size: Surface, samples: 4),
                \"depth\": Texture(format: Depth32Float, size: Surface), \"flat\": Texture(format: Rgba8Unorm, size: Surface) }},
            passes: [
                Render(name: \"scene\", color: [(target: \"wide\", clear: (0, 0, 0, 1){resolve})],
                    draws: [(shader: \"triangle.wgsl\", call: Draw(vertices: 3))]),
                Render(name: \"overlay\", color: [(target: \"{overlay}\")], depth: (target: \"depth\", clear: 1),
                    draws: [(shader: \"triangle.wgsl\", call: Draw(vertices: 3))]),
            ], outputs: [\"{overlay}\"]"
        )
    };
    let clash = check(&frame("wide", ""), &[TRIANGLE]);
    assert!(clash.faults()[0].starts_with("attachment-mismatch: "), "{:?}", clash.faults());
    assert!(clash.only().contains('4') && clash.only().contains('1'), "{}", clash.only());
    assert_eq!(check(&frame("flat", ", resolve: \"flat\""), &[TRIANGLE]).faults(), [""; 0]);
}
