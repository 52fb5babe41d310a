//! The fuzzers of `fuzz/` on mutated fixtures, a few hundred inputs each: nothing panics, whatever the text is.

use std::path::Path;

use proptest::prelude::*;
use rondag::graph::{Library, Settings, resolve};
use rondag::lint::Profile;
use rondag::source::{Files, Memory, Span};

use super::checked::{FILL, checked, files_below};

/// Texts below a folder of the repository with an extension.
fn texts(folder: &str, extension: &str) -> Vec<String> {
    let paths = files_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), extension);
    paths.iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect()
}

/// One change of a text, by places in thousandths of its length.
#[derive(Debug, Clone)]
enum Change {
    Remove(usize, usize),
    Double(usize, usize),
    Insert(usize, &'static str),
    Swap(usize, usize),
}

const PIECES: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "\"",
    "'",
    "\\",
    "//",
    "/*",
    "*/",
    "0",
    "-1",
    "9223372036854775807",
    "1e309",
    "NaN",
    "inf",
    "Some(",
    "None",
    "r#\"",
    "b'",
    "\u{feff}",
    "\r\n",
    "\u{0}",
    "é",
    "x.previous",
    ".mip(9)",
    "{n}",
    "frame.index",
    "camera.planes",
    "len(list)",
    "&&",
    "/ 0",
    "% 0",
    "pow2(63)",
    "Repeat(var: \"i\", count: 99999999, passes: [",
    "Include(graph: \"frame.ron\")",
    "when: \"",
    "#import",
];

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let change = prop_oneof![
        (0..1000_usize, 1..60_usize).prop_map(|(at, n)| Change::Remove(at, n)),
        (0..1000_usize, 1..60_usize).prop_map(|(at, n)| Change::Double(at, n)),
        (0..1000_usize, 0..PIECES.len()).prop_map(|(at, piece)| Change::Insert(at, PIECES[piece])),
        (0..1000_usize, 0..1000_usize).prop_map(|(a, b)| Change::Swap(a, b)),
    ];
    prop::collection::vec(change, 1..8)
}

fn changed(text: &str, changes: &[Change]) -> String {
    let mut text = text.to_owned();
    let place = |text: &str, at: usize| {
        let mut at = text.len() * at / 1000;
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let piece = |text: &str, at: usize, n: usize| {
        let from = place(text, at);
        let to = text[from..].char_indices().nth(n).map_or(text.len(), |(end, _)| from + end);
        from..to
    };
    for change in changes {
        match *change {
            Change::Remove(at, n) => text.replace_range(piece(&text, at, n), ""),
            Change::Double(at, n) => {
                let range = piece(&text, at, n);
                let copy = text[range.clone()].to_owned();
                text.insert_str(range.end, &copy);
            }
            Change::Insert(at, new) => text.insert_str(place(&text, at), new),
            Change::Swap(a, b) => {
                let (a, b) = (piece(&text, a, 9), piece(&text, b, 9));
                let (one, other) = (text[a.clone()].to_owned(), text[b.clone()].to_owned());
                if a.end <= b.start {
                    text.replace_range(b, &one);
                    text.replace_range(a, &other);
                }
            }
        }
    }
    text
}

/// Checks a graph whole, as `check` does, and writes every finding.
fn check(text: &str) {
    let files = [("frame.ron", text), ("part.ron", text), ("shaders/fill.wgsl", FILL)];
    let all = checked(files, &Settings::default(), &Profile::default());
    for fault in &all.found {
        assert!(!rondag::diagnostic::concise(&all.library.files, fault).is_empty());
        assert!(!fault.message.is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_graph_is_checked(pick in 0..1000_usize, changes in changes()) {
        let all = texts("tests/fixtures/frames", "ron");
        check(&changed(&all[pick % all.len()], &changes));
    }

    #[test]
    fn any_expression_is_worked_out(text in "[a-z0-9 .,()\\[\\]{}'&|!<>=+*/%-]{0,40}") {
        let frame = format!(
            "(version: 1, params: {{ \"n\": Int(default: 3, min: 0, max: 9), \"on\": Bool(default: true) }},
            resources: {{ \"list\": Buffer(count: \"{text}\"), \"other\": Buffer(count: 4) }},
            passes: [Dispatch(name: \"x\", shader: \"fill.wgsl\", items: \"{text}\", when: \"{text}\")], outputs: [\"list\"])"
        );
        let memory = Memory::new([("frame.ron", frame.as_str()), ("shaders/fill.wgsl", FILL)]);
        let mut library = Library::new(Files::new(memory));
        let top = library.load("frame.ron", &mut Vec::new()).expect("it is there").file;
        let _ = resolve(&mut library, top, &Settings::default());
    }

    #[test]
    fn any_shader_is_read(pick in 0..1000_usize, other in 0..1000_usize, one in changes(), two in changes()) {
        let all = texts("shaders", "wgsl");
        let entry = format!("#import \"a.wgsl\"\n{}", changed(&all[pick % all.len()], &one));
        let part = changed(&all[other % all.len()], &two);
        let memory = Memory::new([("shaders/x.wgsl", entry.as_str()), ("shaders/lib/a.wgsl", part.as_str())]);
        let mut library = Library::new(Files::new(memory));
        let graph = library.files.add("frame.ron", "x".to_owned());
        library.shaders.load(&mut library.files, "x.wgsl", Span::new(graph, 0, 1), &mut Vec::new());
    }
}
