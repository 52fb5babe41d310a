//! Vertex buffers: which bytes feed which location.
//!
//! A pack of meshes feeds inputs by their WGSL names. `vertex: […]` feeds locations in order. Without it, the shader's own
//! inputs, tightly packed in order of their location, are the layout.

use super::scope::{Cx, View};
use super::sizes::Source;
use super::{Made, Resolver, Stop};
use crate::diagnostic::Diagnostic;
use crate::graph::{Initial, ResourceKind, VertexBuffer, mesh, rules};
use crate::shader::{Entry, Scalar, Varying};
use crate::source::Span;
use crate::syntax::expr::Reference;
use wgpu_types::{VertexAttribute, VertexFormat};

/// What a mesh's vertices hold: name, format, byte offset.
const MESH_INPUTS: [(&str, VertexFormat, u64); 3] = [
    ("position", VertexFormat::Float32x3, std::mem::offset_of!(mesh::Vertex, position) as u64),
    ("normal", VertexFormat::Float32x3, std::mem::offset_of!(mesh::Vertex, normal) as u64),
    ("uv", VertexFormat::Float32x2, std::mem::offset_of!(mesh::Vertex, uv) as u64),
];

impl Resolver<'_> {
    /// The layouts of a draw's vertex buffers, and that every input of the entry point is fed.
    pub(super) fn vertex_buffers(
        &mut self,
        cx: &Cx,
        references: &[(&Reference, View)],
        entry: &Entry,
        at: Span,
    ) -> Made<Vec<VertexBuffer>> {
        let mut buffers = Vec::new();
        let mut location = 0;
        let mut failed = false;
        for (reference, view) in references {
            self.measured(view.resource)?;
            let resource = &self.draft.resources[view.resource];
            let ResourceKind::Buffer(buffer) = &resource.kind else { return Err(Stop::Poisoned) };
            let of_meshes =
                matches!(buffer.initial, Some(Initial::Vertices(_))) || resource.name.ends_with(".vertices");
            let made = if of_meshes {
                mesh_layout(view.resource, entry)
            } else if let Some(formats) = buffer.vertex.clone() {
                let stride = buffer.stride;
                stated_layout(view.resource, &formats, stride, &mut location)
            } else if references.len() == 1 {
                packed_layout(view.resource, entry)
            } else {
                let message =
                    format!("`{}` is one of several vertex buffers, but does not say its layout", resource.name);
                let found = Diagnostic::new(&rules::VERTEX_LAYOUT, message, reference.span, "bound here")
                    .also(resource.span, "declared here")
                    .help("add `vertex: [Float32x3, …]` to the buffer");
                self.report(found.at(cx.path()));
                failed = true;
                continue;
            };
            if made.stride > 0 {
                self.claim(view.resource, made.stride, reference.span, Source::Vertex);
            }
            buffers.push(made);
        }
        if failed {
            return Err(Stop::Poisoned);
        }
        self.inputs_fed(cx, &buffers, entry, at)?;
        Ok(buffers)
    }

    fn inputs_fed(&mut self, cx: &Cx, buffers: &[VertexBuffer], entry: &Entry, at: Span) -> Made<()> {
        let mut failed = false;
        for input in &entry.inputs {
            let fed = buffers.iter().flat_map(|b| &b.attributes).find(|a| a.shader_location == input.location);
            let (message, help) = match fed {
                Some(attribute) if scalar_of(attribute.format) == Some(input.scalar) => continue,
                Some(attribute) => (
                    format!(
                        "vertex input `{}` is fed {:?}, but is {}",
                        input.name,
                        attribute.format,
                        input_type(input)
                    ),
                    "feed it a format of the same scalar type".to_owned(),
                ),
                None => {
                    let names = MESH_INPUTS.map(|(name, ..)| format!("`{name}`")).join(", ");
                    (
                        format!(
                            "vertex input `{}` (location {}) is fed by no vertex buffer",
                            input.name, input.location
                        ),
                        format!("add a buffer to `vertex_buffers`; a pack of meshes feeds {names}"),
                    )
                }
            };
            let found = Diagnostic::new(&rules::VERTEX_LAYOUT, message, at, "in this draw");
            self.report(found.also(input.span, "the input").help(help).at(cx.path()));
            failed = true;
        }
        if failed { Err(Stop::Poisoned) } else { Ok(()) }
    }
}

fn mesh_layout(resource: crate::graph::ResourceId, entry: &Entry) -> VertexBuffer {
    let attributes = entry.inputs.iter().filter_map(|input| {
        let (_, format, offset) = MESH_INPUTS.iter().find(|(name, ..)| *name == input.name)?;
        Some(VertexAttribute { format: *format, offset: *offset, shader_location: input.location })
    });
    VertexBuffer { resource, stride: size_of::<mesh::Vertex>() as u64, attributes: attributes.collect() }
}

fn stated_layout(
    resource: crate::graph::ResourceId,
    formats: &[VertexFormat],
    stride: Option<u64>,
    location: &mut u32,
) -> VertexBuffer {
    let mut offset = 0;
    let mut attributes = Vec::with_capacity(formats.len());
    for format in formats {
        attributes.push(VertexAttribute { format: *format, offset, shader_location: *location });
        offset += format.size();
        *location += 1;
    }
    VertexBuffer { resource, stride: stride.unwrap_or(offset), attributes }
}

fn packed_layout(resource: crate::graph::ResourceId, entry: &Entry) -> VertexBuffer {
    let mut inputs: Vec<&Varying> = entry.inputs.iter().collect();
    inputs.sort_by_key(|input| input.location);
    let mut offset = 0;
    let mut attributes = Vec::with_capacity(inputs.len());
    for input in inputs {
        let Some(format) = format_of(input) else { continue };
        attributes.push(VertexAttribute { format, offset, shader_location: input.location });
        offset += format.size();
    }
    VertexBuffer { resource, stride: offset, attributes }
}

/// The format that holds an input as WGSL sees it.
const fn format_of(input: &Varying) -> Option<VertexFormat> {
    Some(match (input.scalar, input.size) {
        (Scalar::F32, 1) => VertexFormat::Float32,
        (Scalar::F32, 2) => VertexFormat::Float32x2,
        (Scalar::F32, 3) => VertexFormat::Float32x3,
        (Scalar::F32, 4) => VertexFormat::Float32x4,
        (Scalar::U32, 1) => VertexFormat::Uint32,
        (Scalar::U32, 2) => VertexFormat::Uint32x2,
        (Scalar::U32, 3) => VertexFormat::Uint32x3,
        (Scalar::U32, 4) => VertexFormat::Uint32x4,
        (Scalar::I32, 1) => VertexFormat::Sint32,
        (Scalar::I32, 2) => VertexFormat::Sint32x2,
        (Scalar::I32, 3) => VertexFormat::Sint32x3,
        (Scalar::I32, 4) => VertexFormat::Sint32x4,
        _ => return None,
    })
}

/// The scalar type that a shader sees of a format.
fn scalar_of(format: VertexFormat) -> Option<Scalar> {
    let name = format!("{format:?}");
    if name.starts_with("Uint") {
        Some(Scalar::U32)
    } else if name.starts_with("Sint") {
        Some(Scalar::I32)
    } else if name.starts_with("Float64") {
        None
    } else {
        Some(Scalar::F32)
    }
}

fn input_type(input: &Varying) -> String {
    let scalar = format!("{:?}", input.scalar).to_lowercase();
    if input.size == 1 { scalar } else { format!("vec{}<{scalar}>", input.size) }
}
