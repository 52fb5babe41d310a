//! Limits and features to hold a graph against.

/// What a device guarantees.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// As messages call it: `webgpu`, or an adapter's name.
    pub name: String,
    /// Limits.
    pub limits: wgpu_types::Limits,
    /// Features.
    pub features: wgpu_types::Features,
    /// Bytes that a frame's buffers and textures may take in all.
    pub max_memory: u64,
}

/// What a frame may take unless told otherwise: 4 GiB.
pub const MAX_MEMORY: u64 = 4 << 30;

impl Default for Profile {
    /// What every WebGPU device guarantees.
    fn default() -> Self {
        Self {
            name: "webgpu".to_owned(),
            limits: wgpu_types::Limits::default(),
            features: wgpu_types::Features::empty(),
            max_memory: MAX_MEMORY,
        }
    }
}
