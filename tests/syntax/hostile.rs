//! Texts that no author wrote: each ends in ordinary findings, soon, on a small stack.

use std::time::{Duration, Instant};

use rondag::diagnostic::Diagnostic;

use super::parse;

/// What a text may take, in a build without optimization on a busy machine. Time that grows with the square of the length
/// would be minutes.
const LIMIT: Duration = Duration::from_secs(10);

/// Half of what threads get.
const STACK_BYTES: usize = 1 << 20;

/// Parses on a thread of its own and holds it to the limits.
fn survive(name: &str, text: String) -> Vec<Diagnostic> {
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
    let parsed = thread.spawn(move || {
        let start = Instant::now();
        let (_, found) = parse(&text);
        (found, start.elapsed())
    });
    let (found, took) = parsed.expect("a thread starts").join().unwrap_or_else(|_| panic!("{name} made parse panic"));
    assert!(took < LIMIT, "{name} took {took:?}");
    let longest = found.iter().map(|d| d.message.len().max(d.path.len())).max().unwrap_or_default();
    assert!(longest < 400, "{name} made a message of {longest} bytes");
    found
}

fn codes(found: &[Diagnostic]) -> Vec<&'static str> {
    found.iter().map(|finding| finding.rule.code).collect()
}

#[test]
fn openers_without_end_stop_at_the_limit() {
    for opener in ["(", "[", "{", "Some(", "Some ", "a(", "(passes:", "[(", "{1:", "[{(", "(passes:[Repeat("] {
        for n in [200, 10_000, 100_000, 1_000_000 / opener.len()] {
            let found = survive(opener, opener.repeat(n));
            // The outer name is wrong besides.
            let named: &[&str] = if opener.starts_with('a') { &["unknown-kind"] } else { &[] };
            assert_eq!(codes(&found), [named, &["nesting-limit"]].concat(), "{n} times {opener}");
        }
    }
}

#[test]
fn brackets_at_the_limit_are_read() {
    let nested = format!("(version: 1, tests: [{}{}])", "[".repeat(126), "]".repeat(126));
    assert_eq!(codes(&survive("126 lists", nested)), [""; 0]);
    let head = "Repeat(name: \"a\", var: \"i\", count: 1, passes: [";
    let loops = format!("(version: 1, passes: [{}{}])", head.repeat(63), "])".repeat(63));
    assert_eq!(codes(&survive("63 loops", loops)), [""; 0]);
}

#[test]
fn comments_nest_without_end() {
    let nested = format!("{}{}(version: 1)", "/*".repeat(100_000), "*/".repeat(100_000));
    assert_eq!(codes(&survive("nested comments", nested)), [""; 0]);
    assert_eq!(codes(&survive("open comments", "/*".repeat(500_000))), ["syntax"]);
    let skipped = format!("[@ {}", "/*".repeat(500_000));
    assert_eq!(codes(&survive("open comments in skipped text", skipped)), ["syntax"; 2]);
    assert_eq!(codes(&survive("slashes", format!("(version: 1, {})", "/ ".repeat(10_000)))).len(), 1_001);
}

#[test]
fn texts_without_end_are_read_once() {
    let long = "a".repeat(1 << 20);
    assert_eq!(codes(&survive("an open text", format!("(version: 1, outputs: [\"{long}"))), ["syntax"]);
    assert_eq!(codes(&survive("an open text and more", format!("(version: 1, outputs: [\"{long}\n"))), ["syntax"; 2]);
    assert_eq!(codes(&survive("an open raw text", format!("(version: 1, outputs: [r#\"{long}"))), ["syntax"]);
    for piece in
        ["\"\\\",", "\\\"", "\"", "\",", "'", "',", "r#\"", "b\"", "b'", "\"\\q\",", "\"a\"\"", "(\"", "{\"", "\"\n"]
    {
        let text = format!("(version: 1, outputs: [{}", piece.repeat((1 << 20) / piece.len()));
        assert!(!survive(piece, text).is_empty(), "{piece}");
    }
}

#[test]
fn a_hundred_thousand_faults_are_a_thousand_findings() {
    let n = 100_000;
    let lists =
        ["@", "0xZZ", "5px", "Dispach()", "Dispatch(a: 1)", "ClearBuffer(target: [])", "'ab'", "1 2", "a: 1", "]", ")"];
    for item in lists {
        let found = survive(item, format!("(version: 1, passes: [{}])", format!("{item}, ").repeat(n)));
        assert!(matches!(found.len(), 1 | 2 | 1_001), "{item}: {}", found.len());
        assert_eq!(found.len() == 1_001, codes(&found).contains(&"too-many-findings"), "{item}");
    }
    let fields = (0..n).fold(String::new(), |fields, i| fields + &format!("field{i}: 1, "));
    assert_eq!(survive("fields", format!("(version: 1, {fields})")).len(), 1_001);
    let same = "count: 1, ".repeat(n);
    assert_eq!(survive("one field", format!("(version: 1, resources: {{ \"a\": Buffer({same}) }})")).len(), 1_001);
    let keys = "\"a\": Buffer(count: 1), ".repeat(n / 4);
    assert_eq!(survive("one key", format!("(version: 1, resources: {{ {keys} }})")).len(), 1_001);
}

