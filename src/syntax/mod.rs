//! Text to [`Document`]: a tolerant reader that keeps every span and reports every fault.
//!
//! [`parse`] goes in two steps. The reader makes a tree of the text and recovers from what is not RON; `lower` walks the
//! tree and makes a [`Document`] of it, going on past every name, field or value it cannot use. Neither stops at the
//! first fault, and what was reported once is [poison](expr::ExprKind::Poison) to those behind.
//!
//! The dialect is that of the `ron` crate with `implicit_some`. Strings with escapes and all but the plainest numbers are
//! decoded by it, and a file up to 64 KiB that the reader has no fault to find with is shown to it as a whole: what it
//! refuses then is a finding. Larger files are not read twice; that both agree is tested.

pub mod document;
pub mod edit;
pub mod expr;
mod findings;
mod lower;
mod reader;
pub mod rules;
mod tree;

use bumpalo::Bump;

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Files, Span};

use document::Document;
use findings::Findings;
use tree::Tree;

/// The largest graph file that is read, in bytes. The tree of a text of nothing but brackets and commas takes some forty
/// times as much.
pub const MAX_GRAPH_BYTES: usize = 8 << 20;

/// Reads a graph file. Returns what could be read and everything that is wrong with it, in file order.
pub fn parse(files: &Files, file: FileId) -> (Document, Vec<Diagnostic>) {
    let text = &files.get(file).text;
    let mut found = Findings::default();
    let arena = Bump::new();
    let tree = if text.len() > MAX_GRAPH_BYTES {
        found.push(|| {
            let headline = format!("a graph file has {} bytes, above the limit of {MAX_GRAPH_BYTES}", text.len());
            Diagnostic::new(&rules::TOO_LARGE, headline, Span::new(file, 0, 0), "not read")
        });
        Tree::unread()
    } else {
        reader::read(text, file, &arena, &mut found)
    };
    let document = lower::document(&tree, text, file, &mut found);
    (document, found.into_sorted())
}
