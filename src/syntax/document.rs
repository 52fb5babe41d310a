//! One graph file as its author wrote it: every name and value with its span, nothing resolved.
//!
//! A document says nothing about validity. What could not be read was reported and is absent, or stands as
//! [`ExprKind::Poison`](super::expr::ExprKind::Poison); a pass or resource with a fault in it is kept with what is left, marked `poisoned`.

use crate::source::{FileId, Name, Sp, Span};

use super::expr::{Expr, Reference};

mod passes;

pub use passes::{
    Blend, CallDecl, ColorDecl, DepthDecl, DepthStateDecl, DispatchDecl, DrawDecl, Face, Fallback, PassDecl,
    PassKindDecl, ProgramDecl, RenderDecl, Run, Topology, WorkDecl,
};

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
    pub requires: Vec<Sp<Name>>,
    /// Levels of rules, for this file.
    pub lints: Vec<LintDecl>,
    /// Whether the file's outline could be read at all.
    pub poisoned: bool,
}

/// A param.
#[derive(Debug, Clone, PartialEq)]
pub struct ParamDecl {
    /// Its name.
    pub name: Sp<Name>,
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
        default: Sp<Name>,
        of: Vec<Sp<Name>>,
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
    pub name: Sp<Name>,
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
    /// `Meshes([…])`; empty in a port that leaves it out.
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
    pub file: Option<Box<Sp<Name>>>,
    /// How long it holds its contents.
    pub lifetime: Option<Sp<Lifetime>>,
    /// The author's contract.
    pub usage: Option<Vec<Sp<UsageFlag>>>,
    /// Whether the order of elements means something.
    pub order: Option<Sp<ListOrder>>,
    /// The arguments that count its live part.
    pub live: Option<Box<Reference>>,
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
    pub members: Vec<(Sp<Name>, Expr)>,
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
    Is(Box<[Expr; 2]>, Span),
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
    /// A file below the root: glTF or OBJ.
    File(String),
}

/// A level of a rule, for this file.
#[derive(Debug, Clone, PartialEq)]
pub struct LintDecl {
    /// The rule.
    pub code: Sp<Name>,
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
