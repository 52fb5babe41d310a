//! One graph file as its author wrote it: every name and value with its span, nothing resolved.
//!
//! A document says nothing about validity. What could not be read was reported and is absent, or stands as
//! [`ExprKind::Poison`](super::expr::ExprKind::Poison); a pass or resource with a fault in it is kept with what is left, marked `poisoned`.

use crate::source::{FileId, Sp, Span};

use super::expr::{Expr, Reference, Template};

/// A graph file.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The file.
    pub file: FileId,
    /// The outer parentheses.
    pub span: Span,
    /// The format's version; always 1 when no fault was found.
    pub version: Option<Sp<i64>>,
    /// What may change without an edit.
    pub params: Vec<ParamDecl>,
    /// The camera.
    pub camera: Option<CameraDecl>,
    /// Buffers, textures, …
    pub resources: Vec<ResourceDecl>,
    /// In file order.
    pub passes: Vec<PassDecl>,
    /// What the frame makes.
    pub outputs: Vec<Reference>,
    /// Device features without which this graph makes no sense.
    pub requires: Vec<Sp<String>>,
    /// Levels of rules, for this file.
    pub lints: Vec<LintDecl>,
    /// Whether the file's outline could be read at all.
    pub poisoned: bool,
}

/// A param.
#[derive(Debug, Clone, PartialEq)]
pub struct ParamDecl {
    /// Its name.
    pub name: Sp<String>,
    /// Type, default and range.
    pub kind: ParamKind,
    /// The value: `Int(default: …)`.
    pub span: Span,
}

/// Types of params.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "fields are the ones of the format")]
pub enum ParamKind {
    Int {
        default: Sp<i64>,
        min: Sp<i64>,
        max: Sp<i64>,
    },
    Float {
        default: Sp<f64>,
        min: Sp<f64>,
        max: Sp<f64>,
    },
    Bool {
        default: Sp<bool>,
    },
    Choice {
        default: Sp<String>,
        of: Vec<Sp<String>>,
    },
    /// Could not be read; reported already. The name stands, so that its uses are not reported again.
    Poison,
}

/// `camera: (…)`. Missing fields have defaults.
#[derive(Debug, Clone, PartialEq)]
pub struct CameraDecl {
    /// Position, world units.
    pub eye: Sp<[f64; 3]>,
    /// The point looked at.
    pub target: Sp<[f64; 3]>,
    /// Up, not parallel to the view.
    pub up: Sp<[f64; 3]>,
    /// Vertical field of view, degrees.
    pub fov_y_degrees: Sp<f64>,
    /// Distance of the near plane.
    pub near: Sp<f64>,
    /// Distance of the far plane.
    pub far: Sp<f64>,
    /// Which projection.
    pub projection: Sp<ProjectionDecl>,
    /// All of it.
    pub span: Span,
}

/// Projections; clip space is 0 ≤ z ≤ w.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ProjectionDecl {
    /// Near at depth 0, far at 1.
    Perspective,
    /// `Orthographic(height)`: world units from bottom to top.
    Orthographic(f64),
    /// Near at depth 1, infinity at 0.
    InfiniteReversed,
}

/// A resource.
#[derive(Debug, Clone, PartialEq)]
pub struct ResourceDecl {
    /// Its name.
    pub name: Sp<String>,
    /// `In(…)`, `Out(…)`, `InOut(…)` around it.
    pub port: Option<Sp<PortKind>>,
    /// What it is.
    pub kind: ResourceKindDecl,
    /// The value.
    pub span: Span,
    /// Something in it could not be read.
    pub poisoned: bool,
}

/// Directions of ports, seen from the graph that declares them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "named as in the format")]
pub enum PortKind {
    In,
    Out,
    InOut,
}

/// Lifetimes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize, serde::Serialize)]
pub enum Lifetime {
    /// Holds nothing at frame start; may share memory.
    #[default]
    Transient,
    /// One copy; holds what the last frame left.
    Persistent,
    /// Two copies that change places at frame start.
    History,
}

/// Kinds of resources.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "a few per document")]
pub enum ResourceKindDecl {
    /// `Buffer(…)`
    Buffer(BufferDecl),
    /// `Uniform({ "member": value })`
    Uniform(UniformDecl),
    /// `Texture(…)`
    Texture(TextureDecl),
    /// `Sampler(…)`
    Sampler(SamplerDecl),
    /// `Meshes([…])`; `None` in a port that leaves it out.
    Meshes(Vec<MeshDecl>),
    /// Could not be read.
    Poison,
}

