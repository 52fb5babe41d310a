//! Graphs and plans made by hand, for tests and benches of the layers below the front half: passes in the order in which
//! they are added, no culling, no sharing unless asked for.
#![allow(dead_code, reason = "each user needs a part of it")]

use std::sync::Arc;

use rondag::graph::camera::CameraState;
use rondag::graph::{
    Access, Binding, BindingSource, Block, BlockId, Buffer, BufferRange, Call, ColorAttachment, DepthAttachment,
    Dispatch, Draft, Draw, DrawState, Effect, Field, Formula, Graph, Groups, Initial, Lifetime, Part, Pass, PassId,
    PassKind, Program, Render, Resource, ResourceId, ResourceKind, Run, Texture, Usage, VertexBuffer,
};
use rondag::id::{Id as _, IdVec};
use rondag::plan::{Asker, Bytes, Lifespan, Plan, Slot, Step, UsageReason};
use rondag::shader::{GlobalKind, Scalar, Shaders, Type};
use rondag::source::{FileId, Files, Memory, Span};
use rondag::syntax::document::{Blend, Compare, Topology, UsageFlag};

/// A graph under construction.
pub(crate) struct Sketch {
    pub(crate) draft: Draft,
    pub(crate) files: Files,
    shaders: Shaders,
    pub(crate) merge: bool,
    pub(crate) slots: Vec<Vec<ResourceId>>,
    pub(crate) zeroed: Vec<(ResourceId, Option<PassId>)>,
}

pub(crate) fn span() -> Span {
    Span::new(FileId::from_index(0), 0, 0)
}

/// All of a texture of one mip and layer, or a buffer.
pub(crate) const WHOLE: Part = Part::ONE;

pub(crate) fn whole(resource: ResourceId) -> BindingSource {
    BindingSource::Buffer { resource, previous: false }
}

pub(crate) fn previous(resource: ResourceId) -> BindingSource {
    BindingSource::Buffer { resource, previous: true }
}

pub(crate) fn view(resource: ResourceId) -> BindingSource {
    BindingSource::Texture { resource, previous: false, part: WHOLE }
}

pub(crate) fn state() -> DrawState {
    DrawState {
        topology: Topology::TriangleList,
        cull: None,
        blend: Blend::Replace,
        depth_compare: Compare::Less,
        depth_write: true,
        depth_bias: 0,
        depth_slope: 0.0,
    }
}

pub(crate) fn color(resource: ResourceId, clear: Option<[f64; 4]>) -> ColorAttachment {
    ColorAttachment { resource, part: WHOLE, clear, resolve: None, span: span() }
}

pub(crate) fn depth(resource: ResourceId, clear: Option<f32>) -> DepthAttachment {
    DepthAttachment { resource, part: WHOLE, clear, read_only: false, span: span() }
}

impl Sketch {
    /// A graph of this name; shaders are pairs of a path below `shaders/` and a text.
    pub(crate) fn new(name: &str, shaders: &[(&str, &str)]) -> Self {
        let files = shaders.iter().map(|(path, text)| (format!("shaders/{path}"), text.as_bytes().to_vec()));
        let memory = Memory(files.chain([("graph.ron".to_owned(), b"()".to_vec())]).collect());
        let mut files = Files::new(memory);
        files.load("graph.ron").expect("it is in memory");
        let draft = Draft { name: name.to_owned(), surface: [16, 16], ..Draft::default() };
        Self { draft, files, shaders: Shaders::new(), merge: true, slots: Vec::new(), zeroed: Vec::new() }
    }

    pub(crate) fn resource(&mut self, name: &str, kind: ResourceKind, lifetime: Lifetime) -> ResourceId {
        self.draft.resources.push(Resource {
            name: name.into(),
            kind,
            lifetime,
            port: None,
            declared_usage: None,
            span: span(),
            poisoned: false,
        })
    }

