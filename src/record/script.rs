//! The data of a script.

use wgpu_types as wgt;

use crate::graph::{BlockId, BufferRange, Part, PassId, ResourceId, ShaderId, TextureRegion};
use crate::id::{IdVec, define_id};
use crate::syntax::document::SamplerDecl;

define_id! {
    /// A text that a debugger shows: `graph/pass`.
    LabelId
}
define_id! {
    /// A compute pipeline.
    ComputePipelineId
}
define_id! {
    /// A render pipeline.
    RenderPipelineId
}
define_id! {
    /// A bind group layout.
    LayoutId
}
define_id! {
    /// A bind group.
    GroupId
}
define_id! {
    /// A view of a texture.
    ViewId
}
define_id! {
    /// A sampler.
    SamplerId
}
define_id! {
    /// A recorded render pass: its attachments.
    RenderPassId
}
define_id! {
    /// A recorded pass that is timed.
    TimeId
}
define_id! {
    /// A copy between buffers.
    BufferCopyId
}
define_id! {
    /// A copy between textures.
    TextureCopyId
}
define_id! {
    /// A draw of as many records as a buffer says.
    CountedDrawId
}
define_id! {
    /// A question asked before each walk.
    FlagId
}

/// A frame as commands, and what their ids mean.
///
/// # Invariants
/// - Every id in a command or table is in its table.
/// - `SkipUnless` jumps forward, to a place with the same passes open.
#[derive(Debug, Clone, Default)]
pub struct Script {
    /// Each frame.
    pub frame: Vec<Command>,
    /// Before a frame, when something about it is due: `Once` passes. Flag n is pass n of `Plan::once`.
    pub once: Vec<Command>,
    /// What asks the flags of `frame`, in order: the conditional passes.
    pub conditions: IdVec<FlagId, PassId>,
    /// Recorded passes and commands between them, in order of `frame`.
    pub steps: Vec<StepInfo>,
    /// Steps that are timed.
    pub times: IdVec<TimeId, usize>,
    /// Texts.
    pub labels: IdVec<LabelId, String>,
    /// Compute pipelines.
    pub compute_pipelines: IdVec<ComputePipelineId, ComputePipeline>,
    /// Render pipelines.
    pub render_pipelines: IdVec<RenderPipelineId, RenderPipeline>,
    /// The pass that first asked for each compute pipeline.
    pub compute_labels: IdVec<ComputePipelineId, LabelId>,
    /// The pass that first asked for each render pipeline.
    pub render_labels: IdVec<RenderPipelineId, LabelId>,
    /// Bind group layouts, entries in order of binding.
    pub layouts: IdVec<LayoutId, Vec<wgt::BindGroupLayoutEntry>>,
    /// Bind groups.
    pub groups: IdVec<GroupId, Group>,
    /// The pass that first asked for each bind group.
    pub group_labels: IdVec<GroupId, LabelId>,
    /// Views.
    pub views: IdVec<ViewId, View>,
    /// Samplers.
    pub samplers: IdVec<SamplerId, SamplerDecl>,
    /// Attachments.
    pub render_passes: IdVec<RenderPassId, RenderPass>,
    /// Copies between buffers.
    pub buffer_copies: IdVec<BufferCopyId, BufferCopy>,
    /// Copies between textures.
    pub texture_copies: IdVec<TextureCopyId, TextureCopy>,
    /// Counted draws.
    pub counted_draws: IdVec<CountedDrawId, CountedDraw>,
    /// Groups to set again for each record of a loop of draws; see [`Command::DrawEach`].
    pub rebinds: Vec<(u32, GroupId)>,
}

