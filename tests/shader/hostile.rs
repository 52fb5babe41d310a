//! Text that would end a compiler without a guard.

use super::*;
use rondag::shader::{MAX_CHAIN, MAX_DECLARATIONS, MAX_NESTING, MAX_TOKENS};

/// A module whose function `f` has this body.
fn body(text: &str) -> String {
    format!("fn f(p: u32) -> u32 {{ {text} }}\n@compute @workgroup_size(1) fn main() {{ _ = f(1u); }}\n")
}

/// The code of the only fault. Runs on a stack of 2 MiB, as a test or a worker thread has.
fn fault(text: String) -> Option<&'static str> {
    let run = move || {
        let (files, shader, found) = load(&[("x.wgsl", &text)]);
        assert!(found.len() <= 1, "{:?}", shown(&files, &found));
        assert_eq!(shader.is_none(), found.len() == 1);
        found.first().map(|fault| fault.rule.code)
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(run).expect("a thread can be made");
    thread.join().expect("it does not panic")
}

fn chain(n: usize, link: impl Fn(usize) -> String, end: &str) -> String {
    (1..n).rev().map(link).collect::<String>() + end
}

#[test]
fn deep_brackets_are_refused() {
    let nested =
        [("(", "p", ")"), ("max(1u, ", "p", ")"), ("array<u32, 1>(", "p", ")[0]"), ("bitcast<u32>(", "p", ")")];
    for (open, inner, close) in nested {
        let at = |n: usize| body(&format!("return {}{inner}{};", open.repeat(n), close.repeat(n)));
        assert_eq!(fault(at(30)), None, "{open}");
        assert_eq!(fault(at(MAX_NESTING)), Some("wgsl-limit"), "{open}");
        assert_eq!(fault(at(100_000)), Some("wgsl-limit"), "{open}");
    }
    for (open, close) in [("{", "}"), ("if p == 1u {", "}"), ("loop {", "break; }"), ("switch p { default {", "} }")] {
        let at = |n: usize| body(&format!("{}{} return 1u;", open.repeat(n), close.repeat(n)));
        assert_eq!(fault(at(30)), None, "{open}");
        assert_eq!(fault(at(100_000)), Some("wgsl-limit"), "{open}");
    }
}

#[test]
fn long_expressions_are_refused() {
    let numbers = [" + p", " - p", " * p", " ^ p", " & p", " | p"];
    for link in numbers {
        let at = |n: usize| body(&format!("return p{};", link.repeat(n)));
        assert_eq!(fault(at(MAX_CHAIN / 2 - 10)), None, "{link}");
        assert_eq!(fault(at(100_000)), Some("wgsl-limit"), "{link}");
    }
    for link in ["- ", "~", "!", "& ", "* "] {
        assert_eq!(fault(body(&format!("return {}p;", link.repeat(100_000)))), Some("wgsl-limit"), "{link}");
    }
    for link in ["[0]", ".x", ".xyzw", " < p", " && p", " << 1u"] {
        assert_eq!(fault(body(&format!("return p{};", link.repeat(100_000)))), Some("wgsl-limit"), "{link}");
    }
    let tests = |n: usize| body(&format!("if p == 0u {{}} {} return 1u;", "else if p == 1u {} ".repeat(n)));
    assert_eq!(fault(tests(200)), None);
    assert_eq!(fault(tests(100_000)), Some("wgsl-limit"));
    let types = |n: usize| format!("var<private> a: {}u32{};", "array<".repeat(n), ", 1>".repeat(n));
    assert_eq!(fault(types(100)), None);
    assert_eq!(fault(types(300)), Some("wgsl-limit"), "naga's own limit");
    assert_eq!(fault(types(100_000)), Some("wgsl-limit"));
    assert_eq!(fault("@compute ".repeat(100_000)), Some("wgsl-limit"));
}

