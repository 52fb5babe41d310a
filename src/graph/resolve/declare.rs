//! Declarations: every resource of a file gets an id at once; sizes are worked out when first asked for, so that they may
//! stand in any order and refer to each other.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::scope::{Cx, Entry, Names, Pack, Scope, Typed, View, known};
use super::{Made, Resolver, Stop, joined};
use crate::diagnostic::Diagnostic;
use crate::graph::data::DataError;
use crate::graph::{
    Buffer, Formula, Initial, Lifetime, ParamId, PortKind, PortSize, Resource, ResourceId, ResourceKind, Texture, Ty,
    mesh, rules,
};
use crate::shader::rules::load_fault;
use crate::source::{Name, Sp};
use crate::syntax::document::{
    BufferDecl, Document, FormatDecl, MeshDecl, ParamKind, ResourceDecl, ResourceKindDecl, Shape, SizeDecl, TextureDecl,
};
use crate::syntax::expr::Expr;

/// Where the size of a resource comes from.
#[derive(Debug, Clone)]
pub(super) enum Pending {
    /// Worked out, or there is nothing to work out.
    Done,
    /// Being worked out: asking again is a cycle.
    Open,
    /// Something is wrong with it; reported already.
    Poisoned,
    /// The declaration: scope, and index among the file's resources.
    Declared(usize, usize),
    /// A Uniform's declaration: it has no size of its own, each struct bound to it has.
    Uniform(usize, usize),
}