/// One call. What is large stands in a table, so that a frame is short to walk.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs, reason = "fields are those of WebGPU's calls")]
pub enum Command {
    BeginCompute {
        label: LabelId,
        time: Option<TimeId>,
    },
    EndCompute,
    BeginRender(RenderPassId),
    EndRender,
    PushLabel(LabelId),
    PopLabel,
    ComputePipeline(ComputePipelineId),
    RenderPipeline(RenderPipelineId),
    BindGroup {
        slot: u32,
        group: GroupId,
    },
    Dispatch([u32; 3]),
    DispatchIndirect {
        args: ResourceId,
        offset: u64,
    },
    VertexBuffer {
        slot: u32,
        resource: ResourceId,
    },
    IndexBuffer {
        resource: ResourceId,
        format: wgt::IndexFormat,
    },
    Draw(Draw),
    DrawIndexed(DrawIndexed),
    /// `count` records in one call.
    DrawIndirect {
        args: Arguments,
        count: u32,
    },
    /// Records in one call, as many as a buffer says.
    DrawCounted(CountedDrawId),
    /// `count` records, one call each; before each, `Script::rebinds[rebind.0..rebind.1]` are set for that record.
    DrawEach {
        args: Arguments,
        count: u32,
        rebind: (u32, u32),
    },
    ClearBuffer {
        resource: ResourceId,
        offset: u64,
        size: Option<u64>,
    },
    /// Zeros all of a texture.
    ClearTexture(ResourceId),
    CopyBuffer(BufferCopyId),
    CopyTexture(TextureCopyId),
    /// Goes on at command `to` unless the flag is set.
    SkipUnless {
        flag: FlagId,
        to: u32,
    },
}

const _: () = assert!(size_of::<Command>() <= 32, "a command grew");

impl Script {
    /// The resources that a command names itself, at most two; bind groups and attachments have their own.
    pub fn named(&self, command: &Command) -> [Option<ResourceId>; 2] {
        match *command {
            Command::DispatchIndirect { args, .. } => [Some(args), None],
            Command::VertexBuffer { resource, .. }
            | Command::IndexBuffer { resource, .. }
            | Command::ClearBuffer { resource, .. }
            | Command::ClearTexture(resource) => [Some(resource), None],
            Command::DrawIndirect { args, .. } | Command::DrawEach { args, .. } => [Some(args.resource), None],
            Command::DrawCounted(draw) => {
                let CountedDraw { args, counter, .. } = self.counted_draws[draw];
                [Some(args.resource), Some(counter.0)]
            }
            Command::CopyBuffer(copy) => {
                let BufferCopy { source, target, .. } = self.buffer_copies[copy];
                [Some(source.resource), Some(target.resource)]
            }
            Command::CopyTexture(copy) => {
                let TextureCopy { source, target, .. } = self.texture_copies[copy];
                [Some(source.resource), Some(target.resource)]
            }
            _ => [None, None],
        }
    }
}

/// A copy of bytes between buffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BufferCopy {
    /// From.
    pub source: BufferRange,
    /// To.
    pub target: BufferRange,
    /// Bytes.
    pub size: u64,
}

/// A copy of texels between textures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextureCopy {
    /// From.
    pub source: TextureRegion,
    /// To.
    pub target: TextureRegion,
    /// Width and height, texels.
    pub size: [u32; 2],
    /// Layers.
    pub layers: u32,
}

/// A draw of as many records as a buffer says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountedDraw {
    /// The first record.
    pub args: Arguments,
    /// At most so many.
    pub count: u32,
    /// The u32 that says how many: buffer and bytes.
    pub counter: (ResourceId, u64),
}

/// A draw without an index buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "fields are those of WebGPU's call")]
pub struct Draw {
    pub vertices: u32,
    pub instances: u32,
    pub first_vertex: u32,
    pub first_instance: u32,
}

/// A draw with an index buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "fields are those of WebGPU's call")]
pub struct DrawIndexed {
    pub indices: u32,
    pub instances: u32,
    pub first_index: u32,
    pub base_vertex: i32,
    pub first_instance: u32,
}

/// Where arguments of indirect draws stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arguments {
    /// Records of 20 bytes instead of 16.
    pub indexed: bool,
    /// The buffer.
    pub resource: ResourceId,
    /// Bytes.
    pub offset: u64,
}

impl Arguments {
    /// Bytes from one record to the next.
    pub const fn stride(self) -> u64 {
        if self.indexed { 20 } else { 16 }
    }
}

