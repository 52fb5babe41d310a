//! What shaders take the elements of buffers for, for the rules that hold layouts against something.

use crate::graph::{BindingSource, PassId, ResourceId};
use crate::id::IdVec;
use crate::lint::Context;
use crate::shader::{Global, GlobalKind, Layout, Scalar, Type};

/// A storage variable to which a buffer is bound.
pub(super) struct Stored<'a> {
    pub pass: PassId,
    pub resource: ResourceId,
    pub global: &'a Global,
    pub layout: &'a Layout,
    /// The first variable to which the buffer is bound, which may be the same.
    pub first: (&'a Global, &'a Layout),
}

/// Shows every storage variable to which a buffer is bound.
pub(super) fn each_stored<'a>(cx: &Context<'a>, mut visit: impl FnMut(Stored<'a>)) {
    let mut first: IdVec<ResourceId, Option<(&Global, &Layout)>> = IdVec::filled(None, cx.draft.resources.len());
    for (pass, program) in cx.programs() {
        let interface = &cx.draft.shaders[program.shader].interface;
        for binding in &program.bindings {
            let global = &interface.globals[binding.global];
            if let (GlobalKind::Storage { layout, .. }, BindingSource::Buffer { resource, .. }) =
                (&global.kind, binding.source)
            {
                let first = *first[resource].get_or_insert((global, layout));
                visit(Stored { pass, resource, global, layout, first });
            }
        }
    }
}

/// A scalar within an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Leaf {
    pub offset: u32,
    /// Members' names, outermost first.
    pub name: String,
    pub kind: &'static str,
}

/// The scalars of one element, in order; absent where the element is too large or has parts of no known layout.
pub(super) fn leaves(layout: &Layout) -> Option<Vec<Leaf>> {
    const MOST: usize = 256;
    fn add(ty: &Type, base: u32, name: &str, out: &mut Vec<Leaf>) -> Option<()> {
        let kind = |scalar: Scalar| match scalar {
            Scalar::F32 => "f32",
            Scalar::F16 => "f16",
            Scalar::I32 | Scalar::U32 | Scalar::Bool => "an integer",
        };
        let bytes = |scalar: Scalar| if scalar == Scalar::F16 { 2 } else { 4 };
        let mut leaf = |offset: u32, scalar: Scalar| {
            out.push(Leaf { offset: base + offset, name: name.to_owned(), kind: kind(scalar) });
            (out.len() <= MOST).then_some(())
        };
        match ty {
            Type::Scalar(scalar) | Type::Atomic(scalar) => leaf(0, *scalar),
            Type::Vector { size, scalar } => (0..u32::from(*size)).try_for_each(|i| leaf(i * bytes(*scalar), *scalar)),
            Type::Matrix { columns, rows, scalar } => {
                let stride = bytes(*scalar) * if *rows == 2 { 2 } else { 4 };
                let cells = (0..u32::from(*columns)).flat_map(|c| (0..u32::from(*rows)).map(move |r| (c, r)));
                cells.into_iter().try_for_each(|(c, r)| leaf(c * stride + r * bytes(*scalar), *scalar))
            }
            Type::Array { of, count: Some(count), stride } if *count as usize <= MOST => {
                (0..*count).try_for_each(|i| add(of, base + i * stride, name, out))
            }
            Type::Struct { members, .. } => {
                members.iter().try_for_each(|member| add(&member.ty, base + member.offset, &member.name, out))
            }
            _ => None,
        }
    }
    let mut out = Vec::new();
    add(&layout.element, 0, "", &mut out)?;
    out.sort_by_key(|leaf| leaf.offset);
    Some(out)
}
