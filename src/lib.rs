//! rondag: a render-graph engine for wgpu whose frame is data.
//!
//! `text ──parse──▶ Document ──resolve──▶ Graph ──plan──▶ Plan ──record──▶ CommandEncoder`

pub mod diagnostic;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod graph;
pub mod id;
pub mod lint;
pub mod plan;
pub mod record;
pub mod reference;
pub mod shader;
pub mod source;
pub mod syntax;
