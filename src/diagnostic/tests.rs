//! The forms of one finding, as bytes.

use super::*;
use crate::source::{FileId, Files, Memory};

rule! {
    UNKNOWN = Error "unknown-resource": "for tests";
}

const GRAPH: &str = "(\n    version: 1,\n    resources: { \"flags\": Buffer(count: 4) },\n    passes: [\n        \
    ClearBuffer(name: \"reset\", target: \"flagz\"),\n    ],\n)\n";

fn files(text: &str) -> (Files, FileId) {
    let mut files = Files::new(Memory::new([("graphs/a.ron", text)]));
    let file = files.load("graphs/a.ron").expect("the file is in memory");
    (files, file)
}

/// The span of the `n`th occurrence of `needle`, from 0.
fn span(files: &Files, file: FileId, needle: &str, n: usize) -> Span {
    let (start, _) = files.get(file).text.match_indices(needle).nth(n).expect("the text has it");
    Span::new(file, start, start + needle.len())
}

fn finding(files: &Files, file: FileId) -> Diagnostic {
    let wrong = span(files, file, "\"flagz\"", 0);
    Diagnostic::new(&UNKNOWN, "pass `reset` clears `flagz`, which is no resource", wrong, "no resource has this name")
        .also(span(files, file, "\"flags\"", 0), "a similar name is declared here")
        .help("did you mean `flags`?")
        .fix("write `flags`", true, vec![Edit { span: wrong, text: "\"flags\"".to_owned() }])
        .at("passes[\"reset\"].target")
}

#[cfg(feature = "cli")]
#[test]
fn full_draws_both_places_and_the_patch() {
    let (files, file) = files(GRAPH);
    let mut finding = finding(&files, file);
    finding.variant = "mode=scan".to_owned();
    let expected = r#"error[unknown-resource]: pass `reset` clears `flagz`, which is no resource
 --> graphs/a.ron:5:44
  |
3 |     resources: { "flags": Buffer(count: 4) },
  |                  ------- a similar name is declared here
4 |     passes: [
5 |         ClearBuffer(name: "reset", target: "flagz"),
  |                                            ^^^^^^^ no resource has this name
  |
  = note: only with mode=scan
  = help: did you mean `flags`?
help: write `flags`
  |
5 -         ClearBuffer(name: "reset", target: "flagz"),
5 +         ClearBuffer(name: "reset", target: "flags"),
  |

"#;
    assert_eq!(render(&files, &finding, Format::Full, false), expected);
    assert!(!expected.contains('\u{1b}') && render(&files, &finding, Format::Full, true).contains('\u{1b}'));
}

#[test]
fn concise_is_one_line_whatever_the_names_hold() {
    let (files, file) = files(GRAPH);
    let mut finding = finding(&files, file);
    finding.message = "name `a\nb\u{1b}[31m`".to_owned();
    finding.variant = "mode=scan".to_owned();
    let expected = "graphs/a.ron:5:44: error[unknown-resource]: name `a\\nb\\u{1b}[31m` (with mode=scan)\n";
    assert_eq!(concise(&files, &finding), expected);
}

#[cfg(feature = "cli")]
#[test]
fn json_is_one_object_in_one_line() {
    let (files, file) = files(GRAPH);
    let expected = concat!(
        r#"{"version":1,"file":"graphs/a.ron","start":{"line":5,"column":44,"byte":121},"#,
        r#""end":{"line":5,"column":51,"byte":128},"code":"unknown-resource","severity":"error","#,
        r#""message":"pass `reset` clears `flagz`, which is no resource","label":"no resource has this name","#,
        r#""related":[{"file":"graphs/a.ron","start":{"line":3,"column":18,"byte":35},"#,
        r#""end":{"line":3,"column":25,"byte":42},"message":"a similar name is declared here"}],"#,
        r#""help":["did you mean `flags`?"],"notes":[],"fix":{"title":"write `flags`","applicability":"safe","#,
        r#""edits":[{"file":"graphs/a.ron","start":{"line":5,"column":44,"byte":121},"#,
        r#""end":{"line":5,"column":51,"byte":128},"text":"\"flags\""}]},"#,
        r#""path":"passes[\"reset\"].target","variant":null}"#,
        "\n"
    );
    assert_eq!(render(&files, &finding(&files, file), Format::Json, false), expected);
}

#[test]
fn github_commands_escape_what_would_end_them() {
    let (files, file) = files(GRAPH);
    let mut finding = finding(&files, file);
    finding.message = "100 %\nof it".to_owned();
    let expected = "::error title=unknown-resource,file=graphs/a.ron,line=5,col=44,endColumn=51::\
        100 %25%0Aof it%0Ano resource has this name%0Adid you mean `flags`?\n";
    assert_eq!(render(&files, &finding, Format::Github, false), expected);
}

#[cfg(feature = "cli")]
#[test]
fn odd_places_are_drawn_where_they_are() {
    let long = format!("({}\n)", "x".repeat(1 << 20));
    let cases = [
        ("", 0, 0, "--> graphs/a.ron:1:1"),
        ("(\n", 2, 2, "--> graphs/a.ron:2:1"),
        ("(", 1, 1, "--> graphs/a.ron:1:2"),
        ("(", 5, 9, "--> graphs/a.ron:1:2"),
        ("\u{feff}(a)", 4, 5, "--> graphs/a.ron:1:2"),
        ("(\r\n\tbcd,\r\n)", 4, 7, "--> graphs/a.ron:2:2"),
        ("(äöü, 日本)", 9, 15, "--> graphs/a.ron:1:7"),
        (&long, 1 << 19, (1 << 19) + 1, "--> graphs/a.ron:1:524289"),
    ];
    for (text, start, end, place) in cases {
        let (files, file) = files(text);
        let finding = Diagnostic::new(&UNKNOWN, "m", Span::new(file, start, end), "here");
        let drawn = render(&files, &finding, Format::Full, false);
        assert!(drawn.contains(place) && drawn.contains("here"), "{place} is not in\n{drawn}");
        assert!(drawn.len() < 1000, "{} bytes for {place}", drawn.len());
    }
}

#[cfg(feature = "cli")]
#[test]
fn far_labels_get_windows_of_their_own() {
    let text = format!("first{}last\n", "\n".repeat(10_000));
    let (files, file) = files(&text);
    let last = span(&files, file, "last", 0);
    let finding = Diagnostic::new(&UNKNOWN, "m", last, "here").also(span(&files, file, "first", 0), "there");
    let expected = "error[unknown-resource]: m\n     --> graphs/a.ron:10001:1\n      |\n10001 | last\n      | ^^^^ here\n      |\n     \
        ::: graphs/a.ron:1:1\n      |\n    1 | first\n      | ----- there\n\n";
    assert_eq!(render(&files, &finding, Format::Full, false), expected);
}
