//! Values that change from frame to frame, with names resolved to ids: evaluated each frame without look-ups or
//! allocation.
//!
//! The same operators fold what is known when planning, so that a size and an upload never differ in meaning. Integers
//! are i64 and checked; `/` truncates, `log2` floors, a mixed pair of numbers is computed in f64.

use super::camera::CameraState;
use super::{ParamId, ResourceId};
use crate::id::Id as _;
use crate::syntax::expr::{Binary, Unary};

/// A value of the expression language.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs, reason = "one variant a type")]
pub enum Value {
    Int(i64),
    Float(f64),
    Bool(bool),
    /// A text of a Choice, as its index in [`Draft::texts`](super::Draft::texts).
    Text(u32),
    Vec2([f64; 2]),
    Vec3([f64; 3]),
    Vec4([f64; 4]),
    /// Columns.
    Mat4([[f32; 4]; 4]),
    /// Left, right, bottom, top, near, far.
    Planes([[f32; 4]; 6]),
}

/// Types of the expression language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "one variant a type")]
pub enum Ty {
    Int,
    Float,
    Bool,
    Text,
    Vec2,
    Vec3,
    Vec4,
    Mat4,
    Planes,
}

impl Ty {
    /// As messages call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Int => "an integer",
            Self::Float => "a float",
            Self::Bool => "a bool",
            Self::Text => "a text",
            Self::Vec2 => "a vec2",
            Self::Vec3 => "a vec3",
            Self::Vec4 => "a vec4",
            Self::Mat4 => "a matrix",
            Self::Planes => "six planes",
        }
    }

    /// An integer or a float.
    pub const fn is_number(self) -> bool {
        matches!(self, Self::Int | Self::Float)
    }
}

impl Value {
    /// Its type.
    pub const fn ty(self) -> Ty {
        match self {
            Self::Int(_) => Ty::Int,
            Self::Float(_) => Ty::Float,
            Self::Bool(_) => Ty::Bool,
            Self::Text(_) => Ty::Text,
            Self::Vec2(_) => Ty::Vec2,
            Self::Vec3(_) => Ty::Vec3,
            Self::Vec4(_) => Ty::Vec4,
            Self::Mat4(_) => Ty::Mat4,
            Self::Planes(_) => Ty::Planes,
        }
    }

    /// An integer or float as f64.
    pub const fn number(self) -> Option<f64> {
        match self {
            Self::Int(i) => Some(i as f64),
            Self::Float(f) => Some(f),
            _ => None,
        }
    }
}

/// An expression with its names resolved. Well-typed by construction: `resolve` makes no other.
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

/// Functions that remain after sizes are known.
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

