//! Bytes of a buffer as a table, by the layout that the shaders declare: for people who look at it.

use super::{BindingSource, Call, Draft, PassKind, Program, ResourceId, ResourceKind};
use crate::shader::{GlobalKind, Scalar, Type};

/// One column: a scalar, vector or matrix in each element.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// `counts[3].first`; a type where an element has no members.
    pub name: String,
    offset: usize,
    ty: Type,
}

/// How elements stand in a buffer.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// Of the element's type.
    pub name: String,
    /// Bytes from one element to the next.
    pub stride: usize,
    /// Bytes before the first element.
    pub header: u64,
    /// At most 64.
    pub columns: Vec<Column>,
}

/// Columns that a table has at most; what is beyond stands in no table that one can read.
const MAX_COLUMNS: usize = 64;

impl Layout {
    /// The layout of a buffer: as arguments of indirect calls, else as a shader declares it, else words.
    pub fn of(draft: &Draft, id: ResourceId) -> Self {
        let ResourceKind::Buffer(buffer) = &draft.resources[id].kind else { return words(4) };
        if let Some(layout) = arguments(draft, id) {
            return layout;
        }
        let stride = buffer.stride.unwrap_or(4).max(1) as usize;
        let declared = programs(draft).find_map(|program| {
            let interface = &draft.shaders[program.shader].interface;
            let binding = program
                .bindings
                .iter()
                .find(|binding| matches!(binding.source, BindingSource::Buffer { resource, .. } if resource == id))?;
            match &interface.globals[binding.global].kind {
                GlobalKind::Storage { layout, .. } => Some(layout.element.clone()),
                _ => None,
            }
        });
        match declared {
            Some(ty) => {
                let mut columns = Vec::new();
                collect(&ty, String::new(), 0, &mut columns);
                Self { name: ty_name(&ty), stride, header: buffer.header, columns }
            }
            None => Self { header: buffer.header, ..words(stride) },
        }
    }
}

impl Column {
    /// The text of one cell.
    pub fn cell(&self, element: &[u8]) -> String {
        text(&self.ty, element.get(self.offset..).unwrap_or_default())
    }
}

fn collect(ty: &Type, name: String, offset: usize, columns: &mut Vec<Column>) {
    if columns.len() >= MAX_COLUMNS {
        return;
    }
    match ty {
        Type::Struct { members, .. } => {
            for member in members {
                let name = if name.is_empty() { member.name.clone() } else { format!("{name}.{}", member.name) };
                collect(&member.ty, name, offset + member.offset as usize, columns);
            }
        }
        Type::Array { of, count: Some(count), stride } => {
            for at in 0..*count {
                collect(of, format!("{name}[{at}]"), offset + (at * stride) as usize, columns);
            }
        }
        _ => {
            let name = if name.is_empty() { ty_name(ty) } else { name };
            columns.push(Column { name, offset, ty: ty.clone() });
        }
    }
}

fn words(stride: usize) -> Layout {
    let column = |at| Column { name: format!("+{at}"), offset: at, ty: Type::Scalar(Scalar::U32) };
    let columns = (0..stride).step_by(4).take(16).map(column).collect();
    Layout { name: "words".to_owned(), stride: stride.max(4), header: 0, columns }
}

/// Arguments of indirect calls have names of their own.
fn arguments(draft: &Draft, id: ResourceId) -> Option<Layout> {
    let indexed = draft.passes.iter().find_map(|pass| match &pass.kind {
        PassKind::Render(render) => render.draws.iter().find_map(|draw| match draw.call {
            Call::Indirect { indexed, args, .. } if args == id => Some(indexed),
            _ => None,
        }),
        _ => None,
    })?;
    let (name, names): (&str, &[&str]) = if indexed {
        ("DrawIndexedIndirect", &["index_count", "instance_count", "first_index", "base_vertex", "first_instance"])
    } else {
        ("DrawIndirect", &["vertex_count", "instance_count", "first_vertex", "first_instance"])
    };
    let scalar = |name: &str| if name == "base_vertex" { Scalar::I32 } else { Scalar::U32 };
    let column = |(at, name): (usize, &&str)| Column {
        name: (*name).to_owned(),
        offset: 4 * at,
        ty: Type::Scalar(scalar(name)),
    };
    let columns = names.iter().enumerate().map(column).collect();
    Some(Layout { name: name.to_owned(), stride: 4 * names.len(), header: 0, columns })
}

