//! Faults of WGSL: what they say, where, and how often.

use super::*;

/// The text with caret comments, and what they say: `//   ^^^ code: headline` under the place.
fn check(text: &str) {
    let expected: Vec<(usize, usize, String)> = text
        .lines()
        .enumerate()
        .filter_map(|(index, line)| {
            let start = line.find('^').filter(|_| line.starts_with("//"))?;
            Some((index, start + 1, line[start..].trim_start_matches('^').trim().to_owned()))
        })
        .collect();
    assert!(!expected.is_empty(), "a fixture without carets expects nothing:\n{text}");
    let (files, shader, found) = load(&[("x.wgsl", text)]);
    assert!(shader.is_none());
    let got: Vec<(usize, usize, String)> = found
        .iter()
        .map(|fault| {
            let at = files.get(fault.primary.span.file).position(fault.primary.span.start);
            (at.line, at.column, format!("{}: {}", fault.rule.code, fault.message))
        })
        .collect();
    assert_eq!(got, expected, "{text}");
}

#[test]
fn faults_stand_where_they_are() {
    check(
        "fn f() -> u32 {
    return nothing;
//         ^^^^^^^ wgsl-syntax: no definition in scope for identifier: `nothing`
}",
    );
    check(
        "fn f() -> u32 {
    return 1 + ;
//             ^ wgsl-syntax: expected expression, found \";\"
}",
    );
    check(
        "    var<workgroup> a: array<u32>;
//  ^ wgsl-invalid: the type has to be of a fixed size here
",
    );
    check(
        "@group(0) @binding(0) var<storage> a: array<u32>;
fn f() { a[0] = 1u; }
//       ^^^^ wgsl-invalid: the pointer doesn't relate to a valid destination for a store
",
    );
    check(
        "fn f(x: f32) -> u32 {
    return x + 1.0;
//         ^^^^^^^ wgsl-invalid: the `return` expression does not match the declared return type
}",
    );
    check(
        "struct S { a: u32 }
struct S { b: u32 }
//     ^ wgsl-syntax: redefinition of `S`
",
    );
}

#[test]
fn the_graph_is_a_secondary_place_and_notes_are_kept() {
    let (files, _, found) = load(&[("x.wgsl", "fn f(x: f32) -> u32 { return x; }")]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].secondary.last().map(|label| files.place(label.span)).as_deref(), Some("graph.ron:1:9"));
    assert_eq!(found[0].secondary.last().map(|label| label.text.as_str()), Some("the graph names it here"));
    assert_eq!(found[0].notes, ["function `f` is invalid"]);
    let (files, _, found) = load(&[("x.wgsl", "struct S { a: u32 }\nstruct S { b: u32 }")]);
    let others: Vec<String> = found[0].secondary.iter().map(|label| files.place(label.span)).collect();
    assert_eq!(others, ["shaders/x.wgsl:1:8", "graph.ron:1:9"]);
}

#[test]
fn a_missing_file_is_reported_at_each_place_a_faulty_one_once() {
    let (mut files, at) = memory(&[("shaders/bad.wgsl", "nonsense"), ("shaders/good.wgsl", "const A = 1;")]);
    let again = Span::new(at.file, 0, 6);
    let mut shaders = Shaders::new();
    let mut found = Vec::new();
    for span in [at, again] {
        assert!(shaders.load(&mut files, "none.wgsl", span, &mut found).is_none());
        assert!(shaders.load(&mut files, "bad.wgsl", span, &mut found).is_none());
        assert!(shaders.load(&mut files, "./bad.wgsl", span, &mut found).is_none());
    }
    assert_eq!(
        shown(&files, &found),
        [
            "missing-file graph.ron:1:9 `none.wgsl` does not exist",
            "wgsl-syntax shaders/bad.wgsl:1:1 expected global item (`struct`, `const`, `var`, `alias`, `fn`, `diagnostic`, `enable`, `requires`, `;`) or the end of the file, found \"nonsense\"",
            "missing-file graph.ron:1:1 `none.wgsl` does not exist",
        ]
    );
    let one = shaders.load(&mut files, "good.wgsl", at, &mut found).expect("a good shader");
    let two = shaders.load(&mut files, "good.wgsl", again, &mut found).expect("a good shader");
    assert!(Arc::ptr_eq(&one, &two));
    assert_eq!(shaders.iter().count(), 1);
}

#[test]
fn a_fault_in_a_shared_fragment_is_said_once() {
    let (mut files, at) = memory(&[
        ("shaders/a.wgsl", "#import \"bad.wgsl\"\nconst A = 1;"),
        ("shaders/b.wgsl", "#import \"bad.wgsl\"\nconst B = 1;"),
        ("shaders/lib/bad.wgsl", "const BAD = nothing;"),
    ]);
    let mut shaders = Shaders::new();
    let mut found = Vec::new();
    assert!(shaders.load(&mut files, "a.wgsl", at, &mut found).is_none());
    assert!(shaders.load(&mut files, "b.wgsl", at, &mut found).is_none());
    assert_eq!(found.len(), 1, "{:?}", shown(&files, &found));
    assert_eq!(files.place(found[0].primary.span), "shaders/lib/bad.wgsl:1:13");
    assert_eq!(found[0].notes, ["imported by way of `shaders/a.wgsl`"]);
}

#[test]
fn files_that_cannot_be_read_say_why() {
    let root = tempfile::tempdir().expect("a temporary folder");
    let shaders = root.path().join("shaders");
    std::fs::create_dir_all(shaders.join("folder.wgsl")).expect("a folder can be made");
    std::fs::write(shaders.join("bytes.wgsl"), [b'a', 0xff]).expect("a file can be written");
    let mut files = Files::new(Disk::new(root.path(), "").expect("the root exists"));
    let graph = files.add(GRAPH, String::new());
    let mut found = Vec::new();
    for path in ["folder.wgsl", "bytes.wgsl"] {
        assert!(Shaders::new().load(&mut files, path, Span::new(graph, 0, 0), &mut found).is_none());
    }
    assert_eq!(
        shown(&files, &found),
        [
            "unreadable-file graph.ron:1:1 `shaders/folder.wgsl` is not a regular file",
            "unreadable-file graph.ron:1:1 `shaders/bytes.wgsl` is not valid UTF-8 (byte 1)",
        ]
    );
}

#[test]
fn rules_are_listed_and_documented() {
    let codes: Vec<&str> = rondag::shader::rules::ALL.iter().map(|rule| rule.code).collect();
    let mut unique = codes.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), codes.len());
    for rule in rondag::shader::rules::ALL {
        for part in ["## What it does", "## Why is this bad?", "## Example", "## Use instead"] {
            assert!(rule.docs.contains(part), "{} lacks {part}", rule.code);
        }
    }
}
