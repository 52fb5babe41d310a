//! rondag: a render-graph engine for wgpu whose frame is data.
//!
//! `text ──parse──▶ Document ──resolve──▶ Graph ──plan──▶ Plan ──record──▶ CommandEncoder`

pub mod source;
pub mod id;
pub mod diagnostic;
pub mod syntax;
pub mod shader;
pub mod graph;
pub mod plan;
pub mod lint;
pub mod reference;
