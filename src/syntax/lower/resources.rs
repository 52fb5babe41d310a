//! Resources: buffers, uniforms, textures, samplers, meshes, and ports around them.

use crate::source::Sp;

use super::super::document::{
    BufferDecl, MeshDecl, PortKind, ResourceDecl, ResourceKindDecl, SamplerDecl, Shape, SizeDecl, TextureDecl,
    UniformDecl, UsageFlag,
};
use super::super::rules;
use super::super::tree::{Kind, Node};
use super::fields::{Fields, What};
use super::{Lower, Step};

type Reader<'n, 'f> = fn(&mut Lower<'n, 'f>, &'n Node<'n>, bool) -> Option<ResourceKindDecl>;

const PORTS: [(&str, PortKind); 3] = [("In", PortKind::In), ("Out", PortKind::Out), ("InOut", PortKind::InOut)];

const BUFFER_FLAGS: &[UsageFlag] = &[
    UsageFlag::Storage,
    UsageFlag::Uniform,
    UsageFlag::Vertex,
    UsageFlag::Index,
    UsageFlag::Indirect,
    UsageFlag::CopySrc,
    UsageFlag::CopyDst,
];

const TEXTURE_FLAGS: &[UsageFlag] =
    &[UsageFlag::Sampled, UsageFlag::Storage, UsageFlag::Attachment, UsageFlag::CopySrc, UsageFlag::CopyDst];

/// The finest mesh, in rings or segments: a million vertices.
const MAX_SEGMENTS: i64 = 1024;