/// `Buffer(…)`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BufferDecl {
    /// Elements.
    pub count: Option<Expr>,
    /// Bytes, instead of `count`.
    pub size: Option<Expr>,
    /// Bytes an element, where shaders disagree or none says.
    pub stride: Option<Expr>,
    /// Formats of locations 0, 1, … for packed vertices.
    pub vertex: Option<Vec<Sp<wgpu_types::VertexFormat>>>,
    /// Initial numbers, written as u32, i32 or f32 by the shaders' element type.
    pub values: Option<Vec<Sp<Number>>>,
    /// A file with the initial bytes.
    pub file: Option<Sp<String>>,
    /// How long it holds its contents.
    pub lifetime: Option<Sp<Lifetime>>,
    /// The author's contract.
    pub usage: Option<Vec<Sp<UsageFlag>>>,
    /// Whether the order of elements means something.
    pub order: Option<Sp<ListOrder>>,
    /// The arguments that count its live part.
    pub live: Option<Reference>,
}

/// A number in initial data.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs, reason = "two kinds of literals")]
pub enum Number {
    Int(i64),
    Float(f64),
}

/// `order: Kept | Any`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
pub enum ListOrder {
    /// The order is part of the value.
    Kept,
    /// A set.
    Any,
}

/// Flags of `usage: […]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize, serde::Serialize)]
#[allow(missing_docs, reason = "named as in WebGPU")]
pub enum UsageFlag {
    Storage,
    Uniform,
    Vertex,
    Index,
    Indirect,
    CopySrc,
    CopyDst,
    Sampled,
    Attachment,
}

/// `Uniform({…})`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct UniformDecl {
    /// Members by name; absent in a port.
    pub members: Vec<(Sp<String>, Expr)>,
}

/// `Texture(…)`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TextureDecl {
    /// Format, or `Surface`.
    pub format: Option<Sp<FormatDecl>>,
    /// Size, or `Surface`.
    pub size: Option<SizeDecl>,
    /// An upper bound on mips; 1 if absent.
    pub mips: Option<Expr>,
    /// Array layers; 1 if absent.
    pub layers: Option<Expr>,
    /// Samples a texel; 1 if absent.
    pub samples: Option<Expr>,
    /// How long it holds its contents.
    pub lifetime: Option<Sp<Lifetime>>,
    /// The author's contract.
    pub usage: Option<Vec<Sp<UsageFlag>>>,
}

/// A texture's format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormatDecl {
    /// The surface's.
    Surface,
    /// This one.
    Is(wgpu_types::TextureFormat),
}

/// A texture's size.
#[derive(Debug, Clone, PartialEq)]
pub enum SizeDecl {
    /// The surface's.
    Surface(Span),
    /// Width and height in texels.
    Is(Expr, Expr, Span),
}

/// `Sampler(…)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SamplerDecl {
    /// Magnification and minification.
    pub filter: Filter,
    /// Between mips.
    pub mip_filter: Filter,
    /// Outside 0 to 1.
    pub address: Address,
    /// A comparison sampler.
    pub compare: Option<Compare>,
}

/// Filters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, serde::Deserialize, serde::Serialize)]
#[allow(missing_docs, reason = "named as in WebGPU")]
pub enum Filter {
    #[default]
    Nearest,
    Linear,
}

/// Address modes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, serde::Deserialize, serde::Serialize)]
#[allow(missing_docs, reason = "named as in WebGPU")]
pub enum Address {
    #[default]
    Clamp,
    Repeat,
    Mirror,
}

/// Comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize, serde::Serialize)]
#[allow(missing_docs, reason = "named as in WebGPU")]
pub enum Compare {
    Never,
    Less,
    Equal,
    LessEqual,
    Greater,
    NotEqual,
    GreaterEqual,
    Always,
}

/// One mesh of a pack, with the span of its name.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshDecl {
    /// Which.
    pub shape: Shape,
    /// Where.
    pub span: Span,
}

