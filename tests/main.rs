//! Integration tests, one binary: a module a layer.

mod shipped;
mod tidy;
