//! Passes and draws as written.

use crate::source::{Name, Sp, Span};

use super::super::expr::{Expr, Reference, Template};
use super::Compare;

/// A pass.
#[derive(Debug, Clone, PartialEq)]
pub struct PassDecl {
    /// Its name; passes without one take their position.
    pub name: Option<Sp<Name>>,
    /// Condition.
    pub when: Option<Expr>,
    /// `Once` or each frame.
    pub run: Option<Sp<Run>>,
    /// Passes that come before, by name.
    pub after: Vec<Sp<Name>>,
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
        source_offset: Option<Box<Expr>>,
        target_offset: Option<Box<Expr>>,
        size: Option<Expr>,
    },
    /// Offsets and size are in texels: x, y.
    CopyTexture {
        source: Reference,
        target: Reference,
        source_offset: Option<Box<[Expr; 2]>>,
        target_offset: Option<Box<[Expr; 2]>>,
        size: Option<Box<[Expr; 2]>>,
    },
    Dispatch(DispatchDecl),
    Scan {
        input: Reference,
        output: Reference,
    },
    Render(RenderDecl),
    Repeat {
        var: Sp<Name>,
        count: Expr,
        passes: Vec<PassDecl>,
    },
    Include {
        graph: Sp<Template>,
        bind: Vec<(Sp<Name>, Reference)>,
        set: Vec<(Sp<Name>, Expr)>,
        requires: Vec<Sp<Name>>,
    },
    Poison,
}

/// What a shader is given: shared by dispatches and draws.
#[derive(Debug, Clone, PartialEq)]
pub struct ProgramDecl {
    /// Path below `<root>/shaders`.
    pub shader: Sp<Template>,
    /// Entry points, where the file has several of a stage; one for a dispatch, up to two for a draw.
    pub entry: Vec<Sp<Name>>,
    /// Resources by WGSL variable.
    pub bind: Vec<(Sp<Name>, Reference)>,
    /// Values by override, uniform member or param name.
    pub set: Vec<(Sp<Name>, Expr)>,
    /// An entry of `bind` or `set` could not be read and is absent; reported already.
    pub partial: bool,
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
