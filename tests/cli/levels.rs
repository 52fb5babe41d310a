//! Levels: what the command line says, what a file says of itself, what the root's `rondag.toml` says.

use super::{CLEAN, Project, could_not_run, faulty};

/// A graph with one warning, an `unused-resource`.
fn idle() -> String {
    CLEAN.replace("resources: {", "resources: { \"idle\": Buffer(size: 16),")
}

fn with_lints(text: &str, lints: &str) -> String {
    text.replace("outputs: [\"flags\"],", &format!("outputs: [\"flags\"], lints: {{ {lints} }},"))
}

/// Level and code of each finding, and the exit code.
#[track_caller]
fn found(project: &Project, args: &[&str]) -> (Vec<String>, Option<i32>) {
    let ran = project.run(&[&["check", "--format", "concise"], args].concat());
    let head = |line: &str| line.split(": ").nth(1).map(str::to_owned);
    (ran.out.lines().filter_map(head).collect(), ran.code)
}

#[test]
fn the_command_line_goes_before_the_file_and_the_file_before_the_root() {
    let code = "\"unused-resource\"";
    let warning = (vec!["warning[unused-resource]".to_owned()], Some(0));
    let error = (vec!["error[unused-resource]".to_owned()], Some(1));
    let nothing = (Vec::new(), Some(0));
    for (toml, file, args, expected) in [
        ("", "", &[][..], &warning),
        ("deny", "", &[], &error),
        ("allow", "", &[], &nothing),
        ("warn", "", &[], &warning),
        ("deny", "Allow", &[], &nothing),
        ("deny", "Warn", &[], &warning),
        ("allow", "Deny", &[], &error),
        ("allow", "Deny", &["-W", "unused-resource"], &warning),
        ("deny", "Allow", &["--deny", "unused-resource"], &error),
        ("deny", "Deny", &["-A", "unused-resource"], &nothing),
        ("deny", "", &["--exit-zero"], &(error.0.clone(), Some(0))),
    ] {
        let toml = if toml.is_empty() { String::new() } else { format!("[lints]\nunused-resource = \"{toml}\"\n") };
        let lints = if file.is_empty() { String::new() } else { format!("{code}: {file}") };
        let project = Project::new(&[("rondag.toml", &toml), ("a.ron", &with_lints(&idle(), &lints))]);
        assert_eq!(found(&project, &[&["a.ron"], args].concat()), *expected, "{toml} {lints} {args:?}");
    }
}

#[test]
fn errors_cannot_be_allowed() {
    let project = Project::new(&[
        ("rondag.toml", "[lints]\nunknown-resource = \"allow\""),
        ("a.ron", &with_lints(&faulty(), "\"unknown-resource\": Allow")),
    ]);
    assert_eq!(found(&project, &["-A", "unknown-resource"]).1, Some(1));
    project.write("a.ron", with_lints(CLEAN, "\"unknown-resource\": Allow").as_bytes());
    let ran = project.run(&["check", "--format", "concise", "a.ron"]);
    assert!(ran.out.contains("a.ron:6:35: warning[unused-allow]: `unknown-resource` is an error"), "{ran:?}");
}

#[test]
fn allows_without_effect_are_told_where_all_is_known() {
    let unused = vec!["warning[unused-allow]".to_owned()];
    let mode = |when: &str| format!("[lints]\nunused-resource = {{ level = \"allow\", when = \"{when}\" }}");
    let own = with_lints(CLEAN, "\"unused-resource\": Allow");
    let project = Project::new(&[("rondag.toml", ""), ("a.ron", &own), ("b.ron", CLEAN)]);
    assert_eq!(found(&project, &["a.ron"]).0, unused);
    assert_eq!(found(&project, &["a.ron", "--set", "n=8"]).0, [""; 0], "not all variants were tried");
    assert_eq!(found(&project, &["a.ron", "-D", "unused-resource"]).0, [""; 0], "it is overruled");
    assert_eq!(found(&project, &["a.ron", "-A", "unused-allow"]).0, [""; 0]);
    project.write("a.ron", with_lints(CLEAN, "\"unused-resource\": Allow, \"unused-allow\": Allow").as_bytes());
    assert_eq!(found(&project, &["a.ron"]).0, [""; 0]);
    project.write("a.ron", CLEAN.as_bytes());
    project.write("rondag.toml", b"[lints]\nunused-resource = \"allow\"");
    assert_eq!(found(&project, &["a.ron", "b.ron"]).0, [""; 0], "there may be more graphs");
    let ran = project.run(&["check", "--format", "concise", "."]);
    assert_eq!(ran.out.split(": `").next(), Some("rondag.toml:2:1: warning[unused-allow]"), "{ran:?}");
    project.write("b.ron", idle().as_bytes());
    assert_eq!(found(&project, &["."]).0, [""; 0], "one graph has a use for it");
    project.write("b.ron", faulty().as_bytes());
    assert_eq!(found(&project, &["."]).0, ["error[unknown-resource]"], "what is at fault may have a use for it");
    project.write("b.ron", idle().as_bytes());
    project.write("rondag.toml", mode("n >= 4 && mode != 'c'").as_bytes());
    assert_eq!(found(&project, &["."]).0, [""; 0]);
    project.write("rondag.toml", mode("max(n, surface.width) < 0").as_bytes());
    assert_eq!(found(&project, &["."]).0, ["warning[unused-resource]", "warning[unused-allow]"]);
    project.write("rondag.toml", mode("no_such_param").as_bytes());
    assert_eq!(found(&project, &["."]).0, ["warning[unused-resource]", "warning[unused-allow]"]);
}

