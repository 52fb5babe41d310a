//! How many members a struct has with those of the structs inside it.
//!
//! naga's validation walks a struct once for every place that it is in. Structs that hold each other twice double at each
//! level, so thirty short lines would keep it busy for minutes. They are counted first, from the tokens.

use std::collections::BTreeMap;
use std::ops::Range;

use super::scan::{Kind, Token};

/// The most members that one struct may have, those of inner structs included.
pub const MAX_MEMBERS: u64 = 10_000;

/// A struct or an alias, and the words in it, which may be types.
struct Held<'a> {
    name: Range<usize>,
    words: Vec<&'a str>,
}

/// The name of the first struct that has too many members.
pub(super) fn too_heavy(text: &str, tokens: &[Token]) -> Option<Range<usize>> {
    let held = held(text, tokens);
    let mut weights: BTreeMap<&str, u64> = BTreeMap::new();
    for name in held.keys() {
        weigh(name, &held, &mut weights);
    }
    held.iter()
        .filter(|(name, _)| weights[*name] > MAX_MEMBERS)
        .map(|(_, held)| held.name.clone())
        .min_by_key(|name| name.start)
}

/// Weighs a type and all types in it, innermost first, with an own stack. A type inside itself weighs nothing there: naga
/// refuses it.
fn weigh<'a>(name: &'a str, held: &BTreeMap<&'a str, Held<'a>>, weights: &mut BTreeMap<&'a str, u64>) {
    let mut open = vec![(name, 0)];
    while let Some((name, next)) = open.last_mut() {
        let words = &held[name].words;
        if let Some(word) = words.get(*next) {
            *next += 1;
            if held.contains_key(word) && !weights.contains_key(word) {
                weights.insert(word, 0);
                open.push((word, 0));
            }
        } else {
            let inner = words.iter().map(|word| weights.get(word).copied().unwrap_or(1));
            weights.insert(name, inner.fold(1, u64::saturating_add));
            open.pop();
        }
    }
}

fn held<'a>(text: &'a str, tokens: &[Token]) -> BTreeMap<&'a str, Held<'a>> {
    let mut out = BTreeMap::new();
    for (at, token) in tokens.iter().enumerate() {
        let end = match &text[token.range.clone()] {
            "struct" => b'}',
            "alias" => b';',
            _ => continue,
        };
        let Some(name) = tokens.get(at + 1).filter(|name| name.kind == Kind::Word) else { continue };
        let inside = tokens[at + 2..].iter().take_while(|token| !token.is(end));
        let words = inside.filter(|token| token.kind == Kind::Word).map(|token| &text[token.range.clone()]).collect();
        out.entry(&text[name.range.clone()]).or_insert(Held { name: name.range.clone(), words });
    }
    out
}
