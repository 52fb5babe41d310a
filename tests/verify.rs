//! `verify`: sound frames pass in every way, and planted faults are found and named.

use rondag::gpu::Gpu;
use rondag::graph::{Graph, Library, ResourceId, Settings};
use rondag::plan::{self, Options, Order, Plan, Step};
use rondag::source::{Files, Memory};
use rondag::verify::{Verdict, Verifier, Wrong, ways};

use crate::gpu::software;

/// `NAME` numbers in: each invocation works on one element of `list`.
fn shader(bindings: &str, body: &str) -> String {
    let head = "@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u,
        @builtin(local_invocation_index) place: u32, @builtin(workgroup_id) group: vec3u)";
    format!("{bindings}\n{head} {{ let i = id.x; {body} }}")
}

fn list(name: &str, binding: u32, access: &str) -> String {
    format!("@group(0) @binding({binding}) var<storage, {access}> {name}: array<u32>;\n")
}

/// A graph of 512 elements: make `a`, twice it into `b`, add both into `c`.
struct Planted {
    files: Vec<(String, String)>,
}

impl Planted {
    fn new(resources: &str, passes: &str, outputs: &str) -> Self {
        let text = format!(
            "(version: 1, resources: {{ {resources} }}, passes: [{passes}], outputs: [{outputs}],
            lints: {{ \"unordered-producer-ordered-consumer\": Allow }})"
        );
        let files = vec![("frame.ron".to_owned(), text)];
        Self { files }
            .with("make", &list("a", 0, "read_write"), "if i < arrayLength(&a) { a[i] = i * 7u + 3u; }")
            .with(
                "twice",
                &(list("a", 0, "read") + &list("b", 1, "read_write")),
                "if i < arrayLength(&b) { b[i] = 2u * a[i]; }",
            )
            .with(
                "add",
                &(list("a", 0, "read") + &list("b", 1, "read") + &list("c", 2, "read_write")),
                "if i < arrayLength(&c) { c[i] = a[i] + b[i]; }",
            )
    }

    fn with(mut self, name: &str, bindings: &str, body: &str) -> Self {
        self.files.push((format!("shaders/{name}.wgsl"), shader(bindings, body)));
        self
    }

    fn verify(
        &self,
        planner: impl Fn(&Graph, Options) -> Result<Plan, Vec<rondag::diagnostic::Diagnostic>> + 'static,
    ) -> Vec<Verdict> {
        let files = self.files.iter().map(|(path, text)| (path.as_str(), text.as_str()));
        let mut library = Library::new(Files::new(Memory::new(files)));
        let top = library.load("frame.ron", &mut Vec::new()).expect("the graph").file;
        let gpu: Gpu = software();
        let settings = Settings { limits: gpu.device.limits(), surface: [48, 32], ..Settings::default() };
        let verifier = Verifier::new(&gpu, &mut library, top, &settings, 3);
        let verifier = verifier.unwrap_or_else(|fault| panic!("{fault:?}")).planned_by(planner);
        verifier.run(&ways(4), |_| {}).unwrap_or_else(|fault| panic!("{fault:?}"))
    }

    fn sound(&self) -> Vec<Verdict> {
        self.verify(|graph, options| plan::plan(graph, options))
    }
}

const THREE: &str = r#""a": Buffer(count: 512), "b": Buffer(count: 512), "c": Buffer(count: 512)"#;
const CHAIN: &str = r#"
    Dispatch(name: "make", shader: "make.wgsl", items: 512),
    Dispatch(name: "twice", shader: "twice.wgsl", items: 512),
    Dispatch(name: "add", shader: "add.wgsl", items: 512)"#;

/// Ways that found something, each with the passes that it names.
fn found(verdicts: &[Verdict]) -> Vec<(&str, Vec<&str>)> {
    let wrong = verdicts.iter().filter_map(|it| Some((it.way.as_str(), it.wrong.as_ref()?)));
    wrong
        .map(|(way, Wrong { first, .. })| {
            let passes = first.iter().flat_map(|first| &first.passes).map(String::as_str).collect();
            (way, passes)
        })
        .collect()
}

/// Fails unless something was found in a way whose name begins so, and it names this pass first.
#[track_caller]
fn blamed(verdicts: &[Verdict], way: &str, pass: &str) {
    let found = found(verdicts);
    let is = found.iter().any(|(name, passes)| name.starts_with(way) && passes.first() == Some(&pass));
    assert!(is, "`{pass}` is not blamed in `{way}`: {found:?}");
}

fn find(graph: &Graph, name: &str) -> ResourceId {
    graph.resources.entries().find(|(_, it)| it.name == name).map(|(id, _)| id).expect("a resource of the graph")
}

fn pass(graph: &Graph, name: &str) -> rondag::graph::PassId {
    graph.passes.entries().find(|(_, it)| it.name == name).map(|(id, _)| id).expect("a pass of the graph")
}

/// Plans, and lets a fault in where `when` says so.
fn planting(
    when: impl Fn(Options) -> bool + 'static,
    fault: impl Fn(&Graph, &mut Plan) + 'static,
) -> impl Fn(&Graph, Options) -> Result<Plan, Vec<rondag::diagnostic::Diagnostic>> + 'static {
    move |graph, options| {
        let mut plan = plan::plan(graph, options)?;
        if when(options) {
            fault(graph, &mut plan);
        }
        Ok(plan)
    }
}

/// Two passes change places.
fn swap(graph: &Graph, plan: &mut Plan, a: &str, b: &str) {
    let (a, b) = (pass(graph, a), pass(graph, b));
    let turn = |it: &mut rondag::graph::PassId| {
        if *it == a {
            *it = b;
        } else if *it == b {
            *it = a;
        }
    };
    plan.order.iter_mut().for_each(turn);
    for step in &mut plan.steps {
        match step {
            Step::Commands(pass) | Step::Render(pass) => turn(pass),
            Step::Compute(passes) => passes.iter_mut().for_each(turn),
        }
    }
}

/// A pass is not recorded.
fn lose(graph: &Graph, plan: &mut Plan, name: &str) {
    let lost = pass(graph, name);
    plan.order.retain(|pass| *pass != lost);
    for step in &mut plan.steps {
        if let Step::Compute(passes) = step {
            passes.retain(|pass| *pass != lost);
        }
    }
    plan.steps.retain(|step| match step {
        Step::Commands(pass) | Step::Render(pass) => *pass != lost,
        Step::Compute(passes) => !passes.is_empty(),
    });
}

#[test]
fn a_sound_frame_is_equal_in_every_way() {
    let verdicts = Planted::new(THREE, CHAIN, "\"c\"").sound();
    assert_eq!(found(&verdicts), [], "{verdicts:#?}");
    assert_eq!(verdicts.len(), 16);
}

#[test]
fn a_missing_edge_is_found() {
    let is_shuffled = |options: Options| matches!(options.order, Order::Shuffle(_));
    let planner = planting(is_shuffled, |graph, plan| swap(graph, plan, "make", "twice"));
    blamed(&Planted::new(THREE, CHAIN, "\"c\"").verify(planner), "passes shuffled", "twice");
}

#[test]
fn an_order_that_saves_memory_across_a_hazard_is_found() {
    let planner = planting(|options| options.order == Order::Memory, |graph, plan| swap(graph, plan, "twice", "add"));
    blamed(&Planted::new(THREE, CHAIN, "\"c\"").verify(planner), "passes moved to save memory", "add");
}

/// `a` and `b` are alive at once, and share a slot.
#[test]
fn an_alias_that_is_too_eager_is_found() {
    let planner = planting(
        |options| options.alias,
        |graph, plan| {
            let (a, b) = (find(graph, "a"), find(graph, "b"));
            let (from, to) = (plan.placement[b].expect("a slot"), plan.placement[a].expect("a slot"));
            // Orders may part their lifetimes, so that they share by right.
            if from == to {
                return;
            }
            plan.slots[from].residents.retain(|id| *id != b);
            plan.slots[to].residents.push(b);
            plan.placement[b] = Some(to);
        },
    );
    // Two dispatches, so that no pass uses one buffer in two ways.
    let passes = CHAIN.replace("twice.wgsl", "other.wgsl");
    let planted = Planted::new(THREE, &passes, "\"c\"").with(
        "other",
        &list("b", 1, "read_write"),
        "if i < arrayLength(&b) { b[i] = i * 14u + 6u; }",
    );
    let planted = Planted { files: planted.files }.with(
        "add2",
        &(list("a", 0, "read") + &list("c", 1, "read_write")),
        "if i < arrayLength(&c) { c[i] = a[i]; }",
    );
    let files = planted.files.into_iter().map(|(path, text)| {
        let text = if path == "frame.ron" {
            text.replace(
                "Dispatch(name: \"add\", shader: \"add.wgsl\", items: 512)",
                "Dispatch(name: \"copy\", shader: \"add2.wgsl\", items: 512), Dispatch(name: \"and\", shader: \"and.wgsl\", items: 512)",
            )
        } else {
            text
        };
        (path, text)
    });
    let planted = Planted { files: files.collect() }.with(
        "and",
        &(list("b", 0, "read") + &list("c", 1, "read_write")),
        "if i < arrayLength(&c) { c[i] += b[i]; }",
    );
    blamed(&planted.verify(planner), "memory shared", "copy");
}

#[test]
fn a_pass_that_is_left_out_as_dead_and_is_not_is_found() {
    let planner = planting(|options| options.cull, |graph, plan| lose(graph, plan, "twice"));
    blamed(&Planted::new(THREE, CHAIN, "\"c\"").verify(planner), "dead passes left out", "add");
}

#[test]
fn a_pass_that_merging_swallows_is_found() {
    let planner = planting(|options| options.merge, |graph, plan| lose(graph, plan, "make"));
    blamed(&Planted::new(THREE, CHAIN, "\"c\"").verify(planner), "passes merged", "twice");
}

const COUNTED: &str = r#""counts": Buffer(count: 2, usage: [Storage, CopyDst]), "c": Buffer(count: 512)"#;

fn counting(clear: &str) -> Planted {
    let passes = format!(
        r#"{clear}
        Dispatch(name: "count", shader: "count.wgsl", items: 512),
        Dispatch(name: "spread", shader: "spread.wgsl", items: 512)"#
    );
    Planted::new(COUNTED, &passes, "\"c\"")
        .with(
            "count",
            "@group(0) @binding(0) var<storage, read_write> counts: array<atomic<u32>>;",
            "if i < 512u { atomicAdd(&counts[i % 2u], 1u); }",
        )
        .with(
            "spread",
            &(list("counts", 0, "read") + &list("c", 1, "read_write")),
            "if i < arrayLength(&c) { c[i] = counts[i % 2u]; }",
        )
}

#[test]
fn a_counter_that_is_reset_in_part_is_found() {
    let whole = counting(r#"ClearBuffer(name: "reset", target: "counts"),"#);
    assert_eq!(found(&whole.sound()), []);
    let half = counting(r#"ClearBuffer(name: "reset", target: "counts", size: 4),"#);
    blamed(&half.sound(), "transients filled with 5", "reset");
}

#[test]
fn an_element_that_nobody_writes_is_found() {
    let planted = Planted::new(THREE, CHAIN, "\"c\"");
    let files = planted.files.into_iter().map(|(path, text)| {
        let text = if path.ends_with("make.wgsl") { text.replace("if i <", "if i % 3u != 0u && i <") } else { text };
        (path, text)
    });
    blamed(&Planted { files: files.collect() }.sound(), "transients filled with 5", "make");
}

#[test]
fn a_float_that_is_never_written_is_found() {
    let planted = Planted::new(
        r#""a": Buffer(count: 512), "c": Buffer(count: 512)"#,
        r#"Dispatch(name: "half", shader: "half.wgsl", items: 512), Dispatch(name: "sum", shader: "sum.wgsl", items: 512)"#,
        "\"c\"",
    );
    let float = |name: &str, at: u32, access: &str| list(name, at, access).replace("u32", "f32");
    let planted =
        planted.with("half", &float("a", 0, "read_write"), "if i < arrayLength(&a) / 2u { a[i] = 1.0; }").with(
            "sum",
            &(float("a", 0, "read") + &float("c", 1, "read_write")),
            "if i < arrayLength(&c) { c[i] = 1000.0 + a[i]; }",
        );
    blamed(&planted.sound(), "transients filled with 1.5", "half");
}

/// Appended by atomics, and its order is said to mean something.
#[test]
fn a_list_whose_order_is_luck_is_found() {
    let passes = r#"
        ClearBuffer(name: "reset", target: "counts"),
        Dispatch(name: "append", shader: "append.wgsl", items: 512)"#;
    let planted = |order: &str| {
        let resources = format!(
            r#""counts": Buffer(count: 1, usage: [Storage, CopyDst]), "c": Buffer(count: 512, order: {order})"#
        );
        Planted::new(&resources, passes, "\"c\"").with(
            "append",
            &("@group(0) @binding(0) var<storage, read_write> counts: atomic<u32>;".to_owned()
                + &list("c", 1, "read_write")),
            "if i < 512u { c[atomicAdd(&counts, 1u)] = i; }",
        )
    };
    blamed(&planted("Kept").sound(), "workgroups from last to first", "append");
    assert_eq!(found(&planted("Any").sound()), []);
}

/// A workgroup that reads what its neighbour wrote in the same dispatch.
#[test]
fn a_dispatch_that_counts_on_the_order_of_its_workgroups_is_found() {
    let planted = Planted::new(
        r#""a": Buffer(count: 512)"#,
        r#"Dispatch(name: "make", shader: "make.wgsl", items: 512), Dispatch(name: "chain", shader: "chain.wgsl", items: 512)"#,
        "\"a\"",
    )
    .with(
        "chain",
        &list("a", 0, "read_write"),
        "if place == 0u && i < arrayLength(&a) { a[i] = a[max(i, 64u) - 64u] + 1u; }",
    );
    blamed(&planted.sound(), "workgroups from last to first", "chain");
}

#[test]
fn workgroup_memory_that_is_taken_for_zero_is_found() {
    let fill = "var<workgroup> sh: array<u32, 64>;\n".to_owned() + &list("a", 0, "read_write");
    let planted = Planted::new(
        r#""a": Buffer(count: 512), "c": Buffer(count: 512)"#,
        r#"Dispatch(name: "dirty", shader: "dirty.wgsl", items: 512), Dispatch(name: "take", shader: "take.wgsl", items: 512)"#,
        "\"c\"",
    )
    .with("dirty", &fill, "sh[place] = i + 1u; workgroupBarrier(); if i < arrayLength(&a) { a[i] = sh[63u - place]; }")
    .with(
        "take",
        &("var<workgroup> sh: array<u32, 64>;\n".to_owned() + &list("a", 0, "read") + &list("c", 1, "read_write")),
        "if i < arrayLength(&c) { c[i] = a[i] + sh[place]; } workgroupBarrier(); sh[place] = 9u;",
    );
    blamed(&planted.sound(), "workgroup memory not zeroed", "take");
}

/// What a plan forgets to zero where no pass writes.
#[test]
fn zeros_that_are_forgotten_are_found() {
    let planted = || {
        Planted::new(
            r#""a": Buffer(count: 512), "b": Buffer(count: 512), "c": Buffer(count: 512)"#,
            r#"Dispatch(name: "make", shader: "make.wgsl", items: 0),
            Dispatch(name: "twice", shader: "twice.wgsl", items: 512), Dispatch(name: "add", shader: "add.wgsl", items: 512)"#,
            "\"c\"",
        )
    };
    assert_eq!(found(&planted().sound()), []);
    let planner = planting(|options| options.alias, |_, plan| plan.zeroed.clear());
    blamed(&planted().verify(planner), "everything optimised, memory filled with 5", "twice");
}

/// The command, from the shipped graph that shows a fault on purpose.
#[cfg(feature = "cli")]
#[test]
fn the_command_names_the_pass_and_fails() {
    let folder = tempfile::tempdir().expect("a folder");
    let report = folder.path().join("report.json");
    let verify = |compaction: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_rondag"));
        command.args(["verify", "graphs/temporal.ron", "--adapter", "cpu", "--size", "48x32", "--set", "stones=2000"]);
        command.args(["--set", &format!("compaction={compaction}"), "--frames", "1", "--orders", "1", "--json"]);
        let output = command.arg(&report).current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("the binary starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (code, out, err) = verify("scan");
    assert_eq!((code, out.as_str()), (Some(0), ""), "{err}");
    assert!(err.contains("13 of 13 ways, 7 frames each, `color`: all equal"), "{err}");
    let (code, out, _) = verify("atomic");
    assert_eq!(code, Some(1));
    let line = "`list` differs behind `compact/append`, graphs/compact/atomic.ron:11:30";
    assert!(
        out.contains("workgroups from last to first in every second frame: frame 1") && out.contains(line),
        "{out}"
    );
    let json: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&report).expect("a report")).expect("it is JSON");
    let turned = json["ways"]
        .as_array()
        .expect("ways")
        .iter()
        .find(|it| it["way"] == "workgroups from last to first in every second frame");
    let first = &turned.expect("a way")["wrong"]["first"];
    assert_eq!((&first["passes"][0], &first["resource"]), (&"compact/append".into(), &"list".into()));
}

#[test]
fn shipped_graphs_are_equal_in_every_way() {
    use rondag::graph::ParamValue;
    let graphs = [
        ("culled_scene", "instances"),
        ("boxes", "instances"),
        ("occlusion", "instances"),
        ("lod", "instances"),
        ("front_to_back", "instances"),
        ("temporal", "stones"),
        ("packed_gbuffer", "instances"),
        ("packed_state", "cells"),
        ("quantized", "seed"),
        ("bloom", "levels"),
        ("models", ""),
    ];
    for (name, count) in graphs {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut library = Library::new(Files::new(rondag::source::Disk::new(root, "").expect("the repository")));
        let top = library.files.load(&format!("graphs/{name}.ron")).expect("a shipped graph");
        let gpu = software();
        let few = if count == "levels" { 4 } else { 700 };
        let params =
            [(count.to_owned(), ParamValue::Int(few))].into_iter().filter(|(name, _)| !name.is_empty()).collect();
        let settings = Settings { params, limits: gpu.device.limits(), surface: [48, 32], ..Settings::default() };
        let verifier = Verifier::new(&gpu, &mut library, top, &settings, 2).unwrap_or_else(|fault| panic!("{fault:?}"));
        let verdicts = verifier.run(&ways(2), |_| {}).unwrap_or_else(|fault| panic!("{fault:?}"));
        assert_eq!(found(&verdicts), [], "{name}: {verdicts:#?}");
    }
}