    /// `count` u32.
    pub(crate) fn buffer(&mut self, name: &str, count: u64, lifetime: Lifetime) -> ResourceId {
        let size = Some(4 * count.max(1));
        let buffer = Buffer { count: Some(count), stride: Some(4), size, ..Buffer::default() };
        self.resource(name, ResourceKind::Buffer(buffer), lifetime)
    }

    /// A buffer that holds these words when it is made.
    pub(crate) fn data(&mut self, name: &str, words: &[u32]) -> ResourceId {
        let id = self.buffer(name, words.len() as u64, Lifetime::Persistent);
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let ResourceKind::Buffer(buffer) = &mut self.draft.resources[id].kind else { unreachable!("a buffer") };
        buffer.initial = Some(Initial::Bytes(bytes.into()));
        id
    }

    pub(crate) fn texture(
        &mut self,
        name: &str,
        format: wgpu_types::TextureFormat,
        size: [u32; 2],
        lifetime: Lifetime,
    ) -> ResourceId {
        let texture = Texture { format: Some(format), size: Some(size), mips: 1, layers: 1, samples: 1 };
        self.resource(name, ResourceKind::Texture(texture), lifetime)
    }

    /// A block with these members: name, offset, type, formula.
    pub(crate) fn block(&mut self, name: &str, size: u32, fields: &[(&str, u32, Type, Formula)]) -> BlockId {
        let fields = fields.iter().map(|(name, offset, ty, formula)| Field {
            offset: *offset,
            ty: ty.clone(),
            formula: formula.clone(),
            name: (*name).into(),
            span: span(),
        });
        let fields = fields.collect();
        self.draft.blocks.push(Block { name: name.into(), size, previous: false, copies: 1, fields })
    }

    /// All entry points of a shader, with resources by variable.
    pub(crate) fn program(&mut self, shader: &str, bind: &[(&str, BindingSource)]) -> Program {
        let mut found = Vec::new();
        let loaded = self.shaders.load(&mut self.files, shader, span(), &mut found);
        let loaded = loaded.unwrap_or_else(|| panic!("{shader}: {found:?}"));
        let known = self.draft.shaders.entries().find(|(_, known)| Arc::ptr_eq(known, &loaded)).map(|(id, _)| id);
        let id = known.unwrap_or_else(|| self.draft.shaders.push(Arc::clone(&loaded)));
        let globals = &loaded.interface.globals;
        let bindings = bind.iter().map(|(name, source)| {
            let global = globals.iter().position(|global| global.name == *name);
            Binding { global: global.unwrap_or_else(|| panic!("{shader} has no {name}")), source: *source }
        });
        let mut bindings: Vec<_> = bindings.collect();
        bindings.sort_by_key(|binding| binding.global);
        let entries = (0..loaded.interface.entries.len()).collect();
        Program { shader: id, entries, constants: Vec::new(), bindings }
    }

    pub(crate) fn pass(&mut self, name: &str, kind: PassKind) -> PassId {
        let accesses = self.accesses(&kind);
        self.draft.passes.push(Pass {
            name: name.into(),
            kind,
            run: Run::EachFrame,
            condition: None,
            after: Vec::new(),
            accesses,
            empty: false,
            span: span(),
            poisoned: false,
        })
    }

    pub(crate) fn dispatch(
        &mut self,
        name: &str,
        shader: &str,
        groups: [u32; 3],
        bind: &[(&str, BindingSource)],
    ) -> PassId {
        let program = self.program(shader, bind);
        self.pass(name, PassKind::Dispatch(Dispatch { program, groups: Groups::Fixed(groups), items: None }))
    }

    pub(crate) fn clear(&mut self, name: &str, target: ResourceId) -> PassId {
        self.pass(name, PassKind::ClearBuffer { target, offset: 0, size: None })
    }

    pub(crate) fn copy(&mut self, name: &str, source: ResourceId, target: ResourceId, size: u64) -> PassId {
        let at = |resource| BufferRange { resource, previous: false, offset: 0 };
        self.pass(name, PassKind::CopyBuffer { source: at(source), target: at(target), size: Some(size) })
    }

