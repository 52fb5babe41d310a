//! WGSL as written, stitched from its imports, validated and reflected by naga.
//!
//! An entry file is plain WGSL plus `#import "x.wgsl"`, one a line, each file once. Imports come from `<root>/shaders/lib` or
//! from rondag's own library, compiled in. A [`LineMap`] leads every position of the stitched text back to the file and
//! line that the author wrote. Everything that the graph needs to know of a shader is in its [`Interface`]: stated once,
//! in WGSL.

use crate::source::{FileId, Span};

pub mod builtin;
pub mod rules;

mod declare;
mod examine;
mod fault;
mod features;
mod guard;
mod habits;
mod import;
mod join;
mod layout;
mod library;
mod origin;
mod reflect;
mod scan;
mod specialize;
mod uses;
mod walk;
mod weigh;
mod wording;

pub use guard::{MAX_CHAIN, MAX_DECLARATIONS, MAX_NESTING, MAX_TOKENS};
pub use habits::Habits;
pub use import::{LineMap, MAX_BYTES, MAX_FILES};
pub use join::{Joined, by_draw_index};
pub use library::Shaders;
pub use weigh::MAX_MEMBERS;

/// A validated entry file.
#[derive(Debug)]
pub struct Shader {
    /// The entry file.
    pub file: FileId,
    /// Path below `shaders/`.
    pub path: String,
    /// The stitched text.
    pub text: String,
    /// From the stitched text to the author's files.
    pub lines: LineMap,
    /// All files that took part, the entry file first.
    pub closure: Vec<FileId>,
    /// naga's module.
    pub module: naga::Module,
    /// What naga found out about it.
    pub info: naga::valid::ModuleInfo,
    /// What the graph needs to know.
    pub interface: Interface,
}

/// What a shader declares and does.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Interface {
    /// In file order.
    pub entries: Vec<Entry>,
    /// Variables with a group and binding, in order of both.
    pub globals: Vec<Global>,
    /// Pipeline-overridable constants.
    pub overrides: Vec<Override>,
    /// Features that the module needs whatever the entry point.
    pub features: wgpu_types::Features,
}

/// An override.
#[derive(Debug, Clone, PartialEq)]
pub struct Override {
    /// Its name, or its number as text where it has an `@id`.
    pub key: String,
    /// Its name in WGSL.
    pub name: String,
    /// Its type.
    pub ty: Scalar,
    /// Whether it has a default.
    pub has_default: bool,
    /// Its name in the text.
    pub span: Span,
}

/// Scalar types that values convert to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "named as in WGSL")]
pub enum Scalar {
    I32,
    U32,
    F32,
    F16,
    Bool,
}

/// A variable with a group and binding.
#[derive(Debug, Clone, PartialEq)]
pub struct Global {
    /// Its name in WGSL.
    pub name: String,
    /// `@group(n)`
    pub group: u32,
    /// `@binding(n)`
    pub binding: u32,
    /// What can be bound.
    pub kind: GlobalKind,
    /// Its name in the text.
    pub span: Span,
}

/// What a variable takes.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "fields are those of WGSL's types")]
pub enum GlobalKind {
    Uniform(Layout),
    /// `declared_write` is the access mode in the text; what the code does is in [`Use`].
    Storage {
        layout: Layout,
        declared_write: bool,
    },
    Texture {
        view: wgpu_types::TextureViewDimension,
        sample: wgpu_types::TextureSampleType,
        multisampled: bool,
    },
    StorageTexture {
        view: wgpu_types::TextureViewDimension,
        format: wgpu_types::TextureFormat,
        access: wgpu_types::StorageTextureAccess,
    },
    Sampler {
        comparison: bool,
    },
    /// Binding arrays, acceleration structures, external textures.
    Unsupported(String),
}

/// Memory layout of a variable's type, in bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The type's name: `View`, `array<Object>`.
    pub name: String,
    /// Bytes; for a type that ends in a runtime-sized array, with one element.
    pub size: u32,
    /// Alignment.
    pub align: u32,
    /// The runtime-sized array at the end: offset of its first element and stride.
    pub tail: Option<Tail>,
    /// What one element is: of the array, of the tail, or the type itself.
    pub element: Type,
    /// Members of a struct, in order; empty for other types.
    pub members: Vec<Member>,
}

/// A runtime-sized array at the end of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tail {
    /// Bytes before the first element: 0 where the variable is the array.
    pub offset: u32,
    /// Bytes from one element to the next.
    pub stride: u32,
}

/// A member of a struct.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Bytes from the start of the struct.
    pub offset: u32,
    /// Its type.
    pub ty: Type,
    /// Its name in the text.
    pub span: Span,
}

/// A host-shareable type.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "fields are those of WGSL's types")]
pub enum Type {
    Scalar(Scalar),
    Vector {
        size: u8,
        scalar: Scalar,
    },
    Matrix {
        columns: u8,
        rows: u8,
        scalar: Scalar,
    },
    Atomic(Scalar),
    /// `count` is absent for a runtime-sized array.
    Array {
        of: Box<Type>,
        count: Option<u32>,
        stride: u32,
    },
    Struct {
        name: String,
        members: Vec<Member>,
        size: u32,
    },
    /// Not host-shareable or not supported.
    Other(String),
}

impl Type {
    /// Whether `test` holds for the type or any part of it.
    pub fn any(&self, test: &impl Fn(&Self) -> bool) -> bool {
        test(self)
            || match self {
                Self::Array { of, .. } => of.any(test),
                Self::Struct { members, .. } => members.iter().any(|member| member.ty.any(test)),
                _ => false,
            }
    }
}

/// An entry point.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Compute, vertex or fragment.
    pub stage: Stage,
    /// Its name in the text.
    pub span: Span,
    /// Invocations a workgroup; overrides in it are at their defaults here.
    pub workgroup_size: [u32; 3],
    /// Bytes of `var<workgroup>` that it uses, as wgpu counts them.
    pub workgroup_bytes: u32,
    /// What its code does to each global it touches, in order of the globals.
    pub uses: Vec<Use>,
    /// User-defined inputs by location: of a vertex entry its vertex attributes.
    pub inputs: Vec<Varying>,
    /// User-defined outputs by location: of a fragment entry its colours.
    pub outputs: Vec<Varying>,
    /// It writes `frag_depth`.
    pub writes_depth: bool,
    /// It can find its linear index when a one-dimensional dispatch is folded into two dimensions: it reads the number of
    /// workgroups and more than the first component of an id.
    pub folds: bool,
    /// Overrides that its code reads, indices into [`Interface::overrides`].
    pub overrides: Vec<usize>,
    /// What its code does that is legal and often wrong.
    pub habits: Habits,
}

/// Shader stages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "named as in WebGPU")]
pub enum Stage {
    Compute,
    Vertex,
    Fragment,
}

/// What an entry point does to a global.
///
/// Neither read nor written: it asks for a size only, or names the variable so that it has to be bound.
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Use {
    /// Index into [`Interface::globals`].
    pub global: usize,
    /// It loads from it.
    pub read: bool,
    /// It stores to it.
    pub write: bool,
    /// It adds to what is there: an atomic read-modify-write whose result depends on the old value.
    pub accumulates: bool,
    /// A texture is read through a sampler (filtered), not only by `textureLoad`.
    pub sampled: bool,
}

/// A user-defined input or output.
#[derive(Debug, Clone, PartialEq)]
pub struct Varying {
    /// `@location(n)`
    pub location: u32,
    /// Its name.
    pub name: String,
    /// Components.
    pub size: u8,
    /// Component type.
    pub scalar: Scalar,
    /// In the text.
    pub span: Span,
}
