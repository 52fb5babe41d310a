//! Rules on whole graphs: each fires where it should and is quiet where nothing is wrong.

use rondag::diagnostic::Level;
use rondag::graph::Settings;
use rondag::lint::Profile;

use super::checked::{self, Checked, checked};

const SHADERS: [(&str, &str); 3] = [
    ("shaders/fill.wgsl", checked::FILL),
    (
        "shaders/copy.wgsl",
        "@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;
@compute @workgroup_size(64) fn copy(@builtin(global_invocation_id) id: vec3u) {
    if id.x < arrayLength(&dst) { dst[id.x] = src[id.x]; }
}",
    ),
    (
        "shaders/cube.wgsl",
        "@group(0) @binding(0) var<storage, read_write> list: array<u32>;
@compute @workgroup_size(8, 8, 8) fn cube() { list[0] = 1u; }",
    ),
];

/// Checks a frame with the shaders above.
fn checked_text(text: &str) -> Checked {
    checked(SHADERS.into_iter().chain([("frame.ron", text)]), &Settings::default(), &Profile::default())
}

/// Checks a frame: findings as `level code: characters`, in order of place.
#[track_caller]
fn check(params: &str, resources: &str, passes: &str, outputs: &str, expected: &[&str]) {
    let text = format!(
        "(version: 1, params: {{{params}}}, resources: {{{resources}}}, passes: [{passes}], outputs: [{outputs}])"
    );
    let all = checked_text(&text);
    let shown = |f: &rondag::diagnostic::Diagnostic| format!("{} {}: {}", f.level.name(), f.rule.code, all.text(f));
    let is: Vec<String> = all.found.iter().map(shown).collect();
    assert_eq!(is, expected, "\n{text}\n{:#?}", all.found);
}

const FILL: &str = r#"Dispatch(name: "x", shader: "fill.wgsl", items: 4, bind: { "list": "a" })"#;

