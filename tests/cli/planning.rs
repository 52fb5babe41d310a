//! Questions about plans: `explain GRAPH`, `diff`, `plan --check`, `--compare`, the page for a browser.

use std::path::PathBuf;

use super::{Project, Ran, could_not_run};

const SHADER: &str = "
    @group(0) @binding(0) var<storage, read> before: array<u32>;
    @group(0) @binding(1) var<storage, read_write> after_: array<u32>;
    @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
        if id.x < arrayLength(&after_) { after_[id.x] = before[id.x % arrayLength(&before)]; }
    }";

const GRAPH: &str = r#"(
    version: 1,
    params: { "n": Int(default: 1024, min: 64, max: 4096) },
    resources: {
        "a": Buffer(count: "n", stride: 4),
        "b": Buffer(count: "n", stride: 4),
        "c": Buffer(count: "n", stride: 4),
        "d": Buffer(count: "n", stride: 4),
        "kept": Buffer(count: "n", stride: 4, lifetime: Persistent),
        "lost": Buffer(count: "n", stride: 4),
    },
    passes: [
        ClearBuffer(name: "start", target: "a"),
        Dispatch(name: "one", shader: "step.wgsl", items: "n", bind: { "before": "a", "after_": "b" }),
        CopyBuffer(name: "middle", source: "b", target: "c"),
        Dispatch(name: "two", shader: "step.wgsl", items: "n", bind: { "before": "c", "after_": "d" }),
        Dispatch(name: "useless", shader: "step.wgsl", items: "n", bind: { "before": "d", "after_": "lost" }),
        CopyBuffer(name: "keep", source: "d", target: "kept"),
    ],
)"#;

fn project() -> Project {
    Project::new(&[("g.ron", GRAPH), ("shaders/step.wgsl", SHADER)])
}

fn explain(project: &Project, names: &[&str]) -> String {
    let ran: Ran = project.run(&[&["explain", "g.ron"], names].concat());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
    ran.out
}

#[test]
fn passes_say_why_they_are_where_they_are() {
    let project = project();
    let dead = explain(&project, &["useless"]);
    assert!(
        dead.starts_with("`useless` is dead, not recorded: nothing reads what it writes: `lost`\n    g.ron:17:25\n"),
        "{dead}"
    );
    let one = explain(&project, &["one"]);
    assert!(one.contains("`one` comes after `start`: it reads `a`\n    g.ron:14:"), "{one}");
    assert!(one.contains("\n    g.ron:13:45\n"), "both places: {one}");
    let apart = "`one` and `two` are two compute passes: `middle` has to be recorded between them";
    assert!(one.contains(apart), "{one}");
    let order = explain(&project, &["two", "one"]);
    assert!(order.contains("`two` comes after `one`, by way of `middle`") && order.contains(apart), "{order}");
    assert!(order.contains("`middle` comes after `one`: it reads `b`"), "{order}");
}

#[test]
fn resources_say_where_they_live_and_what_for() {
    let project = project();
    let a = explain(&project, &["a"]);
    assert!(a.starts_with("`a` (4.0 KiB) lives in slot s0 with `c`\n    g.ron:5:10\n"), "{a}");
    assert!(a.contains("CopyDst is asked for by `start`\n    g.ron:13:"), "{a}");
    assert!(a.contains("`one` reads `a`, as Storage"), "{a}");
    let kept = explain(&project, &["kept"]);
    assert!(kept.contains("has memory of its own: it is Persistent: the next frame sees what it holds"), "{kept}");
    let apart = explain(&project, &["a", "b"]);
    assert!(apart.starts_with("`a` and `b` do not share memory: both are alive at `one`\n"), "{apart}");
    let shared = explain(&project, &["a", "c"]);
    assert!(shared.starts_with("`a` and `c` share slot s0: they are never alive together\n"), "{shared}");
    let used = explain(&project, &["two", "c"]);
    assert!(used.starts_with("`two` reads `c`, as Storage\n    g.ron:16:"), "{used}");
    assert!(explain(&project, &["n"]).starts_with("`n` is structural"));
}

