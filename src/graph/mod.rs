//! A frame with every name resolved, every include and repeat expanded, every size and access known.
//!
//! [`resolve`] turns a [`Document`](crate::syntax::document::Document) into a [`Draft`]: all that could be built, for one
//! setting of the params and one surface. What failed is poisoned: reported once, skipped by everything that comes later.
//! A draft without errors becomes a [`Graph`], and recording a graph needs no more checks of the author's data.
//!
//! Passes stand in the order of the expanded file. Meshes became buffers (`props.vertices` and its like),
//! scans became dispatches with transients, uniforms became [`Block`]s: one struct layout each, filled by [`Formula`]s.

use std::sync::Arc;

use crate::id::{IdVec, define_id};
use crate::shader::Shader;
use crate::source::{Name, Span};
use crate::syntax::document as doc;

pub use crate::syntax::document::{Lifetime, PortKind, Run};

pub mod camera;
mod data;
pub mod formula;
mod library;
pub mod mesh;
mod resolve;
pub mod rules;
mod settings;
pub mod table;
pub mod variants;

pub use formula::{CameraField, EvalError, Formula, FrameField, FrameInputs, Function, SurfaceField, Ty, Value};
pub use library::Library;
pub(crate) use resolve::feature_names;
pub use resolve::resolve;
pub use settings::{ParamValue, PortSize, Settings};

define_id! {
    /// A pass of the expanded frame, in file order.
    PassId
}
define_id! {
    /// A resource of the expanded frame.
    ResourceId
}
define_id! {
    /// A param of the top graph.
    ParamId
}
define_id! {
    /// A struct in uniform memory.
    BlockId
}
define_id! {
    /// A shader file.
    ShaderId
}

/// A frame as far as it could be built.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    /// The top file's name without folder and extension; the first part of every label.
    pub name: String,
    /// Texts of Choices, by [`Value::Text`].
    pub texts: Vec<String>,
    /// Params of the top graph and their values in this setting.
    pub params: IdVec<ParamId, Param>,
    /// The camera; the default one where the file has none.
    pub camera: camera::Camera,
    /// Width and height of the surface, texels.
    pub surface: [u32; 2],
    /// The format that `Surface` stands for.
    pub surface_format: Option<wgpu_types::TextureFormat>,
    /// All resources: of the top file, then of includes in order of expansion.
    pub resources: IdVec<ResourceId, Resource>,
    /// All passes in the order of the expanded file, those of `when: false` left out.
    pub passes: IdVec<PassId, Pass>,
    /// Uniform structs.
    pub blocks: IdVec<BlockId, Block>,
    /// Shaders in order of first use.
    pub shaders: IdVec<ShaderId, Arc<Shader>>,
    /// What the frame makes, with where the author said so.
    pub outputs: Vec<(ResourceId, Span)>,
    /// Features without which this variant makes no sense, each with where that is said.
    pub requires: Vec<(wgpu_types::Features, Span)>,
    /// Graph files that took part, the top file first.
    pub files: Vec<crate::source::FileId>,
    /// Uniforms to which a struct is bound, in order of first use.
    pub uniforms: Vec<ResourceId>,
    /// Levels of rules that hold in this variant; each for the file in which it stands, and for shaders. Those of who includes come first.
    pub lints: Vec<LintSetting>,
    /// A size, format or value hangs on the surface.
    pub reads_surface: bool,
    /// Values of Uniforms by name.
    pub named_values: Vec<NamedValue>,
}

/// A value of a Uniform.
#[derive(Debug, Clone, Copy)]
pub struct NamedValue {
    /// Whose value.
    pub uniform: ResourceId,
    /// The name's place.
    pub span: Span,
    /// Whether a struct of this variant takes it.
    pub is_taken: bool,
}

impl Draft {
    /// The first feature that is required and not among these, with where that is said.
    pub fn lacking(&self, features: wgpu_types::Features) -> Option<(wgpu_types::Features, Span)> {
        self.requires.iter().find(|(required, _)| !features.contains(*required)).copied()
    }
}

/// A level of a rule that a file sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LintSetting {
    /// The rule's code.
    pub code: String,
    /// The level.
    pub level: doc::LintLevel,
    /// The code's place.
    pub span: Span,
}

/// A draft that has no errors.
#[derive(Debug, Clone)]
pub struct Graph(Draft);

impl Graph {
    /// Accepts a draft in which nothing is poisoned. Whoever calls it has seen no error among its diagnostics.
    pub fn new(draft: Draft) -> Option<Self> {
        let sound = draft.passes.iter().all(|p| !p.poisoned) && draft.resources.iter().all(|r| !r.poisoned);
        sound.then_some(Self(draft))
    }
}

impl std::ops::Deref for Graph {
    type Target = Draft;
    fn deref(&self) -> &Draft {
        &self.0
    }
}