    pub(crate) fn draw(&mut self, shader: &str, bind: &[(&str, BindingSource)], call: Call) -> Draw {
        let program = self.program(shader, bind);
        let (vertex_buffers, index_buffer) = (Vec::<VertexBuffer>::new(), None);
        Draw { program, vertex_buffers, index_buffer, state: state(), call, span: span() }
    }

    fn accesses(&self, kind: &PassKind) -> Vec<Access> {
        let access = |resource, usage, effect| Access {
            resource,
            part: WHOLE,
            previous: false,
            usage,
            effect,
            span: span(),
            variable: None,
        };
        match kind {
            PassKind::ClearBuffer { target, .. } => vec![access(*target, Usage::CopyDst, Effect::Replace)],
            PassKind::CopyBuffer { source, target, .. } => vec![
                access(source.resource, Usage::CopySrc, Effect::Read),
                access(target.resource, Usage::CopyDst, Effect::Replace),
            ],
            PassKind::CopyTexture { source, target, .. } => vec![
                access(source.resource, Usage::CopySrc, Effect::Read),
                access(target.resource, Usage::CopyDst, Effect::Write),
            ],
            PassKind::Dispatch(dispatch) => {
                let mut all = self.program_accesses(&dispatch.program);
                if let Groups::Indirect { resource, .. } = dispatch.groups {
                    all.push(access(resource, Usage::Indirect, Effect::Read));
                }
                all
            }
            PassKind::Render(render) => self.render_accesses(render, access),
        }
    }

    fn render_accesses(&self, render: &Render, access: impl Fn(ResourceId, Usage, Effect) -> Access) -> Vec<Access> {
        let mut all = Vec::new();
        all.extend(render.color.iter().map(|at| access(at.resource, Usage::ColorAttachment, Effect::Replace)));
        let resolves = render.color.iter().filter_map(|at| at.resolve);
        all.extend(resolves.map(|(resource, _)| access(resource, Usage::ResolveTarget, Effect::Replace)));
        all.extend(render.depth.iter().map(|at| access(at.resource, Usage::DepthAttachment, Effect::Replace)));
        for draw in &render.draws {
            all.extend(self.program_accesses(&draw.program));
            all.extend(draw.vertex_buffers.iter().map(|it| access(it.resource, Usage::Vertex, Effect::Read)));
            all.extend(draw.index_buffer.iter().map(|(id, _)| access(*id, Usage::Index, Effect::Read)));
            if let Call::Indirect { args, count_buffer, .. } = draw.call {
                all.push(access(args, Usage::Indirect, Effect::Read));
                all.extend(count_buffer.map(|(id, _)| access(id, Usage::Indirect, Effect::Read)));
            }
        }
        all
    }

    fn program_accesses(&self, program: &Program) -> Vec<Access> {
        let interface = &self.draft.shaders[program.shader].interface;
        let access = |binding: &Binding| {
            let (resource, previous, part) = match binding.source {
                BindingSource::Buffer { resource, previous } => (resource, previous, WHOLE),
                BindingSource::Texture { resource, previous, part } => (resource, previous, part),
                BindingSource::Sampler(_) | BindingSource::Block(_) => return None,
            };
            let uses = program.entries.iter().flat_map(|entry| &interface.entries[*entry].uses);
            let uses = || uses.clone().filter(|it| it.global == binding.global);
            let (read, write) = (uses().any(|it| it.read), uses().any(|it| it.write));
            let effect = match (read, write) {
                (true, true) => Effect::ReadWrite,
                (false, true) => Effect::Write,
                _ => Effect::Read,
            };
            let usage = match &interface.globals[binding.global].kind {
                GlobalKind::Uniform(_) => Usage::Uniform,
                GlobalKind::Storage { declared_write: true, .. } => Usage::StorageWrite,
                GlobalKind::Storage { .. } => Usage::StorageRead,
                GlobalKind::StorageTexture { .. } => Usage::StorageTexture,
                _ => Usage::Sampled,
            };
            Some(Access { resource, part, previous, usage, effect, span: span(), variable: None })
        };
        program.bindings.iter().filter_map(access).collect()
    }

