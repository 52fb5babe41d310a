//! What a device lacks, other planner switches, imports of imports.

use super::*;
use rondag::plan;

#[test]
fn choices_that_the_device_lacks_are_known() {
    let desk = desk();
    let road = |requires: &str| {
        format!(
            r#"(version: 1, {requires} resources: {{ "sum": InOut(Buffer(stride: 4)) }},
            passes: [Dispatch(name: "add", shader: "../shaders/up.wgsl", items: "len(sum)", set: {{ "by": 1 }})])"#
        )
    };
    desk.write("up.ron", &road(""));
    desk.write("wide.ron", &road("requires: [Subgroup],"));
    desk.write(
        "g.ron",
        r#"(
    version: 1,
    params: { "road": Choice(default: "up", of: ["up", "wide"]) },
    resources: { "sum": Buffer(count: 4, stride: 4, lifetime: Persistent) },
    passes: [Include(name: "road", graph: "{road}.ron", bind: { "sum": "sum" })],
    outputs: ["sum"],
)"#,
    );
    let gpu = Gpu::noop(&wgpu::Limits::default(), wgpu::Features::empty()).expect("a noop device");
    let mut scene = Scene::of(desk, gpu, Slices::default());
    scene.settle();
    // What other choices need is found out behind the program's delivery.
    scene.session.tick();
    scene.session.tick();
    assert_eq!(scene.session.faults().map(|it| it.text.clone()).collect::<Vec<_>>(), [""; 0]);
    assert_eq!(scene.session.lacking("road", "up"), None);
    assert_eq!(scene.session.lacking("road", "wide"), Some("Subgroup"));
    scene.session.set("road", Some(ParamValue::Choice("wide".to_owned())));
    scene.settle();
    let faults: Vec<_> = scene.session.faults().map(|it| it.message.clone()).collect();
    assert!(faults.len() == 1 && faults[0].contains("Subgroup"), "{faults:?}");
    assert!(scene.session.program().is_some(), "the last good one goes on");
}

#[test]
fn plans_by_other_switches_keep_contents() {
    let mut scene = Scene::new();
    scene.settle();
    let before = scene.sum()[0];
    let merged = scene.session.plan_options();
    scene.session.plan_by(plan::Options { merge: false, ..merged });
    scene.settle();
    assert!(scene.sum()[0] > before, "contents live on");
    assert_eq!(scene.rate(), 1);
    scene.session.plan_by(merged);
    assert!(scene.session.is_building());
    scene.session.plan_by(merged);
    scene.settle();
    assert!(!scene.session.is_building() && scene.session.plan_options() == merged);
}

/// BR-094: an edit of what an import imports reaches every user.
#[test]
fn br_094_imports_of_imports_reach_all_users() {
    let mut scene = Scene::new();
    scene.desk.write("shaders/lib/deep.wgsl", "fn deep(by: u32) -> u32 { return by; }\n");
    scene.desk.write(
        "shaders/lib/step.wgsl",
        "#import \"deep.wgsl\"\nfn more(sum: u32, by: u32) -> u32 { return sum + deep(by); }\n",
    );
    scene.settle();
    assert_eq!(scene.rate(), 1);
    scene.desk.edit("shaders/lib/deep.wgsl", "return by;", "return by * 5u;");
    scene.save();
    assert_eq!(scene.rate(), 5, "after the first save");
}

#[test]
fn a_build_says_what_it_took() {
    let mut scene = Scene::of(desk(), software(), Thread::new().expect("a thread"));
    scene.settle();
    let spent = scene.session.spent();
    assert!(scene.session.builds() == 1 && spent.examine <= scene.hands.now(), "{spent:?}");
}

