//! What naga must not be handed.
//!
//! naga walks expressions, types, blocks and what declarations refer to recursively. It limits its parser's recursion,
//! but not the depth of a tree that a long chain of operators builds (`a + a + a …` is as deep as it is long), nor what
//! follows parsing; and some of its passes take time with the square of statements or functions. So depth and size are
//! bounded here, by one pass over the tokens. Tried with stacks of 2 MiB in unoptimised builds.

use std::ops::Range;

use super::scan::{Kind, Token};

/// The most brackets that may be open at once.
pub const MAX_NESTING: usize = 100;

/// The most tokens between separators, summed over the open brackets: bounds the depth of an expression's tree.
pub const MAX_CHAIN: usize = 2_000;

/// The most declarations at module scope, imports included. Each may refer to the one before: a chain as long as that.
pub const MAX_DECLARATIONS: usize = 2_048;

/// The most tokens of a shader, imports included.
pub const MAX_TOKENS: usize = 250_000;

/// Watches the tokens of one file.
#[derive(Debug, Default)]
pub(super) struct Guard {
    open: Vec<Level>,
    /// Tokens since the last separator on the level of the file itself.
    outer: usize,
    /// Tokens since the last separator on all open levels.
    chain: usize,
    /// A block just ended; an `else` goes on with the chain that led to it.
    ended: bool,
    pub(super) tokens: usize,
    pub(super) declarations: usize,
}

#[derive(Debug)]
struct Level {
    bracket: Range<usize>,
    close: u8,
    tokens: usize,
}

/// What goes beyond a limit.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Excess {
    Nesting,
    Chain,
}

impl Guard {
    /// Takes the next token. `word` is its text.
    pub(super) fn token(&mut self, token: &Token, word: &str) -> Result<(), Excess> {
        self.tokens += 1;
        let declares = matches!(word, "fn" | "struct" | "var" | "const" | "override" | "alias" | "const_assert");
        self.declarations += usize::from(declares && self.open.is_empty());
        if std::mem::take(&mut self.ended) && word != "else" {
            self.separate();
        }
        match token.kind {
            Kind::Mark(mark @ (b'(' | b'[' | b'{')) => {
                let close = if mark == b'(' { b')' } else { mark + 2 };
                self.count()?;
                self.open.push(Level { bracket: token.range.clone(), close, tokens: 0 });
                if self.open.len() > MAX_NESTING {
                    return Err(Excess::Nesting);
                }
            }
            Kind::Mark(mark @ (b')' | b']' | b'}')) if self.open.last().is_some_and(|level| level.close == mark) => {
                self.separate();
                self.open.pop();
                self.ended = mark == b'}';
            }
            Kind::Mark(b';' | b',') => self.separate(),
            _ => self.count()?,
        }
        Ok(())
    }

    /// The innermost bracket that is still open.
    pub(super) fn unclosed(&self) -> Option<Range<usize>> {
        self.open.last().map(|level| level.bracket.clone())
    }

    fn count(&mut self) -> Result<(), Excess> {
        *self.level() += 1;
        self.chain += 1;
        if self.chain > MAX_CHAIN { Err(Excess::Chain) } else { Ok(()) }
    }

    fn separate(&mut self) {
        self.chain -= std::mem::take(self.level());
    }

    fn level(&mut self) -> &mut usize {
        self.open.last_mut().map_or(&mut self.outer, |level| &mut level.tokens)
    }
}