/// A recorded pass, or commands between passes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepInfo {
    /// `graph/cull + scan + args`.
    pub label: LabelId,
    /// Its passes, in order.
    pub members: Vec<PassId>,
    /// Its commands in [`Script::frame`].
    pub commands: std::ops::Range<usize>,
    /// Its time, if it is a pass.
    pub time: Option<TimeId>,
    /// Asked each frame; the step is not recorded where the answer is no.
    pub flag: Option<FlagId>,
}

/// A stage of a pipeline.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Stage {
    /// The shader.
    pub shader: ShaderId,
    /// Index of the entry point.
    pub entry: usize,
    /// Values of overrides.
    pub constants: Vec<(String, Bits)>,
    /// Blocks of several copies whose copy is found by the draw's index, each with the variable's index in
    /// [`Interface::globals`](crate::shader::Interface::globals).
    pub joined: Vec<(usize, BlockId)>,
}

/// A number that is equal where its bits are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bits(u64);

impl From<f64> for Bits {
    fn from(value: f64) -> Self {
        Self(value.to_bits())
    }
}

impl From<Bits> for f64 {
    fn from(bits: Bits) -> Self {
        Self::from_bits(bits.0)
    }
}

/// A compute pipeline.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ComputePipeline {
    /// The shader.
    pub stage: Stage,
    /// By group number; none where the shader leaves a gap.
    pub layouts: Vec<Option<LayoutId>>,
}

/// A render pipeline.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RenderPipeline {
    /// The vertex shader.
    pub vertex: Stage,
    /// The fragment shader.
    pub fragment: Option<Stage>,
    /// By group number; none where the shaders leave a gap.
    pub layouts: Vec<Option<LayoutId>>,
    /// Bytes a vertex, and attributes, of each vertex buffer.
    pub buffers: Vec<(u64, Vec<wgt::VertexAttribute>)>,
    /// Topology and culling.
    pub primitive: wgt::PrimitiveState,
    /// Depth.
    pub depth: Option<wgt::DepthStencilState>,
    /// Samples a texel.
    pub samples: u32,
    /// By location.
    pub targets: Vec<wgt::ColorTargetState>,
}

/// A bind group.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Group {
    /// Its layout.
    pub layout: LayoutId,
    /// Bindings in order.
    pub entries: Vec<(u32, Bound)>,
    /// Blocks of several copies, in order of binding: one dynamic offset each.
    pub dynamic: Vec<BlockId>,
}

/// What stands at a binding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bound {
    /// A buffer of the declared size.
    Buffer {
        /// Which.
        resource: ResourceId,
        /// Last frame's copy.
        previous: bool,
    },
    /// A view.
    View(ViewId),
    /// A sampler.
    Sampler(SamplerId),
    /// A struct in the uniform buffer.
    Block(BlockId),
    /// All copies of one, as a storage array.
    Blocks(BlockId),
}

/// A view of a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct View {
    /// The texture.
    pub resource: ResourceId,
    /// Last frame's copy.
    pub previous: bool,
    /// Mips and layers.
    pub part: Part,
    /// As the shader declares it; two-dimensional for attachments.
    pub dimension: wgt::TextureViewDimension,
    /// It is an attachment, not a binding.
    pub attachment: bool,
}

/// A recorded render pass.
#[derive(Debug, Clone, PartialEq)]
pub struct RenderPass {
    /// Its name.
    pub label: LabelId,
    /// Its time.
    pub time: Option<TimeId>,
    /// By location.
    pub color: Vec<ColorTarget>,
    /// Depth.
    pub depth: Option<DepthTarget>,
}

/// A colour attachment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ColorTarget {
    /// What is drawn to.
    pub view: ViewId,
    /// Components; loaded if absent.
    pub clear: Option<[f64; 4]>,
    /// Where samples are averaged to.
    pub resolve: Option<ViewId>,
}

/// A depth attachment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DepthTarget {
    /// What is tested against.
    pub view: ViewId,
    /// Depth; loaded if absent.
    pub clear: Option<f32>,
    /// Nothing writes.
    pub read_only: bool,
}