/// What an edit did not touch is not compiled again, and what it touched is.
#[test]
fn pipelines_live_on_unless_their_text_or_state_changed() {
    const TWO: &str = r#"(
    version: 1,
    params: { "by": Int(default: 1, min: 0, max: 100), "n": Int(default: 4, min: 1, max: 64) },
    resources: { "sum": Buffer(count: "n", lifetime: Persistent), "other": Buffer(count: "n", lifetime: Persistent) },
    passes: [
        Dispatch(name: "add", shader: "up.wgsl", items: "n"),
        Dispatch(name: "more", shader: "down.wgsl", items: "n", bind: { "sum": "other" }),
    ],
    outputs: ["sum"],
)"#;
    let mut scene = Scene::of(desk(), software(), Slices::default());
    scene.desk.write("g.ron", TWO);
    scene.settle();
    let known = |scene: &Scene| scene.session.program().map(rondag::gpu::Program::taken_over);
    assert_eq!(known(&scene), Some((0, 2)));
    for (path, from, to, left) in [
        ("g.ron", "max: 100", "max: 99", 2),
        ("shaders/down.wgsl", "sum[id.x] - values.by", "sum[id.x] - values.by * 2u", 1),
        ("shaders/lib/step.wgsl", "sum + by", "sum + by + by", 0),
        ("g.ron", "\"more\"", "\"less\"", 1),
    ] {
        scene.desk.edit(path, from, to);
        scene.save();
        assert_eq!(known(&scene), Some((left, 2)), "{path}: {from}");
    }
    assert_eq!(scene.rate(), 2, "the edit of the import counts");
}

/// Meshes, the buffers that they name, and tables take part: a save of one is a reload that shows.
#[test]
fn saved_meshes_and_tables_are_reloaded() {
    let desk = Desk::default();
    desk.write(
        "g.ron",
        r#"(version: 1, resources: {
            "mesh": Meshes([File("m/a.gltf"), File("m/b.obj")]), "table": Buffer(file: "t.csv", lifetime: Persistent),
            "sum": Buffer(count: 3) },
        passes: [Dispatch(name: "look", shader: "look.wgsl", items: 1, bind: { "bounds": "mesh.bounds" })],
        outputs: ["sum"])"#,
    );
    desk.write(
        "shaders/look.wgsl",
        "struct MeshBounds { center: vec3f, radius: f32, half_extents: vec3f }
        @group(0) @binding(0) var<storage, read> bounds: array<MeshBounds>;
        @group(0) @binding(1) var<storage, read> table: array<u32>;
        @group(0) @binding(2) var<storage, read_write> sum: array<u32>;
        @compute @workgroup_size(1) fn look() {
            sum[0] = table[0];
            sum[1] = u32(bounds[0].center.x);
            sum[2] = u32(bounds[1].half_extents.y);
        }",
    );
    desk.write("t.csv", "5\n");
    desk.write("m/b.obj", "v 0 0 0\nv 1 0 0\nv 0 4 0\nf 1 2 3\n");
    desk.write(
        "m/a.gltf",
        r#"{"asset":{"version":"2.0"},"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[0,0,0]}],
        "bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":"a.bin"}]}"#,
    );
    let corners = |far: f32| bytemuck::cast_slice::<f32, u8>(&[0.0, 0.0, 0.0, far, 0.0, 0.0, 0.0, 1.0, 0.0]).to_vec();
    let write = |path: &str, bytes: Vec<u8>| {
        desk.0.lock().expect("no test panics while it writes").insert(path.to_owned(), bytes);
    };
    write("m/a.bin", corners(6.0));
    let mut scene = Scene::of(desk.clone(), software(), Slices::default());
    let sums = |scene: &mut Scene| {
        scene.settle();
        scene.draw();
        let program = scene.session.program().expect("it was built");
        words(program, program.find("sum").expect("it is the output"))
    };
    assert_eq!(sums(&mut scene), [5, 3, 2]);
    let closure: Vec<&str> = scene.session.closure().keys().map(String::as_str).collect();
    assert_eq!(closure, ["g.ron", "m/a.bin", "m/a.gltf", "m/b.obj", "shaders/look.wgsl", "t.csv"]);
    write("m/a.bin", corners(8.0));
    scene.save();
    assert_eq!(sums(&mut scene), [5, 4, 2]);
    desk.edit("m/b.obj", "v 0 4 0", "v 0 18 0");
    desk.write("t.csv", "12\n");
    scene.save();
    assert_eq!(sums(&mut scene), [12, 4, 9]);
}
