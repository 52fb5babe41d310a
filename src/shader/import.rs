//! Imports.

/// From positions in a stitched text back to the files that it was stitched from.
#[derive(Debug, Clone, Default)]
pub struct LineMap;
