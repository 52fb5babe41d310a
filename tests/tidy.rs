//! The shape of the sources: layers point one way, files stay short, low layers stay pure.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Each layer may use itself, its neighbours in the line, and the lines above.
const LAYERS: [&[&str]; 8] = [
    &["source", "id", "diagnostic"],
    &["syntax", "shader"],
    &["graph"],
    &["plan"],
    &["lint", "record", "reference"],
    &["gpu"],
    &["session", "verify", "watch"],
    &["viewer", "cli"],
];

/// Lines of code a file may have: about 500. Comments and blank lines are free.
const MAX_LINES: usize = 550;

/// What reads a clock, blocks or touches files: the business of `session` and of what stands above it.
const IMPURE: [&str; 6] = ["std::fs", "std::env", "Instant::now", "SystemTime", "thread::sleep", "std::net"];

/// The door itself.
const DOOR: &str = "src/source/disk.rs";

fn rank(layer: &str) -> Option<usize> {
    LAYERS.iter().position(|line| line.contains(&layer))
}

/// `src/graph/mesh/cube.rs` is in `graph`.
fn layer(path: &str) -> Option<&str> {
    path.strip_prefix("src/")?.split(['/', '.']).next()
}

/// Lines of code with their numbers; comments left out.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line))
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// The modules that a line names as `crate::name`, or as `super::name` where `super` is the crate.
fn named<'a>(path: &str, line: &'a str) -> Vec<&'a str> {
    let top = path.ends_with("/mod.rs") && path.matches('/').count() == 2 || path.matches('/').count() == 1;
    let roots: &[&str] = if top { &["crate::", "super::"] } else { &["crate::"] };
    let after = |root: &'a str| line.split(root).skip(1).map(|rest| rest.trim_start_matches('{'));
    let name = |rest: &'a str| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    roots.iter().flat_map(|root| after(root)).map(name).collect()
}

fn upward(path: &str, text: &str) -> Vec<String> {
    let Some(own) = layer(path).and_then(rank) else {
        return Vec::new();
    };
    let offends = |line: &str| named(path, line).iter().any(|name| rank(name).is_some_and(|other| other > own));
    code(text).filter(|(_, line)| offends(line)).map(|(at, line)| format!("{path}:{at}: {}", line.trim())).collect()
}

fn impure(path: &str, text: &str) -> Vec<String> {
    let session = rank("session").expect("session is a layer");
    if path == DOOR || layer(path).and_then(rank).is_none_or(|own| own >= session) {
        return Vec::new();
    }
    let offends = |line: &str| IMPURE.iter().any(|word| line.contains(word));
    code(text).filter(|(_, line)| offends(line)).map(|(at, line)| format!("{path}:{at}: {}", line.trim())).collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All sources below `src`, by their path with `/`.
fn sources() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders: Vec<PathBuf> = vec![root().join("src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the sources can be listed") {
            let path = entry.expect("the sources can be listed").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let below = path.strip_prefix(root()).expect("it was found below the root");
                let name = below.to_str().expect("sources have plain names").replace('\\', "/");
                found.insert(name, std::fs::read_to_string(&path).expect("sources are text"));
            }
        }
    }
    assert!(found.contains_key("src/lib.rs") && found.len() > 10, "the sources were not found");
    found
}

#[test]
fn layers_import_downwards_only() {
    let found: Vec<String> = sources().iter().flat_map(|(path, text)| upward(path, text)).collect();
    assert!(found.is_empty(), "a layer uses one that stands above it:\n{}", found.join("\n"));
}

#[test]
fn upward_imports_are_seen() {
    assert_eq!(upward("src/graph/mod.rs", "use crate::plan::Plan;"), ["src/graph/mod.rs:1: use crate::plan::Plan;"]);
    assert_eq!(upward("src/graph/mod.rs", "\nuse super::{plan};").len(), 1);
    assert_eq!(upward("src/id.rs", "fn f(x: crate::graph::Draft) {}").len(), 1);
    assert_eq!(upward("src/graph/a/b.rs", "use super::plan;"), [""; 0], "a sibling of that name");
    assert_eq!(upward("src/graph/mod.rs", "/// See [`crate::plan`].\nuse crate::source::Span;"), [""; 0]);
    assert_eq!(upward("src/shader/mod.rs", "use crate::syntax::expr::Expr;"), [""; 0], "neighbours");
}

