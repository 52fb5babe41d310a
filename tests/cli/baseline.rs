//! Known findings.

use super::{CLEAN, Project, could_not_run, faulty};

/// A graph with some resources that nothing uses.
fn idle(names: &[&str]) -> String {
    let idle = names.iter().map(|name| format!("\"{name}\": Buffer(size: 16), ")).collect::<Vec<_>>().concat();
    CLEAN.replace("resources: {", &format!("resources: {{ {idle}"))
}

#[test]
fn what_is_known_is_not_told_and_what_is_new_is() {
    let project = Project::new(&[("graphs/a.ron", &idle(&["x", "y"])), ("graphs/b.ron", &faulty())]);
    let check = |more: &[&str]| {
        project.run(&[&["check", "graphs", "--format", "concise", "--baseline", "known.json"], more].concat())
    };
    could_not_run(&check(&[]), "known.json");
    let written = check(&["--write-baseline"]);
    assert_eq!((written.code, written.out.as_str()), (Some(0), ""), "{written:?}");
    assert!(written.err.contains("3 findings written to `known.json`"), "{written:?}");
    let text = || std::fs::read_to_string(project.path().join("known.json")).expect("it is there");
    let expected = r#"{
  "version": 1,
  "findings": [
    {
      "file": "graphs/a.ron",
      "code": "unused-resource",
      "at": "resources[\"x\"]",
      "count": 1
    },
    {
      "file": "graphs/a.ron",
      "code": "unused-resource",
      "at": "resources[\"y\"]",
      "count": 1
    },
    {
      "file": "graphs/b.ron",
      "code": "unknown-resource",
      "at": "passes[\"reset\"].target",
      "count": 1
    }
  ]
}
"#;
    assert_eq!(text().replace(".target", ""), expected.replace(".target", ""));

    let known = check(&["--deny-warnings"]);
    assert_eq!((known.code, known.out.as_str()), (Some(0), ""), "{known:?}");
    assert!(
        known.err.contains("no findings in 2 graphs") && known.err.contains("3 findings more in the baseline"),
        "{known:?}"
    );

    project.write("graphs/a.ron", format!("// moved\n\n{}", idle(&["y", "z"])).as_bytes());
    let new = check(&["--deny-warnings"]);
    assert_eq!(new.code, Some(1), "{new:?}");
    assert!(
        new.out.starts_with("graphs/a.ron:6:") && new.out.contains("`z`") && new.out.lines().count() == 1,
        "{new:?}"
    );
    assert!(new.err.contains("1 known finding of `known.json` is found no more"), "{new:?}");
    assert_eq!(new.out, check(&["--jobs", "2"]).out);

    let elsewhere =
        super::run_in(&project.path().join("graphs"), &["check", "b.ron", "--baseline", "../known.json"], "");
    assert_eq!(
        (elsewhere.code, elsewhere.out.as_str()),
        (Some(0), ""),
        "keys hang on the baseline's folder: {elsewhere:?}"
    );
    assert!(!elsewhere.err.contains("no more"), "what was not looked at is not stale: {elsewhere:?}");
}

#[test]
fn several_of_one_key_are_counted() {
    let twice = CLEAN.replace("passes: [", "passes: [CopyBuffer(source: \"p\", target: \"q\"), ");
    let thrice = CLEAN.replace(
        "passes: [",
        "passes: [CopyBuffer(source: \"p\", target: \"q\"), CopyBuffer(source: \"p\", target: \"q\"), ",
    );
    let project = Project::new(&[("a.ron", &twice)]);
    let check = |more: &[&str]| {
        project.run(&[&["check", "a.ron", "--format", "concise", "--baseline", "known.json"], more].concat())
    };
    assert_eq!(check(&["--write-baseline"]).code, Some(0));
    assert_eq!(check(&[]).out, "");
    project.write("a.ron", thrice.as_bytes());
    let more = check(&[]);
    assert!(more.code == Some(1) && more.out.lines().count() >= 1, "{more:?}");
}

#[test]
fn a_baseline_that_is_none_is_refused() {
    let project = Project::new(&[("a.ron", CLEAN)]);
    for (text, what) in [
        ("", "known.json:1:0: this is no baseline"),
        ("{\n \"version\": 1, \"finding\": [] }", "known.json:2:"),
        ("{ \"version\": 9, \"findings\": [] }", "version 9"),
        ("{ \"version\": 1, \"findings\": [{ \"file\": 3 }] }", "known.json:1:"),
    ] {
        project.write("known.json", text.as_bytes());
        could_not_run(&project.run(&["check", "a.ron", "--baseline", "known.json"]), what);
    }
    could_not_run(&project.run(&["check", "a.ron", "--baseline", "."]), "not a regular file");
    could_not_run(&project.run(&["check", "a.ron", "--baseline", "none/b.json"]), "none/b.json");
    could_not_run(&project.run(&["check", "a.ron", "--write-baseline"]), "--baseline");
    could_not_run(&project.run(&["check", "a.ron", "--write-baseline", "--baseline", "b.json", "--fix"]), "--fix");
}