#[test]
fn long_texts_without_depth_are_fine() {
    assert_eq!(fault(body(&("var a = p; ".to_owned() + &"a = a + 1u; ".repeat(3_000) + "return a;"))), None);
    assert_eq!(fault(format!("const A = array<u32, 5000>({});", "1u,".repeat(5_000))), None);
    let cases: String = (0..1_000).map(|n| format!("case {n}u: {{ return {n}u; }} ")).collect::<Vec<_>>().concat();
    assert_eq!(fault(body(&format!("switch p {{ {cases} default {{}} }} return 1u;"))), None);
}

#[test]
fn chains_of_declarations_are_bounded() {
    let most = MAX_DECLARATIONS;
    let constants = |n: usize| chain(n, |i| format!("const a{i} = a{};\n", i - 1), "const a0 = 1;");
    let functions = |n: usize| chain(n, |i| format!("fn a{i}() {{ a{}(); }}\n", i - 1), "fn a0() {}");
    let overrides = |n: usize| chain(n, |i| format!("override a{i} = a{} + 1;\n", i - 1), "override a0 = 1;");
    let structs = |n: usize| chain(n, |i| format!("struct A{i} {{ a: A{} }}\n", i - 1), "struct A0 { a: u32 }");
    let aliases = |n: usize| chain(n, |i| format!("alias A{i} = array<A{}, 1>;\n", i - 1), "alias A0 = u32;");
    let bound = |n: usize| format!("\n@group(0) @binding(0) var<storage> x: A{};", n - 1);
    let n = most - 1;
    for text in [constants(n), functions(n), overrides(n), structs(n) + &bound(n), aliases(n) + &bound(n)] {
        assert_eq!(fault(text), None);
    }
    assert_eq!(fault(constants(100_000)), Some("import-limit"));
    assert_eq!(fault("fn f() { }\n".repeat(most + 1)), Some("import-limit"));
    assert_eq!(fault(body(&"_ = p;".repeat(MAX_TOKENS / 4))), Some("import-limit"));
}

/// Structs that hold each other twice: 2^27 members.
#[test]
fn types_that_double_are_refused() {
    let doubled =
        |n: usize| chain(n, |i| format!("struct A{i} {{ a: A{0}, b: A{0} }}\n", i - 1), "struct A0 { a: u32 }");
    let bound = |n: usize| format!("\n@group(0) @binding(0) var<storage> x: A{};", n - 1);
    assert_eq!(fault(doubled(10) + &bound(10)), None);
    assert_eq!(fault(doubled(28) + &bound(28)), Some("wgsl-limit"));
    let aliased = chain(
        40,
        |i| format!("alias B{i} = A{i}; struct A{i} {{ a: B{0}, b: B{0} }}\n", i - 1),
        "struct B0 { a: u32 }",
    );
    assert_eq!(fault(aliased), Some("wgsl-limit"));
    let members: String = (0..2_000).map(|i| format!("m{i}: u32, ")).collect::<Vec<_>>().concat();
    assert_eq!(fault(format!("struct S {{ {members} }}\n@group(0) @binding(0) var<storage> x: S;")), None);
}

#[test]
fn what_is_never_closed_is_said_at_its_opening() {
    for (text, place, message) in [
        ("fn f() {\n  if true {\n}\n", "shaders/x.wgsl:1:8", "`{` is never closed"),
        ("const A = (1 + (2);\n", "shaders/x.wgsl:1:11", "`(` is never closed"),
        ("const A = 1; /* /* */\n", "shaders/x.wgsl:1:14", "`/*` is never closed"),
    ] {
        let (files, shader, found) = load(&[("x.wgsl", text)]);
        assert!(shader.is_none());
        assert_eq!(shown(&files, &found), [format!("wgsl-syntax {place} {message}")]);
    }
    let (files, _, found) = load(&[("x.wgsl", "#import \"a.wgsl\"\nfn f() {}\n"), ("lib/a.wgsl", "fn a() {\n")]);
    assert_eq!(shown(&files, &found), ["wgsl-syntax shaders/lib/a.wgsl:1:8 `{` is never closed"]);
}