/// A param of the top graph.
#[derive(Debug, Clone, PartialEq)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// Type, default and range.
    pub kind: doc::ParamKind,
    /// Its value in this setting.
    pub value: Value,
    /// A size, count, path, condition or override reads it: changing it makes another plan. Otherwise it is an upload.
    pub structural: bool,
    /// Something of this variant reads it.
    pub read: bool,
    /// Its declaration.
    pub span: Span,
}

/// A buffer, texture, sampler or uniform.
#[derive(Debug, Clone, PartialEq)]
pub struct Resource {
    /// `list`, `compact/prefix`, `props.vertices`.
    pub name: Name,
    /// What it is.
    pub kind: ResourceKind,
    /// How long it holds its contents.
    pub lifetime: Lifetime,
    /// The host's, if it is a port of the top graph.
    pub port: Option<PortKind>,
    /// `usage: […]`, each flag with its place.
    pub declared_usage: Option<Vec<crate::source::Sp<doc::UsageFlag>>>,
    /// Its declaration.
    pub span: Span,
    /// Something about it is wrong; reported already.
    pub poisoned: bool,
}

/// Kinds of resources, with evaluated sizes. `None` is unknown: the host or a shader would say it.
#[derive(Debug, Clone, PartialEq)]
pub enum ResourceKind {
    /// A buffer.
    Buffer(Buffer),
    /// A texture.
    Texture(Texture),
    /// A sampler.
    Sampler(doc::SamplerDecl),
    /// Values; each struct that is bound to it is a [`Block`].
    Uniform,
    /// A uniform whose bytes the host gives.
    HostUniform {
        /// Bytes of the struct that the shaders declare.
        size: Option<u64>,
    },
}

/// A buffer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Buffer {
    /// Elements; of the trailing array, where the shaders declare a struct with one.
    pub count: Option<u64>,
    /// Bytes an element.
    pub stride: Option<u64>,
    /// Bytes before the first element.
    pub header: u64,
    /// Bytes in all, a multiple of 4; at least one element.
    pub size: Option<u64>,
    /// Formats of vertex locations 0, 1, …, where the author stated them.
    pub vertex: Option<Vec<wgpu_types::VertexFormat>>,
    /// What it holds when it is made, on top of zeros.
    pub initial: Option<Initial>,
    /// Whether the order of its elements means something.
    pub order: Option<doc::ListOrder>,
    /// The arguments that count its live part.
    pub live: Option<ResourceId>,
}

/// Initial contents.
#[derive(Debug, Clone, PartialEq)]
pub enum Initial {
    /// Bytes.
    Bytes(Arc<[u8]>),
    /// The vertices of a pack of meshes, as [`mesh::Vertex`] or the shaders' named inputs in order.
    Vertices(Arc<mesh::Pack>),
    /// Its indices, u32.
    Indices(Arc<mesh::Pack>),
    /// Its draw arguments, 20 bytes a mesh, zero instances.
    Draws(Arc<mesh::Pack>),
    /// What holds each of its meshes, as [`mesh::Bounds`].
    Bounds(Arc<mesh::Pack>),
}

/// A texture; two-dimensional, perhaps with layers.
#[derive(Debug, Clone, PartialEq)]
pub struct Texture {
    /// Format.
    pub format: Option<wgpu_types::TextureFormat>,
    /// Width and height of mip 0, texels, at least 1.
    pub size: Option<[u32; 2]>,
    /// Mip levels, at least 1, at most what the size allows.
    pub mips: u32,
    /// Array layers.
    pub layers: u32,
    /// Samples a texel.
    pub samples: u32,
}

/// A rectangle of subresources: mips and layers of a texture. All of it for a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part {
    /// First mip.
    pub mip: u32,
    /// Number of mips.
    pub mips: u32,
    /// First layer.
    pub layer: u32,
    /// Number of layers.
    pub layers: u32,
}

impl Part {
    /// The one part that a buffer has.
    pub const ONE: Self = Self { mip: 0, mips: 1, layer: 0, layers: 1 };

    /// Whether two parts of one resource share a subresource.
    pub const fn overlaps(self, other: Self) -> bool {
        self.mip < other.mip + other.mips
            && other.mip < self.mip + self.mips
            && self.layer < other.layer + other.layers
            && other.layer < self.layer + self.layers
    }
}

/// How a pass uses a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "named as in WebGPU")]
pub enum Usage {
    Uniform,
    /// Storage buffer that is only read.
    StorageRead,
    /// Storage buffer that is written.
    StorageWrite,
    Vertex,
    Index,
    Indirect,
    CopySrc,
    CopyDst,
    Sampled,
    /// Storage texture.
    StorageTexture,
    ColorAttachment,
    DepthAttachment,
    /// Attached, never written: may be sampled in the same pass.
    DepthReadOnly,
    ResolveTarget,
}

