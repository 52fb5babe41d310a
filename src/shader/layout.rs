//! Memory layouts and types, as naga lays them out.

use std::cell::Cell;

use naga::proc::{GlobalCtx, Layouter};
use naga::{ArraySize, Handle, TypeInner};

use super::declare::Declared;
use super::{Layout, LineMap, Member, Scalar, Tail, Type};

/// The most nodes that the type trees of one module may have together. Structs that hold each other twice double at each
/// level.
const MAX_NODES: usize = 20_000;

/// The deepest that a type tree goes.
const MAX_DEPTH: usize = 32;

/// The types of a module.
pub(super) struct Types<'a> {
    module: &'a naga::Module,
    layouter: Layouter,
    declared: &'a Declared<'a>,
    lines: &'a LineMap,
    nodes: Cell<usize>,
}

impl<'a> Types<'a> {
    pub(super) fn new(module: &'a naga::Module, declared: &'a Declared<'a>, lines: &'a LineMap) -> Self {
        let mut layouter = Layouter::default();
        layouter.update(module.to_ctx()).expect("validation laid the same types out");
        Self { module, layouter, declared, lines, nodes: Cell::new(0) }
    }

    fn context(&self) -> GlobalCtx<'_> {
        self.module.to_ctx()
    }

    fn inner(&self, ty: Handle<naga::Type>) -> &TypeInner {
        &self.module.types[ty].inner
    }

    /// Bytes; one element of a runtime-sized array.
    pub(super) fn size(&self, ty: Handle<naga::Type>) -> u32 {
        self.layouter[ty].size
    }

    pub(super) fn layout(&self, ty: Handle<naga::Type>) -> Layout {
        let tail = self.tail(ty);
        let element = match (&tail, self.inner(ty)) {
            (Some((_, base)), _) | (None, TypeInner::Array { base, .. }) => *base,
            _ => ty,
        };
        Layout {
            name: self.name(ty),
            size: self.size(ty),
            align: self.layouter[ty].alignment * 1,
            tail: tail.map(|(tail, _)| tail),
            element: self.ty(element, 0),
            members: self.members(ty, 0),
        }
    }

    fn tail(&self, ty: Handle<naga::Type>) -> Option<(Tail, Handle<naga::Type>)> {
        let at_end = |ty: Handle<naga::Type>, offset: u32| match *self.inner(ty) {
            TypeInner::Array { base, size: ArraySize::Dynamic, stride } => Some((Tail { offset, stride }, base)),
            _ => None,
        };
        match self.inner(ty) {
            TypeInner::Struct { members, .. } => members.last().and_then(|last| at_end(last.ty, last.offset)),
            _ => at_end(ty, 0),
        }
    }

    fn members(&self, ty: Handle<naga::Type>, depth: usize) -> Vec<Member> {
        let TypeInner::Struct { members, .. } = self.inner(ty) else { return Vec::new() };
        let owner = self.module.types[ty].name.as_deref().unwrap_or_default();
        let member = |member: &naga::StructMember| {
            let name = member.name.clone().unwrap_or_default();
            let span = self.lines.span(self.declared.part(owner, &name));
            Member { name, offset: member.offset, ty: self.ty(member.ty, depth), span }
        };
        members.iter().map(member).collect()
    }

    /// The tree of a type, down to a depth that nobody writes.
    fn ty(&self, ty: Handle<naga::Type>, depth: usize) -> Type {
        self.nodes.set(self.nodes.get() + 1);
        if self.nodes.get() > MAX_NODES || depth > MAX_DEPTH {
            return Type::Other(self.name(ty));
        }
        let other = || Type::Other(self.name(ty));
        match *self.inner(ty) {
            TypeInner::Scalar(of) => scalar(of).map_or_else(other, Type::Scalar),
            TypeInner::Atomic(of) => scalar(of).map_or_else(other, Type::Atomic),
            TypeInner::Vector { size, scalar: of } => {
                scalar(of).map_or_else(other, |scalar| Type::Vector { size: size as u8, scalar })
            }
            TypeInner::Matrix { columns, rows, scalar: of } => scalar(of).map_or_else(other, |scalar| Type::Matrix {
                columns: columns as u8,
                rows: rows as u8,
                scalar,
            }),
            TypeInner::Array { base, size, stride } => {
                Type::Array { of: Box::new(self.ty(base, depth + 1)), count: self.count(size), stride }
            }
            TypeInner::Struct { span, .. } => {
                Type::Struct { name: self.name(ty), members: self.members(ty, depth + 1), size: span }
            }
            _ => other(),
        }
    }

    fn count(&self, size: ArraySize) -> Option<u32> {
        match size.resolve(self.context()) {
            Ok(naga::proc::IndexableLength::Known(count)) => Some(count),
            _ => None,
        }
    }

    /// The type as WGSL writes it, in its short form.
    pub(super) fn name(&self, ty: Handle<naga::Type>) -> String {
        self.name_within(ty, 0)
    }

    fn name_within(&self, ty: Handle<naga::Type>, depth: usize) -> String {
        if depth > MAX_DEPTH {
            return "…".to_owned();
        }
        let name = |ty| self.name_within(ty, depth + 1);
        let ty = &self.module.types[ty];
        if let Some(name) = &ty.name {
            return name.clone();
        }
        match ty.inner {
            TypeInner::Scalar(of) => scalar_name(of),
            TypeInner::Atomic(of) => format!("atomic<{}>", scalar_name(of)),
            TypeInner::Vector { size, scalar } => suffixed(&format!("vec{}", size as u8), scalar),
            TypeInner::Matrix { columns, rows, scalar } => {
                suffixed(&format!("mat{}x{}", columns as u8, rows as u8), scalar)
            }
            TypeInner::Array { base, size: ArraySize::Dynamic, .. } => format!("array<{}>", name(base)),
            TypeInner::Array { base, size, .. } => match self.count(size) {
                Some(count) => format!("array<{}, {count}>", name(base)),
                None => format!("array<{}, …>", name(base)),
            },
            TypeInner::BindingArray { base, .. } => format!("binding_array<{}>", name(base)),
            TypeInner::AccelerationStructure { .. } => "acceleration_structure".to_owned(),
            TypeInner::Image { class: naga::ImageClass::External, .. } => "texture_external".to_owned(),
            _ => "a type without a name".to_owned(),
        }
    }
}

