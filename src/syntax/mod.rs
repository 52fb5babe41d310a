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
pub mod expr;
mod findings;
mod lower;
mod reader;
pub mod rules;
mod tree;

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Files};

use document::Document;
use findings::Findings;

/// Reads a graph file. Returns what could be read and everything that is wrong with it, in file order.
pub fn parse(files: &Files, file: FileId) -> (Document, Vec<Diagnostic>) {
    let text = &files.get(file).text;
    let mut found = Findings::default();
    let tree = reader::read(text, file, &mut found);
    let document = lower::document(&tree, file, &mut found);
    (document, found.into_sorted())
}
