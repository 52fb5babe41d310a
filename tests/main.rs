//! Integration tests, one binary: a module a layer.

#[cfg(feature = "cli")]
mod cli;
mod plan;
mod graph;
mod shader;
mod shipped;
mod syntax;
mod tidy;