/// naga would take memory in proportion to the number: half a gigabyte.
#[test]
fn far_locations_are_refused() {
    for text in [
        "@vertex fn vs(@location(4294967295) p: vec4f) -> @builtin(position) vec4f { return p; }",
        "@fragment fn fs() -> @location(2147483648) vec4f { return vec4f(); }",
        "struct Out { @location(1024) a: vec4f } @fragment fn fs() -> Out { return Out(); }",
    ] {
        assert_eq!(fault(text.to_owned()), Some("wgsl-limit"), "{text}");
    }
}

#[test]
fn odd_texts_are_faults_or_shaders() {
    for text in
        ["", "\u{feff}", "\0", "}", "#", "\"", "é", "@", "enable", "enable ;", "enable subgroups", "/", "fn", "struct"]
    {
        let _ = fault(text.to_owned());
    }
    assert_eq!(fault("enable subgroups;".to_owned()), None);
    assert_eq!(fault("enable subgroups".to_owned()), Some("wgsl-syntax"));
    assert_eq!(fault("fn f() -> u32 { return 1u / 0u; }".to_owned()), Some("wgsl-syntax"));
    assert_eq!(fault("var<workgroup> a: array<u32, 4294967295>;".to_owned()), Some("wgsl-invalid"));
    assert_eq!(fault("struct A { a: A }".to_owned()), Some("wgsl-syntax"));
    assert_eq!(fault("fn f() { f(); }".to_owned()), Some("wgsl-syntax"));
    assert_eq!(fault("const A = array<u32, 1000000000>()[999999999];".to_owned()), None);
}

/// Words and marks of a text, blanks between them kept.
fn pieces(text: &str) -> Vec<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut out: Vec<String> = Vec::new();
    for c in text.chars() {
        match out.last_mut() {
            Some(last) if is_word(c) && last.ends_with(is_word) => last.push(c),
            _ => out.push(c.to_string()),
        }
    }
    out
}

/// Mutated shaders load or are reported; nothing panics, nothing fails without a word, every place lies in its file.
#[test]
fn mutations_of_own_shaders_are_shaders_or_faults() {
    let texts: Vec<Vec<String>> = ["scan/blocks.wgsl", "scan/add.wgsl"]
        .iter()
        .map(|path| pieces(rondag::shader::builtin::entry(path).expect("it is compiled in")))
        .collect();
    let odd = [
        "0",
        "-1",
        "4294967295",
        "1e39",
        "f16",
        "array",
        "ptr",
        "override",
        "#",
        "\"",
        "/*",
        "<",
        "@",
        "é",
        "\u{2028}",
    ];
    // A linear congruential generator: the same mutations on every run.
    let mut seed = 1_u64;
    let mut random = move |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let (mut good, mut faulty) = (0, 0);
    for _ in 0..1_000 {
        let mut text = texts[random(texts.len())].clone();
        for _ in 0..=random(3) {
            let (at, other) = (random(text.len()), random(text.len()));
            match random(4) {
                0 => drop(text.remove(at)),
                1 => text[at] = text[other].clone(),
                2 => text.swap(at, other),
                _ => text.insert(at, format!(" {} ", odd[random(odd.len())])),
            }
        }
        let text = text.concat();
        let (files, shader, found) = load(&[("x.wgsl", &text)]);
        assert_eq!(shader.is_none(), !found.is_empty(), "{text}");
        good += usize::from(shader.is_some());
        faulty += usize::from(shader.is_none());
        for fault in &found {
            assert_ne!(fault.rule.code, "wgsl-compiler-fault", "{text}");
            for label in fault.secondary.iter().chain([&fault.primary]) {
                let _ = files.text(label.span);
            }
        }
    }
    assert!(good > 100 && faulty > 100, "{good} good, {faulty} faulty");
}
