//! Values that change from frame to frame, with names resolved to ids: evaluated each frame without look-ups or
//! allocation.

use super::{ParamId, ResourceId};
use super::camera::CameraState;
use crate::syntax::expr::{Binary, Unary};

/// A value of the expression language.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs, reason = "one variant a type")]
pub enum Value {
    Int(i64),
    Float(f64),
    Bool(bool),
    /// A text of a Choice, as its index among the texts of the frame's Choices.
    Text(u32),
    Vec2([f64; 2]),
    Vec3([f64; 3]),
    Vec4([f64; 4]),
    /// Columns.
    Mat4([[f32; 4]; 4]),
    /// Left, right, bottom, top, near, far.
    Planes([[f32; 4]; 6]),
}

/// An expression with its names resolved.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "one variant a form")]
pub enum Formula {
    Const(Value),
    Param(ParamId),
    Camera(CameraField),
    Frame(FrameField),
    Surface(SurfaceField),
    /// Frames in a row that a resource kept its contents.
    Age(ResourceId),
    /// The record of an indirect draw.
    DrawIndex,
    Unary(Unary, Box<Formula>),
    Binary(Binary, Box<(Formula, Formula)>),
    Call(Function, Vec<Formula>),
}

/// Functions of the expression language that remain after sizes are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "named as in the format")]
pub enum Function {
    CeilDiv,
    Min,
    Max,
    NextPow2,
    Log2,
    Pow2,
    Align,
    Vec2,
    Vec3,
    Vec4,
}

/// Fields of `camera`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "named as in the format")]
pub enum CameraField {
    View,
    Projection,
    ViewProj,
    InverseView,
    InverseProjection,
    InverseViewProj,
    Planes,
    Eye,
    Near,
    Far,
}

/// Fields of `frame`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameField {
    /// From 0.
    Index,
    /// Seconds.
    Time,
    /// Seconds since the frame before.
    Delta,
}

/// Fields of `surface`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SurfaceField {
    /// Texels.
    Width,
    /// Texels.
    Height,
}

/// What formulas are evaluated against: one frame's inputs.
#[derive(Debug, Clone)]
pub struct FrameInputs<'a> {
    /// By [`ParamId`].
    pub params: &'a [Value],
    /// By [`ResourceId`]: frames in a row that each kept its contents.
    pub ages: &'a [u64],
    /// The camera.
    pub camera: &'a CameraState,
    /// From 0.
    pub index: u64,
    /// Seconds.
    pub time: f64,
    /// Seconds.
    pub delta: f64,
    /// Texels.
    pub surface: [u32; 2],
    /// The record of an indirect draw, where one is written.
    pub draw_index: u32,
}
