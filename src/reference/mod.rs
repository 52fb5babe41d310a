//! What the shipped shaders compute, on the CPU: the same names, the same order of arithmetic, no structure of blocks.
//!
//! Tests and checked runs compare with these. A module is the twin of the WGSL named in its first line; integers agree to
//! the bit, floats wherever no rounding is near a decision (compilers may fuse a multiplication with an addition).

pub mod batch;
pub mod bounds;
pub mod compact;
pub mod cull;
pub mod mask;
pub mod packed;
pub mod packing;
pub mod scan;