#[test]
fn low_layers_read_no_clock_and_no_file() {
    let found: Vec<String> = sources().iter().flat_map(|(path, text)| impure(path, text)).collect();
    assert!(found.is_empty(), "only `session` and what stands above it may do this:\n{}", found.join("\n"));
    assert_eq!(impure("src/plan/mod.rs", "let now = std::time::Instant::now();").len(), 1);
}

#[test]
fn files_are_short() {
    let lines = |text: &str| code(text).filter(|(_, line)| !line.trim().is_empty()).count();
    let long: Vec<String> = sources()
        .iter()
        .filter(|(_, text)| lines(text) > MAX_LINES)
        .map(|(path, text)| format!("{path} has {}", lines(text)))
        .collect();
    assert!(long.is_empty(), "above {MAX_LINES} lines of code, to be split by idea:\n{}", long.join("\n"));
}

/// One row a rule.
fn rule_table() -> String {
    let row = |rule: &rondag::diagnostic::Rule| {
        let (code, level, summary) = (rule.code, rule.level.name(), rule.summary);
        format!("| [`{code}`](docs/rules/{code}.md) | {level} | {summary} |\n")
    };
    let rows: String = rondag::lint::rules().map(row).collect();
    format!("| code | level | finds |\n|---|---|---|\n{rows}")
}

/// The text between `<!-- name -->` and `<!-- /name -->`.
fn part(text: &str, name: &str) -> std::ops::Range<usize> {
    let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let start = text.find(&open).expect("the part opens") + open.len();
    start..start + text[start..].find(&close).expect("the part closes")
}

/// Each technique: its picture, its title, its first paragraph.
fn gallery() -> String {
    let mut text = String::from("| | |\n|---|---|\n");
    for path in crate::checked::files_below(&root().join("docs/techniques"), "md") {
        let name = path.file_stem().expect("it has a name").to_string_lossy().into_owned();
        let page = std::fs::read_to_string(&path).expect("a page").replace("\r\n", "\n");
        assert!(page.lines().count() <= 60, "docs/techniques/{name}.md is longer than a page");
        assert!(root().join(format!("docs/gallery/{name}.png")).is_file(), "docs/techniques/{name}.md has no picture");
        assert!(root().join(format!("graphs/{name}.ron")).is_file(), "docs/techniques/{name}.md has no graph");
        let mut parts = page.splitn(3, "\n\n");
        let title = parts.next().and_then(|line| line.strip_prefix("# ")).expect("a page begins with its title");
        let first = parts.next().expect("a page has a first paragraph").replace('\n', " ");
        let picture = format!("[![{title}](docs/gallery/{name}.png)](docs/techniques/{name}.md)");
        writeln!(text, "| {picture} | **[{title}](docs/techniques/{name}.md)** · `graphs/{name}.ron`<br>{first} |")
            .expect("strings take everything");
    }
    text
}

/// `RONDAG_BLESS=1 cargo test readme` writes the parts anew.
#[test]
fn generated_parts_of_the_readme_are_fresh() {
    let path = root().join("README.md");
    let readme = std::fs::read_to_string(&path).expect("there is a README").replace("\r\n", "\n");
    let graph = include_str!("../src/cli/new/graph.ron.in").replace("NAME", "triangle");
    let mut fresh = readme.clone();
    for (name, text) in [("graph", format!("```ron\n{graph}```\n")), ("gallery", gallery()), ("rules", rule_table())] {
        let range = part(&fresh, name);
        fresh.replace_range(range, &text);
    }
    if std::env::var_os("RONDAG_BLESS").is_some() {
        std::fs::write(&path, &fresh).expect("the README can be written");
    } else {
        assert!(fresh == readme, "README.md is stale: run `RONDAG_BLESS=1 cargo test readme`");
    }
}
