//! Integration tests, one binary: a module a layer.

mod plan;
mod shader;
mod shipped;
mod syntax;
mod tidy;