/// A shader that has one warning, whoever dispatches it.
const LONE: &str = "@group(0) @binding(0) var<storage, read_write> list: array<u32>;
@compute @workgroup_size(64) fn lone(@builtin(local_invocation_index) i: u32) {
    if i < 9u { workgroupBarrier(); }
    list[i] = i;
}
";

fn dispatching(lints: &str) -> String {
    format!(
        "(version: 1, resources: {{ \"list\": Buffer(count: 64) }}, passes: [Dispatch(name: \"lone\", shader: \"lone.wgsl\", groups: 1)],
outputs: [\"list\"], lints: {{ {lints} }})"
    )
}

#[test]
fn a_graph_sets_levels_for_the_shaders_that_it_reaches() {
    let lints = |level: &str| format!("\"non-uniform-barrier\": {level}");
    let project = Project::new(&[("rondag.toml", ""), ("shaders/lone.wgsl", LONE), ("a.ron", &dispatching(""))]);
    assert_eq!(found(&project, &["a.ron"]).0, ["warning[non-uniform-barrier]"]);
    project.write("a.ron", dispatching(&lints("Deny")).as_bytes());
    assert_eq!(found(&project, &["a.ron"]).0, ["error[non-uniform-barrier]"]);
    assert_eq!(found(&project, &["a.ron", "-A", "non-uniform-barrier"]).0, [""; 0], "the command line goes before it");
    project.write("a.ron", dispatching(&lints("Allow")).as_bytes());
    assert_eq!(found(&project, &["a.ron"]).0, [""; 0], "it is allowed, and the allow is of use");

    project.write("b.ron", dispatching("").as_bytes());
    assert_eq!(found(&project, &["."]).0, ["warning[non-uniform-barrier]"], "another graph does not allow it");
    project.write("b.ron", dispatching(&lints("Allow(when: \"false\")")).as_bytes());
    let unused = ["warning[unused-allow]", "warning[non-uniform-barrier]"];
    assert_eq!(found(&project, &["."]).0, unused);
    project.write("a.ron", dispatching("").as_bytes());
    project.write("b.ron", dispatching(&lints("Deny")).as_bytes());
    assert_eq!(found(&project, &["."]).0, ["error[non-uniform-barrier]"], "it is told once, at the highest level");
    project.write("a.ron", dispatching(&lints("Allow")).as_bytes());
    project.write("b.ron", dispatching(&lints("Allow")).as_bytes());
    assert_eq!(found(&project, &["."]).0, [""; 0], "both allow it");

    let part = "(version: 1, resources: { \"list\": Out(Buffer()) }, passes: [Dispatch(name: \"lone\", shader: \"lone.wgsl\", groups: 1)])";
    let top = |lints: &str| {
        format!(
            "(version: 1, resources: {{ \"list\": Buffer(count: 64) }}, passes: [Include(name: \"p\", graph: \"parts/p.ron\")],
outputs: [\"list\"], lints: {{ {lints} }})"
        )
    };
    let project = Project::new(&[
        ("shaders/lone.wgsl", LONE),
        ("parts/p.ron", &with_own(part, &lints("Deny"))),
        ("a.ron", &top("")),
    ]);
    assert_eq!(found(&project, &["a.ron"]).0, ["error[non-uniform-barrier]"]);
    project.write("a.ron", top(&lints("Warn")).as_bytes());
    assert_eq!(
        found(&project, &["a.ron"]).0,
        ["warning[non-uniform-barrier]"],
        "who includes goes before what is included"
    );
}

/// A graph with levels of its own.
fn with_own(text: &str, lints: &str) -> String {
    format!("{}, lints: {{ {lints} }})", text.strip_suffix(')').expect("it ends so"))
}

#[test]
fn allows_without_effect_are_taken_out_by_fix() {
    let dead = "\"dead-pass\": Warn";
    for (lints, left) in [
        ("\"unused-resource\": Allow", ""),
        ("\"unused-resource\": Allow, \"dead-pass\": Warn", dead),
        ("\"dead-pass\": Warn, \"unused-resource\": Allow(when: \"n > 4\")", dead),
        ("\"unknown-resource\": Allow, \"dead-pass\": Warn, \"unused-resource\": Allow", dead),
    ] {
        let project = Project::new(&[("a.ron", &with_lints(CLEAN, lints))]);
        let ran = project.run(&["check", "--fix", "a.ron"]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{ran:?}");
        let text = std::fs::read_to_string(project.path().join("a.ron")).expect("it is there");
        let (text, left) = (text.replace(' ', ""), with_lints(CLEAN, left).replace(' ', ""));
        assert_eq!(text, left);
    }
}

#[test]
fn the_root_has_defaults() {
    let project = Project::new(&[
        ("rondag.toml", "[check]\ndeny-warnings = true\nexclude = [\"old/\", \"*.wip.ron\"]\nprofile = \"webgpu\"\n"),
        ("a.ron", &idle()),
        ("old/b.ron", &faulty()),
        ("c.wip.ron", &faulty()),
    ]);
    assert_eq!(found(&project, &["."]), (vec!["warning[unused-resource]".to_owned()], Some(1)));
    assert_eq!(found(&project, &["old/b.ron"]).0, ["error[unknown-resource]"], "what is named is checked");
}

#[test]
fn faults_of_the_root_file_are_told_with_their_place() {
    let project = Project::new(&[("a.ron", CLEAN), ("other/rondag.toml", ""), ("other/b.ron", &faulty())]);
    for (toml, what) in [
        ("[lints]\ndead-pas = \"warn\"", "rondag.toml:2:1: no rule is called `dead-pas`; did you mean `dead-pass`?"),
        ("[lints]\ndead-pass = \"alow\"", "rondag.toml:2:13: no level is called `alow`; did you mean `allow`?"),
        ("[lints]\ndead-pass = 1", "rondag.toml:2:13: `dead-pass` needs a text"),
        ("[lints]\ndead-pass = { when = \"true\" }", "rondag.toml:2:13: `dead-pass` needs a `level`"),
        ("[lints.dead-pass]\nlevel = \"allow\"\nif = 1", "rondag.toml:3:1: no key is called `if`"),
        ("[lints]\ndead-pass = { level = \"allow\", when = \"1 +\" }", "rondag.toml:2:39: `when` cannot be read"),
        ("[lint]", "rondag.toml:1:2: no table is called `lint`; did you mean `lints`?"),
        ("[check]\ndeny_warning = true", "rondag.toml:2:1: no key is called `deny_warning`"),
        ("[check]\ndeny-warnings = \"yes\"", "rondag.toml:2:17: `deny-warnings` needs `true` or `false`"),
        ("[check]\nexclude = [\"a/{b\"]", "rondag.toml:2:12: this is no pattern"),
        ("[check]\nprofile = \"webgp\"", "webgp"),
        ("lints = 3", "rondag.toml:1:9: `lints` needs a table"),
        ("\u{feff}[lints\n", "rondag.toml:1:"),
    ] {
        project.write("rondag.toml", toml.as_bytes());
        could_not_run(&project.run(&["check", "a.ron"]), what);
        let both = project.run(&["check", "."]);
        assert!(both.code == Some(2) && both.out.contains("flagz"), "another root is checked all the same: {both:?}");
    }
    project.write("rondag.toml", b"[check]\nexclude = [\xff]");
    could_not_run(&project.run(&["check", "a.ron"]), "not valid UTF-8");
    for (args, what) in [
        (&["-A", "dead-pas"][..], "did you mean `dead-pass`?"),
        (&["-A", "dead-pass", "-D", "dead-pass"], "`dead-pass` is given two levels"),
        (&["--jobs", "0"], "--jobs"),
    ] {
        could_not_run(&project.run(&[&["check", "other/b.ron"], args].concat()), what);
    }
}
