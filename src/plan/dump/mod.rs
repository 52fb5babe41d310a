//! Plans, printed: for people, for programs, for graph drawers. The same bytes on every run.

mod dot;
#[cfg(feature = "cli")]
mod html;
#[cfg(feature = "cli")]
mod json;
mod table;
mod text;

pub use dot::{dot, mermaid};
#[cfg(feature = "cli")]
pub use html::html;
#[cfg(feature = "cli")]
pub use json::json;
pub use text::text;

use super::{Plan, Step};
use crate::graph::PassId;

/// The recorded passes of a step.
pub(super) fn passes(step: &Step) -> &[PassId] {
    match step {
        Step::Commands(pass) | Step::Render(pass) => std::slice::from_ref(pass),
        Step::Compute(passes) => passes,
    }
}

/// What a step is recorded as.
pub(super) fn kind(step: &Step) -> &'static str {
    match step {
        Step::Commands(_) => "commands",
        Step::Compute(_) => "compute",
        Step::Render(_) => "render",
    }
}

/// By pass, its place among the recorded ones.
pub(super) fn positions(plan: &Plan, passes: usize) -> crate::id::IdVec<PassId, Option<u32>> {
    let mut positions = crate::id::IdVec::filled(None, passes);
    for (at, pass) in plan.order.iter().enumerate() {
        positions[*pass] = Some(at as u32);
    }
    positions
}
