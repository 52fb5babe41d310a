//! What a draft holds: expansion, defaults, folding.

use rondag::graph::{Call, Effect, Groups, PassKind, ResourceKind, Settings, Value};

use super::{resolve_files, shown};

const FILL: (&str, &str) = (
    "shaders/fill.wgsl",
    "#import \"index.wgsl\"
@group(0) @binding(0) var<storage, read_write> list: array<u32>;
@compute @workgroup_size(64) fn fill(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = linear_index(id, groups, 64u);
    if i < arrayLength(&list) { list[i] = i; }
}",
);

fn draft(text: &str) -> rondag::graph::Draft {
    let (library, draft, found) = resolve_files([FILL, ("frame.ron", text)], &Settings::default());
    assert!(found.is_empty(), "{}", shown(&library, &found));
    draft
}

fn groups(items: &str) -> Groups {
    let draft = draft(&format!(
        r#"(version: 1, resources: {{"list": Buffer(count: 4)}}, passes: [Dispatch(name: "a", shader: "fill.wgsl", items: {items})])"#
    ));
    match &draft.passes.iter().next().expect("a pass").kind {
        PassKind::Dispatch(dispatch) => dispatch.groups,
        other => panic!("{other:?}"),
    }
}

#[test]
fn items_become_groups_and_fold_above_the_limit() {
    assert_eq!(groups("0"), Groups::Fixed([0; 3]));
    assert_eq!(groups("1"), Groups::Fixed([1, 1, 1]));
    assert_eq!(groups("65"), Groups::Fixed([2, 1, 1]));
    assert_eq!(groups("4194240"), Groups::Fixed([65_535, 1, 1]));
    assert_eq!(groups("4194241"), Groups::Fixed([65_535, 2, 1]));
    assert_eq!(groups("50_000_000"), Groups::Fixed([65_535, 12, 1]));
    assert_eq!(groups("(128, 3)"), Groups::Fixed([2, 3, 1]));
}

#[test]
fn passes_are_named_by_where_they_are() {
    let draft = draft(
        r#"(version: 1, resources: {"list": Buffer(count: 4)}, passes: [
            Repeat(name: "down", var: "i", count: 2, passes: [
                Repeat(name: "inner", var: "j", count: "i + 1", passes: [ClearBuffer(name: "level", target: "list", size: 4)]),
            ]),
            ClearBuffer(target: "list"),
            ClearBuffer(name: "off", target: "list", when: "1 > 2"),
            Dispatch(name: "fill", shader: "fill.wgsl", items: 4, after: ["down"]),
        ])"#,
    );
    let names: Vec<&str> = draft.passes.iter().map(|pass| pass.name.as_str()).collect();
    assert_eq!(names, ["down[0]/inner[0]/level", "down[1]/inner[0]/level", "down[1]/inner[1]/level", "1", "fill"]);
    let after = &draft.passes.iter().last().expect("passes").after;
    assert_eq!(after.len(), 3, "`after` of a Repeat means all passes in it");
}

#[test]
fn scans_of_every_length_become_levels() {
    let stages = |n: u64| {
        let draft = draft(&format!(
            r#"(version: 1, resources: {{"list": Buffer(count: {n}), "sum": Buffer(count: {n})}}, passes: [
                Dispatch(name: "fill", shader: "fill.wgsl", items: {n}), Scan(name: "s", input: "list", output: "sum")])"#
        ));
        let names = draft.passes.iter().map(|pass| pass.name.trim_start_matches("s/").to_owned());
        names.skip(1).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(stages(0), "s");
    assert_eq!(stages(1), "last0");
    assert_eq!(stages(1024), "last0");
    assert_eq!(stages(1025), "blocks0 last1 add0");
    assert_eq!(stages(1_048_576), "blocks0 last1 add0");
    assert_eq!(stages(1_048_577), "blocks0 blocks1 last2 add1 add0");
}

#[test]
fn zero_counts_make_a_buffer_of_one_element() {
    let draft = draft(
        r#"(version: 1, resources: {"list": Buffer(count: 0)}, passes: [Dispatch(name: "a", shader: "fill.wgsl", items: "len(list)")])"#,
    );
    let ResourceKind::Buffer(buffer) = &draft.resources.iter().next().expect("a resource").kind else { panic!() };
    assert_eq!((buffer.count, buffer.size), (Some(0), Some(4)));
    assert!(draft.passes.iter().all(|pass| pass.empty));
}