impl Function {
    /// All, by the name that files use, with the number of arguments.
    pub const ALL: [(&'static str, Self, usize); 10] = [
        ("ceil_div", Self::CeilDiv, 2),
        ("min", Self::Min, 2),
        ("max", Self::Max, 2),
        ("next_pow2", Self::NextPow2, 1),
        ("log2", Self::Log2, 1),
        ("pow2", Self::Pow2, 1),
        ("align", Self::Align, 2),
        ("vec2", Self::Vec2, 2),
        ("vec3", Self::Vec3, 3),
        ("vec4", Self::Vec4, 4),
    ];

    /// The type of a call with arguments of these types; `None` if they do not fit.
    pub fn result(self, args: &[Ty]) -> Option<Ty> {
        let numbers = args.iter().all(|ty| ty.is_number());
        let integers = args.iter().all(|ty| *ty == Ty::Int);
        match self {
            Self::Min | Self::Max if integers => Some(Ty::Int),
            Self::Min | Self::Max if numbers => Some(Ty::Float),
            Self::CeilDiv | Self::NextPow2 | Self::Log2 | Self::Pow2 | Self::Align if integers => Some(Ty::Int),
            Self::Vec2 if numbers => Some(Ty::Vec2),
            Self::Vec3 if numbers => Some(Ty::Vec3),
            Self::Vec4 if numbers => Some(Ty::Vec4),
            _ => None,
        }
    }
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

impl CameraField {
    /// All, by the name that files use, with their types.
    pub const ALL: [(&'static str, Self, Ty); 10] = [
        ("view", Self::View, Ty::Mat4),
        ("projection", Self::Projection, Ty::Mat4),
        ("view_proj", Self::ViewProj, Ty::Mat4),
        ("inverse_view", Self::InverseView, Ty::Mat4),
        ("inverse_projection", Self::InverseProjection, Ty::Mat4),
        ("inverse_view_proj", Self::InverseViewProj, Ty::Mat4),
        ("planes", Self::Planes, Ty::Planes),
        ("eye", Self::Eye, Ty::Vec3),
        ("near", Self::Near, Ty::Float),
        ("far", Self::Far, Ty::Float),
    ];
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

impl FrameField {
    /// All, by the name that files use, with their types.
    pub const ALL: [(&'static str, Self, Ty); 3] =
        [("index", Self::Index, Ty::Int), ("time", Self::Time, Ty::Float), ("delta", Self::Delta, Ty::Float)];
}

/// Fields of `surface`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SurfaceField {
    /// Texels.
    Width,
    /// Texels.
    Height,
}

impl SurfaceField {
    /// All, by the name that files use, with their types.
    pub const ALL: [(&'static str, Self, Ty); 2] = [("width", Self::Width, Ty::Int), ("height", Self::Height, Ty::Int)];
}

/// What formulas are evaluated against: one frame's inputs.
#[derive(Debug, Clone, Copy)]
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

/// Why an expression has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its documentation")]
pub enum EvalError {
    #[error("the result does not fit 64 bits")]
    Overflow,
    #[error("division by zero")]
    DivisionByZero,
    #[error("`{0}` needs a positive number")]
    NotPositive(&'static str),
    #[error("`pow2` needs a number from 0 to 62")]
    PowerRange,
    #[error("the operands have types that do not go together")]
    Type,
}

impl Formula {
    /// The value in one frame.
    ///
    /// # Errors
    /// Arithmetic that fails with these inputs; see [`EvalError`].
    pub fn eval(&self, inputs: &FrameInputs<'_>) -> Result<Value, EvalError> {
        Ok(match self {
            Self::Const(value) => *value,
            Self::Param(id) => inputs.params[id.index()],
            Self::Camera(field) => camera(*field, inputs.camera),
            Self::Frame(FrameField::Index) => Value::Int(inputs.index as i64),
            Self::Frame(FrameField::Time) => Value::Float(inputs.time),
            Self::Frame(FrameField::Delta) => Value::Float(inputs.delta),
            Self::Surface(SurfaceField::Width) => Value::Int(inputs.surface[0].into()),
            Self::Surface(SurfaceField::Height) => Value::Int(inputs.surface[1].into()),
            Self::Age(id) => Value::Int(inputs.ages.get(id.index()).copied().unwrap_or(0) as i64),
            Self::DrawIndex => Value::Int(inputs.draw_index.into()),
            Self::Unary(op, of) => unary(*op, of.eval(inputs)?)?,
            // The second operand of `&&` and `||` counts only where the first leaves the question open.
            Self::Binary(op @ (Binary::And | Binary::Or), pair) => match (op, pair.0.eval(inputs)?) {
                (Binary::And, Value::Bool(false)) => Value::Bool(false),
                (Binary::Or, Value::Bool(true)) => Value::Bool(true),
                _ => pair.1.eval(inputs)?,
            },
            Self::Binary(op, pair) => binary(*op, pair.0.eval(inputs)?, pair.1.eval(inputs)?)?,
            Self::Call(function, args) => {
                let mut values = [Value::Int(0); 4];
                for (value, arg) in values.iter_mut().zip(args) {
                    *value = arg.eval(inputs)?;
                }
                call(*function, &values[..args.len().min(4)])?
            }
        })
    }

    /// Whether any part of it satisfies `test`.
    pub fn any(&self, test: &mut impl FnMut(&Self) -> bool) -> bool {
        test(self)
            || match self {
                Self::Unary(_, of) => of.any(test),
                Self::Binary(_, pair) => pair.0.any(test) || pair.1.any(test),
                Self::Call(_, args) => args.iter().any(|arg| arg.any(test)),
                _ => false,
            }
    }
}

fn camera(field: CameraField, camera: &CameraState) -> Value {
    let matrix = |m: &glam::Mat4| Value::Mat4(m.to_cols_array_2d());
    match field {
        CameraField::View => matrix(&camera.view),
        CameraField::Projection => matrix(&camera.projection),
        CameraField::ViewProj => matrix(&camera.view_proj),
        CameraField::InverseView => matrix(&camera.inverse_view),
        CameraField::InverseProjection => matrix(&camera.inverse_projection),
        CameraField::InverseViewProj => matrix(&camera.inverse_view_proj),
        CameraField::Planes => Value::Planes(camera.planes.map(|plane| plane.to_array())),
        CameraField::Eye => Value::Vec3(camera.eye.to_array().map(f64::from)),
        CameraField::Near => Value::Float(camera.near.into()),
        CameraField::Far => Value::Float(camera.far.into()),
    }
}

/// Applies a unary operator.
///
/// # Errors
/// Overflow, or a type that has no such operator.
pub fn unary(op: Unary, of: Value) -> Result<Value, EvalError> {
    match (op, of) {
        (Unary::Neg, Value::Int(i)) => i.checked_neg().map(Value::Int).ok_or(EvalError::Overflow),
        (Unary::Neg, Value::Float(f)) => Ok(Value::Float(-f)),
        (Unary::Not, Value::Bool(b)) => Ok(Value::Bool(!b)),
        _ => Err(EvalError::Type),
    }
}

/// Applies a binary operator.
///
/// # Errors
/// Overflow, division by zero, or types that do not go together.
pub fn binary(op: Binary, left: Value, right: Value) -> Result<Value, EvalError> {
    match (left, right) {
        (Value::Int(a), Value::Int(b)) => integers(op, a, b),
        (Value::Bool(a), Value::Bool(b)) => match op {
            Binary::And => Ok(Value::Bool(a && b)),
            Binary::Or => Ok(Value::Bool(a || b)),
            Binary::Eq => Ok(Value::Bool(a == b)),
            Binary::Ne => Ok(Value::Bool(a != b)),
            _ => Err(EvalError::Type),
        },
        (Value::Text(a), Value::Text(b)) => match op {
            Binary::Eq => Ok(Value::Bool(a == b)),
            Binary::Ne => Ok(Value::Bool(a != b)),
            _ => Err(EvalError::Type),
        },
        _ => match (left.number(), right.number()) {
            (Some(a), Some(b)) => floats(op, a, b),
            _ => Err(EvalError::Type),
        },
    }
}

fn integers(op: Binary, a: i64, b: i64) -> Result<Value, EvalError> {
    let checked = |result: Option<i64>| result.map(Value::Int).ok_or(EvalError::Overflow);
    match op {
        Binary::Add => checked(a.checked_add(b)),
        Binary::Sub => checked(a.checked_sub(b)),
        Binary::Mul => checked(a.checked_mul(b)),
        Binary::Div | Binary::Rem if b == 0 => Err(EvalError::DivisionByZero),
        Binary::Div => checked(a.checked_div(b)),
        Binary::Rem => checked(a.checked_rem(b)),
        Binary::Eq => Ok(Value::Bool(a == b)),
        Binary::Ne => Ok(Value::Bool(a != b)),
        Binary::Lt => Ok(Value::Bool(a < b)),
        Binary::Le => Ok(Value::Bool(a <= b)),
        Binary::Gt => Ok(Value::Bool(a > b)),
        Binary::Ge => Ok(Value::Bool(a >= b)),
        Binary::And | Binary::Or => Err(EvalError::Type),
    }
}

fn floats(op: Binary, a: f64, b: f64) -> Result<Value, EvalError> {
    Ok(match op {
        Binary::Add => Value::Float(a + b),
        Binary::Sub => Value::Float(a - b),
        Binary::Mul => Value::Float(a * b),
        Binary::Div | Binary::Rem if b == 0.0 => return Err(EvalError::DivisionByZero),
        Binary::Div => Value::Float(a / b),
        Binary::Rem => Value::Float(a % b),
        Binary::Eq => Value::Bool(a == b),
        Binary::Ne => Value::Bool(a != b),
        Binary::Lt => Value::Bool(a < b),
        Binary::Le => Value::Bool(a <= b),
        Binary::Gt => Value::Bool(a > b),
        Binary::Ge => Value::Bool(a >= b),
        Binary::And | Binary::Or => return Err(EvalError::Type),
    })
}

/// Calls a function.
///
/// # Errors
/// Overflow, division by zero, arguments out of range or of the wrong type.
pub fn call(function: Function, args: &[Value]) -> Result<Value, EvalError> {
    match (function, args) {
        (Function::CeilDiv, [Value::Int(_), Value::Int(0)]) => Err(EvalError::DivisionByZero),
        (Function::CeilDiv, [Value::Int(a), Value::Int(b)]) => {
            let quotient = a.checked_div(*b).ok_or(EvalError::Overflow)?;
            let up = a % b != 0 && (a % b < 0) == (*b < 0);
            Ok(Value::Int(quotient + i64::from(up)))
        }
        (Function::Align, [Value::Int(a), Value::Int(b)]) => {
            if *b <= 0 {
                return Err(EvalError::NotPositive("align"));
            }
            let rest = a.rem_euclid(*b);
            let add = if rest == 0 { 0 } else { b - rest };
            a.checked_add(add).map(Value::Int).ok_or(EvalError::Overflow)
        }
        (Function::Min, [Value::Int(a), Value::Int(b)]) => Ok(Value::Int(*a.min(b))),
        (Function::Max, [Value::Int(a), Value::Int(b)]) => Ok(Value::Int(*a.max(b))),
        (Function::NextPow2, [Value::Int(a)]) => {
            let next = u64::try_from(*a).unwrap_or(0).max(1).checked_next_power_of_two();
            next.and_then(|n| i64::try_from(n).ok()).map(Value::Int).ok_or(EvalError::Overflow)
        }
        (Function::Log2, [Value::Int(a)]) if *a <= 0 => Err(EvalError::NotPositive("log2")),
        (Function::Log2, [Value::Int(a)]) => Ok(Value::Int(a.ilog2().into())),
        (Function::Pow2, [Value::Int(a)]) if (0..=62).contains(a) => Ok(Value::Int(1 << a)),
        (Function::Pow2, [Value::Int(_)]) => Err(EvalError::PowerRange),
        _ => numbers(function, args),
    }
}

fn numbers(function: Function, args: &[Value]) -> Result<Value, EvalError> {
    let mut n = [0.0; 4];
    for (n, arg) in n.iter_mut().zip(args) {
        *n = arg.number().ok_or(EvalError::Type)?;
    }
    match (function, args.len()) {
        (Function::Min, 2) => Ok(Value::Float(n[0].min(n[1]))),
        (Function::Max, 2) => Ok(Value::Float(n[0].max(n[1]))),
        (Function::Vec2, 2) => Ok(Value::Vec2([n[0], n[1]])),
        (Function::Vec3, 3) => Ok(Value::Vec3([n[0], n[1], n[2]])),
        (Function::Vec4, 4) => Ok(Value::Vec4(n)),
        _ => Err(EvalError::Type),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(function: Function, args: &[i64]) -> Result<Value, EvalError> {
        call(function, &args.iter().map(|i| Value::Int(*i)).collect::<Vec<_>>())
    }

    #[test]
    fn integer_functions_round_as_documented() {
        assert_eq!(int(Function::CeilDiv, &[7, 2]), Ok(Value::Int(4)));
        assert_eq!(int(Function::CeilDiv, &[-7, 2]), Ok(Value::Int(-3)));
        assert_eq!(int(Function::CeilDiv, &[i64::MIN, -1]), Err(EvalError::Overflow));
        assert_eq!(int(Function::CeilDiv, &[1, 0]), Err(EvalError::DivisionByZero));
        assert_eq!(int(Function::Align, &[65, 64]), Ok(Value::Int(128)));
        assert_eq!(int(Function::Align, &[i64::MAX, 64]), Err(EvalError::Overflow));
        assert_eq!(int(Function::NextPow2, &[0]), Ok(Value::Int(1)));
        assert_eq!(int(Function::NextPow2, &[65]), Ok(Value::Int(128)));
        assert_eq!(int(Function::NextPow2, &[i64::MAX]), Err(EvalError::Overflow));
        assert_eq!(int(Function::Log2, &[255]), Ok(Value::Int(7)));
        assert_eq!(int(Function::Log2, &[0]), Err(EvalError::NotPositive("log2")));
        assert_eq!(int(Function::Pow2, &[63]), Err(EvalError::PowerRange));
    }

    #[test]
    fn integer_division_truncates_and_checks() {
        assert_eq!(binary(Binary::Div, Value::Int(-7), Value::Int(2)), Ok(Value::Int(-3)));
        assert_eq!(binary(Binary::Rem, Value::Int(1), Value::Int(0)), Err(EvalError::DivisionByZero));
        assert_eq!(binary(Binary::Div, Value::Int(i64::MIN), Value::Int(-1)), Err(EvalError::Overflow));
        assert_eq!(binary(Binary::Mul, Value::Int(i64::MAX), Value::Int(2)), Err(EvalError::Overflow));
        assert_eq!(binary(Binary::Mul, Value::Int(2), Value::Float(0.5)), Ok(Value::Float(1.0)));
        assert_eq!(binary(Binary::Add, Value::Bool(true), Value::Int(1)), Err(EvalError::Type));
    }
}
