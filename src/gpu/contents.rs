//! What a resource holds, as whoever compares or keeps it wants it: the part that means something.

use std::time::Duration;

use super::compare::Elements;
use super::error::Error;
use super::program::Program;
use super::readback::{read_buffer, read_texture};
use crate::graph::{Buffer, Call, Draft, PassKind, ResourceId, ResourceKind};
use crate::syntax::document::ListOrder;

/// All bytes of a resource: the live part of a buffer, all mips and layers of a texture one after the other. Waits for them, at most
/// for `limit` each.
///
/// # Errors
/// [`Error::Unreadable`] for what nothing uses or cannot be copied; [`Error::Timeout`], [`Error::Lost`].
pub fn contents(program: &Program, id: ResourceId, limit: Duration) -> Result<Vec<u8>, Error> {
    let resource = &program.graph().resources[id];
    let (name, gpu) = (&resource.name, program.gpu());
    let absent = |why: &str| Error::Unreadable { name: name.to_string(), why: why.to_owned() };
    if let ResourceKind::Buffer(declared) = &resource.kind {
        let (memory, size) = program.buffer(id).ok_or_else(|| absent("it has no memory: nothing uses it"))?;
        let live = live(program, declared, limit)?.unwrap_or(size).min(size);
        return read_buffer(gpu, name, memory, 0..live, limit);
    }
    let texture = program.texture(id).ok_or_else(|| absent("it has no texels: nothing writes it"))?;
    let mut bytes = Vec::new();
    for layer in 0..texture.depth_or_array_layers() {
        for mip in 0..texture.mip_level_count() {
            bytes.extend(read_texture(gpu, name, texture, (mip, layer), limit)?.bytes);
        }
    }
    Ok(bytes)
}

/// How the contents of a resource are compared: texels of a texture, elements of a buffer, in any order where the graph says so.
pub fn elements(graph: &Draft, id: ResourceId) -> Elements {
    match &graph.resources[id].kind {
        ResourceKind::Buffer(buffer) => {
            let stride = usize::try_from(buffer.stride.unwrap_or(4)).unwrap_or(4);
            Elements { stride, any_order: buffer.order == Some(ListOrder::Any) }
        }
        ResourceKind::Texture(texture) => {
            let texel = texture.format.and_then(|format| format.block_copy_size(None)).unwrap_or(4);
            Elements { stride: texel as usize, any_order: false }
        }
        _ => Elements { stride: 4, any_order: false },
    }
}

/// Bytes of the part that the arguments count; what lies behind it is unspecified.
fn live(program: &Program, buffer: &Buffer, limit: Duration) -> Result<Option<u64>, Error> {
    let (Some(arguments), Some(stride)) = (buffer.live, buffer.stride) else { return Ok(None) };
    let Some((memory, size)) = program.buffer(arguments) else { return Ok(None) };
    let name = &program.graph().resources[arguments].name;
    let bytes = read_buffer(program.gpu(), name, memory, 0..size, limit)?;
    let records = bytes.chunks_exact(record_bytes(program.graph(), arguments));
    let instances = records.map(|record| u64::from(record[4..8].try_into().map_or(0, u32::from_le_bytes)));
    Ok(Some(buffer.header + instances.sum::<u64>() * stride))
}

/// 20 bytes for indexed draws, 16 for others.
fn record_bytes(draft: &Draft, arguments: ResourceId) -> usize {
    let plain = draft.passes.iter().any(|pass| match &pass.kind {
        PassKind::Render(render) => render
            .draws
            .iter()
            .any(|draw| matches!(draw.call, Call::Indirect { indexed: false, args, .. } if args == arguments)),
        _ => false,
    });
    if plain { 16 } else { 20 }
}
