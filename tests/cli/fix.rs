//! Faults mended by machine.

use std::path::Path;

use super::{CLEAN, Project, could_not_run, run_in};

/// The fixture of the forms: one safe fix, and one that is a guess.
fn two_faults() -> String {
    CLEAN.replace(
        "\"flags\": Buffer(size: \"n * 4\")",
        "\"flags\": Buffer(size: \"n * 4\")\n \"idle\": Buffer(size: 16, usge: [Storage])",
    )
}

#[test]
fn fixes_are_written_and_what_remains_is_told() {
    let project = Project::new(&[("a.ron", &two_faults())]);
    let diff = project.run(&["check", "--diff", "a.ron"]);
    assert_eq!(diff.code, Some(1), "{diff:?}");
    let expected = "--- a.ron\n+++ a.ron\n@@ -1,7 +1,7 @@\n (\n     version: 1,\n     params: { \"n\": Int(default: 16, min: 4, max: 64), \
        \"mode\": Choice(default: \"a\", of: [\"a\", \"b\"]) },\n-    resources: { \"flags\": Buffer(size: \"n * 4\")\n\
        +    resources: { \"flags\": Buffer(size: \"n * 4\"),\n  \"idle\": Buffer(size: 16, usge: [Storage]) },\n     \
        passes: [ClearBuffer(name: \"reset\", target: \"flags\", when: \"mode == 'a' || n > 0\")],\n     outputs: [\"flags\"],\n";
    assert_eq!(diff.out, expected, "{}", diff.out);
    assert!(diff.err.contains("1 fault can be fixed"), "{diff:?}");
    let text = || std::fs::read_to_string(project.path().join("a.ron")).expect("it is there");
    assert_eq!(text(), two_faults(), "a diff changes nothing");

    let fixed = project.run(&["check", "--fix", "--format", "concise", "a.ron"]);
    assert_eq!(fixed.code, Some(1), "{fixed:?}");
    assert!(fixed.out.starts_with("a.ron:5:27: error[unknown-field]: "), "{fixed:?}");
    assert!(fixed.err.contains("1 fault was fixed"), "{fixed:?}");
    assert_eq!(text(), two_faults().replace("4\")\n", "4\"),\n"));

    let fixed = project.run(&["check", "--fix", "--unsafe-fixes", "--format", "concise", "a.ron"]);
    assert_eq!((fixed.code, fixed.out.as_str()), (Some(0), ""), "{fixed:?}");
    assert!(fixed.err.contains("2 faults were fixed"), "{fixed:?}");
    assert_eq!(text(), CLEAN, "spelt right, it is still used by nothing");
    let names: Vec<_> =
        std::fs::read_dir(project.path()).expect("it is there").map(|e| e.expect("an entry").file_name()).collect();
    assert_eq!(names, ["a.ron"], "nothing is left beside it");
    let again = project.run(&["check", "--diff", "--unsafe-fixes", "a.ron"]);
    assert_eq!((again.code, again.out.as_str()), (Some(0), ""), "{again:?}");
    could_not_run(&project.run(&["check", "--unsafe-fixes", "a.ron"]), "--fix");
}

#[test]
fn standard_input_is_answered_on_standard_output() {
    let project = Project::new(&[]);
    let ran = run_in(project.path(), &["check", "--fix", "--format", "concise", "-"], &two_faults());
    assert_eq!((ran.code, ran.out), (Some(1), two_faults().replace("4\")\n", "4\"),\n")));
    assert!(ran.err.starts_with("<stdin>:5:27: error[unknown-field]: "), "{}", ran.err);
    let clean = run_in(project.path(), &["check", "--fix", "-"], CLEAN);
    assert_eq!((clean.code, clean.out.as_str()), (Some(0), CLEAN));
    let diff = run_in(project.path(), &["check", "--diff", "-"], &two_faults());
    assert!(diff.out.starts_with("--- <stdin>\n+++ <stdin>\n@@ "), "{}", diff.out);
}

#[test]
fn all_files_are_fixed_and_shared_ones_once() {
    let part = "(version: 1, resources: { \"x\": InOut(Buffer()) } passes: [ClearBuffer(target: \"x\")])";
    let top = "(version: 1, resources: { \"x\": Buffer(size: 16) } passes: [Include(name: \"p\", graph: \"parts/p.ron\")], outputs: [\"x\"])";
    let project = Project::new(&[("a.ron", top), ("b.ron", top), ("parts/p.ron", part)]);
    let ran = project.run(&["check", "--fix", "."]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{ran:?}");
    assert!(ran.err.contains("3 faults were fixed"), "{ran:?}");
    let part_now = std::fs::read_to_string(project.path().join("parts/p.ron")).expect("it is there");
    assert_eq!(part_now, part.replace(" passes", ", passes"));
}

#[cfg(unix)]
#[test]
fn files_keep_their_links_and_permissions() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let project = Project::new(&[("rondag.toml", ""), ("real/a.ron", &two_faults())]);
    let real = project.path().join("real/a.ron");
    std::fs::set_permissions(&real, PermissionsExt::from_mode(0o640)).expect("it is ours");
    symlink("real/a.ron", project.path().join("link.ron")).expect("links can be made");
    let ran = project.run(&["check", "--fix", "link.ron"]);
    assert!(ran.err.contains("1 fault was fixed"), "{ran:?}");
    assert!(std::fs::symlink_metadata(project.path().join("link.ron")).expect("it is there").is_symlink());
    assert!(std::fs::read_to_string(&real).expect("it is there").contains("\"n * 4\"),"));
    assert_eq!(std::fs::metadata(&real).expect("it is there").permissions().mode() & 0o777, 0o640);
}

#[test]
fn carriage_returns_and_byte_order_marks_stay() {
    let text = format!("\u{feff}{}", two_faults().replace('\n', "\r\n"));
    let project = Project::new(&[("a.ron", &text)]);
    let ran = project.run(&["check", "--fix", "a.ron"]);
    assert!(ran.err.contains("1 fault was fixed"), "{ran:?}");
    let now = std::fs::read_to_string(project.path().join("a.ron")).expect("it is there");
    assert_eq!(now, text.replace("4\")\r\n", "4\"),\r\n"));
}

/// Every fix in every fixture: fixed as far as it goes, a file has no such fault any more and still parses.
#[test]
fn each_fix_of_the_fixtures_does_what_it_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/syntax");
    let mut fixed = 0;
    let mut names: Vec<_> =
        std::fs::read_dir(&folder).expect("the fixtures").map(|e| e.expect("an entry").path()).collect();
    names.sort();
    for path in names {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        let project = Project::new(&[(&name, &text)]);
        let fixable = |args: &[&str]| {
            let ran = project.run(&[&["check", "--format", "json", &name], args].concat());
            let object = |line: &str| serde_json::from_str::<serde_json::Value>(line).expect("it is JSON");
            let objects: Vec<_> = ran.out.lines().map(object).collect();
            let syntax = objects.iter().filter(|object| object["code"] == "syntax").count();
            (objects.iter().filter(|object| !object["fix"].is_null()).count(), syntax)
        };
        let (before, faults) = fixable(&[]);
        fixed += before;
        let (after, left) = fixable(&["--fix", "--unsafe-fixes"]);
        let now = std::fs::read_to_string(project.path().join(&name)).expect("it is there");
        assert!(
            after == 0 && left <= faults,
            "{name}: {before} fixes before, {after} after, {left} of {faults} unparsed\n{now}"
        );
    }
    assert!(fixed > 20, "{fixed} fixes in all");
}