#[test]
fn questions_about_nothing_are_bad_usage() {
    let project = project();
    could_not_run(&project.run(&["explain", "g.ron", "tow"]), "did you mean `two`?");
    could_not_run(&project.run(&["explain", "g.ron", "start", "d"]), "`start` has nothing to do with `d`");
    could_not_run(&project.run(&["explain", "missing.ron", "a"]), "missing.ron");
    could_not_run(&project.run(&["explain", "a", "b", "c", "d"]), "unexpected");
    assert_eq!(explain(&project, &[]).lines().count(), 3, "all names");
    let json = explain(&project, &["useless", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!((&json["version"], &json["answers"][0]["places"][0]), (&1.into(), &"g.ron:17:25".into()));
    assert!(explain(&project, &["a", "b", "--format", "markdown"]).starts_with("- `a` and `b`"));
}

/// The shipped graph: every pass and resource of every strategy has answers, with the places of its reasons.
#[test]
fn everything_shipped_can_be_asked_about() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let ran = super::run_in(&root, &["plan", "graphs/culled_scene.ron", "--format", "json"], "");
    let plan: serde_json::Value = serde_json::from_str(&ran.out).expect("it is JSON");
    let names = |key: &str| plan[key].as_array().expect("a list").clone();
    let passes = names("order").into_iter();
    let all = passes.chain(names("resources").into_iter().map(|it| it["name"].clone()));
    for name in all {
        let name = name.as_str().expect("a name");
        let ran = super::run_in(&root, &["explain", "graphs/culled_scene.ron", name], "");
        assert!(ran.code == Some(0) && ran.out.contains("graphs/"), "{name}: {ran:?}");
    }
}

#[test]
fn diffs_tell_what_changed() {
    let project = project();
    let other = GRAPH
        .replace(
            "\"lost\": Buffer(count: \"n\", stride: 4),",
            "\"lost\": Buffer(count: \"n\", stride: 4), \"more\": Buffer(size: 64),",
        )
        .replace("default: 1024", "default: 2048")
        .replace("CopyBuffer(name: \"keep\", source: \"d\"", "CopyBuffer(name: \"keep\", source: \"lost\"");
    project.write("new.ron", other.as_bytes());
    let ran = project.run(&["diff", "g.ron", "new.ron"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for line in [
        "  useless now recorded (was: nothing reads what it writes: `lost`)\n",
        "  a resized: 4.0 KiB → 8.0 KiB\n",
        "  lost added: 8.0 KiB\n",
        "  kept more: 4.0 KiB → 8.0 KiB\n",
    ] {
        assert!(ran.out.contains(line), "{line}{}", ran.out);
    }
    assert_eq!(project.run(&["diff", "g.ron", "new.ron", "--exit-code"]).code, Some(1));
    let same = project.run(&["diff", "g.ron", "g.ron", "--exit-code"]);
    assert_eq!((same.code, same.out.as_str()), (Some(0), "the plans are equal\n"));
    project.write(
        "joined.ron",
        GRAPH.replace("source: \"b\"", "source: \"a\"").replace("\"before\": \"c\"", "\"before\": \"b\"").as_bytes(),
    );
    let joined = project.run(&["diff", "g.ron", "joined.ron"]).out;
    assert!(
        joined.contains("BOUNDARIES\n") && joined.contains("  one and two now side by side in one compute pass\n"),
        "{joined}"
    );
    let json = project.run(&["diff", "g.ron", "new.ron", "--format", "json"]).out;
    let json: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!(json["changes"][0]["subject"], "pass");
    let markdown = project.run(&["diff", "g.ron", "new.ron", "--format", "markdown"]).out;
    assert!(markdown.contains("| resources | `a` | resized | 4.0 KiB | 8.0 KiB |"), "{markdown}");
    could_not_run(&project.run(&["diff", "g.ron"]), "--git REV");
}

#[test]
fn diffs_reach_back_in_git() {
    let project = project();
    let git = |args: &[&str]| {
        let mut command = std::process::Command::new("git");
        command.args(["-c", "user.name=test", "-c", "user.email=test@example.com"]).args(args);
        let output = command.current_dir(project.path()).output().expect("git is there");
        assert!(output.status.success(), "{output:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-qm", "first"]);
    project.write("g.ron", GRAPH.replace("default: 1024", "default: 2048").as_bytes());
    // The shader is another one now, too: the old graph is read with the old one.
    project.write("shaders/step.wgsl", SHADER.replace("before:", "from_:").replace("before[", "from_[").as_bytes());
    project.write("g.ron", GRAPH.replace("\"before\":", "\"from_\":").replace("(&before)", "(&from_)").as_bytes());
    project.write("shaders/step.wgsl", SHADER.replace("before", "from_").as_bytes());
    let ran = project.run(&["diff", "--git", "HEAD", "g.ron"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "the plans are equal\n"), "{ran:?}");
    could_not_run(&project.run(&["diff", "--git", "nonsense", "g.ron"]), "`nonsense` is no revision");
    could_not_run(&project.run(&["diff", "--git", "--help", "g.ron"]), "");
}

#[test]
fn stale_plans_are_told() {
    let project = project();
    let plan = project.run(&["plan", "g.ron"]).out;
    project.write("plan.txt", plan.as_bytes());
    let ran = project.run(&["plan", "g.ron", "--check", "plan.txt"]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(0), "", ""));
    let ran = project.run(&["plan", "g.ron", "--check", "plan.txt", "--set", "n=2048"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.out.starts_with("--- plan.txt\n+++ the plan as it is now\n@@") && ran.err.contains("`plan.txt` is stale")
    );
    could_not_run(&project.run(&["plan", "g.ron", "--check", "none.txt"]), "none.txt");
}

#[test]
fn orders_are_compared_in_a_table() {
    let project = project();
    let ran = project.run(&["plan", "g.ron", "--compare"]);
    assert_eq!((ran.code, ran.out.lines().count()), (Some(0), 7), "{ran:?}");
    assert!(ran.out.contains("memory  on") && ran.out.starts_with("order   sharing  passes"), "{}", ran.out);
    let by = |order: &str| project.run(&["plan", "g.ron", "--order", order]).out;
    assert_eq!(by("file"), project.run(&["plan", "g.ron", "--no-reorder"]).out);
    assert!(by("memory").contains("ORDER"));
}

/// What a browser makes of a page, scripts run, at a fragment.
fn browse(page: &std::path::Path, fragment: &str) -> String {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let found = names.iter().find_map(|name| {
        let mut command = std::process::Command::new(name);
        let profile = page.with_extension("profile");
        command.args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=3000", "--dump-dom"]);
        command.arg(format!("--user-data-dir={}", profile.display()));
        command.arg(format!("file://{}{fragment}", page.display())).output().ok()
    });
    let output = found.unwrap_or_else(|| panic!("tests need a browser: make tools, or apt-get install chromium"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn pages_open_from_disk_in_a_browser() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let page = super::run_in(&root, &["plan", "graphs/culled_scene.ron", "--format", "html"], "").out;
    assert!(!page.contains("http://") || page.matches("http://").count() == 1, "only the name of SVG");
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path().join("plan.html");
    std::fs::write(&path, page).expect("files can be written");
    let dom = browse(&path, "#pass:cull");
    assert!(dom.contains("<h1 id=\"name\">culled_scene</h1>"), "the script ran");
    assert!(dom.contains("`cull` is #") && dom.contains("graphs/culled_scene.ron:"), "the answers are there");
    assert!(
        dom.matches("class=\"arc").count() > 10 && dom.contains("class=\"item picked\""),
        "arcs and the picked pass"
    );
    assert!(browse(&path, "#resource:flags").contains("`flags` ("), "a resource's answers");
}

#[test]
fn drawings_are_valid_for_graphviz() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let dot = super::run_in(&root, &["plan", "graphs/culled_scene.ron", "--format", "dot"], "").out;
    let mut child = std::process::Command::new("dot")
        .args(["-Tsvg"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap_or_else(|why| panic!("tests need Graphviz ({why}): make tools, or apt-get install graphviz"));
    std::io::Write::write_all(&mut child.stdin.take().expect("it was piped"), dot.as_bytes()).expect("dot reads it");
    let output = child.wait_with_output().expect("it ended");
    assert!(output.status.success() && String::from_utf8_lossy(&output.stdout).contains("</svg>"));
}

/// What a diff is silent about, a plan says as well: waits, times, and what has no memory.
#[test]
fn diffs_see_what_plans_say() {
    const PLAIN: &str = r#"(version: 1,
    resources: { "a": Buffer(size: 64), "b": Buffer(size: 64), "c": Buffer(size: 64), "p": Buffer(size: 128, lifetime: Persistent) },
    passes: [
        ClearBuffer(name: "first", target: "a"),
        ClearBuffer(name: "other", target: "c"),
        CopyBuffer(name: "second", source: "a", target: "b"),
        ClearBuffer(name: "o", target: "p", run: Once),
        CopyBuffer(name: "keep", source: "b", target: "p", size: 64),
    ], outputs: ["b", "c"])"#;
    let project = Project::new(&[("a.ron", PLAIN)]);
    let diff = |from: &str, to: &str| {
        assert!(PLAIN.contains(from));
        project.write("b.ron", PLAIN.replace(from, to).as_bytes());
        let ran = project.run(&["diff", "a.ron", "b.ron"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.out
    };
    let waits = diff("name: \"other\", ", "name: \"other\", after: [\"first\"], ");
    assert_eq!(waits, "ORDER\n  other now waits: for `first`, is told to\n");
    assert!(diff("source: \"a\"", "source: \"c\"").contains("  second now waits: for `other`, reads c\n"));
    let once = diff(", run: Once", "");
    assert!(once.contains("  o runs at other times: once → each frame\n") && !once.contains("moved"), "{once}");
    let dead = diff("outputs: [\"b\", \"c\"]", "outputs: [\"b\"]");
    assert!(dead.contains("  other no longer recorded: ") && dead.contains("  c removed (was: 64 B)\n"), "{dead}");
    assert_eq!(diff("version: 1,", "version: 1,\r\n    // a comment\r\n"), "the plans are equal\n");
    could_not_run(&project.run(&["diff", "a.ron", "-"]), "standard input cannot be compared");
    could_not_run(&project.run(&["diff", "--git", "HEAD", "a.ron"]), "is in no git repository");
}

#[test]
fn answers_hold_for_odd_questions() {
    let project = project();
    assert_eq!(explain(&project, &["one", "one"]), explain(&project, &["one"]), "a name twice is the name");
    let lost = explain(&project, &["lost"]);
    assert!(lost.starts_with("`lost` has no memory in this setting: no recorded pass uses it"), "{lost}");
    assert!(lost.contains("`useless` (not recorded) writes some of `lost`"), "{lost}");
    assert!(!explain(&project, &["two"]).contains("useless"), "what is not recorded waits for nothing");
    assert_eq!(explain(&project, &["useless"]).lines().count(), 2, "nor does anything wait for it");
    let off = explain(&project, &["one", "two", "--no-merge"]);
    assert!(off.contains("are two compute passes: merging is off"), "{off}");
    let off = explain(&project, &["a", "c", "--no-alias"]);
    assert!(off.starts_with("`a` and `c` do not share memory: sharing is off"), "{off}");
    could_not_run(&project.run(&["explain", "g.ron", "n", "a"]), "`n` is a param: it goes with no other name");
    could_not_run(&project.run(&["explain", "dead-pass", "a"]), "`dead-pass` is a rule's code");
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let parts = super::run_in(&root, &["explain", "graphs/culled_scene.ron", "compact"], "");
    could_not_run(&parts, "`compact` is made of parts, which can be asked about: compact/mark");
}

/// Standard output stays what a program reads, also where a graph has faults.
#[test]
fn findings_stay_out_of_what_programs_read() {
    let project = Project::new(&[("bad.ron", &super::faulty())]);
    for args in [
        &["plan", "bad.ron", "--format", "json"][..],
        &["plan", "bad.ron", "--format", "html"],
        &["explain", "bad.ron", "flags", "--format", "json"],
        &["diff", "bad.ron", "bad.ron", "--format", "json"],
    ] {
        let ran = project.run(args);
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{args:?}");
        assert!(ran.err.contains("error[unknown-resource]"), "{ran:?}");
    }
    assert!(project.run(&["plan", "bad.ron"]).out.contains("error[unknown-resource]"));
}