impl<'n, 'f> Lower<'n, 'f> {
    const RESOURCE_KINDS: [(&'static str, Reader<'n, 'f>); 5] = [
        ("Buffer", |l, node, is_port| l.buffer(node, is_port).map(ResourceKindDecl::Buffer)),
        ("Uniform", |l, node, is_port| l.uniform(node, is_port).map(ResourceKindDecl::Uniform)),
        ("Texture", |l, node, is_port| l.texture(node, is_port).map(ResourceKindDecl::Texture)),
        ("Sampler", |l, node, _| l.sampler(node).map(ResourceKindDecl::Sampler)),
        ("Meshes", |l, node, is_port| l.meshes(node, is_port).map(ResourceKindDecl::Meshes)),
    ];

    /// `resources: {…}`
    pub(super) fn resources(&mut self, node: &'n Node<'n>) -> Option<Vec<ResourceDecl>> {
        self.map(node, "resource", |l, name, node| {
            let faults = l.found.faults();
            l.check_declared(&name.value, name.span, "resource");
            let (port, kind) = l.resource(node);
            let poisoned = l.found.faults() > faults;
            Some(ResourceDecl { name, port, kind, span: l.span(node), poisoned })
        })
    }

    fn resource(&mut self, node: &'n Node<'n>) -> (Option<Sp<PortKind>>, ResourceKindDecl) {
        let port = node.name.and_then(|name| {
            let port = PORTS.into_iter().find(|(known, _)| *known == name)?.1;
            Some(Sp::new(port, self.ident_span(name)))
        });
        if port.is_none() {
            return (None, self.resource_kind(node, false).unwrap_or(ResourceKindDecl::Poison));
        }
        let inner = match &node.kind {
            Kind::Tuple(items) if items.len() == 1 => Some(&items[0]),
            _ if node.is_damaged() => {
                self.found.poison();
                None
            }
            _ => {
                let name = node.name.unwrap_or("In");
                self.report(
                    &rules::WRONG_TYPE,
                    self.span(node),
                    format!("`{name}` stands around one resource"),
                    format!("expected `{name}(Buffer())` or the like"),
                    |d| d,
                );
                None
            }
        };
        let kind = inner.and_then(|inner| self.resource_kind(inner, true));
        (port, kind.unwrap_or(ResourceKindDecl::Poison))
    }

    fn resource_kind(&mut self, node: &'n Node<'n>, is_port: bool) -> Option<ResourceKindDecl> {
        let found = node.name.and_then(|n| Self::RESOURCE_KINDS.into_iter().find(|(name, _)| *name == n));
        let Some((_, read)) = found else {
            let kinds = Self::RESOURCE_KINDS.map(|(name, _)| name);
            let ports = PORTS.map(|(name, _)| name);
            let known: Vec<&str> = kinds.into_iter().chain(ports.into_iter().filter(|_| !is_port)).collect();
            self.unknown_name(node, "kind of resource", &known);
            return None;
        };
        read(self, node, is_port)
    }

    fn buffer(&mut self, node: &'n Node<'n>, is_port: bool) -> Option<BufferDecl> {
        let mut fields = self.fields(node, What::Kind("Buffer"))?;
        let f = &mut fields;
        let buffer = BufferDecl {
            count: self.optional(f, "count", Self::expr),
            size: self.optional(f, "size", Self::expr),
            stride: self.optional(f, "stride", Self::expr),
            vertex: self.optional(f, "vertex", |l, n| l.list(n, "vertex formats", Self::vertex_format)),
            values: self.optional(f, "values", |l, n| l.list(n, "numbers", Self::datum)),
            file: self.optional(f, "file", Self::text).map(Box::new),
            lifetime: self.optional(f, "lifetime", |l, n| l.leaf(n)),
            usage: self.optional(f, "usage", |l, n| l.usage(n, "buffer", BUFFER_FLAGS)),
            order: self.optional(f, "order", |l, n| l.leaf(n)),
            live: self.optional(f, "live", Self::reference).map(Box::new),
        };
        if !is_port && ["count", "size", "values", "file"].iter().all(|name| fields.key(name).is_none()) {
            fields.miss("count", " (or `size`, `values`, `file`)");
        }
        self.finish(&fields);
        self.exclude(&fields, "count", "size");
        self.exclude(&fields, "values", "file");
        Some(buffer)
    }

    /// Reports two fields of which at most one may be there.
    pub(super) fn exclude(&mut self, fields: &Fields<'n>, one: &'static str, other: &'static str) {
        if let (Some(first), Some(second)) = (fields.key(one), fields.key(other)) {
            let (first, second) = (self.ident_span(first), self.ident_span(second));
            self.report(
                &rules::CONFLICTING_FIELDS,
                second,
                format!("`{one}` and `{other}` exclude each other"),
                "one of two",
                |d| d.also(first, "the other"),
            );
        }
    }

    fn usage(&mut self, node: &'n Node<'n>, of: &str, allowed: &[UsageFlag]) -> Option<Vec<Sp<UsageFlag>>> {
        let mut seen: Vec<Sp<UsageFlag>> = Vec::new();
        self.list(node, "usage flags", |l, item| {
            let flag: Sp<UsageFlag> = l.leaf(item)?;
            if !allowed.contains(&flag.value) {
                l.report(
                    &rules::UNKNOWN_KIND,
                    flag.span,
                    format!("a {of} has no usage `{:?}`", flag.value),
                    "not for this kind",
                    |d| d,
                );
                return None;
            }
            if let Some(before) = seen.iter().find(|known| known.value == flag.value) {
                let before = before.span;
                l.report(
                    &rules::DUPLICATE_NAME,
                    flag.span,
                    format!("the usage `{:?}` is given twice", flag.value),
                    "again here",
                    |d| d.also(before, "first here"),
                );
                return None;
            }
            seen.push(flag);
            Some(flag)
        })
    }

    fn uniform(&mut self, node: &'n Node<'n>, is_port: bool) -> Option<UniformDecl> {
        if is_port && is_empty(node) {
            return Some(UniformDecl::default());
        }
        let node = self.only(node, "a map of values by name")?;
        let members = self.value_map(node, "member")?;
        Some(UniformDecl { members })
    }

    /// The one thing in the parentheses.
    fn only(&mut self, node: &'n Node<'n>, wanted: &str) -> Option<&'n Node<'n>> {
        let name = node.name.unwrap_or("this");
        match &node.kind {
            Kind::Tuple(items) if items.len() == 1 => Some(&items[0]),
            _ if node.is_damaged() => {
                self.found.poison();
                None
            }
            _ => {
                self.report(
                    &rules::WRONG_TYPE,
                    self.span(node),
                    format!("`{name}` takes {wanted}"),
                    format!("expected `{name}(…)` with {wanted}"),
                    |d| d,
                );
                None
            }
        }
    }

    fn texture(&mut self, node: &'n Node<'n>, is_port: bool) -> Option<TextureDecl> {
        let mut fields = self.fields(node, What::Kind("Texture"))?;
        let f = &mut fields;
        let texture = TextureDecl {
            format: self.optional(f, "format", Self::texture_format),
            size: self.optional(f, "size", Self::size),
            mips: self.optional(f, "mips", Self::expr),
            layers: self.optional(f, "layers", Self::expr),
            samples: self.optional(f, "samples", Self::expr),
            lifetime: self.optional(f, "lifetime", |l, n| l.leaf(n)),
            usage: self.optional(f, "usage", |l, n| l.usage(n, "texture", TEXTURE_FLAGS)),
        };
        for needed in ["format", "size"] {
            if !is_port && fields.key(needed).is_none() {
                fields.miss(needed, "");
            }
        }
        self.finish(&fields);
        Some(texture)
    }

    fn size(&mut self, node: &'n Node<'n>) -> Option<SizeDecl> {
        let span = self.span(node);
        if matches!((&node.kind, node.name), (Kind::Unit, Some(name)) if name == "Surface") {
            return Some(SizeDecl::Surface(span));
        }
        let sides = self.pair(node, "`Surface` or `(width, height)`")?;
        Some(SizeDecl::Is(Box::new(sides), span))
    }

    fn sampler(&mut self, node: &'n Node<'n>) -> Option<SamplerDecl> {
        let mut fields = self.fields(node, What::Kind("Sampler"))?;
        let f = &mut fields;
        let sampler = SamplerDecl {
            filter: self.optional(f, "filter", |l, n| l.leaf(n)).map(|leaf| leaf.value).unwrap_or_default(),
            mip_filter: self.optional(f, "mip_filter", |l, n| l.leaf(n)).map(|leaf| leaf.value).unwrap_or_default(),
            address: self.optional(f, "address", |l, n| l.leaf(n)).map(|leaf| leaf.value).unwrap_or_default(),
            compare: self.optional(f, "compare", |l, n| l.leaf(n)).map(|leaf| leaf.value),
        };
        self.finish(&fields);
        Some(sampler)
    }

    fn meshes(&mut self, node: &'n Node<'n>, is_port: bool) -> Option<Vec<MeshDecl>> {
        if is_port && is_empty(node) {
            return Some(Vec::new());
        }
        let list = self.only(node, "a list of meshes")?;
        let meshes =
            self.list(list, "meshes", |l, item| l.mesh(item).map(|shape| MeshDecl { shape, span: l.head(item) }))?;
        if matches!(&list.kind, Kind::List(items) if items.is_empty()) {
            self.report(
                &rules::MISSING_FIELD,
                self.span(list),
                "`Meshes` has no mesh",
                "at least one is needed",
                |d| d,
            );
        }
        Some(meshes)
    }

    fn mesh(&mut self, node: &'n Node<'n>) -> Option<Shape> {
        let name = node.name.unwrap_or("");
        if name == "File" {
            let path = self.only(node, "a path")?;
            return self.text(path).map(|path| Shape::File(path.value.into()));
        }
        let known = ["Cube", "Plane", "Sphere", "Icosphere", "Torus", "Cylinder", "File"];
        if !known.contains(&name) {
            self.unknown_name(node, "mesh", &known);
            return None;
        }
        let mut fields = match node.kind {
            Kind::Unit => Fields::none(What::Kind(name), self.head(node)),
            _ => self.fields(node, What::Kind(name))?,
        };
        let f = &mut fields;
        let shape = match name {
            "Cube" => Shape::Cube,
            "Plane" => Shape::Plane,
            "Sphere" => {
                let rings = self.whole(f, "rings", 2, MAX_SEGMENTS, 16);
                let segments = self.whole(f, "segments", 3, 2 * MAX_SEGMENTS, i64::from(2 * rings));
                Shape::Sphere { rings, segments }
            }
            "Icosphere" => Shape::Icosphere { subdivisions: self.whole(f, "subdivisions", 0, 7, 2) },
            "Torus" => Shape::Torus {
                rings: self.whole(f, "rings", 3, MAX_SEGMENTS, 24),
                segments: self.whole(f, "segments", 3, MAX_SEGMENTS, 12),
                thickness: self.thickness(f),
            },
            _ => Shape::Cylinder { segments: self.whole(f, "segments", 3, MAX_SEGMENTS, 24) },
        };
        self.finish(&fields);
        Some(shape)
    }

    /// A written integer in `min..=max`, or `default`.
    fn whole(&mut self, fields: &mut Fields<'n>, name: &'static str, min: i64, max: i64, default: i64) -> u32 {
        let written = self.optional(fields, name, Self::int);
        let value = written.map_or(default, |number| number.value);
        if let Some(number) = written.filter(|_| !(min..=max).contains(&value)) {
            self.inside(Step::Field(name), |l| {
                l.report(
                    &rules::OUT_OF_RANGE,
                    number.span,
                    format!("`{name}` is {value} and has to be from {min} to {max}"),
                    "out of range",
                    |d| d,
                );
            });
        }
        value.clamp(min, max) as u32
    }

    fn thickness(&mut self, fields: &mut Fields<'n>) -> f64 {
        let Some(written) = self.optional(fields, "thickness", Self::float) else { return 0.25 };
        if written.value > 0.0 && written.value < 0.5 {
            return written.value;
        }
        self.out_of_range("thickness", written, "has to be between 0 and 0.5");
        0.25
    }
}

/// `Meshes()`
fn is_empty(node: &Node<'_>) -> bool {
    matches!(&node.kind, Kind::Tuple(items) if items.is_empty())
}