#[test]
fn texts_beyond_the_limit_are_not_read() {
    let head = "(version: 1) //";
    let largest = format!("{head}{}", "x".repeat(rondag::syntax::MAX_GRAPH_BYTES - head.len()));
    assert_eq!(codes(&survive("one byte more", format!("{largest}x"))), ["too-large"]);
    assert_eq!(codes(&survive("the largest", largest)), [""; 0]);
}

#[test]
fn names_of_a_megabyte_are_cut_in_messages() {
    let name = "n".repeat(1 << 20);
    for text in [
        format!("(version: 1, resources: {{ \"{name}\": Buffer(count: 1) }})"),
        format!("(version: 1, {name}: 1)"),
        format!("{name}(version: 1)"),
        format!("(version: 1, passes: [{name}(name: \"a\", name: \"b\")])"),
        format!("(version: 1, passes: [ClearBuffer(name: \"{name}\", target: {name})])"),
        format!("(version: 1, passes: [Dispatch(shader: \"{name}\", items: \"{name}\")])"),
        format!("(version: 1, params: {{ \"a\": Choice(default: \"{name}\", of: [\"b\"]) }})"),
        format!("(version: 1, resources: {{ \"a\": Buffer(count: 1{name}) }})"),
        format!("(version: 1, resources: {{ \"a\": Buffer(count: {}) }})", "9".repeat(1 << 20)),
        format!("(version: 1, resources: {{ \"a\": Buffer(count: 0x{}) }})", "f".repeat(1 << 20)),
        format!("(version: 1, resources: {{ \"a\": Buffer(count: \"{}\") }})", "9".repeat(4000)),
        format!("(version: 1, resources: {{ \"a\": Buffer(count: \"a.{}(1)\") }})", "x".repeat(4000)),
    ] {
        let name = text[..60].to_owned();
        assert!(!survive(&name, text).is_empty());
    }
}

#[test]
fn expressions_are_bounded() {
    for piece in ["(", "-", "!", "{", "a(", "a[", "a.mip(", "1+(", "1+", "1*1+", "1-1<1+1&&1||", "a.", "{a}", "'a'=="] {
        for n in [40, 200, 4096 / piece.len(), 100_000] {
            let text = format!(
                "(version: 1, outputs: [\"{0}\"], resources: {{ \"a\": Buffer(count: \"{0}\") }})",
                piece.repeat(n)
            );
            let found = survive(piece, text);
            let codes = codes(&found);
            assert!(piece == "{a}" || !codes.is_empty(), "{n} times {piece}");
            assert!(codes.iter().all(|c| ["bad-expression", "nesting-limit"].contains(c)), "{codes:?}");
        }
    }
}

#[test]
fn any_byte_is_a_finding_or_nothing() {
    for byte in 0..=127_u8 {
        let c = byte as char;
        survive("a byte", format!("(version: 1, outputs: [{c}])"));
        survive("a byte in a text", format!("(version: 1, outputs: [\"{c}\"])"));
        survive("a byte at the start", format!("{c}(version: 1)"));
        survive("a byte at the end", format!("(version: 1){c}"));
    }
    assert_eq!(codes(&survive("nul", "(version: 1, \0outputs: [])".to_owned())), ["syntax"]);
}

#[test]
fn texts_cut_anywhere_are_survived_and_told_the_same_twice() {
    let text = include_str!("../fixtures/frames/06_taa/frame.ron");
    for cut in (0..text.len()).filter(|at| text.is_char_boundary(*at)) {
        let (document, found) = parse(&text[..cut]);
        let is_whole = !text[cut..].contains(')');
        assert_eq!(found.is_empty(), is_whole, "cut at {cut}: {found:#?}");
        assert_eq!(document.poisoned, !is_whole, "cut at {cut}");
        let told: Vec<&str> = found.iter().map(|d| d.message.as_str()).collect();
        assert!(found.iter().all(|d| d.rule.code == "syntax") && found.len() <= 2, "cut at {cut}: {told:?}");
        assert_eq!(parse(&text[..cut]), (document, found), "cut at {cut}");
    }
}
