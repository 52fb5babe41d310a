//! What a host gives to a program: its buffers, its textures, the view that it presents.

use std::collections::BTreeSet;

use super::error::Error;
use super::memory::{Home, Memory};
use super::program::Program;
use super::store::write_padded;
use crate::graph::{ResourceId, ResourceKind};
use crate::record::{Bound, Script};
use crate::syntax::document::UsageFlag;

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
    fn asked_of_buffer(&self, port: ResourceId) -> wgpu::BufferUsages {
        let own = wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        let asked = self.plan.usages[port].iter().map(|reason| reason.flag);
        let copies = asked.fold(wgpu::BufferUsages::empty(), |flags, flag| match flag {
            UsageFlag::CopySrc => flags | wgpu::BufferUsages::COPY_SRC,
            UsageFlag::CopyDst => flags | wgpu::BufferUsages::COPY_DST,
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