/// The scalar types that values convert to.
pub(super) fn scalar(of: naga::Scalar) -> Option<Scalar> {
    use naga::ScalarKind as Kind;
    match (of.kind, of.width) {
        (Kind::Sint, 4) => Some(Scalar::I32),
        (Kind::Uint, 4) => Some(Scalar::U32),
        (Kind::Float, 4) => Some(Scalar::F32),
        (Kind::Float, 2) => Some(Scalar::F16),
        (Kind::Bool, _) => Some(Scalar::Bool),
        _ => None,
    }
}

fn scalar_name(of: naga::Scalar) -> String {
    use naga::ScalarKind as Kind;
    let kind = match of.kind {
        Kind::Sint | Kind::AbstractInt => 'i',
        Kind::Uint => 'u',
        Kind::Float | Kind::AbstractFloat => 'f',
        Kind::Bool => return "bool".to_owned(),
    };
    format!("{kind}{}", u32::from(of.width) * 8)
}

/// `vec4f` where WGSL has a short form, else `vec4<f64>`.
fn suffixed(stem: &str, of: naga::Scalar) -> String {
    match scalar(of) {
        Some(Scalar::I32) => format!("{stem}i"),
        Some(Scalar::U32) => format!("{stem}u"),
        Some(Scalar::F32) => format!("{stem}f"),
        Some(Scalar::F16) => format!("{stem}h"),
        Some(Scalar::Bool) | None => format!("{stem}<{}>", scalar_name(of)),
    }
}
