//! What rules mean, in three forms.

use super::{Project, could_not_run};

#[test]
fn manuals_come_in_three_forms() {
    let project = Project::new(&[]);
    let explain = |args: &[&str]| {
        let ran = project.run(&[&["explain"], args].concat());
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{args:?}");
        ran.out
    };
    let text = explain(&["unused-allow"]);
    assert!(
        text.starts_with("unused-allow (warning): an allowed rule finds nothing\n\nWHAT IT DOES\n  Finds "),
        "{text}"
    );
    assert!(text.contains("\n      lints: { \"dead-pass\": Allow },\n") && !text.contains("```"), "{text}");
    let markdown = explain(&["unused-allow", "--format", "markdown"]);
    assert!(
        markdown.starts_with("# unused-allow\n\nLevel: warning. An allowed rule finds nothing.\n\n## What it does\n")
    );
    let object = explain(&["unused-allow", "--format", "json"]);
    let object: serde_json::Value = serde_json::from_str(&object).expect("it is JSON");
    assert_eq!((&object["code"], &object["severity"]), (&"unused-allow".into(), &"warning".into()));
    assert!(object["docs"].as_str().is_some_and(|docs| docs.starts_with("## What it does\n")));
}

#[test]
fn all_rules_are_there_in_every_form() {
    let project = Project::new(&[]);
    let explain = |args: &[&str]| project.run(&[&["explain"], args].concat()).out;
    let codes: Vec<&str> = rondag::lint::rules().map(|rule| rule.code).collect();
    let firsts = |text: String, take: fn(&str) -> Option<&str>| {
        text.lines().filter_map(take).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(firsts(explain(&[]), |line| line.split(' ').next()), codes);
    assert_eq!(firsts(explain(&["--format", "markdown"]), |line| line.strip_prefix("| `")?.split('`').next()), codes);
    assert_eq!(firsts(explain(&["--all", "--format", "markdown"]), |line| line.strip_prefix("# ")), codes);
    let heads = firsts(explain(&["--all"]), |line| {
        line.split_once(" (").filter(|(head, _)| !head.contains(' ')).map(|(head, _)| head)
    });
    assert!(codes.iter().all(|code| heads.iter().any(|head| head == code)), "{heads:?}");
    for args in [&["--format", "json"][..], &["--all", "--format", "json"]] {
        let objects = explain(args);
        let objects = objects.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("it is JSON"));
        assert!(
            objects.map(|object| object["code"].clone()).eq(codes.iter().map(|code| serde_json::Value::from(*code)))
        );
    }
    could_not_run(&project.run(&["explain", "--all", "dead-pass"]), "--all");
    could_not_run(&project.run(&["explain", "--format", "html"]), "markdown");
}
