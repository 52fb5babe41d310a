//! Fixtures that carry their expectations: what a graph file is told stands in comments under the lines it is told about.
//!
//! `^^^` underlines the place of a finding, `---` another place that takes part, `>` a place between two characters, and
//! `//@1-3` names columns that the slashes cover. `RONDAG_BLESS=1` writes the comments anew, to be read before they are
//! committed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use rondag::diagnostic::{Diagnostic, Label};
use rondag::source::{File, FileId, Files, Memory};
use rondag::syntax::rules;

use super::{fixtures, graphs_below};

/// Whether a line is an expectation.
fn is_expectation(line: &str) -> bool {
    let text = line.trim_start();
    let Some(comment) = text.strip_prefix("//") else { return false };
    let marks = ["^", "---", ">", "| ", "help: ", "note: ", "fix: ", "at: "];
    comment.starts_with('@') || (comment.starts_with(' ') && marks.iter().any(|m| comment.trim_start().starts_with(m)))
}

/// The text as its author wrote it.
fn stripped(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !is_expectation(line)).collect()
}

fn read(text: &str) -> (Files, FileId, Vec<Diagnostic>) {
    let mut files = Files::new(Memory::default());
    let file = files.add("frame.ron", text.to_owned());
    let (_, found) = rondag::syntax::parse(&files, file);
    (files, file, found)
}

/// Slashes, then `mark` under the characters of the label.
fn underline(file: &File, label: &Label, mark: &str) -> (usize, String, String) {
    let start = file.position(label.span.start);
    let line = file.line(start.line);
    let width = file.text
        [label.span.start as usize..(label.span.end as usize).min(line.end).max(label.span.start as usize)]
        .chars()
        .count();
    let indent: String = file.text[line].chars().take_while(|c| c.is_whitespace()).collect();
    let column = start.column - 1;
    let marks = if width == 0 { ">".to_owned() } else { mark.repeat(width) };
    let marks = if mark == "-" && width < 3 { format!("{marks}--") } else { marks };
    let Some(gap) = column.checked_sub(indent.chars().count() + 2).filter(|gap| *gap > 0) else {
        let own = if mark == "-" { "-" } else { "" };
        return (start.line, format!("//@{}-{}{own}", column + 1, column + width.max(1)), String::from("//  "));
    };
    (start.line, format!("{indent}//{}{marks}", " ".repeat(gap)), format!("{indent}//{}", " ".repeat(gap)))
}

/// The text with all that `found` says written under its lines.
fn annotated(files: &Files, id: FileId, found: &[Diagnostic]) -> String {
    let file = files.get(id);
    let mut under: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for finding in found {
        let (line, marks, space) = underline(file, &finding.primary, "^");
        let mut text = format!("{marks} {}[{}]: {}\n", finding.level.name(), finding.rule.code, finding.message);
        let mut say = |what: &str, said: &str| writeln!(text, "{space}{what} {said}").expect("a String");
        say("|", &finding.primary.text);
        finding.help.iter().for_each(|help| say("help:", help));
        finding.notes.iter().for_each(|note| say("note:", note));
        finding.fix.iter().for_each(|fix| say("fix:", &fix.title));
        if !finding.path.is_empty() {
            say("at:", &finding.path);
        }
        under.entry(line).or_default().push(text);
        for label in &finding.secondary {
            let (line, marks, _) = underline(file, label, "-");
            under.entry(line).or_default().push(format!("{marks} {}\n", label.text));
        }
    }
    let mut out = String::new();
    for (index, line) in file.text.split_inclusive('\n').enumerate() {
        out.push_str(line);
        if let Some(said) = under.remove(&(index + 1)) {
            out.push_str(if line.ends_with('\n') { "" } else { "\n" });
            out.push_str(&said.concat());
        }
    }
    out.extend(under.into_values().flatten());
    out
}

#[test]
fn fixtures_are_told_what_they_expect() {
    let paths = graphs_below(&fixtures().join("syntax"));
    assert!(paths.len() >= 10, "the fixtures were not found");
    let mut wrong = Vec::new();
    let mut fired = BTreeSet::new();
    for path in paths {
        let text = fs::read_to_string(&path).expect("fixtures are text");
        let (files, file, found) = read(&stripped(&text));
        fired.extend(found.iter().map(|finding| finding.rule.code));
        let told = annotated(&files, file, &found);
        if told != text {
            if std::env::var_os("RONDAG_BLESS").is_some() {
                fs::write(&path, &told).expect("fixtures can be written");
            }
            wrong.push(format!("{} is told:\n{told}", path.display()));
        }
        let is_quiet = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("quiet"));
        assert_eq!(is_quiet, found.is_empty(), "{}", path.display());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Files that are too large or have a thousand findings are among the hostile ones.
    fired.extend([rules::TOO_LARGE.code, rules::TOO_MANY_FINDINGS.code]);
    let silent: Vec<&str> = rules::ALL.iter().map(|rule| rule.code).filter(|code| !fired.contains(code)).collect();
    assert!(silent.is_empty(), "no fixture makes these rules fire: {silent:?}");
}

#[test]
fn each_fix_mends_what_it_belongs_to() {
    let mut n_fixes = 0;
    for path in graphs_below(&fixtures().join("syntax")) {
        let text = stripped(&fs::read_to_string(&path).expect("fixtures are text"));
        let (_, _, found) = read(&text);
        for finding in &found {
            let Some(fix) = &finding.fix else { continue };
            let mut mended = text.clone();
            for edit in fix.edits.iter().rev() {
                mended.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
            }
            let (_, _, left) = read(&mended);
            let same =
                |d: &&Diagnostic| d.rule == finding.rule && d.message == finding.message && d.path == finding.path;
            let before = found.iter().filter(same).count();
            let after = left.iter().filter(same).count();
            assert!(after < before, "{}: {} did not mend {finding:#?}\n{mended}", path.display(), fix.title);
            n_fixes += 1;
        }
    }
    assert!(n_fixes >= 10, "only {n_fixes} fixes were tried");
}
