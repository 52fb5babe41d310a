//! A script walked into a wgpu encoder.

use wgpu::{CommandEncoder, ComputePass, Operations, Origin3d, RenderPass, StoreOp, TexelCopyTextureInfo};

use super::build::Pipelines;
use super::store::Store;
use crate::graph::{ResourceId, TextureRegion};
use crate::id::IdVec;
use crate::record::{
    Arguments, BufferCopy, ComputePipelineId, CountedDraw, Draw, DrawIndexed, GroupId, LabelId, RenderPassId,
    RenderPipelineId, Script, Target, TextureCopy, TimeId, ViewId,
};

/// The most colour attachments that wgpu knows.
pub(super) const MAX_COLOR: usize = 8;

/// Everything that the ids of a script stand for.
#[derive(Debug)]
pub(super) struct Parts {
    pub(super) script: Script,
    pub(super) pipelines: Pipelines,
    pub(super) store: Store,
    /// For even and odd frames.
    pub(super) views: IdVec<ViewId, [Option<wgpu::TextureView>; 2]>,
    pub(super) groups: IdVec<GroupId, MadeGroup>,
    /// `clear_texture` works; otherwise what it would zero is never written.
    pub(super) clears_textures: bool,
}

/// A bind group as it is set.
#[derive(Debug, Default)]
pub(super) struct MadeGroup {
    /// For even and odd frames.
    pub(super) halves: [Option<wgpu::BindGroup>; 2],
    /// Dynamic offsets of one record.
    pub(super) count: usize,
    /// Dynamic offsets of all records, one record after another.
    pub(super) offsets: Vec<u32>,
}

/// Timestamps of the passes of one frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stamps<'a> {
    pub(super) set: &'a wgpu::QuerySet,
    /// Passes that have a place.
    pub(super) count: usize,
}

impl Stamps<'_> {
    /// The queries before and after a pass.
    fn of(self, time: Option<TimeId>) -> Option<(u32, u32)> {
        use crate::id::Id as _;
        let at = time?.index();
        (at < self.count).then_some((2 * at as u32, 2 * at as u32 + 1))
    }
}

/// The target. At most one of the two passes is open.
pub(super) struct Recorder<'a> {
    pub(super) parts: &'a Parts,
    pub(super) encoder: &'a mut CommandEncoder,
    pub(super) stamps: Option<Stamps<'a>>,
    /// 0 in even frames, 1 in odd ones.
    pub(super) parity: usize,
    compute: Option<ComputePass<'static>>,
    render: Option<RenderPass<'static>>,
}

impl<'a> Recorder<'a> {
    pub(super) fn new(
        parts: &'a Parts,
        encoder: &'a mut CommandEncoder,
        stamps: Option<Stamps<'a>>,
        parity: usize,
    ) -> Self {
        Self { parts, encoder, stamps, parity, compute: None, render: None }
    }

