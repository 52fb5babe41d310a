//! Integration tests, one binary: a module a layer.

mod shader;
mod shipped;
mod tidy;