    /// The graph and a plan that records its passes one after another.
    pub(crate) fn finish(self) -> (Arc<Graph>, Arc<Plan>) {
        let plan = self.plan();
        (Arc::new(Graph::new(self.draft).expect("nothing is poisoned")), Arc::new(plan))
    }

    fn plan(&self) -> Plan {
        let of = |run| self.draft.passes.entries().filter(move |(_, pass)| pass.run == run).map(|(id, _)| id);
        let order: Vec<_> = of(Run::EachFrame).collect();
        let count = self.draft.resources.len();
        let mut placement = IdVec::filled(None, count);
        let mut slots = IdVec::new();
        for residents in &self.slots {
            let sizes = residents.iter().map(|id| match &self.draft.resources[*id].kind {
                ResourceKind::Buffer(buffer) => buffer.size.expect("sizes are known here"),
                _ => 0,
            });
            let size = sizes.max().unwrap_or(0);
            let slot = slots.push(Slot { size, residents: residents.clone() });
            for id in residents {
                placement[*id] = Some(slot);
            }
        }
        let end = order.len() as u32;
        Plan {
            once: of(Run::Once).collect(),
            dead: Vec::new(),
            edges: Vec::new(),
            lifetimes: IdVec::filled(Some(Lifespan { first: 0, last: end }), count),
            placement,
            slots,
            usages: self.draft.resources.ids().map(|id| self.usages(id)).collect(),
            steps: self.steps(&order),
            zeroed: self.zeroed.clone(),
            bytes: Bytes::default(),
            order,
        }
    }

    fn steps(&self, order: &[PassId]) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        for &pass in order {
            match (&self.draft.passes[pass].kind, steps.last_mut()) {
                (PassKind::Dispatch(_), Some(Step::Compute(members))) if self.merge => members.push(pass),
                (PassKind::Dispatch(_), _) => steps.push(Step::Compute(vec![pass])),
                (PassKind::Render(_), _) => steps.push(Step::Render(pass)),
                _ => steps.push(Step::Commands(pass)),
            }
        }
        steps
    }

    fn usages(&self, id: ResourceId) -> Vec<UsageReason> {
        let flag = |usage| match usage {
            Usage::Uniform => UsageFlag::Uniform,
            Usage::StorageRead | Usage::StorageWrite | Usage::StorageTexture => UsageFlag::Storage,
            Usage::Vertex => UsageFlag::Vertex,
            Usage::Index => UsageFlag::Index,
            Usage::Indirect => UsageFlag::Indirect,
            Usage::CopySrc => UsageFlag::CopySrc,
            Usage::CopyDst => UsageFlag::CopyDst,
            Usage::Sampled => UsageFlag::Sampled,
            _ => UsageFlag::Attachment,
        };
        let passes = self.draft.passes.entries();
        let accesses = passes.flat_map(|(pass, it)| it.accesses.iter().map(move |access| (pass, access)));
        let reasons = accesses
            .filter(|(_, access)| access.resource == id)
            .map(|(pass, access)| UsageReason { flag: flag(access.usage), asked_by: Asker::Pass(pass, access.span) });
        reasons.collect()
    }
}

/// A camera at the origin.
pub(crate) fn camera() -> CameraState {
    rondag::graph::camera::Camera::default().state([16, 16])
}

