//! The reader and `ron` agree on what is RON: on whole frames, on mutations of their parts, on soups of tokens.

use serde::de::IgnoredAny;

use crate::id::Id as _;
use crate::source::FileId;

use super::super::tree::{Kind, Node};
use super::*;

const SEEDS: [&str; 8] = [
    include_str!("../../../tests/fixtures/frames/01_culled_scene/frame.ron"),
    include_str!("../../../tests/fixtures/frames/02_two_phase_hiz/frame.ron"),
    include_str!("../../../tests/fixtures/frames/04_bloom/frame.ron"),
    include_str!("../../../tests/fixtures/frames/05_particles/frame.ron"),
    include_str!("../../../tests/fixtures/frames/06_taa/frame.ron"),
    include_str!("../../../tests/fixtures/frames/09_radix_sort/frame.ron"),
    include_str!("../../../tests/fixtures/frames/10_embedding/frame.ron"),
    ODDITIES,
];

/// What RON has besides what frames use.
const ODDITIES: &str = r##"#![enable(implicit_some, unwrap_newtypes)]
( a: [1, -2, +3, 1_000, 0xfF, 0b1_0, 0o17, 1.5, -0.25e-3, .5, 5., 1e3, inf, -inf, NaN, 1u8, 2.5f32, 18446744073709551615],
  b: ['c', '\'', '\u{41}', b'x', b"by\x41", br#"r"#, r"raw\", r#"r"q""#, "e\"\\\n\x41\u{e9}\
      joined"], /* block /* nested */ */
  c: [1..2, 0..=9, ..5, 1.., .., ..=7, 1.5..2.5], r#raw: Some(1), d: Some "x", e: None, f: (), g: ( ), h: Name( x : 1 , ),
  i: {1: 2, "k": V, (1,): [], Some(2): None, }, j: Some((1, 2)), k: r#Name(1), l: T(a, b,), // line
  héllo: Ünï(true, false), m: [[[[]]]], n: (((1))), o: "ünïcode",
) // end"##;

/// Bits of text that mean something to a reader of RON.
const TOKENS: [&str; 72] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    ";",
    "=",
    "\"",
    "'",
    "#",
    "!",
    "/",
    "*",
    "//",
    "/*",
    "*/",
    "\\",
    "\n",
    "\r\n",
    " ",
    "\t",
    "\u{b}",
    "\u{85}",
    "\u{a0}",
    "\u{2028}",
    "\u{feff}",
    "\0",
    "0",
    "1",
    "_",
    ".",
    "..",
    "..=",
    "+",
    "-",
    "e",
    "E5",
    "0x",
    "0b",
    "0o",
    "u8",
    "i64",
    "f32",
    "inf",
    "NaN",
    "true",
    "false",
    "None",
    "Some",
    "Some(",
    "r",
    "b",
    "r#",
    "r\"",
    "br#\"",
    "b'",
    "\"#",
    "a",
    "Buffer",
    "name",
    "\"text\"",
    "'x'",
    "é",
    "∂",
    "\\u{",
    "\\x4",
    "999999999999999999999",
    "#![enable(",
    "()",
];

/// A generator of numbers: splitmix64 by Steele, Lea and Flood.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}

fn reader_accepts(text: &str) -> bool {
    let mut found = Findings::default();
    tree(text, FileId::from_index(0), &Bump::new(), &mut found);
    found.is_empty()
}

fn ron_accepts(text: &str) -> bool {
    scan::options().from_str::<IgnoredAny>(text.trim_start_matches('\u{feff}')).is_ok()
}

/// The texts of all values of a tree that are short enough to be mutated often.
fn parts<'t>(node: &Node<'_>, text: &'t str, found: &mut Vec<&'t str>) {
    if node.end - node.start <= 240 {
        found.push(&text[node.start as usize..node.end as usize]);
    }
    match &node.kind {
        Kind::List(items) | Kind::Tuple(items) => items.iter().for_each(|item| parts(item, text, found)),
        Kind::Struct(fields) => fields.iter().for_each(|field| parts(&field.value, text, found)),
        Kind::Map(entries) => entries.iter().for_each(|entry| parts(&entry.value, text, found)),
        _ => {}
    }
}

fn pool() -> Vec<&'static str> {
    let mut found = Vec::new();
    for seed in SEEDS {
        let arena = Bump::new();
        let tree = tree(seed, FileId::from_index(0), &arena, &mut Findings::default());
        parts(&tree.root, seed, &mut found);
    }
    found
}

fn mutate(text: &str, random: &mut Random) -> String {
    let mut text = text.to_owned();
    for _ in 0..=random.below(3) {
        let at = text.floor_char_boundary(random.below(text.len() + 1));
        let end = text.floor_char_boundary((at + 1 + random.below(4)).min(text.len()));
        match random.below(4) {
            0 => text.replace_range(at..end, ""),
            1 => text.replace_range(at..end, random.pick(&TOKENS)),
            2 => text.insert_str(at, random.pick(&TOKENS)),
            _ => {
                let moved = text[at..end].to_owned();
                let to = text.floor_char_boundary(random.below(text.len() + 1));
                text.insert_str(to, &moved);
            }
        }
    }
    text
}

fn soup(random: &mut Random) -> String {
    (0..=random.below(9)).map(|_| random.pick(&TOKENS)).collect()
}

#[test]
fn seeds_are_read_by_both() {
    for seed in SEEDS {
        assert!(reader_accepts(seed) && ron_accepts(seed), "{seed}");
    }
}

/// 100,000 texts: what one takes, the other takes.
#[test]
fn reader_and_ron_agree_on_mutations() {
    let pool = pool();
    assert!(pool.len() > 300);
    let mut random = Random(2024);
    let (mut accepted, mut refused) = (0, 0);
    for index in 0..100_000 {
        let text = if index % 4 == 0 { soup(&mut random) } else { mutate(random.pick(&pool), &mut random) };
        let (ours, rons) = (reader_accepts(&text), ron_accepts(&text));
        assert_eq!(ours, rons, "document {index}: the reader says {ours}, ron says {rons}:\n{text}\n{text:?}");
        *(if ours { &mut accepted } else { &mut refused }) += 1;
    }
    assert!(accepted > 20_000 && refused > 20_000, "the mutations are one-sided: {accepted} to {refused}");
}
