//! The manuals of the rules, `docs/rules/CODE.md`: the example of each fires, at its carets, its rule and nothing else; what
//! to use instead is quiet.
//!
//! A block is a file. `// graphs/part.ron` in its first line says its path; a `ron` block without one is the checked frame, and
//! may be the inside of a frame only. The shaders of `docs/rules/README.md` are there for all. `//  ^^^^` points at the
//! characters above it, and what follows the carets is the finding's label. What no short text shows is in [`ELSEWHERE`].

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use rondag::graph::Settings;
use rondag::lint::{self, Profile};

use super::checked::checked;

/// Rules that no short text shows, and where they are tested.
const ELSEWHERE: &[(&str, &str)] = &[
    ("fixed-subgroup-size", "tests/lint.rs"),
    ("import-limit", "tests/shader/imports.rs"),
    ("nesting-limit", "tests/syntax/reports.rs"),
    ("too-large", "tests/syntax/hostile.rs"),
    ("too-many-findings", "tests/syntax/hostile.rs"),
    ("too-many-hazards", "tests/plan/faults.rs"),
    ("unreadable-file", "tests/shader/faults.rs"),
    ("wgsl-compiler-fault", "src/shader/library.rs"),
    ("wgpu-refuses", "tests/deep.rs"),
];

/// Files by path.
type Texts = BTreeMap<String, String>;

/// Where a finding is: path, line and column of its first character, its text, its label.
type Mark = (String, usize, usize, String, Option<String>);

/// What is checked.
const FRAME: &str = "frame.ron";

fn manual(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/rules").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    text.replace("\r\n", "\n")
}

/// The part of a manual below a heading.
fn section<'t>(text: &'t str, heading: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(&format!("## {heading}\n"))?;
    Some(rest.split("\n## ").next().unwrap_or(rest))
}

/// The fenced blocks of a part, as files.
fn blocks(part: &str) -> Texts {
    let mut texts = Texts::new();
    for piece in part.split("```").skip(1).step_by(2) {
        let (language, body) = piece.split_once('\n').unwrap_or((piece, ""));
        let named = body.lines().next().and_then(|line| line.strip_prefix("// "));
        let named = named.filter(|name| matches!(name.rsplit_once('.'), Some((_, "ron" | "wgsl" | "csv"))));
        let path = match (named, language) {
            (Some(path), _) => path.to_owned(),
            (None, "ron") => FRAME.to_owned(),
            _ => continue,
        };
        let inside = language == "ron" && !body.lines().any(|line| line.starts_with('('));
        // A table has no comments of this kind.
        let body = if language == "csv" { body.split_once('\n').map_or("", |(_, rest)| rest) } else { body };
        let text = if inside { format!("(version: 1,\n{body})\n") } else { body.to_owned() };
        texts.insert(path, text);
    }
    texts
}

/// What the carets of all files point at.
fn marks(texts: &Texts) -> Vec<Mark> {
    let mut marks = Vec::new();
    for (path, text) in texts {
        let mut above: (usize, &str) = (0, "");
        for (number, line) in text.lines().enumerate() {
            let comment = line.trim_start().strip_prefix("//").map(str::trim_start);
            let Some(pointed) = comment.filter(|rest| rest.starts_with('^')) else {
                above = (number + 1, line);
                continue;
            };
            let column = line.find('^').expect("it has one");
            let width = pointed.chars().take_while(|c| *c == '^').count();
            let label = pointed.trim_start_matches('^').trim();
            let label = (!label.is_empty()).then(|| label.to_owned());
            let end = above.1.len().min(column + width);
            let text = above.1.get(column..end).unwrap_or("<beyond the line>").to_owned();
            marks.push((path.clone(), above.0, column + 1, text, label));
        }
    }
    marks
}