#[test]
fn usages_are_a_contract() {
    let usage = |usage: &str, expected: &[&str]| {
        check("", &format!(r#""a": Buffer(count: 4, usage: [{usage}])"#), FILL, "\"a\"", expected);
    };
    usage("Storage", &[]);
    usage("Storage, Vertex", &["warning unused-usage: Vertex"]);
    usage("CopyDst", &["error missing-usage: a"]);
}

#[test]
fn what_reaches_nothing_is_said() {
    let two = format!(r#"{FILL}, Dispatch(name: "y", shader: "fill.wgsl", items: 4, bind: {{ "list": "b" }})"#);
    let resources = r#""a": Buffer(count: 4), "b": Buffer(count: 4)"#;
    check("", resources, &two, "\"b\"", &["warning dead-pass: x"]);
    check("", resources, &two, "\"a\", \"b\"", &[]);
    check("", resources, FILL, "\"a\"", &["warning unused-resource: b"]);
    // In one variant it is read.
    let read = format!(
        r#"{FILL}, Dispatch(name: "y", shader: "copy.wgsl", items: 4, bind: {{ "src": "a", "dst": "b" }}, when: "on")"#
    );
    let clear = format!(r#"ClearBuffer(name: "z", target: "b"), {read}"#);
    let strided = r#""a": Buffer(count: 4), "b": Buffer(count: 4, stride: 4)"#;
    check(r#""on": Bool(default: false)"#, strided, &clear, "\"b\"", &[]);
}

/// A value that one variant's shader takes is no idle value of the other; one that none takes is.
#[test]
fn values_are_idle_in_all_variants_or_not_at_all() {
    let shader = |member: &str| {
        format!(
            "struct View {{ {member}: f32 }} @group(0) @binding(0) var<uniform> view: View;
            @group(0) @binding(1) var<storage, read_write> list: array<f32>;
            @compute @workgroup_size(64) fn put(@builtin(global_invocation_id) id: vec3u) {{
                if id.x < arrayLength(&list) {{ list[id.x] = view.{member}; }} }}"
        )
    };
    let (near, far) = (shader("near"), shader("far"));
    let idle = |values: &str| {
        let text = format!(
            "(version: 1, params: {{ \"of\": Choice(default: \"near\", of: [\"near\", \"far\"]) }},
            resources: {{ \"view\": Uniform({{ {values} }}), \"list\": Buffer(count: 4) }},
            passes: [Dispatch(name: \"x\", shader: \"{{of}}.wgsl\", items: 4)], outputs: [\"list\"])"
        );
        let files = [("shaders/near.wgsl", near.as_str()), ("shaders/far.wgsl", far.as_str()), ("frame.ron", &text)];
        let all = checked(files, &Settings::default(), &Profile::default());
        all.found.iter().map(|found| format!("{} {}", found.rule.code, all.text(found))).collect::<Vec<_>>()
    };
    assert_eq!(idle("\"near\": 1, \"far\": 2"), [""; 0]);
    assert_eq!(idle("\"near\": 1, \"far\": 2, \"wide\": 3"), ["unused-value wide"]);
}

/// What a port leaves out about a list comes from the list that is given, so that who fills it in no order is told where the order
/// is asked for.
#[test]
fn an_included_graph_that_appends_is_held_to_the_order_of_the_list_it_is_given() {
    let append = "@group(0) @binding(0) var<storage, read_write> counter: atomic<u32>;
        @group(0) @binding(1) var<storage, read_write> list: array<u32>;
        @compute @workgroup_size(64) fn append(@builtin(global_invocation_id) id: vec3u) {
            if id.x % 3u == 0u && id.x < arrayLength(&list) { list[4u + atomicAdd(&counter, 1u)] = id.x; } }";
    let inner = "(version: 1, resources: { \"list\": Out(Buffer()), \"counter\": Buffer(count: 1) }, passes: [
        ClearBuffer(name: \"reset\", target: \"counter\"),
        Dispatch(name: \"append\", shader: \"append.wgsl\", items: 4)])";
    let found = |list: &str, lints: &str| {
        let text = format!(
            "(version: 1, resources: {{ \"list\": Buffer(count: 4{list}) }},
            passes: [Include(name: \"i\", graph: \"inner.ron\")], outputs: [\"list\"], {lints})"
        );
        let files = [("shaders/append.wgsl", append), ("inner.ron", inner), ("frame.ron", &text)];
        let all = checked(files, &Settings::default(), &Profile::default());
        all.found.iter().map(|found| format!("{} {}", found.rule.code, all.text(found))).collect::<Vec<_>>()
    };
    let code = "unordered-producer-ordered-consumer";
    assert_eq!(found("", ""), [""; 0]);
    assert_eq!(found(", order: Any", ""), [""; 0]);
    assert_eq!(found(", order: Kept", ""), [format!("{code} list")]);
    assert_eq!(found(", order: Kept", &format!("lints: {{ \"{code}\": Allow }}")), [""; 0]);
}

#[test]
fn outputs_and_histories_are_written() {
    let resources = r#""a": Buffer(count: 4), "z": Buffer(count: 4, stride: 4)"#;
    check("", resources, FILL, "\"a\", \"z\"", &["error unwritten-output: z"]);
    let read = r#"Dispatch(name: "y", shader: "copy.wgsl", items: 4, bind: { "src": "h.previous", "dst": "b" })"#;
    let history = r#""h": Buffer(count: 4, lifetime: History), "b": Buffer(count: 4)"#;
    check("", history, read, "\"b\"", &["error history-not-written: h.previous"]);
    let written = format!(r#"{read}, Dispatch(name: "x", shader: "fill.wgsl", items: 4, bind: {{ "list": "h" }})"#);
    check("", history, &written, "\"b\"", &[]);
}

#[test]
fn limits_name_the_largest_that_fits() {
    let n = r#""n": Int(default: 8, min: 1, max: 40_000_000)"#;
    let big = r#"ClearBuffer(name: "x", target: "a"), Dispatch(name: "y", shader: "fill.wgsl", items: 4, bind: { "list": "a" })"#;
    check(n, r#""a": Buffer(count: "n")"#, big, "\"a\"", &["note binding-size-limit: a"]);
    let n = n.replace("default: 8", "default: 39_000_000");
    let found = {
        let text = format!(
            r#"(version: 1, params: {{{n}}}, resources: {{"a": Buffer(count: "n")}}, passes: [{big}], outputs: ["a"])"#
        );
        checked_text(&text).found
    };
    let error = found.iter().find(|f| f.level == Level::Error).expect("the default is too large");
    assert_eq!(error.rule.code, "binding-size-limit");
    assert!(error.help.contains(&"the largest `n` that fits is 33554432".to_owned()), "{:?}", error.help);
    let cube = r#"Dispatch(name: "x", shader: "cube.wgsl", items: (8, 8, 8), bind: { "list": "a" })"#;
    check("", r#""a": Buffer(count: 4)"#, cube, "\"a\"", &["error workgroup-limit: cube"]);
}

#[test]
fn only_roots_are_told() {
    let broken = r#"Dispatch(name: "x", shader: "nothing.wgsl", items: 4, bind: { "list": "a" })"#;
    check(
        "",
        r#""a": Buffer(count: 4), "b": Buffer(count: 4)"#,
        broken,
        "\"a\"",
        &["error missing-file: nothing.wgsl"],
    );
}

/// What a faulty text, Repeat or Include would have done is not known: nothing that hangs on it is told.
#[test]
fn faults_are_told_once_where_they_are() {
    let list = r#""list": Buffer(count: 4)"#;
    let fill = r#"Dispatch(name: "x", shader: "fill.wgsl", items: 4)"#;
    let cases = [
        (r#""list": Buffer(count: "2 * (4")"#, fill, "error bad-expression: "),
        (r#""list": Buffer(count: 4, size: 16)"#, fill, "error conflicting-fields: size"),
        (
            list,
            r#"Dispatch(name: "x", shader: "fill.wgsl", items: 4, bind: { "list": "a-" })"#,
            "error bad-expression: -",
        ),
        (
            list,
            r#"Repeat(name: "r", var: "i", count: 100_000, passes: [ClearBuffer(name: "c", target: "list")])"#,
            "error expansion-limit: 100_000",
        ),
        (list, r#"Include(name: "part", graph: "nothing.ron")"#, "error missing-file: nothing.ron"),
    ];
    for (resources, passes, due) in cases {
        check("", resources, passes, "\"list\"", &[due]);
    }
}

#[test]
fn thousands_of_passes_that_come_after_one_are_looked_at_once() {
    let passes = (0..3_000).map(|i| {
        let after = if i == 0 { "" } else { ", after: [\"p0\"]" };
        format!("CopyBuffer(name: \"p{i}\", source: \"b{i}\", target: \"b{}\", size: 16{after}), ", i + 1)
    });
    let buffers = (0..=3_000).map(|i| format!("\"b{i}\": Buffer(size: 16), "));
    let text = |extra: &str| {
        let (buffers, passes) = (buffers.clone().collect::<String>(), passes.clone().collect::<String>());
        format!(
            "(version: 1, resources: {{ {buffers} }}, passes: [ClearBuffer(target: \"b0\"), {passes} {extra}], outputs: [\"b3000\"])"
        )
    };
    assert_eq!(checked_text(&text("")).found, []);
    let found = checked_text(&text("ClearBuffer(name: \"last\", target: \"b3000\", after: [\"lost\"])")).found;
    assert_eq!(found.iter().map(|fault| fault.rule.code).collect::<Vec<_>>(), ["unknown-pass"]);
}

#[test]
fn files_set_levels_for_themselves() {
    let text = |lints: &str| {
        format!(
            r#"(version: 1, resources: {{"a": Buffer(count: 4), "b": Buffer(count: 4)}}, passes: [{FILL}], outputs: ["a"], lints: {{{lints}}})"#
        )
    };
    let levels = |lints: &str| {
        let found = checked_text(&text(lints)).found;
        found.iter().map(|f| (f.rule.code, f.level)).collect::<Vec<_>>()
    };
    assert_eq!(levels(""), [("unused-resource", Level::Warning)]);
    assert_eq!(levels(r#""unused-resource": Allow"#), []);
    assert_eq!(levels(r#""unused-resource": Deny"#), [("unused-resource", Level::Error)]);
    let never = levels(r#""unused-resource": Allow(when: "1 > 2")"#);
    assert_eq!(never, [("unused-resource", Level::Warning), ("unused-allow", Level::Warning)]);
    let unknown = levels(r#""unused-resorce": Allow"#);
    assert!(unknown.contains(&("unknown-lint", Level::Error)), "{unknown:?}");
}

/// A shader with subgroups of which `index` says where the first invocation of each puts its sum.
fn subgroup_shader(arguments: &str, leads: &str, index: &str) -> String {
    format!(
        "@group(0) @binding(0) var<storage, read_write> list: array<u32>;
var<workgroup> sums: array<u32, 64>;
@compute @workgroup_size(64) fn total(@builtin(local_invocation_index) i: u32{arguments}) {{
    let sum = subgroupAdd(list[i]);
    if {leads} {{ sums[{index}] = sum; }}
    workgroupBarrier();
    if i == 0u {{ list[0] = sums[0]; }}
}}"
    )
}

#[test]
fn subgroups_have_no_fixed_size() {
    let found = |arguments: &str, leads: &str, index: &str| {
        let shader = subgroup_shader(arguments, leads, index);
        let frame = "(version: 1, requires: [Subgroup], resources: { \"list\": Buffer(count: 64, values: [1], lifetime: Persistent) },
            passes: [Dispatch(name: \"total\", shader: \"total.wgsl\", groups: 1)], outputs: [\"list\"])";
        let mut profile = Profile::default();
        profile.features |= wgpu_types::Features::SUBGROUP;
        let files = [("frame.ron", frame), ("shaders/total.wgsl", shader.as_str())];
        let all = checked(files, &Settings::default(), &profile);
        all.found.iter().map(|f| format!("{}: {}", f.rule.code, all.text(f))).collect::<Vec<_>>()
    };
    for (leads, index, split) in [
        ("i % 32u == 0u", "i / 32u", "i % 32u"),
        ("(i & 31u) == 0u", "i >> 5u", "i & 31u"),
        ("(i & 63u) == 0u", "i >> 6u", "i & 63u"),
    ] {
        assert_eq!(found("", leads, index), [format!("fixed-subgroup-size: {split}")]);
    }
    let asks = ", @builtin(subgroup_size) size: u32, @builtin(subgroup_invocation_id) lane: u32";
    assert!(found(asks, "lane == 0u", "i / size").is_empty());
    let by_id = ", @builtin(subgroup_id) id: u32, @builtin(subgroup_invocation_id) lane: u32";
    assert!(found(by_id, "lane == 0u", "id").is_empty());
}