/// WGSL of [`scene`].
pub(crate) const SCENE: [(&str, &str); 3] = [
    (
        "cull.wgsl",
        "struct View { near: f32, count: u32 }
        @group(0) @binding(0) var<uniform> view: View;
        @group(0) @binding(1) var<storage> spheres: array<vec4f>;
        @group(0) @binding(2) var<storage, read_write> flags: array<u32>;
        @compute @workgroup_size(64) fn cull(@builtin(global_invocation_id) id: vec3u) {
            if id.x < view.count { flags[id.x] = u32(spheres[id.x].z > view.near); }
        }",
    ),
    (
        "count.wgsl",
        "@group(0) @binding(0) var<storage> flags: array<u32>;
        @group(0) @binding(1) var<storage, read_write> counts: array<atomic<u32>>;
        @group(0) @binding(2) var<storage, read_write> args: array<array<u32, 5>>;
        @compute @workgroup_size(64) fn count(@builtin(global_invocation_id) id: vec3u) {
            if id.x < arrayLength(&flags) { atomicAdd(&counts[id.x % arrayLength(&counts)], flags[id.x]); }
            if id.x < arrayLength(&args) { args[id.x] = array(3u, 1u, 0u, 0u, 0u); }
        }",
    ),
    (
        "draw.wgsl",
        "struct Draw { batch: u32 }
        @group(0) @binding(0) var<uniform> draw: Draw;
        @group(1) @binding(0) var<storage> counts: array<u32>;
        @vertex fn vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
            let x = f32(counts[draw.batch]) * 0.001 + f32(index & 1);
            return vec4f(x, f32(index >> 1), 0.5, 1.0);
        }
        @fragment fn fragment() -> @location(0) vec4f { return vec4f(1.0); }",
    ),
];

/// One frame of a GPU-driven scene: clear, `dispatches` dispatches, a render pass of `batches` indirect draws in a loop.
pub(crate) fn scene(dispatches: usize, batches: u64) -> (Arc<Graph>, Arc<Plan>) {
    let mut sketch = Sketch::new("scene", &SCENE);
    let spheres = sketch.buffer("spheres", 4 * 256, Lifetime::Persistent);
    let flags = sketch.buffer("flags", 256, Lifetime::Transient);
    let counts = sketch.buffer("counts", batches, Lifetime::Transient);
    let args = sketch.buffer("args", 5 * batches, Lifetime::Transient);
    let indices = sketch.buffer("indices", 3, Lifetime::Persistent);
    let target = sketch.texture("target", wgpu_types::TextureFormat::Rgba8Unorm, [16, 16], Lifetime::Persistent);
    let scalar = |scalar| Type::Scalar(scalar);
    let near = Formula::Camera(rondag::graph::CameraField::Near);
    let count = Formula::Const(rondag::graph::Value::Int(256));
    let fields = [("near", 0, scalar(Scalar::F32), near), ("count", 4, scalar(Scalar::U32), count)];
    let view_block = sketch.block("view", 8, &fields);
    let draw_block = sketch.block("draw", 4, &[("batch", 0, scalar(Scalar::U32), Formula::DrawIndex)]);
    sketch.draft.blocks[draw_block].copies = batches as u32;
    sketch.clear("reset", counts);
    for index in 0..dispatches {
        if index % 2 == 0 {
            let bind =
                [("view", BindingSource::Block(view_block)), ("spheres", whole(spheres)), ("flags", whole(flags))];
            sketch.dispatch(&format!("cull{index}"), "cull.wgsl", [4, 1, 1], &bind);
        } else {
            let bind = [("flags", whole(flags)), ("counts", whole(counts)), ("args", whole(args))];
            sketch.dispatch(&format!("count{index}"), "count.wgsl", [4, 1, 1], &bind);
        }
    }
    let call =
        Call::Indirect { indexed: true, args, offset: 0, count: batches as u32, count_buffer: None, fallback: None };
    let mut draw =
        sketch.draw("draw.wgsl", &[("draw", BindingSource::Block(draw_block)), ("counts", whole(counts))], call);
    draw.index_buffer = Some((indices, wgpu_types::IndexFormat::Uint32));
    let color = vec![color(target, Some([0.0, 0.0, 0.0, 1.0]))];
    sketch.pass("draw", PassKind::Render(Render { color, depth: None, draws: vec![draw] }));
    sketch.draft.outputs = vec![(target, span())];
    sketch.finish()
}
