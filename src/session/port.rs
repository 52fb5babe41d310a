//! Sizes of what a host gives.

use std::collections::BTreeMap;

use wgpu::TextureFormat;

use crate::graph::PortSize;
use crate::syntax::document::{Document, FormatDecl, ResourceKindDecl};

/// Sizes of all ports: what is read is as large as its file, textures that are written are as large as the surface.
pub fn sizes(
    document: &Document,
    inputs: &BTreeMap<String, Vec<u8>>,
    surface: [u32; 2],
    surface_format: TextureFormat,
) -> BTreeMap<String, PortSize> {
    let mut sizes: BTreeMap<String, PortSize> = inputs
        .iter()
        .map(|(name, bytes)| (name.clone(), PortSize::Buffer { bytes: bytes.len() as u64, stride: None }))
        .collect();
    for resource in &document.resources {
        let (Some(_), ResourceKindDecl::Texture(texture)) = (&resource.port, &resource.kind) else { continue };
        let format = match texture.format.as_ref().map(|format| format.value) {
            Some(FormatDecl::Is(format)) => format,
            Some(FormatDecl::Surface) | None => surface_format,
        };
        let size = PortSize::Texture { size: surface, format, mips: 1, layers: 1, samples: 1 };
        sizes.insert(resource.name.value.to_string(), size);
    }
    sizes
}
