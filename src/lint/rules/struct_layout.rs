//! `struct-layout-mismatch` and `vec3-padding`: bytes that two sides read differently.

use crate::diagnostic::{Diagnostic, rule};
use crate::graph::{BindingSource, Buffer, Initial, ResourceId, ResourceKind};
use crate::id::IdVec;
use crate::lint::Context;
use crate::shader::{Global, GlobalKind, Layout, Scalar, Type};

rule! {
    pub(crate) STRUCT_LAYOUT_MISMATCH = Warning "struct-layout-mismatch": "two shaders read the elements of one buffer differently";
    pub(crate) VEC3_PADDING = Warning "vec3-padding": "values are packed, but a `vec3` takes 16 bytes";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let mut first: IdVec<ResourceId, Option<&Global>> = IdVec::filled(None, cx.draft.resources.len());
    let mut told = std::collections::BTreeSet::new();
    for (pass, program) in cx.programs() {
        let interface = &cx.draft.shaders[program.shader].interface;
        for binding in &program.bindings {
            let global = &interface.globals[binding.global];
            let (GlobalKind::Storage { layout, .. }, BindingSource::Buffer { resource, .. }) =
                (&global.kind, binding.source)
            else {
                continue;
            };
            let known = *first[resource].get_or_insert(global);
            let GlobalKind::Storage { layout: other, .. } = &known.kind else { continue };
            let of = &cx.draft.resources[resource];
            if !std::ptr::eq(known, global)
                && let Some(difference) = difference(other, layout)
                && told.insert((resource, global.span))
            {
                let message = format!("`{}` is read differently by two shaders: {difference}", of.name);
                let fault = Diagnostic::new(
                    &STRUCT_LAYOUT_MISMATCH,
                    message,
                    global.span,
                    format!("as `{}` here", layout.name),
                )
                .also(known.span, format!("as `{}` here", other.name))
                .also(of.span, "the buffer");
                let fault = fault.help("declare the struct once, in `shaders/lib`, and import it in both");
                out.push(fault.at(format!("resources[\"{}\"]", of.name)));
            } else if let Some(fault) = packed(cx, resource, global, layout)
                && told.insert((resource, global.span))
            {
                out.push(fault.at(format!("passes[\"{}\"]", cx.draft.passes[pass].name)));
            }
        }
    }
}

/// A scalar within an element.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Leaf {
    offset: u32,
    /// Members' names, outermost first.
    name: String,
    kind: &'static str,
}

/// The scalars of one element, in order; absent where the element is too large or has parts of no known layout.
fn leaves(layout: &Layout) -> Option<Vec<Leaf>> {
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

/// What two layouts disagree on. Their strides are compared elsewhere.
fn difference(one: &Layout, other: &Layout) -> Option<String> {
    if one.element == other.element || one.tail != other.tail || (one.tail.is_none() && one.size != other.size) {
        return None;
    }
    let (a, b) = (leaves(one)?, leaves(other)?);
    let shape = |leaf: &Leaf| {
        if leaf.name.is_empty() { leaf.kind.to_owned() } else { format!("`{}`, {}", leaf.name, leaf.kind) }
    };
    for leaf in &b {
        let Some(same) = a.iter().find(|other| other.offset == leaf.offset) else { continue };
        if same.kind != leaf.kind {
            return Some(format!("at byte {} one has {}, the other {}", leaf.offset, shape(same), shape(leaf)));
        }
    }
    let names = |leaves: &[Leaf]| {
        let mut names: Vec<String> = leaves.iter().map(|leaf| leaf.name.clone()).collect();
        names.sort();
        names
    };
    // The same members in another order.
    if names(&a) == names(&b) {
        let moved = b.iter().find(|leaf| {
            !leaf.name.is_empty()
                && a.iter().filter(|other| other.name == leaf.name).all(|other| other.offset != leaf.offset)
        })?;
        let was = a.iter().find(|leaf| leaf.name == moved.name)?;
        return Some(format!(
            "`{}` is at byte {} in one and at byte {} in the other",
            moved.name, was.offset, moved.offset
        ));
    }
    None
}

/// Initial contents that fit the elements exactly if no `vec3` had padding.
fn packed(cx: &Context<'_>, id: ResourceId, global: &Global, layout: &Layout) -> Option<Diagnostic> {
    let resource = &cx.draft.resources[id];
    let ResourceKind::Buffer(Buffer { initial: Some(Initial::Bytes(bytes)), count: Some(count), .. }) = &resource.kind
    else {
        return None;
    };
    let stride = layout.tail.filter(|tail| tail.offset == 0)?.stride;
    let leaves = leaves(layout)?;
    let used: u32 = leaves.iter().map(|leaf| if leaf.kind == "f16" { 2 } else { 4 }).sum();
    let is_vec3 = |ty: &Type| matches!(ty, Type::Vector { size: 3, .. } | Type::Matrix { rows: 3, .. });
    if !layout.element.any(&is_vec3) || used == stride || *count < 2 || bytes.len() as u64 != u64::from(used) * count {
        return None;
    }
    let offsets: Vec<String> = leaves.iter().map(|leaf| leaf.offset.to_string()).collect();
    let message =
        format!("`{}` is given {used} bytes an element, but the shader's elements have {stride}", resource.name);
    let fault =
        Diagnostic::new(&VEC3_PADDING, message, resource.span, format!("{} bytes for {count} elements", bytes.len()))
            .also(
                global.span,
                format!("`{}`: scalars at bytes {}, then padding up to {stride}", layout.name, offsets.join(", ")),
            );
    Some(
        fault
            .note("a `vec3` is aligned to 16 bytes: in an array each takes 16")
            .help("pad the values to 4 an element, declare `array<vec4f>`, or read an `array<f32>` at 3 * i"),
    )
}