/// What a pass does to the value of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// Needs the value.
    Read,
    /// Changes some of it: a link in the chain, the writers before it stay alive.
    Write,
    /// Needs the value and changes it.
    ReadWrite,
    /// Adds to it (atomics): like `ReadWrite`, and on a Transient that nothing wrote this frame an error of its own.
    Accumulate,
    /// Makes it anew, whole: nothing before it matters.
    Replace,
}

impl Effect {
    /// Whether the value before the pass matters to it.
    pub const fn reads(self) -> bool {
        matches!(self, Self::Read | Self::ReadWrite | Self::Accumulate)
    }
    /// Whether the value after the pass is another.
    pub const fn writes(self) -> bool {
        !matches!(self, Self::Read)
    }
}

/// One use of one resource by one pass. A pass that binds a resource twice has two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    /// The resource.
    pub resource: ResourceId,
    /// Which of its subresources.
    pub part: Part,
    /// Last frame's copy of a History; always a read.
    pub previous: bool,
    /// How it is used.
    pub usage: Usage,
    /// What is done to it.
    pub effect: Effect,
    /// Where the author said so: the reference in `bind`, the pass's name where the variable takes the resource of its name.
    pub span: Span,
    /// The WGSL variable, if one is bound.
    pub variable: Option<Span>,
}

/// A pass.
#[derive(Debug, Clone, PartialEq)]
pub struct Pass {
    /// `cull`, `compact/prefix`, `down[3]/level`.
    pub name: Name,
    /// What it does.
    pub kind: PassKind,
    /// Once or each frame.
    pub run: Run,
    /// Asked each frame; only for a `when` that reads `frame.*`.
    pub condition: Option<Box<Formula>>,
    /// Passes that come before by the author's word, each with its place.
    pub after: Vec<(PassId, Span)>,
    /// In order of binding.
    pub accesses: Vec<Access>,
    /// It has no work (zero items): not recorded, counts as having written nothing.
    pub empty: bool,
    /// Its name in the file, or its keyword.
    pub span: Span,
    /// Something about it is wrong; reported already.
    pub poisoned: bool,
}

/// Kinds of passes.
#[derive(Debug, Clone, PartialEq)]
pub enum PassKind {
    /// Zeros a range of a buffer.
    ClearBuffer {
        /// The buffer.
        target: ResourceId,
        /// Bytes, a multiple of 4.
        offset: u64,
        /// Bytes, a multiple of 4; to the end if absent.
        size: Option<u64>,
    },
    /// Copies bytes between two buffers.
    CopyBuffer {
        /// From.
        source: BufferRange,
        /// To.
        target: BufferRange,
        /// Bytes, a multiple of 4; unknown while a port's size is.
        size: Option<u64>,
    },
    /// Copies texels between two textures of one format.
    CopyTexture {
        /// From.
        source: TextureRegion,
        /// To.
        target: TextureRegion,
        /// Width, height in texels; unknown while a port's size is.
        size: Option<[u32; 2]>,
        /// Layers.
        layers: u32,
    },
    /// A compute shader.
    Dispatch(Dispatch),
    /// A render pass.
    Render(Render),
}

/// A place in a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BufferRange {
    /// The buffer.
    pub resource: ResourceId,
    /// Last frame's copy of a History.
    pub previous: bool,
    /// Bytes.
    pub offset: u64,
}

/// A place in a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextureRegion {
    /// The texture.
    pub resource: ResourceId,
    /// Last frame's copy of a History.
    pub previous: bool,
    /// Mip level.
    pub mip: u32,
    /// First layer.
    pub layer: u32,
    /// Texels.
    pub origin: [u32; 2],
}

/// A shader with what it is given: all that makes a pipeline's stage and its bind groups.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    /// The shader.
    pub shader: ShaderId,
    /// Indices of entry points: one compute, or a vertex and perhaps a fragment one.
    pub entries: Vec<usize>,
    /// Values of overrides, by [`Override::key`](crate::shader::Override::key).
    pub constants: Vec<(String, f64)>,
    /// In order of group and binding; every variable that an entry point uses, once.
    pub bindings: Vec<Binding>,
}

/// One variable of a shader and what is bound to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Binding {
    /// Index into [`Interface::globals`](crate::shader::Interface::globals).
    pub global: usize,
    /// What.
    pub source: BindingSource,
}

/// What is bound to a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum BindingSource {
    /// A whole buffer.
    Buffer {
        /// Which.
        resource: ResourceId,
        /// Last frame's copy of a History.
        previous: bool,
    },
    /// A view of a texture.
    Texture {
        /// Which.
        resource: ResourceId,
        /// Last frame's copy of a History.
        previous: bool,
        /// Mips and layers of the view.
        part: Part,
    },
    /// A sampler.
    Sampler(ResourceId),
    /// A struct in rondag's uniform buffer.
    Block(BlockId),
}