fn programs(draft: &Draft) -> impl Iterator<Item = &Program> {
    draft.passes.iter().flat_map(|pass| {
        let (dispatch, draws) = match &pass.kind {
            PassKind::Dispatch(dispatch) => (Some(&dispatch.program), [].as_slice()),
            PassKind::Render(render) => (None, render.draws.as_slice()),
            _ => (None, [].as_slice()),
        };
        dispatch.into_iter().chain(draws.iter().map(|draw| &draw.program))
    })
}

fn ty_name(ty: &Type) -> String {
    match ty {
        Type::Scalar(scalar) | Type::Atomic(scalar) => format!("{scalar:?}").to_lowercase(),
        Type::Vector { size, scalar } => format!("vec{size}<{}>", format!("{scalar:?}").to_lowercase()),
        Type::Matrix { columns, rows, .. } => format!("mat{columns}x{rows}"),
        Type::Struct { name, .. } => name.clone(),
        Type::Array { of, .. } => format!("array<{}>", ty_name(of)),
        Type::Other(name) => name.clone(),
    }
}

fn text(ty: &Type, bytes: &[u8]) -> String {
    match ty {
        Type::Scalar(scalar) | Type::Atomic(scalar) => number(*scalar, bytes),
        Type::Vector { size, scalar } => {
            let step = width(*scalar);
            let part = |at: u8| number(*scalar, bytes.get(usize::from(at) * step..).unwrap_or_default());
            (0..*size).map(part).collect::<Vec<_>>().join(", ")
        }
        Type::Matrix { columns, rows, scalar } => {
            let step = if *rows == 2 { 2 } else { 4 } * width(*scalar);
            let column = |at: u8| {
                let bytes = bytes.get(usize::from(at) * step..).unwrap_or_default();
                text(&Type::Vector { size: *rows, scalar: *scalar }, bytes)
            };
            (0..*columns).map(column).collect::<Vec<_>>().join(" | ")
        }
        _ => "…".to_owned(),
    }
}

const fn width(scalar: Scalar) -> usize {
    if matches!(scalar, Scalar::F16) { 2 } else { 4 }
}

fn number(scalar: Scalar, bytes: &[u8]) -> String {
    let Some(bytes) = bytes.get(..width(scalar)) else { return "—".to_owned() };
    let word = || bytes.try_into().map_or(0, u32::from_le_bytes);
    match scalar {
        Scalar::F32 => shown(f32::from_bits(word())),
        Scalar::F16 => shown(half(u16::from_le_bytes([bytes[0], bytes[1]]))),
        Scalar::I32 => (word() as i32).to_string(),
        Scalar::Bool => (word() != 0).to_string(),
        Scalar::U32 => word().to_string(),
    }
}

fn shown(value: f32) -> String {
    if value == 0.0 || (1e-3..1e6).contains(&value.abs()) { format!("{value:.4}") } else { format!("{value:e}") }
}

/// A float of 16 bits.
pub fn half(bits: u16) -> f32 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, mantissa) = (i32::from((bits >> 10) & 31), f32::from(bits & 1023));
    match exponent {
        0 => sign * mantissa * 2f32.powi(-24),
        31 if mantissa == 0.0 => sign * f32::INFINITY,
        31 => f32::NAN,
        _ => sign * (1.0 + mantissa / 1024.0) * 2f32.powi(exponent - 15),
    }
}