/// All findings of a frame, as marks with their code.
fn found(texts: &Texts) -> Vec<(Mark, &'static str, String)> {
    let files = texts.iter().map(|(path, text)| (path.as_str(), text.as_str()));
    let all = checked(files, &Settings::default(), &Profile::default());
    let mark = |finding: &rondag::diagnostic::Diagnostic| {
        let file = all.library.files.get(finding.primary.span.file);
        let at = file.position(finding.primary.span.start);
        let text = all.text(finding).lines().next().unwrap_or_default().to_owned();
        let mark = (file.path.clone(), at.line, at.column, text, Some(finding.primary.text.clone()));
        (mark, finding.rule.code, finding.message.clone())
    };
    all.found.iter().map(mark).collect()
}

/// What is wrong with the examples of one rule.
fn faults(code: &str, text: &str, shared: &Texts) -> String {
    let mut faults = String::new();
    let Some(example) = section(text, "Example").map(blocks) else {
        return format!("{code}: no example\n");
    };
    let with = |texts: &Texts| shared.iter().chain(texts).map(|(path, text)| (path.clone(), text.clone())).collect();
    let bad: Texts = with(&example);
    let mut expected = marks(&bad);
    if expected.is_empty() {
        let _ = writeln!(faults, "{code}: no carets in the example");
    }
    for (mark, is, message) in found(&bad) {
        let same = |other: &Mark| {
            // What is missing has no characters: one caret points at its place.
            let width = if mark.3.is_empty() { other.3.chars().count() == 1 } else { other.3 == mark.3 };
            (&other.0, other.1, other.2) == (&mark.0, mark.1, mark.2)
                && width
                && (other.4.is_none() || other.4 == mark.4)
        };
        match expected.iter().position(same) {
            Some(at) if is == code => drop(expected.remove(at)),
            _ => {
                let (path, line, column, text, label) = mark;
                let label = label.unwrap_or_default();
                let _ =
                    writeln!(faults, "{code}: not expected: {path}:{line}:{column} [{is}] {message}: `{text}` {label}");
            }
        }
    }
    for mark in expected {
        let _ = writeln!(faults, "{code}: did not fire: {mark:?}");
    }
    let Some(instead) = section(text, "Use instead").map(blocks) else {
        return faults + &format!("{code}: no `Use instead`\n");
    };
    let good: Texts = bad.into_iter().chain(instead).collect();
    for ((path, line, column, ..), is, message) in found(&good) {
        let _ = writeln!(faults, "{code}: not quiet: {path}:{line}:{column} [{is}] {message}");
    }
    faults
}

#[test]
fn examples_fire_and_their_cures_are_quiet() {
    let shared = blocks(&manual("README.md"));
    let elsewhere: BTreeSet<&str> = ELSEWHERE.iter().map(|(code, _)| *code).collect();
    let only = std::env::var("RONDAG_RULE").ok();
    let rules = lint::rules().filter(|rule| only.as_ref().is_none_or(|only| only == rule.code));
    let mut wrong = String::new();
    for rule in rules {
        let text = manual(&format!("{}.md", rule.code));
        if elsewhere.contains(rule.code) {
            let example = section(&text, "Example").map(blocks);
            assert!(example.is_none_or(|texts| texts.is_empty()), "`{}` has an example, and is excused", rule.code);
        } else {
            wrong += &faults(rule.code, &text, &shared);
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn what_no_example_shows_is_tested_elsewhere() {
    for (code, path) in ELSEWHERE {
        let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("the test's file");
        assert!(text.contains(code), "{path} asserts no `{code}`");
    }
}

#[test]
fn each_rule_has_a_manual_and_each_manual_a_rule() {
    let mut files: BTreeSet<String> = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/rules"))
        .expect("the folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    assert!(files.remove("README.md"));
    let mut before = "";
    for rule in lint::rules() {
        assert!(files.remove(&format!("{}.md", rule.code)), "{}", rule.code);
        assert!(rule.docs.starts_with(&format!("# {}\n", rule.code)), "{}", rule.code);
        for part in ["What it does", "Why is this bad?", "Example", "Use instead"] {
            assert!(section(rule.docs, part).is_some(), "`{}` lacks `{part}`", rule.code);
        }
        assert!(rule.code > before, "codes are unique and sorted");
        assert!(!rule.summary.is_empty() && !rule.summary.ends_with('.'), "{}", rule.code);
        before = rule.code;
    }
    assert!(files.is_empty(), "no rule has these: {files:?}");
}