/// A compute pass.
#[derive(Debug, Clone, PartialEq)]
pub struct Dispatch {
    /// The shader.
    pub program: Program,
    /// Workgroups.
    pub groups: Groups,
    /// The items that the groups were made for, where the author stated items.
    pub items: Option<[u64; 3]>,
}

/// Workgroups of a dispatch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Groups {
    /// x, y, z; folded already where one dimension would exceed the limit.
    Fixed([u32; 3]),
    /// Depends on a size that the host will say.
    Unknown,
    /// Three u32 in a buffer.
    Indirect {
        /// The buffer.
        resource: ResourceId,
        /// Bytes.
        offset: u64,
    },
}

/// A render pass.
#[derive(Debug, Clone, PartialEq)]
pub struct Render {
    /// By location.
    pub color: Vec<ColorAttachment>,
    /// Depth.
    pub depth: Option<DepthAttachment>,
    /// In order; those of `when: false` and of zero vertices or instances left out.
    pub draws: Vec<Draw>,
}

/// A colour attachment.
#[derive(Debug, Clone, PartialEq)]
pub struct ColorAttachment {
    /// The texture.
    pub resource: ResourceId,
    /// One mip, one layer.
    pub part: Part,
    /// Components; loaded if absent.
    pub clear: Option<[f64; 4]>,
    /// Where samples are averaged to: one mip, one layer.
    pub resolve: Option<(ResourceId, Part)>,
    /// In the file.
    pub span: Span,
}

/// A depth attachment.
#[derive(Debug, Clone, PartialEq)]
pub struct DepthAttachment {
    /// The texture.
    pub resource: ResourceId,
    /// One mip, one layer.
    pub part: Part,
    /// Depth; loaded if absent.
    pub clear: Option<f32>,
    /// No draw writes and nothing clears.
    pub read_only: bool,
    /// In the file.
    pub span: Span,
}

/// A draw.
#[derive(Debug, Clone, PartialEq)]
pub struct Draw {
    /// The shader.
    pub program: Program,
    /// In order of their slot.
    pub vertex_buffers: Vec<VertexBuffer>,
    /// Index buffer and its format.
    pub index_buffer: Option<(ResourceId, wgpu_types::IndexFormat)>,
    /// Topology, culling, blending, depth.
    pub state: DrawState,
    /// The call.
    pub call: Call,
    /// In the file.
    pub span: Span,
}

/// A vertex buffer of a draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VertexBuffer {
    /// The buffer.
    pub resource: ResourceId,
    /// Bytes a vertex.
    pub stride: u64,
    /// Format, offset, location.
    pub attributes: Vec<wgpu_types::VertexAttribute>,
}

/// Fixed-function state of a draw.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DrawState {
    /// Topology.
    pub topology: doc::Topology,
    /// Faces not drawn.
    pub cull: Option<doc::Face>,
    /// Blending.
    pub blend: doc::Blend,
    /// Depth comparison.
    pub depth_compare: doc::Compare,
    /// Depth writes.
    pub depth_write: bool,
    /// Constant bias.
    pub depth_bias: i32,
    /// Slope-scaled bias.
    pub depth_slope: f32,
}

/// What is drawn. Counts are `None` while a port's size is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "fields are those of WebGPU's calls")]
pub enum Call {
    Draw {
        vertices: Option<u32>,
        instances: Option<u32>,
        first_vertex: u32,
        first_instance: u32,
    },
    DrawIndexed {
        indices: Option<u32>,
        instances: Option<u32>,
        first_index: u32,
        base_vertex: i32,
        first_instance: u32,
    },
    /// `count` records of 16 or 20 bytes from byte `offset` on; `draw_index` counts them.
    Indirect {
        indexed: bool,
        args: ResourceId,
        offset: u64,
        count: u32,
        count_buffer: Option<(ResourceId, u64)>,
        fallback: Option<doc::Fallback>,
    },
}

/// A struct in uniform memory: a layout and what fills it.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// `view: View` or the variable's name; for labels and `plan`.
    pub name: Name,
    /// Bytes.
    pub size: u32,
    /// Filled with the inputs of the frame before (on the first frame this one's).
    pub previous: bool,
    /// 1, or the records of the draw whose `draw_index` it reads: one copy each.
    pub copies: u32,
    /// Scalars, vectors and matrices, in order of offset.
    pub fields: Vec<Field>,
}

/// One member of a block.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// Bytes from the start.
    pub offset: u32,
    /// What the shader wants there.
    pub ty: crate::shader::Type,
    /// The value.
    pub formula: Formula,
    /// The member's name, for messages about values that do not fit.
    pub name: Name,
    /// The value's expression.
    pub span: Span,
}
