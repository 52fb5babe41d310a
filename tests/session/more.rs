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