    fn buffer(&self, id: ResourceId, previous: bool) -> &'a wgpu::Buffer {
        let pair = self.parts.store.buffers[id].as_ref().expect("ports are checked before a walk");
        &pair[if previous { 1 - self.parity } else { self.parity }]
    }

    fn texture(&self, id: ResourceId, previous: bool) -> &'a wgpu::Texture {
        let pair = self.parts.store.textures[id].as_ref().expect("ports are checked before a walk");
        &pair[if previous { 1 - self.parity } else { self.parity }]
    }

    fn view(&self, id: ViewId) -> &'a wgpu::TextureView {
        self.parts.views[id][self.parity].as_ref().expect("ports are checked before a walk")
    }

    /// Up to the declared size: what lies behind it in a slot is another's.
    fn whole(&self, id: ResourceId) -> wgpu::BufferSlice<'a> {
        let buffer = self.buffer(id, false);
        match self.parts.store.sizes[id] {
            0 => buffer.slice(..),
            size => buffer.slice(..size),
        }
    }

    fn compute(&mut self) -> &mut ComputePass<'static> {
        self.compute.as_mut().expect("scripts dispatch inside of compute passes")
    }

    fn render(&mut self) -> &mut RenderPass<'static> {
        self.render.as_mut().expect("scripts draw inside of render passes")
    }

    pub(super) fn open_compute(&mut self, label: &str, time: Option<TimeId>) {
        let stamps = self.stamps.and_then(|stamps| Some((stamps.set, stamps.of(time)?)));
        let timestamp_writes = stamps.map(|(query_set, (begin, end))| wgpu::ComputePassTimestampWrites {
            query_set,
            beginning_of_pass_write_index: Some(begin),
            end_of_pass_write_index: Some(end),
        });
        let descriptor = wgpu::ComputePassDescriptor { label: Some(label), timestamp_writes };
        self.compute = Some(self.encoder.begin_compute_pass(&descriptor).forget_lifetime());
    }

    /// Opens a render pass; `keep` clears nothing.
    pub(super) fn open_render(&mut self, pass: RenderPassId, keep: bool) {
        let pass = &self.parts.script.render_passes[pass];
        let mut color = [const { None }; MAX_COLOR];
        for (target, slot) in pass.color.iter().zip(&mut color) {
            let load = target
                .clear
                .filter(|_| !keep)
                .map_or(wgpu::LoadOp::Load, |[r, g, b, a]| wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a }));
            *slot = Some(wgpu::RenderPassColorAttachment {
                view: self.view(target.view),
                depth_slice: None,
                resolve_target: target.resolve.filter(|_| !keep).map(|view| self.view(view)),
                ops: Operations { load, store: StoreOp::Store },
            });
        }
        let depth = pass.depth.map(|target| {
            let load = target.clear.filter(|_| !keep).map_or(wgpu::LoadOp::Load, wgpu::LoadOp::Clear);
            let depth_ops = (!target.read_only).then_some(Operations { load, store: StoreOp::Store });
            wgpu::RenderPassDepthStencilAttachment { view: self.view(target.view), depth_ops, stencil_ops: None }
        });
        let stamps = self.stamps.and_then(|stamps| Some((stamps.set, stamps.of(pass.time)?)));
        let timestamp_writes = stamps.map(|(query_set, (begin, end))| wgpu::RenderPassTimestampWrites {
            query_set,
            beginning_of_pass_write_index: Some(begin),
            end_of_pass_write_index: Some(end),
        });
        let open = self.encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some(&self.parts.script.labels[pass.label]),
            color_attachments: &color[..pass.color.len()],
            depth_stencil_attachment: depth,
            timestamp_writes,
            ..Default::default()
        });
        self.render = Some(open.forget_lifetime());
    }

    fn region(&self, region: TextureRegion) -> TexelCopyTextureInfo<'a> {
        let TextureRegion { resource, previous, mip, layer, origin: [x, y] } = region;
        TexelCopyTextureInfo {
            texture: self.texture(resource, previous),
            mip_level: mip,
            origin: Origin3d { x, y, z: layer },
            aspect: wgpu::TextureAspect::All,
        }
    }
}

