//! What rondag itself must know of one WGSL file before naga sees it.

use std::ops::Range;

use super::guard::{Excess, Guard, MAX_CHAIN, MAX_NESTING};
use super::rules::{IMPORT_SYNTAX, WGSL_LIMIT, WGSL_SYNTAX};
use super::scan::{Kind, Scanner, Token};
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};

/// An import as written.
#[derive(Debug, Clone)]
pub(super) struct Directive {
    /// What stands between the quotes.
    pub(super) name: String,
    /// The name with its quotes.
    pub(super) span: Span,
}

/// One file's directives.
#[derive(Debug, Default)]
pub(super) struct Examined {
    pub(super) imports: Vec<Directive>,
    /// Directives of WGSL that belong to the top of the stitched text, each with its place here, in order.
    pub(super) moved: Vec<(usize, String)>,
    /// What naga must not see here, in order and without overlap.
    pub(super) blanks: Vec<Range<usize>>,
    /// Extensions that it enables.
    pub(super) enabled: Vec<String>,
    /// How much naga has to read.
    pub(super) tokens: usize,
    pub(super) declarations: usize,
}

/// Reads the directives of a file and reports what naga could not stand or would blame on the wrong file.
pub(super) fn examine(text: &str, file: FileId, found: &mut Vec<Diagnostic>) -> Examined {
    let mut out = Examined::default();
    let mut guard = Guard::default();
    let mut scanner = Scanner::new(text);
    // WGSL has its own directives before the first declaration only.
    let mut preamble = true;
    while let Some(token) = scanner.next() {
        let word = &text[token.range.clone()];
        if token.is(b'#') {
            let line = token.range.start..scanner.rest_of_line().end;
            match directive(text, file, &token, &line) {
                Ok(import) => out.imports.push(import),
                Err(label) => found.push(malformed(text, file, &line, label)),
            }
            out.blanks.push(line);
        } else if preamble && matches!(word, "enable" | "requires" | "diagnostic") {
            out.wgsl_directive(text, &token, &mut scanner);
        } else {
            preamble &= token.is(b';');
            if let Err(excess) = guard.token(&token, word) {
                found.push(too_deep(&excess, Span::new(file, token.range.start, token.range.end)));
                return out;
            }
        }
    }
    (out.tokens, out.declarations) = (guard.tokens, guard.declarations);
    if let Some(open) = scanner.unclosed.or_else(|| guard.unclosed()) {
        let message = format!("`{}` is never closed", &text[open.clone()]);
        found.push(Diagnostic::new(&WGSL_SYNTAX, message, Span::new(file, open.start, open.end), "opened here"));
    }
    out
}

impl Examined {
    /// Takes a directive of WGSL, up to its semicolon, out of its place.
    fn wgsl_directive(&mut self, text: &str, keyword: &Token, scanner: &mut Scanner) {
        let rest = until(scanner, b';');
        let start = keyword.range.start;
        let end = rest.last().map_or(keyword.range.end, |token| token.range.end);
        let mut moved = text[start..end].to_owned();
        let mut kept = rest.len();
        let enables = &text[keyword.range.clone()] == "enable";
        for (index, token) in rest.iter().enumerate().filter(|(_, token)| enables && token.kind == Kind::Word) {
            let name = &text[token.range.clone()];
            self.enabled.push(name.to_owned());
            // naga has subgroups without the directive and refuses the directive; browsers want it.
            if name == "subgroups" {
                let comma = rest.get(index + 1).filter(|next| next.is(b','));
                let gone = token.range.start..comma.unwrap_or(token).range.end;
                moved.replace_range(gone.start - start..gone.end - start, &" ".repeat(gone.len()));
                kept -= 1 + usize::from(comma.is_some());
            }
        }
        self.blanks.push(start..end);
        // A list of which nothing is left but its semicolon goes as a whole.
        let closed = rest.last().is_some_and(|token| token.is(b';'));
        if kept > 1 || kept == rest.len() || !closed {
            self.moved.push((start, moved));
        }
    }
}

/// The tokens up to a mark, with the mark.
fn until(scanner: &mut Scanner, mark: u8) -> Vec<Token> {
    let mut out = Vec::new();
    for token in scanner {
        let last = token.is(mark);
        out.push(token);
        if last {
            break;
        }
    }
    out
}

/// Reads `#import "name"`, which has its line for itself but for a comment behind it. On failure says what is wrong.
fn directive(text: &str, file: FileId, hash: &Token, line: &Range<usize>) -> Result<Directive, &'static str> {
    let written = &text[line.clone()];
    let after = written
        .strip_prefix("#import")
        .filter(|rest| !rest.starts_with(|c: char| c == '_' || c.is_alphanumeric()))
        .ok_or("rondag knows no directive but `#import`")?;
    if !hash.leads {
        return Err("other text stands before it");
    }
    let quoted = after.trim_start().strip_prefix('"').ok_or("the name stands between double quotes")?;
    let (name, behind) = quoted.split_once('"').ok_or("the closing quote is missing")?;
    if name.is_empty() {
        return Err("the name is empty");
    }
    if !(behind.trim().is_empty() || behind.trim_start().starts_with("//")) {
        return Err("other text stands behind it");
    }
    let start = line.start + written.len() - quoted.len() - 1;
    Ok(Directive { name: name.to_owned(), span: Span::new(file, start, start + name.len() + 2) })
}

fn malformed(text: &str, file: FileId, line: &Range<usize>, label: &str) -> Diagnostic {
    let span = Span::new(file, line.start, line.start + text[line.clone()].trim_end().len());
    Diagnostic::new(&IMPORT_SYNTAX, "this is not an import", span, label)
        .help("write `#import \"name.wgsl\"` on a line of its own")
}

fn too_deep(excess: &Excess, span: Span) -> Diagnostic {
    let (message, help) = match excess {
        Excess::Nesting => (
            format!("more than {MAX_NESTING} brackets are open at once"),
            "move inner parts into functions or variables of their own",
        ),
        Excess::Chain => {
            (format!("an expression has more than {MAX_CHAIN} parts"), "split it with `let` or into several statements")
        }
    };
    Diagnostic::new(&WGSL_LIMIT, message, span, "the limit is reached here").help(help)
}
