//! From plan to commands: what a frame does, as flat data, walked onto a target.
//!
//! [`compile`] reads a graph and its plan once and writes a [`Script`]: a list of [`Command`]s that hold ids and numbers
//! only, and tables that say what each id stands for (pipelines, bind groups, views, attachments, labels). Nothing in it
//! belongs to a device, so a script can be printed ([`trace`]), compared, or recorded into wgpu by the layer above.
//!
//! [`walk`] replays a script onto a [`Target`]. It allocates nothing, looks nothing up and decides one thing only: which
//! conditional passes are left out. State that is set already is not set again; the compiler sees to that.
//!
//! [`Uniforms`] is the other half of a frame: the bytes of every uniform struct, filled from formulas, laid out for one
//! write.

mod compile;
mod pipeline;
mod script;
mod table;
mod trace;
mod uniform;
mod value;

pub use compile::{CompileError, Options, compile};
#[cfg(feature = "gpu")]
pub(crate) use pipeline::compare;
pub use script::*;
pub use table::Table;
pub use trace::trace;
pub use uniform::{Inputs, UniformError, UniformLayout, Uniforms};
pub use value::write_value;

use crate::graph::ResourceId;

/// What a script is walked onto: one method a command, by id. Methods come in the order of the frame; those of a compute
/// pass only between `begin_compute` and `end_compute`, those of a render pass likewise.
#[allow(missing_docs, reason = "one method a command; see `Command`")]
pub trait Target {
    fn begin_compute(&mut self, label: LabelId, time: Option<TimeId>);
    fn end_compute(&mut self);
    fn begin_render(&mut self, pass: RenderPassId);
    fn end_render(&mut self);
    fn push_label(&mut self, label: LabelId);
    fn pop_label(&mut self);
    fn compute_pipeline(&mut self, pipeline: ComputePipelineId);
    fn render_pipeline(&mut self, pipeline: RenderPipelineId);
    /// `record` picks the copy of every block in the group that has several.
    fn bind_group(&mut self, slot: u32, group: GroupId, record: u32);
    fn dispatch(&mut self, groups: [u32; 3]);
    fn dispatch_indirect(&mut self, args: ResourceId, offset: u64);
    fn vertex_buffer(&mut self, slot: u32, resource: ResourceId);
    fn index_buffer(&mut self, resource: ResourceId, format: wgpu_types::IndexFormat);
    fn draw(&mut self, draw: Draw);
    fn draw_indexed(&mut self, draw: DrawIndexed);
    /// `count` records, one after another.
    fn draw_indirect(&mut self, args: Arguments, count: u32);
    fn draw_counted(&mut self, draw: CountedDraw);
    fn clear_buffer(&mut self, resource: ResourceId, offset: u64, size: Option<u64>);
    fn clear_texture(&mut self, resource: ResourceId);
    fn copy_buffer(&mut self, copy: BufferCopy);
    fn copy_texture(&mut self, copy: TextureCopy);
}

/// Replays commands onto a target: all of a list (`0..commands.len()`), or those of one step. `flags` holds one answer a
/// [`FlagId`]: whether what depends on it is recorded.
///
/// # Panics
/// If `flags` is shorter than the script's flags.
pub fn walk(
    script: &Script,
    commands: &[Command],
    range: std::ops::Range<usize>,
    flags: &[bool],
    target: &mut impl Target,
) {
    use crate::id::Id as _;

    let mut at = range.start;
    while let Some(command) = commands[..range.end].get(at) {
        at += 1;
        match *command {
            Command::SkipUnless { flag, to } => {
                if !flags[flag.index()] {
                    at = to as usize;
                }
            }
            Command::DrawEach { args, count, rebind: (first, end) } => {
                let stride = args.stride();
                let rebind = &script.rebinds[first as usize..end as usize];
                for record in 0..count {
                    for (slot, group) in rebind {
                        target.bind_group(*slot, *group, record);
                    }
                    let offset = args.offset + u64::from(record) * stride;
                    target.draw_indirect(Arguments { offset, ..args }, 1);
                }
            }
            Command::BeginCompute { label, time } => target.begin_compute(label, time),
            Command::EndCompute => target.end_compute(),
            Command::BeginRender(pass) => target.begin_render(pass),
            Command::EndRender => target.end_render(),
            Command::PushLabel(label) => target.push_label(label),
            Command::PopLabel => target.pop_label(),
            Command::ComputePipeline(pipeline) => target.compute_pipeline(pipeline),
            Command::RenderPipeline(pipeline) => target.render_pipeline(pipeline),
            Command::BindGroup { slot, group } => target.bind_group(slot, group, 0),
            Command::Dispatch(groups) => target.dispatch(groups),
            Command::DispatchIndirect { args, offset } => target.dispatch_indirect(args, offset),
            Command::VertexBuffer { slot, resource } => target.vertex_buffer(slot, resource),
            Command::IndexBuffer { resource, format } => target.index_buffer(resource, format),
            Command::Draw(draw) => target.draw(draw),
            Command::DrawIndexed(draw) => target.draw_indexed(draw),
            Command::DrawIndirect { args, count } => target.draw_indirect(args, count),
            Command::DrawCounted(draw) => target.draw_counted(script.counted_draws[draw]),
            Command::ClearBuffer { resource, offset, size } => target.clear_buffer(resource, offset, size),
            Command::ClearTexture(resource) => target.clear_texture(resource),
            Command::CopyBuffer(copy) => target.copy_buffer(script.buffer_copies[copy]),
            Command::CopyTexture(copy) => target.copy_texture(script.texture_copies[copy]),
        }
    }
}