impl Target for Recorder<'_> {
    fn begin_compute(&mut self, label: LabelId, time: Option<TimeId>) {
        let label = &self.parts.script.labels[label];
        self.open_compute(label, time);
    }

    fn end_compute(&mut self) {
        self.compute = None;
    }

    fn begin_render(&mut self, pass: RenderPassId) {
        self.open_render(pass, false);
    }

    fn end_render(&mut self) {
        self.render = None;
    }

    fn push_label(&mut self, label: LabelId) {
        let label = &self.parts.script.labels[label];
        match &mut self.compute {
            Some(pass) => pass.push_debug_group(label),
            None => self.encoder.push_debug_group(label),
        }
    }

    fn pop_label(&mut self) {
        match &mut self.compute {
            Some(pass) => pass.pop_debug_group(),
            None => self.encoder.pop_debug_group(),
        }
    }

    fn compute_pipeline(&mut self, pipeline: ComputePipelineId) {
        let pipeline = &self.parts.pipelines.compute[pipeline];
        self.compute().set_pipeline(pipeline);
    }

    fn render_pipeline(&mut self, pipeline: RenderPipelineId) {
        let pipeline = &self.parts.pipelines.render[pipeline];
        self.render().set_pipeline(pipeline);
    }

    fn bind_group(&mut self, slot: u32, group: GroupId, record: u32) {
        let MadeGroup { halves, count, offsets } = &self.parts.groups[group];
        let offsets = &offsets[record as usize * count..][..*count];
        let group = halves[self.parity].as_ref().expect("ports are checked before a walk");
        match &mut self.compute {
            Some(pass) => pass.set_bind_group(slot, group, offsets),
            None => self.render().set_bind_group(slot, group, offsets),
        }
    }

    fn dispatch(&mut self, [x, y, z]: [u32; 3]) {
        self.compute().dispatch_workgroups(x, y, z);
    }

    fn dispatch_indirect(&mut self, args: ResourceId, offset: u64) {
        let buffer = self.buffer(args, false);
        self.compute().dispatch_workgroups_indirect(buffer, offset);
    }

    fn vertex_buffer(&mut self, slot: u32, resource: ResourceId) {
        let slice = self.whole(resource);
        self.render().set_vertex_buffer(slot, slice);
    }

    fn index_buffer(&mut self, resource: ResourceId, format: wgpu::IndexFormat) {
        let slice = self.whole(resource);
        self.render().set_index_buffer(slice, format);
    }

    fn draw(&mut self, draw: Draw) {
        let Draw { vertices, instances, first_vertex, first_instance } = draw;
        self.render().draw(run(first_vertex, vertices), run(first_instance, instances));
    }

    fn draw_indexed(&mut self, draw: DrawIndexed) {
        let DrawIndexed { indices, instances, first_index, base_vertex, first_instance } = draw;
        self.render().draw_indexed(run(first_index, indices), base_vertex, run(first_instance, instances));
    }

    fn draw_indirect(&mut self, args: Arguments, count: u32) {
        let (buffer, Arguments { indexed, offset, .. }) = (self.buffer(args.resource, false), args);
        let pass = self.render();
        match (indexed, count) {
            (true, 1) => pass.draw_indexed_indirect(buffer, offset),
            (false, 1) => pass.draw_indirect(buffer, offset),
            (true, _) => pass.multi_draw_indexed_indirect(buffer, offset, count),
            (false, _) => pass.multi_draw_indirect(buffer, offset, count),
        }
    }

    fn draw_counted(&mut self, CountedDraw { args, count, counter: (counter, at) }: CountedDraw) {
        let (buffer, counter) = (self.buffer(args.resource, false), self.buffer(counter, false));
        let pass = self.render();
        if args.indexed {
            pass.multi_draw_indexed_indirect_count(buffer, args.offset, counter, at, count);
        } else {
            pass.multi_draw_indirect_count(buffer, args.offset, counter, at, count);
        }
    }

    fn clear_buffer(&mut self, resource: ResourceId, offset: u64, size: Option<u64>) {
        let buffer = self.buffer(resource, false);
        let declared = self.parts.store.sizes[resource];
        let size = size.or_else(|| (declared != 0).then(|| declared.saturating_sub(offset)));
        self.encoder.clear_buffer(buffer, offset, size);
    }

    fn clear_texture(&mut self, resource: ResourceId) {
        if self.parts.clears_textures {
            let texture = self.texture(resource, false);
            self.encoder.clear_texture(texture, &wgpu::ImageSubresourceRange::default());
        }
    }

    fn copy_buffer(&mut self, BufferCopy { source, target, size }: BufferCopy) {
        let from = self.buffer(source.resource, source.previous);
        let to = self.buffer(target.resource, target.previous);
        self.encoder.copy_buffer_to_buffer(from, source.offset, to, target.offset, size);
    }

    fn copy_texture(&mut self, copy: TextureCopy) {
        let TextureCopy { source, target, size: [width, height], layers } = copy;
        let size = wgpu::Extent3d { width, height, depth_or_array_layers: layers };
        let (from, to) = (self.region(source), self.region(target));
        self.encoder.copy_texture_to_texture(from, to, size);
    }
}

/// `first..first + count`, at most to the end of u32.
const fn run(first: u32, count: u32) -> std::ops::Range<u32> {
    first..first.saturating_add(count)
}
