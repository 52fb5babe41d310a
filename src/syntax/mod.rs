//! Text to [`Document`](document::Document): a tolerant reader that keeps every span and reports every fault.
pub mod document;
pub mod expr;
