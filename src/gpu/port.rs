//! What a host gives to a program: its buffers, its textures, the view that it presents.

use std::collections::BTreeSet;

use wgpu::BufferUsages;

use super::error::Error;
use super::memory::{Home, Memory};
use super::program::Program;
use super::store::write_padded;
use crate::graph::{Lifetime, ResourceId, ResourceKind};
use crate::record::{Bound, Script};
use crate::syntax::document::{PortKind, UsageFlag};

/// Ports without which the script cannot be walked.
pub(super) fn used(script: &Script, memory: &Memory) -> Vec<ResourceId> {
    let bound = script.groups.iter().flat_map(|group| &group.entries).filter_map(|(_, bound)| match *bound {
        Bound::Buffer { resource, .. } => Some(resource),
        _ => None,
    });
    let viewed = script.views.iter().map(|view| view.resource);
    let commands = script.frame.iter().chain(&script.once).flat_map(|command| script.named(command)).flatten();
    let used: BTreeSet<_> = bound.chain(viewed).chain(commands).collect();
    used.into_iter().filter(|id| memory.homes[*id] == Home::Port).collect()
}

impl Program {
    /// Writes bytes to the start of a buffer that is the program's own: data for an In port, contents for a test.
    ///
    /// # Errors
    /// [`Error::Port`], if it has no buffer or a smaller one.
    pub fn write(&mut self, id: ResourceId, bytes: &[u8]) -> Result<(), Error> {
        let port = || self.graph.resources[id].name.to_string();
        let Some((buffer, size)) = self.buffer(id) else {
            return Err(Error::Port { port: port(), why: "it has no buffer".to_owned() });
        };
        if bytes.len() as u64 > size {
            let why = format!("{} bytes do not go into {size}", bytes.len());
            return Err(Error::Port { port: port(), why });
        }
        write_padded(&self.gpu.queue, buffer, bytes);
        self.once.touched(id, false);
        Ok(())
    }

    /// Fills what holds nothing at the start of a frame with a word: transients and Out ports, as far as they can be copied to. Whoever
    /// reads what this frame did not write sees the word. The device does so before what is submitted next.
    pub fn fill(&self, marker: u32) {
        for (id, resource) in self.graph.resources.entries() {
            let holds_nothing = match resource.port {
                None => resource.lifetime == Lifetime::Transient,
                Some(port) => port == PortKind::Out,
            };
            let has_values = matches!(&resource.kind, ResourceKind::Buffer(buffer) if buffer.initial.is_some());
            if !holds_nothing || has_values {
                continue;
            }
            if let Some((buffer, _)) = self.buffer(id)
                && buffer.usage().contains(BufferUsages::COPY_DST)
            {
                // What counts instances and workgroups must not count too many.
                let word = if buffer.usage().contains(BufferUsages::INDIRECT) { marker.min(7) } else { marker };
                self.gpu.queue.write_buffer(buffer, 0, bytemuck::cast_slice(&vec![word; buffer.size() as usize / 4]));
            }
            if let Some(texture) = self.texture(id) {
                fill_texture(&self.gpu.queue, texture, marker);
            }
        }
    }

    /// Gives a port the host's buffer. Bind groups are made only if it is another one.
    ///
    /// # Errors
    /// [`Error::Port`], if it is too small or lacks a usage.
    pub fn bind_buffer(&mut self, port: ResourceId, buffer: &wgpu::Buffer) -> Result<(), Error> {
        if self.parts.store.buffers[port].as_ref().is_some_and(|pair| pair[0] == *buffer) {
            return Ok(());
        }
        let (size, needed) = (self.parts.store.sizes[port], self.asked_of_buffer(port));
        let why = if buffer.size() < size {
            format!("it has {} bytes, the graph needs {size}", buffer.size())
        } else if !buffer.usage().contains(needed) {
            format!("it lacks {:?}", needed - buffer.usage())
        } else {
            self.parts.store.buffers[port] = Some([buffer.clone(), buffer.clone()]);
            self.once.touched(port, true);
            return self.group_all(Some(port));
        };
        Err(Error::Port { port: self.graph.resources[port].name.to_string(), why })
    }

