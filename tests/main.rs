//! Integration tests, one binary: a module a layer.

#[cfg(feature = "cli")]
mod cli;
mod graph;
mod plan;
mod shader;
mod shipped;
mod syntax;
mod tidy;
