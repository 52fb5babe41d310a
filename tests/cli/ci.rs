//! What is there for continuous integration does what it says.

use std::path::{Path, PathBuf};

use super::{Project, run_in};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn text(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).expect("it is there").replace("\r\n", "\n")
}

#[test]
fn the_problem_matcher_takes_concise_lines_apart() {
    let matcher: serde_json::Value = serde_json::from_str(&text("docs/ci/rondag-matcher.json")).expect("it is JSON");
    let pattern = &matcher["problemMatcher"][0]["pattern"][0];
    let regex = regex::Regex::new(pattern["regexp"].as_str().expect("a text")).expect("it is a pattern");
    let folder = root().join("tests/fixtures/formats");
    let lines = run_in(&folder, &["check", "--format", "concise", "."], "").out;
    let objects = run_in(&folder, &["check", "--format", "json", "."], "").out;
    assert_eq!(lines.lines().count(), objects.lines().count());
    for (line, object) in lines.lines().zip(objects.lines()) {
        let object: serde_json::Value = serde_json::from_str(object).expect("it is JSON");
        let found = regex.captures(line).unwrap_or_else(|| panic!("{line}"));
        let group = |name: &str| &found[pattern[name].as_u64().expect("a number") as usize];
        assert_eq!((group("file"), group("severity"), group("code")), texts(&object));
        assert_eq!(group("line"), object["start"]["line"].to_string());
        assert_eq!(group("column"), object["start"]["column"].to_string());
        assert!(group("message").starts_with(object["message"].as_str().expect("a text")));
    }
}

fn texts(object: &serde_json::Value) -> (&str, &str, &str) {
    let text = |name: &str| object[name].as_str().expect("a text");
    (text("file"), text("severity"), text("code"))
}

/// Every `rondag check …` that the documents tell to run.
#[test]
fn commands_of_the_documents_can_be_run() {
    let project = Project::new(&[]);
    assert_eq!(project.run(&["new", "triangle"]).code, Some(0));
    project.write("known.json", b"{ \"version\": 1, \"findings\": [] }");
    let mut commands = 0;
    let help = project.run(&["check", "--help"]).out;
    let files = [
        "README.md",
        ".pre-commit-hooks.yaml",
        "docs/ci/annotations.yml",
        "docs/ci/code-scanning.yml",
        "docs/ci/matcher.yml",
    ];
    for document in files.map(text).iter().chain([&help]) {
        for line in document.lines() {
            let words = line.trim_start().trim_start_matches("- run: ").trim_start_matches("entry: ");
            let words = words.trim_start_matches("$ ").split(['#', '>']).next().unwrap_or_default();
            let words = words.split("  ").next().unwrap_or_default();
            let Some(args) = words.strip_prefix("rondag check").filter(|args| !args.contains("graphs")) else {
                continue;
            };
            let args: Vec<&str> = std::iter::once("check").chain(args.split_whitespace()).collect();
            let ran = project.run(&args);
            assert_eq!(ran.code, Some(0), "{line}: {ran:?}");
            commands += 1;
        }
    }
    assert!(commands >= 11, "{commands}");
}

/// What the README shows is what one sees. `RONDAG_BLESS=1` writes it anew.
#[test]
fn the_finding_of_the_readme_is_real() {
    let project = Project::new(&[]);
    assert_eq!(project.run(&["new", "triangle"]).code, Some(0));
    let graph: PathBuf = project.path().join("triangle/triangle.ron");
    let faulty =
        std::fs::read_to_string(&graph).expect("it is there").replace("outputs: [\"color\"]", "outputs: [\"colour\"]");
    project.write("triangle/triangle.ron", faulty.as_bytes());
    let ran = project.run(&["check", "triangle"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let readme = text("README.md");
    let (before, rest) = readme.split_once("<!-- finding -->\n").expect("the part opens");
    let (_, after) = rest.split_once("<!-- /finding -->").expect("the part closes");
    let shown = format!("```console\n$ rondag check triangle\n{}\n```\n", ran.out.trim_end());
    let fresh = format!("{before}<!-- finding -->\n{shown}<!-- /finding -->{after}");
    if std::env::var_os("RONDAG_BLESS").is_some() {
        std::fs::write(root().join("README.md"), &fresh).expect("it can be written");
    }
    assert!(fresh == readme, "README.md is stale: run `RONDAG_BLESS=1 cargo test readme`\n{shown}");
}

/// The root for which the README shows a `rondag.toml` can be checked with it.
#[test]
fn the_root_file_of_the_readme_is_read() {
    let readme = text("README.md");
    let (_, rest) = readme.split_once("```toml\n").expect("it is shown");
    let (toml, _) = rest.split_once("```").expect("it ends");
    let project = Project::new(&[
        ("rondag.toml", toml),
        ("graphs/a.ron", super::CLEAN),
        ("graphs/old/b.ron", &super::faulty()),
        (
            "profiles/handheld.toml",
            "features = [\"SUBGROUP\"]\nmax_memory = 1_073_741_824\n[limits]\nmax_storage_buffers_per_shader_stage = 16",
        ),
    ]);
    let ran = project.run(&["check", "graphs", "--format", "concise"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{ran:?}");
}
