//! Contents of buffers and textures, with a wait that has a limit.

use std::sync::mpsc;
use std::time::Duration;

use wgpu::{BufferUsages, TextureAspect, TextureFormat};

use super::device::Gpu;
use super::error::Error;

/// The most bytes that are under way at once.
const CHUNK: u64 = 64 << 20;

/// Texels of one mip and layer, rows without padding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// Texels.
    pub width: u32,
    /// Texels.
    pub height: u32,
    /// What a texel is.
    pub format: TextureFormat,
    /// Rows from the top, one after another.
    pub bytes: Vec<u8>,
}

/// The bytes `offset..offset + size` of a `COPY_SRC` buffer; both multiples of 4. Each piece of 64 MiB is waited for at most
/// `limit`.
///
/// # Errors
/// [`Error::Unreadable`], [`Error::Timeout`], [`Error::Lost`], [`Error::Refused`].
pub fn read_buffer(
    gpu: &Gpu,
    name: &str,
    buffer: &wgpu::Buffer,
    range: std::ops::Range<u64>,
    limit: Duration,
) -> Result<Vec<u8>, Error> {
    let unreadable = |why: &str| Error::Unreadable { name: name.to_owned(), why: why.to_owned() };
    if !buffer.usage().contains(BufferUsages::COPY_SRC) {
        return Err(unreadable("it is not an output and keeps no state"));
    }
    if range.end > buffer.size() || range.start > range.end || !range.start.is_multiple_of(4) {
        return Err(unreadable("the range does not lie in it, or does not start at a multiple of 4 bytes"));
    }
    let mut bytes = Vec::with_capacity((range.end - range.start) as usize);
    let mut at = range.start;
    while at < range.end {
        let wanted = (range.end - at).min(CHUNK);
        let size = wanted.next_multiple_of(4).min(buffer.size() - at);
        let copy = |encoder: &mut wgpu::CommandEncoder, staging: &wgpu::Buffer| {
            encoder.copy_buffer_to_buffer(buffer, at, staging, 0, size);
        };
        fetch(gpu, name, size, limit, copy, |mapped| bytes.extend_from_slice(&mapped[..wanted as usize]))?;
        at += wanted;
    }
    Ok(bytes)
}

/// One mip and layer of a `COPY_SRC` texture of one sample.
///
/// # Errors
/// [`Error::Unreadable`], [`Error::Timeout`], [`Error::Lost`], [`Error::Refused`].
pub fn read_texture(
    gpu: &Gpu,
    name: &str,
    texture: &wgpu::Texture,
    (mip, layer): (u32, u32),
    limit: Duration,
) -> Result<Image, Error> {
    let unreadable = |why: &str| Error::Unreadable { name: name.to_owned(), why: why.to_owned() };
    let format = texture.format();
    if texture.sample_count() > 1 {
        return Err(unreadable("it has several samples a texel; resolve it first"));
    }
    if !texture.usage().contains(wgpu::TextureUsages::COPY_SRC) {
        return Err(unreadable("it is not an output and keeps no state"));
    }
    if mip >= texture.mip_level_count() || layer >= texture.depth_or_array_layers() {
        return Err(unreadable("it has no such mip or layer"));
    }
    let aspect = if format.has_depth_aspect() { TextureAspect::DepthOnly } else { TextureAspect::All };
    let block = format.block_copy_size(Some(aspect)).ok_or_else(|| unreadable("its format cannot be copied"))?;
    let (block_width, block_height) = format.block_dimensions();
    let (width, height) = ((texture.width() >> mip).max(1), (texture.height() >> mip).max(1));
    let (columns, rows) = (width.div_ceil(block_width), height.div_ceil(block_height));
    let tight = u64::from(columns) * u64::from(block);
    let pitch = tight.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT.into());
    let copy = |encoder: &mut wgpu::CommandEncoder, staging: &wgpu::Buffer| {
        let origin = wgpu::Origin3d { x: 0, y: 0, z: layer };
        let layout =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(pitch as u32), rows_per_image: Some(rows) };
        encoder.copy_texture_to_buffer(
            wgpu::TexelCopyTextureInfo { texture, mip_level: mip, origin, aspect },
            wgpu::TexelCopyBufferInfo { buffer: staging, layout },
            wgpu::Extent3d { width: columns * block_width, height: rows * block_height, depth_or_array_layers: 1 },
        );
    };
    let mut bytes = Vec::with_capacity((tight * u64::from(rows)) as usize);
    fetch(gpu, name, pitch * u64::from(rows), limit, copy, |mapped| {
        for row in mapped.chunks(pitch as usize) {
            bytes.extend_from_slice(&row[..tight as usize]);
        }
    })?;
    Ok(Image { width, height, format, bytes })
}

/// Copies into a staging buffer, waits, hands the bytes over.
fn fetch(
    gpu: &Gpu,
    name: &str,
    size: u64,
    limit: Duration,
    copy: impl FnOnce(&mut wgpu::CommandEncoder, &wgpu::Buffer),
    take: impl FnOnce(&[u8]),
) -> Result<(), Error> {
    let descriptor = wgpu::BufferDescriptor {
        label: Some("readback"),
        size,
        usage: BufferUsages::COPY_DST | BufferUsages::MAP_READ,
        mapped_at_creation: false,
    };
    let what = || format!("reading `{name}` back");
    let submission = gpu.scope(what, || {
        let staging = gpu.device.create_buffer(&descriptor);
        let mut encoder =
            gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("readback") });
        copy(&mut encoder, &staging);
        let submission = gpu.queue.submit([encoder.finish()]);
        (staging, submission)
    });
    let (staging, submission) = submission?;
    let (sender, receiver) = mpsc::channel();
    staging.map_async(wgpu::MapMode::Read, .., move |mapped| {
        // The receiver is gone only when the wait below has failed.
        let _ = sender.send(mapped.is_ok());
    });
    gpu.wait(Some(submission), limit)?;
    let unreadable = || Error::Unreadable { name: name.to_owned(), why: "its bytes could not be mapped".to_owned() };
    // Another thread that polls may be the one that runs the callback, a moment after this one's wait is over.
    if receiver.recv_timeout(limit) != Ok(true) {
        return Err(unreadable());
    }
    take(&staging.get_mapped_range(..).map_err(|_| unreadable())?);
    Ok(())
}
