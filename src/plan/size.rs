//! Bytes.

use crate::graph::{Resource, ResourceKind, Texture};

/// Bytes of one copy of a buffer or texture; none while a size is unknown, and of what takes no memory of its own.
pub(super) fn bytes(resource: &Resource) -> Option<u64> {
    match &resource.kind {
        ResourceKind::Buffer(buffer) => buffer.size,
        ResourceKind::Texture(texture) => texture_bytes(texture),
        ResourceKind::Sampler(_) | ResourceKind::Uniform | ResourceKind::HostUniform { .. } => None,
    }
}

/// Texels of all mips, layers and samples. What a driver adds for alignment is not known here.
fn texture_bytes(texture: &Texture) -> Option<u64> {
    let (format, [width, height]) = (texture.format?, texture.size?);
    let (block_width, block_height) = format.block_dimensions();
    let block = wgpu_types::Extent3d { width: block_width, height: block_height, depth_or_array_layers: 1 };
    let block = format.theoretical_memory_footprint(block);
    let mip = |level: u32| {
        let side = |texels: u32, block: u32| u64::from((texels >> level.min(31)).max(1).div_ceil(block));
        side(width, block_width).saturating_mul(side(height, block_height))
    };
    let blocks = (0..texture.mips.min(32)).map(mip).fold(0, u64::saturating_add);
    let copies = u64::from(texture.layers).saturating_mul(u64::from(texture.samples));
    Some(blocks.saturating_mul(block).saturating_mul(copies))
}
