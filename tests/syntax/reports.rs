//! Faults that users of other tools reported in public, by the ids under which they were collected.

use rondag::diagnostic::{Diagnostic, has_errors};
use rondag::source::{Files, Memory};

use super::parse;

/// `line:column`, code, and headline of each finding.
fn told(text: &str) -> Vec<(String, &'static str, String)> {
    let mut files = Files::new(Memory::default());
    let file = files.add("frame.ron", text.to_owned());
    let (_, found) = rondag::syntax::parse(&files, file);
    let place = |d: &Diagnostic| files.place(d.primary.span).trim_start_matches("frame.ron:").to_owned();
    found.iter().map(|d| (place(d), d.rule.code, d.message.clone())).collect()
}

/// ron-rs/ron#376: of two equal keys, RON keeps the last in silence.
#[test]
fn br_011_duplicate_names_are_told_with_both_places() {
    let text = r#"(
    version: 1,
    resources: { "visible": Buffer(count: 1), "visible": Buffer(count: 2) },
    passes: [ClearBuffer(name: "cull", target: "visible"), ClearBuffer(name: "cull", target: "visible")],
)"#;
    let (document, found) = parse(text);
    let places: Vec<(&str, &str)> = found
        .iter()
        .map(|d| {
            let of = |span: rondag::source::Span| &text[span.start as usize - 1..=span.end as usize];
            (of(d.primary.span), of(d.secondary[0].span))
        })
        .collect();
    assert_eq!(places, [("\"visible\"", "\"visible\""), ("\"cull\"", "\"cull\"")]);
    assert!(found.iter().all(|d| d.rule.code == "duplicate-name" && d.primary.span > d.secondary[0].span));
    assert_eq!(document.passes.len(), 2);
}

/// ibigbug/clash-rs#1439: a misspelt field was ignored.
#[test]
fn br_023_unknown_fields_are_told_at_the_key() {
    let text = "(\n  version: 1,\n  resources: { \"a\": Buffer(count: 1, usagess: [Storage]) },\n  \
                passes: [ClearBuffer(name: \"c\", target: \"a\", ofset: 0)],\n)";
    let (_, found) = parse(text);
    let fixes: Vec<&str> = found.iter().map(|d| d.fix.as_ref().expect("a fix").title.as_str()).collect();
    assert_eq!(fixes, ["write `usage`", "write `offset`"]);
    assert_eq!(
        told(text),
        [
            ("3:38".to_owned(), "unknown-field", "`Buffer` has no field `usagess`".to_owned()),
            ("4:48".to_owned(), "unknown-field", "`ClearBuffer` has no field `ofset`".to_owned()),
        ]
    );
}

/// ron-rs/ron#301: a wrong outer name said only "expected struct".
#[test]
fn br_025_a_wrong_outer_name_is_told_with_the_right_one() {
    let told = told("// a frame\nFrameGraph(version: 1)");
    let headline = "a graph file is `(…)` or `Graph(…)`, not `FrameGraph(…)`";
    assert_eq!(told, [("2:1".to_owned(), "unknown-kind", headline.to_owned())]);
}

/// ron-rs/ron#307: ten thousand braces overflowed the stack.
#[test]
fn br_027_deep_nesting_is_an_ordinary_finding() {
    for opener in ["{", "[", "(", "Some("] {
        for n in [10_000, 100_000, 1_000_000] {
            let text = opener.repeat(n);
            let found = std::thread::Builder::new()
                .stack_size(512 << 10)
                .spawn(move || parse(&text).1)
                .expect("a thread starts")
                .join()
                .expect("no panic");
            assert_eq!(found.iter().map(|d| d.rule.code).collect::<Vec<_>>(), ["nesting-limit"]);
        }
    }
}

/// TheForceEngine/TheForceEngine#439: a file without a final line end.
#[test]
fn br_029_line_ends_do_not_matter() {
    for text in
        ["(version: 1)", "(version: 1)\n", "(version: 1)\r\n", "(\r\nversion: 1)//", "\u{feff}(version: 1) // end"]
    {
        assert_eq!(told(text), [], "{text:?}");
    }
    let lf = "(\n  version: 1,\n  pases: [],\n)";
    assert_eq!(told(lf), told(&lf.replace('\n', "\r\n")));
}

/// reco-project/video-stitcher#145: products of the user's numbers were not checked.
#[test]
fn br_037_numbers_beyond_64_bits_are_told() {
    for number in ["9223372036854775808", "\"9223372036854775808\"", "1e999", "\"1e999\"", "-9223372036854775809"] {
        let told = told(&format!("(version: 1, resources: {{ \"a\": Buffer(count: {number}) }})"));
        assert_eq!(told.len(), 1, "{number}: {told:?}");
        assert!(["out-of-range", "bad-expression"].contains(&told[0].1), "{number}: {told:?}");
    }
}

/// GSA/openacr#365: what could not be parsed passed.
#[test]
fn br_137_what_is_no_graph_is_an_error() {
    for text in
        ["", " ", "\u{feff}", "// nothing", "{}", "[]", "1", "\"graph\"", "()", "(", "<html>", "\0", "None", "Graph"]
    {
        let (_, found) = parse(text);
        assert!(has_errors(&found), "{text:?}");
    }
}

/// Ten faults of ten kinds are ten findings.
#[test]
fn all_faults_of_a_file_are_told_in_one_run() {
    let told = told(
        r#"(
    version: 2,
    params: { "n": Int(default: 9, min: 0, max: 8), "m": Intt(default: 1) },
    camera: (near: 0),
    resources: {
        "camera": Buffer(count: 1),
        "a": Buffer(count: 1, cuont: 2, count: 3),
        "b": Buffer(count: "1 +"),
        "c": Buffer(count: [1]),
        "d": Texture(format: R8Unorm),
        "e.f": Buffer(count: 1),
        "g": Buffer(count: 1, size: 4)
        "h": Buffer(count: 1),
    },
)"#,
    );
    let codes: Vec<&str> = told.iter().map(|(_, code, _)| *code).collect();
    assert_eq!(
        codes,
        [
            "unsupported-version",
            "param-range",
            "unknown-kind",
            "out-of-range",
            "reserved-name",
            "unknown-field",
            "duplicate-name",
            "bad-expression",
            "wrong-type",
            "missing-field",
            "invalid-name",
            "conflicting-fields",
            "syntax",
        ],
        "{told:#?}"
    );
}
