//! Where the names of a module stand.
//!
//! naga keeps no places of members, arguments and entry points, so one pass over the tokens finds them. It reads text
//! that naga has accepted; on other text it finds fewer names, never wrong ranges.

use std::collections::BTreeMap;
use std::ops::Range;

use super::scan::{Kind, Token};

/// Ranges of declared names in the stitched text.
#[derive(Debug, Default)]
pub(super) struct Declared<'a> {
    /// Functions, structs, variables, overrides, constants and aliases: one name space in WGSL.
    names: BTreeMap<&'a str, Range<usize>>,
    /// Members of structs and arguments of functions, by the name of what has them.
    parts: BTreeMap<(&'a str, &'a str), Range<usize>>,
}

impl<'a> Declared<'a> {
    /// Finds all names.
    pub(super) fn find(text: &'a str, tokens: &[Token]) -> Self {
        let mut out = Self::default();
        let mut depth = 0_usize;
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at += 1;
            match token.kind {
                Kind::Mark(b'(' | b'[' | b'{') => depth += 1,
                Kind::Mark(b')' | b']' | b'}') => depth = depth.saturating_sub(1),
                Kind::Word if depth == 0 => out.declaration(text, tokens, at, &text[token.range.clone()]),
                Kind::Word | Kind::Mark(_) => {}
            }
        }
        out
    }

    /// Where the module-scope name stands.
    pub(super) fn name(&self, name: &str) -> Range<usize> {
        self.names.get(name).cloned().unwrap_or(0..0)
    }

    /// Where a member or an argument stands; its owner where it was not found.
    pub(super) fn part(&self, owner: &str, part: &str) -> Range<usize> {
        self.parts.get(&(owner, part)).cloned().unwrap_or_else(|| self.name(owner))
    }

    /// `at` is behind a word at module scope, perhaps a keyword that declares something.
    fn declaration(&mut self, text: &'a str, tokens: &[Token], mut at: usize, keyword: &str) {
        if !matches!(keyword, "fn" | "struct" | "override" | "const" | "alias" | "var") {
            return;
        }
        if keyword == "var" && tokens.get(at).is_some_and(|token| token.is(b'<')) {
            at += tokens[at..].iter().position(|token| token.is(b'>')).map_or(0, |length| length + 1);
        }
        let Some(name) = tokens.get(at).filter(|token| token.kind == Kind::Word) else { return };
        let owner = &text[name.range.clone()];
        self.names.entry(owner).or_insert_with(|| name.range.clone());
        if matches!(keyword, "fn" | "struct") {
            self.parts_of(text, owner, &tokens[at + 1..]);
        }
    }

    /// Finds `name:` directly inside the bracket that comes next.
    fn parts_of(&mut self, text: &'a str, owner: &'a str, tokens: &[Token]) {
        let mut depth = 0_usize;
        for (at, token) in tokens.iter().enumerate() {
            match token.kind {
                Kind::Mark(b'(' | b'[' | b'{') => depth += 1,
                Kind::Mark(b')' | b']' | b'}') if depth <= 1 => return,
                Kind::Mark(b')' | b']' | b'}') => depth -= 1,
                Kind::Word if depth == 1 && tokens.get(at + 1).is_some_and(|next| next.is(b':')) => {
                    self.parts.entry((owner, &text[token.range.clone()])).or_insert_with(|| token.range.clone());
                }
                Kind::Word | Kind::Mark(_) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shader::scan::Scanner;

    #[test]
    fn names_stand_where_they_are_declared() {
        let text = "// fn main\nstruct S { /* a */ @size(16) a: u32, b: array<S2, 3> }\n\
                    @group(0) @binding(1) var<storage, read> s: S;\nvar t: texture_2d<f32>;\n\
                    @id(3) override n: u32 = 1;\nfn main(s: u32, @location(0) b: f32) { var c: u32; let d = s; }";
        let tokens: Vec<Token> = Scanner::new(text).collect();
        let found = Declared::find(text, &tokens);
        let place = |text_before: &str| text.find(text_before).expect("it is in the text") + text_before.len();
        let at = |before: &str, name: &str| place(before)..place(before) + name.len();
        assert_eq!(found.name("S"), at("struct ", "S"));
        assert_eq!(found.part("S", "a"), at("@size(16) ", "a"));
        assert_eq!(found.name("s"), at("var<storage, read> ", "s"));
        assert_eq!(found.name("t"), at("var ", "t"));
        assert_eq!(found.name("n"), at("override ", "n"));
        assert_eq!(found.name("main"), at(";\nfn ", "main"));
        assert_eq!(found.part("main", "b"), at("@location(0) ", "b"));
        assert_eq!(found.part("main", "c"), found.name("main"), "a local variable is no argument");
    }
}