impl Resolver<'_> {
    /// The scope of the top file.
    pub(super) fn open_top(&mut self, document: &Arc<Document>) -> Cx {
        let cx = self.new_scope(document, Name::default());
        self.scopes[cx.scope].names.reserve(document.params.len() + document.resources.len());
        self.draft.resources.reserve(document.resources.len());
        self.draft.passes.reserve(document.passes.len());
        self.pending.reserve(document.resources.len());
        let mut ids: BTreeMap<&str, ParamId> = BTreeMap::new();
        for (id, param) in self.draft.params.entries() {
            ids.entry(&param.name).or_insert(id);
        }
        for decl in &document.params {
            let entry = match (ids.get(decl.name.value.as_str()).copied(), param_type(&decl.kind)) {
                (Some(id), Some(ty)) => Entry::Param(Arc::new(Typed { formula: Formula::Param(id), ty })),
                _ => Entry::Poisoned,
            };
            self.scopes[cx.scope].names.insert(decl.name.value.clone(), entry);
        }
        for (index, decl) in document.resources.iter().enumerate() {
            let entry = self.declare(&cx, decl, index, decl.port.map(|port| port.value));
            self.scopes[cx.scope].names.insert(decl.name.value.clone(), entry);
        }
        self.live_buffers(&cx, document);
        cx
    }

    /// An empty scope for a file, and a context to read its passes in.
    pub(super) fn new_scope(&mut self, document: &Arc<Document>, prefix: Name) -> Cx {
        self.scopes.push(Scope { document: Arc::clone(document), names: Names::default() });
        Cx { file_prefix: prefix.clone(), prefix, ..Cx::of_file(self.scopes.len() - 1) }
    }

    /// Gives a declaration its id.
    pub(super) fn declare(&mut self, cx: &Cx, decl: &ResourceDecl, index: usize, port: Option<PortKind>) -> Entry {
        let pending = match &decl.kind {
            _ if decl.poisoned => Pending::Poisoned,
            ResourceKindDecl::Uniform(_) => Pending::Uniform(cx.scope, index),
            _ => Pending::Declared(cx.scope, index),
        };
        let name = joined(&cx.file_prefix, &decl.name.value);
        let (kind, lifetime, usage) = match &decl.kind {
            ResourceKindDecl::Buffer(b) => (ResourceKind::Buffer(Buffer::default()), b.lifetime, b.usage.clone()),
            ResourceKindDecl::Texture(t) => (ResourceKind::Texture(UNSIZED), t.lifetime, t.usage.clone()),
            ResourceKindDecl::Uniform(_) if port.is_some() => (ResourceKind::HostUniform { size: None }, None, None),
            ResourceKindDecl::Uniform(_) => (ResourceKind::Uniform, None, None),
            ResourceKindDecl::Sampler(sampler) => (ResourceKind::Sampler(*sampler), None, None),
            ResourceKindDecl::Meshes(meshes) => return self.declare_pack(decl, meshes, &name, port),
            ResourceKindDecl::Poison => return Entry::Poisoned,
        };
        let lifetime = lifetime.map_or(Lifetime::Transient, |l| l.value);
        if let Some(port) = decl.port
            && lifetime != Lifetime::Transient
        {
            let message = format!("port `{}` has a lifetime", decl.name.value);
            let found = Diagnostic::new(&rules::PORT_MISMATCH, message, port.span, "the giver says how long it lives");
            self.report(found.help("remove `lifetime`").at(format!("resources[\"{}\"]", decl.name.value)));
        }
        let id = self.add(Resource {
            name,
            kind,
            lifetime,
            port,
            declared_usage: usage,
            span: decl.name.span,
            poisoned: decl.poisoned,
        });
        self.pending[id] = pending;
        if matches!(&decl.kind, ResourceKindDecl::Buffer(buffer) if buffer.file.is_some()) {
            self.filled.insert(id, super::Filled::default());
        }
        Entry::Resource(View::whole(id, port))
    }

    pub(super) fn add(&mut self, resource: Resource) -> ResourceId {
        self.pending.push(Pending::Done);
        self.draft.resources.push(resource)
    }

    fn declare_pack(&mut self, decl: &ResourceDecl, meshes: &[MeshDecl], name: &str, port: Option<PortKind>) -> Entry {
        let pack = if port.is_some() {
            None
        } else {
            match self.build_pack(decl, meshes) {
                Ok(pack) => Some(pack),
                Err(_) => return Entry::Poisoned,
            }
        };
        let mut part = |suffix: &str, stride: u64, count: Option<usize>, initial: Option<Initial>| {
            let count = count.map(|n| n as u64);
            let kind = ResourceKind::Buffer(Buffer {
                count,
                stride: Some(stride),
                size: count.map(|n| n.max(1) * stride),
                initial,
                ..Buffer::default()
            });
            // The contents are made once and nobody writes them.
            let lifetime = Lifetime::Persistent;
            let name = Name::from_iter([name, ".", suffix]);
            self.add(Resource {
                name,
                kind,
                lifetime,
                port,
                declared_usage: None,
                span: decl.name.span,
                poisoned: false,
            })
        };
        let of = pack.as_deref();
        let vertices = part(
            "vertices",
            size_of::<mesh::Vertex>() as u64,
            of.map(|p| p.vertices.len()),
            pack.clone().map(Initial::Vertices),
        );
        let indices = part("indices", 4, of.map(|p| p.indices.len()), pack.clone().map(Initial::Indices));
        let draws = part("draws", 20, of.map(|p| p.draws.len()), pack.clone().map(Initial::Draws));
        let bounds = part("bounds", 32, of.map(|p| p.bounds.len()), pack.clone().map(Initial::Bounds));
        self.packs.push(Pack { vertices, indices, draws, bounds, meshes: pack });
        Entry::Pack(self.packs.len() - 1)
    }

    fn build_pack(&mut self, decl: &ResourceDecl, meshes: &[MeshDecl]) -> Made<Arc<mesh::Pack>> {
        let loaded = self.mesh_files(decl, meshes)?;
        let shapes: Vec<_> = meshes.iter().map(|m| m.shape.clone()).collect();
        mesh::pack(&shapes, &loaded).map(Arc::new).map_err(|errors| {
            for (index, error) in errors {
                let span = meshes.get(index).map_or(decl.span, |m| m.span);
                let found = Diagnostic::new(&rules::MESH, error.to_string(), span, "this mesh");
                self.report(found.at(format!("resources[\"{}\"]", decl.name.value)));
            }
            Stop::Poisoned
        })
    }

    /// The meshes of the files that a pack names.
    fn mesh_files(&mut self, decl: &ResourceDecl, meshes: &[MeshDecl]) -> Made<mesh::Loaded> {
        let mut loaded = mesh::Loaded::new();
        let mut failed = false;
        for MeshDecl { shape, span } in meshes {
            let Shape::File(path) = shape else { continue };
            let found = match self.library.meshes(path) {
                Ok(meshes) => {
                    loaded.insert(path.clone(), meshes);
                    continue;
                }
                Err(mesh::FileError::Load(error)) => load_fault(&error, path, *span),
                Err(bad) => Diagnostic::new(&rules::MESH, bad.to_string(), *span, "this mesh"),
            };
            self.report(found.at(format!("resources[\"{}\"]", decl.name.value)));
            failed = true;
        }
        if failed { Err(Stop::Poisoned) } else { Ok(loaded) }
    }

    /// Links `live: "args"` once every name is known.
    pub(super) fn live_buffers(&mut self, cx: &Cx, document: &Arc<Document>) {
        for decl in &document.resources {
            let ResourceKindDecl::Buffer(BufferDecl { live, order, .. }) = &decl.kind else { continue };
            // What a port leaves out comes from what is given.
            if live.is_none() && order.is_none() {
                continue;
            }
            let Some(Entry::Resource(view)) = self.lookup(cx, &decl.name.value) else { continue };
            let live = live.as_ref().and_then(|reference| self.resource(cx, reference, "live").ok());
            if let ResourceKind::Buffer(buffer) = &mut self.draft.resources[view.resource].kind {
                buffer.order = order.map(|order| order.value).or(buffer.order);
                buffer.live = live.map(|view| view.resource).or(buffer.live);
            }
        }
    }

    /// Works out the size of a resource, if that was not done yet.
    pub(super) fn measured(&mut self, id: ResourceId) -> Made<()> {
        match std::mem::replace(&mut self.pending[id], Pending::Open) {
            done @ (Pending::Done | Pending::Uniform(..)) => {
                self.pending[id] = done;
                Ok(())
            }
            Pending::Poisoned => {
                self.pending[id] = Pending::Poisoned;
                Err(Stop::Poisoned)
            }
            Pending::Open => {
                let resource = &self.draft.resources[id];
                let message = format!("the size of `{}` hangs on itself", resource.name);
                self.report(Diagnostic::new(&rules::SIZE_CYCLE, message, resource.span, "declared here"));
                self.pending[id] = Pending::Poisoned;
                Err(Stop::Poisoned)
            }
            Pending::Declared(scope, index) => {
                let made = self.measure_declared(id, scope, index);
                let poisoned = made == Err(Stop::Poisoned) || matches!(self.pending[id], Pending::Poisoned);
                self.pending[id] = if poisoned { Pending::Poisoned } else { Pending::Done };
                if poisoned {
                    self.draft.resources[id].poisoned = true;
                    return Err(Stop::Poisoned);
                }
                Ok(())
            }
        }
    }

    fn measure_declared(&mut self, id: ResourceId, scope: usize, index: usize) -> Made<()> {
        let document = Arc::clone(&self.scopes[scope].document);
        let decl = &document.resources[index];
        let cx = Cx::of_file(scope);
        let given =
            self.draft.resources[id].port.and_then(|_| self.settings.ports.get(decl.name.value.as_str()).copied());
        let kind = match &decl.kind {
            ResourceKindDecl::Buffer(buffer) => self.measure_buffer(&cx, id, decl, buffer, given)?,
            ResourceKindDecl::Texture(texture) => self.measure_texture(&cx, texture, given)?,
            _ => return Ok(()),
        };
        self.draft.resources[id].kind = kind;
        Ok(())
    }

    fn measure_buffer(
        &mut self,
        cx: &Cx,
        id: ResourceId,
        decl: &ResourceDecl,
        buffer: &BufferDecl,
        given: Option<PortSize>,
    ) -> Made<ResourceKind> {
        let count = self.optional(cx, buffer.count.as_ref(), "the count")?;
        let size = self.optional(cx, buffer.size.as_ref(), "the size")?;
        let stride = match (&buffer.vertex, &buffer.stride) {
            (_, Some(stride)) => self.optional(cx, Some(stride), "the stride")?,
            (Some(formats), None) => Some(formats.iter().map(|format| format.value.size()).sum()),
            (None, None) => None,
        };
        if let (Some(0), Some(expr)) = (stride, &buffer.stride) {
            self.report(Diagnostic::new(&rules::NUMBER_RANGE, "the stride is 0", expr.span, "must be positive"));
            return Err(Stop::Poisoned);
        }
        let initial = self.initial(id, decl, buffer)?;
        let rows = self.filled.get(&id).and_then(|filled| filled.content.as_ref()?.rows());
        let count = count.or(rows.filter(|_| size.is_none() && given.is_none()));
        let stride = match given {
            Some(PortSize::Buffer { stride: Some(known), .. }) => stride.or(Some(known)),
            _ => stride,
        };
        let bytes = match (&initial, given) {
            (_, Some(PortSize::Buffer { bytes, .. })) => Some(bytes),
            (Some(Initial::Bytes(bytes)), _) if count.is_none() && size.is_none() => Some(bytes.len() as u64),
            _ => size,
        };
        let (order, live) = match &self.draft.resources[id].kind {
            ResourceKind::Buffer(known) => (known.order, known.live),
            _ => (None, None),
        };
        let vertex = buffer.vertex.as_ref().map(|formats| formats.iter().map(|format| format.value).collect());
        Ok(ResourceKind::Buffer(Buffer { count, stride, header: 0, size: bytes, vertex, initial, order, live }))
    }

    fn initial(&mut self, id: ResourceId, decl: &ResourceDecl, buffer: &BufferDecl) -> Made<Option<Initial>> {
        if let Some(path) = &buffer.file {
            let found = match self.library.content(&path.value) {
                Ok(content) => {
                    let bytes = content.bytes();
                    let filled = self.filled.entry(id).or_default();
                    (filled.content, filled.span) = (Some(content), Some(path.span));
                    return Ok(Some(Initial::Bytes(bytes)));
                }
                Err(DataError::Load(error)) => load_fault(&error, &path.value, path.span),
                Err(DataError::Bad(why)) => {
                    Diagnostic::new(&rules::DATA_FILE, format!("`{}` {why}", path.value), path.span, "this file")
                }
            };
            self.report(found.at(format!("resources[\"{}\"].file", decl.name.value)));
            return Err(Stop::Poisoned);
        }
        let Some(values) = &buffer.values else { return Ok(None) };
        let mut bytes = Vec::with_capacity(values.len() * 4);
        for value in values {
            bytes.extend(self.number(value)?);
        }
        Ok(Some(Initial::Bytes(bytes.into())))
    }

    /// Four bytes of a literal: whole numbers as u32 or i32, others as f32.
    fn number(&mut self, number: &Sp<crate::syntax::document::Number>) -> Made<[u8; 4]> {
        use crate::syntax::document::Number;
        match number.value {
            Number::Float(f) => Ok((f as f32).to_le_bytes()),
            Number::Int(i) => match (u32::try_from(i), i32::try_from(i)) {
                (Ok(u), _) => Ok(u.to_le_bytes()),
                (_, Ok(i)) => Ok(i.to_le_bytes()),
                _ => {
                    let message = format!("{i} does not fit 32 bits");
                    self.report(Diagnostic::new(&rules::NUMBER_RANGE, message, number.span, "this value"));
                    Err(Stop::Poisoned)
                }
            },
        }
    }

    fn measure_texture(&mut self, cx: &Cx, texture: &TextureDecl, given: Option<PortSize>) -> Made<ResourceKind> {
        let format = match texture.format.map(|f| f.value) {
            Some(FormatDecl::Surface) => self.draft.surface_format,
            Some(FormatDecl::Is(format)) => Some(format),
            None => None,
        };
        let size = match &texture.size {
            Some(SizeDecl::Surface(_)) => {
                self.draft.reads_surface = true;
                Some(self.draft.surface)
            }
            Some(SizeDecl::Is(sides, _)) => {
                let [width, height] = &**sides;
                let (w, h) = (known(self.size32(cx, width, "the width")), known(self.size32(cx, height, "the height")));
                w?.zip(h?).map(|(w, h)| [w, h])
            }
            None => None,
        };
        let mut made = Texture { format, size, mips: 1, layers: 1, samples: 1 };
        made.layers = self.optional32(cx, texture.layers.as_ref(), "the number of layers")?.max(1);
        made.samples = self.optional32(cx, texture.samples.as_ref(), "the number of samples")?.max(1);
        made.mips = self.optional32(cx, texture.mips.as_ref(), "the number of mips")?.max(1);
        if let Some(PortSize::Texture { size, format, mips, layers, samples }) = given {
            made = Texture { format: Some(format), size: Some(size), mips, layers, samples };
        }
        if let Some(size) = &mut made.size {
            *size = size.map(|side| side.max(1));
            made.mips = made.mips.min(size[0].max(size[1]).ilog2() + 1);
        }
        Ok(ResourceKind::Texture(made))
    }

    fn optional(&mut self, cx: &Cx, expr: Option<&Expr>, what: &str) -> Made<Option<u64>> {
        expr.map_or(Ok(None), |expr| known(self.size(cx, expr, what)))
    }

    fn optional32(&mut self, cx: &Cx, expr: Option<&Expr>, what: &str) -> Made<u32> {
        let number = expr.map_or(Ok(None), |expr| known(self.size32(cx, expr, what)))?;
        Ok(number.unwrap_or(1))
    }
}

/// A texture of which nothing is known yet.
const UNSIZED: Texture = Texture { format: None, size: None, mips: 1, layers: 1, samples: 1 };

/// The type of a param's values; absent for one that could not be read.
pub(super) const fn param_type(kind: &ParamKind) -> Option<Ty> {
    match kind {
        ParamKind::Int { .. } => Some(Ty::Int),
        ParamKind::Float { .. } => Some(Ty::Float),
        ParamKind::Bool { .. } => Some(Ty::Bool),
        ParamKind::Choice { .. } => Some(Ty::Text),
        ParamKind::Poison => None,
    }
}