/// Meshes that rondag generates. All fit in a unit cube around the origin and wind counter-clockwise.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// Side 1.
    Cube,
    /// Side 1 in x and z, facing +y.
    Plane,
    /// `Sphere(rings, segments)`: latitude and longitude.
    Sphere {
        /// Bands from pole to pole, at least 2; 16 if absent.
        rings: u32,
        /// Around, at least 3; twice the rings if absent.
        segments: u32,
    },
    /// `Icosphere(subdivisions)`.
    Icosphere {
        /// Times that each triangle is split in four, at most 7; 2 if absent.
        subdivisions: u32,
    },
    /// `Torus(rings, segments, thickness)`.
    Torus {
        /// Around the axis, at least 3; 24 if absent.
        rings: u32,
        /// Around the tube, at least 3; 12 if absent.
        segments: u32,
        /// Radius of the tube as a share of the outer radius, between 0 and 0.5; 0.25 if absent.
        thickness: f64,
    },
    /// `Cylinder(segments)`, along y, with caps.
    Cylinder {
        /// Around, at least 3; 24 if absent.
        segments: u32,
    },
    /// A file (glTF).
    File(String),
}

/// A pass.
#[derive(Debug, Clone, PartialEq)]
pub struct PassDecl {
    /// Its name; passes without one take their position.
    pub name: Option<Sp<String>>,
    /// Condition.
    pub when: Option<Expr>,
    /// `Once` or each frame.
    pub run: Option<Sp<Run>>,
    /// Passes that come before, by name.
    pub after: Vec<Sp<String>>,
    /// What it does.
    pub kind: PassKindDecl,
    /// The name of the kind: `Dispatch`.
    pub keyword: Span,
    /// All of it.
    pub span: Span,
    /// Something in it could not be read.
    pub poisoned: bool,
}

/// When a pass runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize, serde::Serialize)]
#[allow(missing_docs, reason = "named as in the format")]
pub enum Run {
    #[default]
    EachFrame,
    Once,
}

/// Kinds of passes.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "fields are the ones of the format")]
#[allow(clippy::large_enum_variant, reason = "boxing would be noise in every match")]
pub enum PassKindDecl {
    ClearBuffer {
        target: Reference,
        offset: Option<Expr>,
        size: Option<Expr>,
    },
    CopyBuffer {
        source: Reference,
        target: Reference,
        source_offset: Option<Expr>,
        target_offset: Option<Expr>,
        size: Option<Expr>,
    },
    /// Offsets and size are in texels: x, y.
    CopyTexture {
        source: Reference,
        target: Reference,
        source_offset: Option<[Expr; 2]>,
        target_offset: Option<[Expr; 2]>,
        size: Option<[Expr; 2]>,
    },
    Dispatch(DispatchDecl),
    Scan {
        input: Reference,
        output: Reference,
    },
    Render(RenderDecl),
    Repeat {
        var: Sp<String>,
        count: Expr,
        passes: Vec<PassDecl>,
    },
    Include {
        graph: Sp<Template>,
        bind: Vec<(Sp<String>, Reference)>,
        set: Vec<(Sp<String>, Expr)>,
        requires: Vec<Sp<String>>,
    },
    Poison,
}

/// What a shader is given: shared by dispatches and draws.
#[derive(Debug, Clone, PartialEq)]
pub struct ProgramDecl {
    /// Path below `<root>/shaders`.
    pub shader: Sp<Template>,
    /// Entry points, where the file has several of a stage; one for a dispatch, up to two for a draw.
    pub entry: Vec<Sp<String>>,
    /// Resources by WGSL variable.
    pub bind: Vec<(Sp<String>, Reference)>,
    /// Values by override, uniform member or param name.
    pub set: Vec<(Sp<String>, Expr)>,
}

/// `Dispatch(…)`.
#[derive(Debug, Clone, PartialEq)]
pub struct DispatchDecl {
    /// The shader and what it is given.
    pub program: ProgramDecl,
    /// How much of it.
    pub work: WorkDecl,
}

/// How much a dispatch does.
#[derive(Debug, Clone, PartialEq)]
pub enum WorkDecl {
    /// Invocations in one to three dimensions; groups are the quotient rounded up.
    Items(Vec<Expr>, Span),
    /// Workgroups in one to three dimensions.
    Groups(Vec<Expr>, Span),
    /// Workgroups from a buffer: three u32.
    Indirect(Reference),
    /// Missing; reported already.
    Poison,
}

/// `Render(…)`.
#[derive(Debug, Clone, PartialEq)]
pub struct RenderDecl {
    /// Colour attachments in order of their location.
    pub color: Vec<ColorDecl>,
    /// Depth attachment.
    pub depth: Option<DepthDecl>,
    /// What is drawn, in order.
    pub draws: Vec<DrawDecl>,
}