#[test]
fn params_are_structural_where_a_plan_reads_them() {
    let draft = draft(
        r#"(version: 1, params: {
            "n": Int(default: 4, min: 1, max: 9), "kind": Choice(default: "a", of: ["a", "b"]),
            "on": Bool(default: true), "live": Float(default: 1, min: 0, max: 2), "unused": Int(default: 1, min: 0, max: 2),
        }, resources: {"list": Buffer(count: "n"), "u": Uniform({"x": "live"})}, passes: [
            Dispatch(name: "a", shader: "fill.wgsl", items: 4, when: "on && kind == 'a'"),
        ])"#,
    );
    let structural: Vec<&str> = draft.params.iter().filter(|p| p.structural).map(|p| p.name.as_str()).collect();
    assert_eq!(structural, ["n", "kind", "on"]);
}

#[test]
fn a_mip_count_is_an_upper_bound() {
    let draft = draft(
        r#"(version: 1, resources: {"list": Buffer(count: "mips(t)"), "t": Texture(format: Rgba8Unorm, size: (20, 3), mips: 16)},
            passes: [Dispatch(name: "a", shader: "fill.wgsl", items: "width(t.mip(3)) * 10 + height(t.mip(3))")])"#,
    );
    let ResourceKind::Texture(texture) = &draft.resources.iter().nth(1).expect("t").kind else { panic!() };
    assert_eq!(texture.mips, 5);
    let ResourceKind::Buffer(buffer) = &draft.resources.iter().next().expect("list").kind else { panic!() };
    assert_eq!(buffer.count, Some(5));
}

#[test]
fn a_mesh_of_a_pack_is_drawn_by_its_place() {
    let shader = (
        "shaders/draw.wgsl",
        "@vertex fn vs(@location(0) normal: vec3f, @location(3) uv: vec2f) -> @builtin(position) vec4f { return vec4f(normal, uv.x); }
@fragment fn fs() -> @location(0) vec4f { return vec4f(1); }",
    );
    let text = r#"(version: 1, resources: {"props": Meshes([Cube, Plane]), "color": Texture(format: Rgba8Unorm, size: Surface)}, passes: [
        Render(name: "a", color: [(target: "color", clear: (0, 0, 0, 1))], draws: [(shader: "draw.wgsl", call: DrawIndexed(mesh: "props[1]", instances: 7))]),
    ])"#;
    let (library, draft, found) = resolve_files([shader, ("frame.ron", text)], &Settings::default());
    assert!(found.is_empty(), "{}", shown(&library, &found));
    let PassKind::Render(render) = &draft.passes.iter().next().expect("a pass").kind else { panic!() };
    let draw = &render.draws[0];
    let Call::DrawIndexed { indices, instances, first_index, base_vertex, .. } = draw.call else { panic!() };
    assert_eq!((indices, instances, first_index, base_vertex), (Some(6), Some(7), 36, 24));
    let attributes: Vec<_> = draw.vertex_buffers[0].attributes.iter().map(|a| (a.shader_location, a.offset)).collect();
    assert_eq!(attributes, [(0, 12), (3, 24)], "inputs are fed by name");
}

#[test]
fn a_text_is_compared_and_put_into_names() {
    let text = r#"(version: 1, params: {"k": Choice(default: "b", of: ["a", "b"])},
        resources: {"list_a": Buffer(count: 1), "list_b": Buffer(count: 2)},
        passes: [Dispatch(name: "x", shader: "fill.wgsl", items: 4, bind: {"list": "list_{k}"})])"#;
    let draft = draft(text);
    let access = &draft.passes.iter().next().expect("a pass").accesses[0];
    assert_eq!(draft.resources[access.resource].name, "list_b");
    assert_eq!(draft.params.iter().next().expect("k").value, Value::Text(0));
}

#[test]
fn copies_are_as_long_as_fits_and_replace_what_they_cover() {
    let copy = |fields: &str| {
        let draft = draft(&format!(
            r#"(version: 1, resources: {{"a": Buffer(size: 64), "b": Buffer(size: 32)}}, passes: [CopyBuffer({fields})])"#
        ));
        let pass = draft.passes.iter().next().expect("a pass");
        let PassKind::CopyBuffer { size, .. } = pass.kind else { panic!("{:?}", pass.kind) };
        (size, pass.accesses[1].effect, pass.empty)
    };
    assert_eq!(copy(r#"source: "a", target: "b""#), (Some(32), Effect::Replace, false));
    assert_eq!(copy(r#"source: "a", target: "b", size: 32"#), (Some(32), Effect::Replace, false));
    assert_eq!(copy(r#"source: "b", target: "a""#), (Some(32), Effect::Write, false));
    assert_eq!(copy(r#"source: "a", target: "b", target_offset: 4"#), (Some(28), Effect::Write, false));
    assert_eq!(copy(r#"source: "a", source_offset: 64, target: "b""#), (Some(0), Effect::Write, true));
}