    /// Gives a port the host's texture. Views and bind groups are made only if it is another one.
    ///
    /// # Errors
    /// [`Error::Port`], if it is of another shape or format or lacks a usage.
    pub fn bind_texture(&mut self, port: ResourceId, texture: &wgpu::Texture) -> Result<(), Error> {
        if self.parts.store.textures[port].as_ref().is_some_and(|pair| pair[0] == *texture) {
            return Ok(());
        }
        if let Some(why) = self.misfit(port, texture) {
            return Err(Error::Port { port: self.graph.resources[port].name.to_string(), why });
        }
        self.parts.store.textures[port] = Some([texture.clone(), texture.clone()]);
        self.once.touched(port, true);
        self.view_all(Some(port))?;
        self.group_all(Some(port))
    }

    /// Gives an Out port the view to draw to: nothing is made where the port is only an attachment.
    ///
    /// # Errors
    /// As [`bind_texture`](Self::bind_texture).
    pub fn bind_view(&mut self, port: ResourceId, view: &wgpu::TextureView) -> Result<(), Error> {
        let views = &self.parts.script.views;
        if views.iter().any(|it| it.resource == port && !it.attachment) {
            return self.bind_texture(port, view.texture());
        }
        let texture = view.texture();
        if let Some(why) = self.misfit(port, texture) {
            return Err(Error::Port { port: self.graph.resources[port].name.to_string(), why });
        }
        self.parts.store.textures[port] = Some([texture.clone(), texture.clone()]);
        for (id, it) in self.parts.script.views.entries() {
            if it.resource == port {
                self.parts.views[id] = [Some(view.clone()), Some(view.clone())];
            }
        }
        Ok(())
    }

    /// The usages that passes need; what rondag would need itself is not asked of a host.
    fn asked_of_buffer(&self, port: ResourceId) -> BufferUsages {
        let own = BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
        let asked = self.plan.usages[port].iter().map(|reason| reason.flag);
        let copies = asked.fold(BufferUsages::empty(), |flags, flag| match flag {
            UsageFlag::CopySrc => flags | BufferUsages::COPY_SRC,
            UsageFlag::CopyDst => flags | BufferUsages::COPY_DST,
            _ => flags,
        });
        (self.memory.buffer_usages[port] - own) | copies
    }

    fn misfit(&self, port: ResourceId, texture: &wgpu::Texture) -> Option<String> {
        let ResourceKind::Texture(wanted) = &self.graph.resources[port].kind else {
            return Some("the port is not a texture".to_owned());
        };
        let size = [texture.width(), texture.height()];
        if wanted.size.is_some_and(|wanted| wanted != size) {
            return Some(format!("it is {} x {} texels, another size needs another plan", size[0], size[1]));
        }
        if wanted.format.is_some_and(|format| format != texture.format()) {
            return Some(format!("it is {:?}, the graph was planned for {:?}", texture.format(), wanted.format));
        }
        if wanted.samples != texture.sample_count() || wanted.layers > texture.depth_or_array_layers() {
            return Some("it has other samples, or too few layers".to_owned());
        }
        let own = wgpu::TextureUsages::COPY_SRC | wgpu::TextureUsages::COPY_DST;
        let needed = self.memory.texture_usages[port] - own;
        (!texture.usage().contains(needed)).then(|| format!("it lacks {:?}", needed - texture.usage()))
    }

    pub(super) fn check_ports(&self) -> Result<(), Error> {
        let store = &self.parts.store;
        match self.ports.iter().find(|id| store.buffers[**id].is_none() && store.textures[**id].is_none()) {
            Some(id) => Err(Error::Unbound { port: self.graph.resources[*id].name.to_string() }),
            None => Ok(()),
        }
    }
}

/// Writes a word over and over into all of a texture that takes copies.
fn fill_texture(queue: &wgpu::Queue, texture: &wgpu::Texture, marker: u32) {
    let format = texture.format();
    let block =
        format.block_copy_size(None).filter(|_| format.block_dimensions() == (1, 1) && !format.has_depth_aspect());
    let can = texture.usage().contains(wgpu::TextureUsages::COPY_DST) && texture.sample_count() == 1;
    let Some(block) = block.filter(|_| can) else { return };
    for mip in 0..texture.mip_level_count() {
        let size = texture.size().mip_level_size(mip, texture.dimension());
        let row = size.width * block;
        let bytes = marker.to_le_bytes().repeat((row * size.height * size.depth_or_array_layers).div_ceil(4) as usize);
        let layout =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: Some(size.height) };
        let target = wgpu::TexelCopyTextureInfo { mip_level: mip, ..texture.as_image_copy() };
        queue.write_texture(target, &bytes, layout, size);
    }
}