/// `(target, clear, resolve)`.
#[derive(Debug, Clone, PartialEq)]
pub struct ColorDecl {
    /// One mip and layer of a texture.
    pub target: Reference,
    /// Four components; without it the attachment is read and written.
    pub clear: Option<Sp<[Expr; 4]>>,
    /// Where samples are averaged to.
    pub resolve: Option<Reference>,
    /// All of it.
    pub span: Span,
}

/// `(target, clear)`.
#[derive(Debug, Clone, PartialEq)]
pub struct DepthDecl {
    /// One mip and layer of a texture.
    pub target: Reference,
    /// Without it the attachment is read, and written unless no draw writes.
    pub clear: Option<Expr>,
    /// All of it.
    pub span: Span,
}

/// A draw of a render pass.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawDecl {
    /// The shader and what it is given.
    pub program: ProgramDecl,
    /// Condition; over params and surface only.
    pub when: Option<Expr>,
    /// Vertex buffers; locations count on through them.
    pub vertex_buffers: Vec<Reference>,
    /// Index buffer.
    pub index_buffer: Option<Reference>,
    /// Topology; triangle list if absent.
    pub topology: Sp<Topology>,
    /// Culling; both faces are drawn if absent.
    pub cull: Option<Sp<Face>>,
    /// Blending; replace if absent.
    pub blend: Sp<Blend>,
    /// Depth state.
    pub depth: DepthStateDecl,
    /// The call.
    pub call: CallDecl,
    /// All of it.
    pub span: Span,
}

/// Topologies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, serde::Deserialize, serde::Serialize)]
#[allow(missing_docs, reason = "named as in WebGPU")]
pub enum Topology {
    PointList,
    LineList,
    LineStrip,
    #[default]
    TriangleList,
    TriangleStrip,
}

/// Faces that are not drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize, serde::Serialize)]
#[allow(missing_docs, reason = "named as in WebGPU")]
pub enum Face {
    Front,
    Back,
}

/// Blending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, serde::Deserialize, serde::Serialize)]
pub enum Blend {
    /// The source.
    #[default]
    Replace,
    /// Source over, straight alpha.
    Alpha,
    /// Source over, premultiplied alpha.
    Premultiplied,
    /// The sum.
    Add,
}

/// `depth: (compare, write, bias, slope)` of a draw.
#[derive(Debug, Clone, PartialEq)]
pub struct DepthStateDecl {
    /// Less if absent.
    pub compare: Compare,
    /// True if absent.
    pub write: bool,
    /// Constant bias, in units of the depth format's resolution.
    pub bias: i32,
    /// Slope-scaled bias.
    pub slope: f64,
    /// Where, if written.
    pub span: Option<Span>,
}

impl Default for DepthStateDecl {
    fn default() -> Self {
        Self { compare: Compare::Less, write: true, bias: 0, slope: 0.0, span: None }
    }
}

/// The call of a draw.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "fields are the ones of the format")]
#[allow(clippy::large_enum_variant, reason = "boxing would be noise in every match")]
pub enum CallDecl {
    Draw {
        vertices: Expr,
        instances: Option<Expr>,
        first_vertex: Option<Expr>,
        first_instance: Option<Expr>,
        span: Span,
    },
    DrawIndexed {
        indices: Option<Expr>,
        /// `"props[1]"`, instead of `indices`, `first_index` and `base_vertex`.
        mesh: Option<Reference>,
        instances: Option<Expr>,
        first_index: Option<Expr>,
        base_vertex: Option<Expr>,
        first_instance: Option<Expr>,
        span: Span,
    },
    Indirect {
        indexed: bool,
        args: Reference,
        /// Records; 1 if absent.
        count: Option<Expr>,
        /// One u32 that counts the records.
        count_buffer: Option<Reference>,
        fallback: Option<Sp<Fallback>>,
        span: Span,
    },
    Poison,
}

/// What a counted draw does where the device has no counted multi-draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
pub enum Fallback {
    /// All records up to the maximum; those behind the count must draw nothing.
    Loop,
    /// Nothing.
    Skip,
    /// The graph is refused.
    Error,
}

/// A level of a rule, for this file.
#[derive(Debug, Clone, PartialEq)]
pub struct LintDecl {
    /// The rule.
    pub code: Sp<String>,
    /// `Allow`, `Warn` or `Deny`.
    pub level: Sp<LintLevel>,
    /// `Allow(when: …)`: only in these variants.
    pub when: Option<Expr>,
}

/// Levels that an author may set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[allow(missing_docs, reason = "named as in the format")]
pub enum LintLevel {
    Allow,
    Warn,
    Deny,
}
