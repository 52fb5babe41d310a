//! One graph on one device.

use std::sync::Arc;

use super::build::{self, Bindings, Pipelines};
use super::device::Gpu;
use super::error::Error;
use super::memory::Memory;
use super::once::Once;
use super::port;
use super::state::{Heritage, Past};
use super::store::Store;
use super::target::{MAX_COLOR, MadeGroup, Parts, Recorder};
use super::timing::{Times, Timing};
use super::warm::{self, WarmUp};
use crate::graph::camera::CameraState;
use crate::graph::{Graph, Lifetime, ParamId, ResourceId, Value};
use crate::id::{Id as _, IdVec};
use crate::plan::Plan;
use crate::record::{self, Bound, Inputs, Script, UniformError, UniformLayout, Uniforms, walk};

/// How a program is made.
#[derive(Debug, Clone, Copy)]
#[allow(clippy::struct_excessive_bools, reason = "one a choice, and they do not exclude each other")]
pub struct ProgramOptions<'a> {
    /// Bytes that all of it may take.
    pub max_memory: u64,
    /// Ports get memory of their own instead of waiting for the host's.
    pub own_ports: bool,
    /// Members of merged passes become debug groups.
    pub labels: bool,
    /// Recorded passes are timed, where the device can.
    pub timing: bool,
    /// Shaders are made without wgpu's checks of indices, loops and divisors: only for those that one vouches for.
    pub trusted: bool,
    /// Indirect draws with values of their own become one call, where the device can.
    pub join: bool,
    /// What makes hidden dependences show.
    pub trial: Trial,
    /// What the program left whose place it will take: memory of the same description is shared with it, and so are pipelines
    /// of the same texts and state. It has to be of the same device.
    pub from: Option<&'a Past>,
}

impl Default for ProgramOptions<'_> {
    fn default() -> Self {
        Self {
            max_memory: 4 << 30,
            own_ports: false,
            labels: true,
            timing: true,
            trusted: false,
            join: true,
            trial: Trial::default(),
            from: None,
        }
    }
}

/// What makes hidden dependences of a graph show; none of it changes what a sound graph draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Trial {
    /// All memory can be filled before a frame and read after each step.
    pub observed: bool,
    /// Workgroups run from the last to the first, as far as that is how the device takes them.
    pub reversed: bool,
    /// Workgroup memory is not zeroed where the device allows that.
    pub dirty: bool,
}

/// What changes from frame to frame.
#[derive(Debug, Clone, Copy)]
pub struct Frame {
    /// From 0; goes on over reloads.
    pub index: u64,
    /// Seconds.
    pub time: f64,
    /// Seconds since the frame before.
    pub delta: f64,
    /// The camera.
    pub camera: CameraState,
}

/// A graph made real: memory, pipelines, bind groups, and the walk of its script.
///
/// # Invariants
/// - One submit between two [`record`](Self::record)s: uniforms have one place and are written before the submit.
/// - After the first frame nothing is made until a port is bound anew.
pub struct Program {
    pub(super) gpu: Gpu,
    pub(super) graph: Arc<Graph>,
    pub(super) plan: Arc<Plan>,
    pub(super) parts: Parts,
    pub(super) memory: Memory,
    heritage: Heritage,
    uniforms: Uniforms,
    uniform_buffer: Option<wgpu::Buffer>,
    now: Inputs,
    before: Inputs,
    flags: Vec<bool>,
    pub(super) once: Once,
    /// Ports that the script uses.
    pub(super) ports: Vec<ResourceId>,
    timing: Option<Timing>,
    pub(super) parity: usize,
    /// Frames recorded, by this program and those before it.
    pub(super) frames: u64,
    /// Its first frame has been waited for.
    pub(super) ran: bool,
    /// What is left to warm up, the next one last.
    pub(super) warm_ups: Vec<WarmUp>,
}

impl std::fmt::Debug for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Program").field("graph", &self.graph.name).field("frames", &self.frames).finish_non_exhaustive()
    }
}

impl Program {
    /// Makes everything that frames need; nothing if one part of it cannot be had.
    ///
    /// # Errors
    /// Sizes above a limit or `max_memory` are refused before anything is made; later faults are wgpu's, each with the
    /// pass or resource it is about.
    pub fn new(gpu: &Gpu, graph: Arc<Graph>, plan: Arc<Plan>, options: ProgramOptions<'_>) -> Result<Self, Error> {
        let (mut features, limits) = (gpu.device.features(), gpu.device.limits());
        features.set(
            wgpu::Features::SHADER_DRAW_INDEX,
            features.contains(wgpu::Features::SHADER_DRAW_INDEX) && options.join,
        );
        let script = record::compile(&graph, &plan, record::Options { features, labels: options.labels })?;
        check_attachments(&script, limits.max_color_attachments)?;
        let mut memory = Memory::plan(&graph, &plan, features, options.own_ports)?;
        if options.trial.observed {
            memory.observe();
        }
        let alignment = limits.min_uniform_buffer_offset_alignment.max(limits.min_storage_buffer_offset_alignment);
        let layout = UniformLayout::new(&graph.blocks, alignment);
        memory.check(&graph, &limits, layout.size, options.max_memory)?;
        let heritage = Heritage::of(&graph, &memory, options.from);
        let store = Store::make(gpu, &graph, &memory, &heritage.kept)?;
        let known = options.from.map(|past| &past.known).filter(|_| options.trial == Trial::default());
        let pipelines = Pipelines::make(gpu, &graph, &script, &layout, (options.trusted, options.trial), known)?;
        let uniforms = Uniforms::new(layout);
        let uniform_buffer = uniform_buffer(gpu, &graph, uniforms.layout().size)?;
        let inputs = first_inputs(&graph);
        let parts = Parts {
            views: IdVec::filled([const { None }; 2], script.views.len()),
            groups: dynamic_groups(&graph, &script, uniforms.layout()),
            clears_textures: features.contains(wgpu::Features::CLEAR_TEXTURE),
            pipelines,
            store,
            script,
        };
        let timing = if options.timing { Timing::new(gpu, &parts.script)? } else { None };
        let mut program = Self {
            flags: vec![false; parts.script.conditions.len()],
            once: Once::new(&graph, &plan, &uniforms),
            warm_ups: warm::list(&parts.script, &parts.pipelines),
            ports: port::used(&parts.script, &memory),
            now: inputs.clone(),
            before: inputs,
            gpu: gpu.clone(),
            graph,
            plan,
            parts,
            memory,
            heritage,
            uniforms,
            uniform_buffer,
            timing,
            parity: 0,
            frames: 0,
            ran: false,
        };
        program.view_all(None)?;
        program.group_all(None)?;
        gpu.check()?;
        Ok(program)
    }

    /// Pipelines that were taken over from the program before, and all there are.
    pub fn taken_over(&self) -> (usize, usize) {
        let Pipelines { known_compute, known_render, .. } = &self.parts.pipelines;
        let known = known_compute.iter().chain(known_render).filter(|known| **known).count();
        (known, known_compute.len() + known_render.len())
    }

    /// The graph.
    pub fn graph(&self) -> &Arc<Graph> {
        &self.graph
    }

    /// Its plan.
    pub fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// What is walked.
    pub const fn script(&self) -> &Script {
        &self.parts.script
    }

    /// The device.
    pub const fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    pub(super) const fn store(&self) -> &Store {
        &self.parts.store
    }

    /// The resource of a name: `list`, `compact/prefix`.
    pub fn find(&self, name: &str) -> Option<ResourceId> {
        self.graph.resources.entries().find(|(_, resource)| resource.name == name).map(|(id, _)| id)
    }

    /// The buffer that a resource had in the last recorded frame, and its declared bytes.
    pub fn buffer(&self, id: ResourceId) -> Option<(&wgpu::Buffer, u64)> {
        let buffer = &self.parts.store.buffers[id].as_ref()?[self.parity];
        let declared = self.parts.store.sizes[id];
        Some((buffer, if declared == 0 { buffer.size() } else { declared }))
    }

    /// The texture that a resource had in the last recorded frame.
    pub fn texture(&self, id: ResourceId) -> Option<&wgpu::Texture> {
        Some(&self.parts.store.textures[id].as_ref()?[self.parity])
    }

    /// Sets a param. Whether the program can follow: a structural param needs another plan.
    pub fn set(&mut self, param: ParamId, value: Value) -> bool {
        if self.graph.params[param].structural {
            return self.now.params[param.index()] == value;
        }
        self.now.params[param.index()] = value;
        self.uniforms.touch();
        self.once.doubt();
        true
    }

    /// Makes all views, or those of one resource.
    pub(super) fn view_all(&mut self, only: Option<ResourceId>) -> Result<(), Error> {
        for (id, view) in self.parts.script.views.entries() {
            if only.is_some_and(|only| only != view.resource) {
                continue;
            }
            let make = |parity| build::view(&self.gpu, &self.graph, &self.parts.store, view, parity);
            let even = make(0)?;
            let odd = if self.is_history(view.resource) { make(1)? } else { even.clone() };
            self.parts.views[id] = [even, odd];
        }
        Ok(())
    }

    /// Makes all bind groups, or those in which one resource is.
    pub(super) fn group_all(&mut self, only: Option<ResourceId>) -> Result<(), Error> {
        let bindings = Bindings {
            gpu: &self.gpu,
            script: &self.parts.script,
            graph: &self.graph,
            pipelines: &self.parts.pipelines,
            store: &self.parts.store,
            views: &self.parts.views,
            uniform: self.uniform_buffer.as_ref(),
            uniform_layout: self.uniforms.layout(),
        };
        let resource = |bound: &Bound| match *bound {
            Bound::Buffer { resource, .. } => Some(resource),
            Bound::View(view) => Some(self.parts.script.views[view].resource),
            Bound::Sampler(_) | Bound::Block(_) | Bound::Blocks(_) => None,
        };
        for (id, group) in self.parts.script.groups.entries() {
            let resources = || group.entries.iter().filter_map(|(_, bound)| resource(bound));
            if only.is_some_and(|only| resources().all(|resource| resource != only)) {
                continue;
            }
            let even = bindings.group(id, 0)?;
            let odd = if resources().any(|id| self.is_history(id)) { bindings.group(id, 1)? } else { even.clone() };
            self.parts.groups[id].halves = [even, odd];
        }
        Ok(())
    }

    fn is_history(&self, id: ResourceId) -> bool {
        self.graph.resources[id].lifetime == Lifetime::History
    }

    /// Records a frame: `Once` passes that are due, then the plan's. Uniforms are written to the queue at once, so submit
    /// the encoder before the next frame is recorded. Unless something is due or faulty nothing is allocated here.
    ///
    /// A surface of no texels skips the frame: nothing is recorded and no content ages.
    ///
    /// # Errors
    /// A port without a resource, a value that does not fit. Nothing is recorded then.
    pub fn record(&mut self, encoder: &mut wgpu::CommandEncoder, frame: &Frame) -> Result<(), Error> {
        if self.graph.surface.contains(&0) {
            return Ok(());
        }
        self.prepare(frame)?;
        self.record_once(encoder);
        self.record_range(encoder, 0..self.parts.script.frame.len());
        self.finish(encoder, frame);
        Ok(())
    }

    /// Values, flags and parity of a frame.
    pub(super) fn prepare(&mut self, frame: &Frame) -> Result<(), Error> {
        self.check_ports()?;
        self.evaluate(frame)?;
        if self.frames > 0 {
            self.parity ^= 1;
        }
        let bytes = self.uniforms.take();
        if let Some(buffer) = self.uniform_buffer.as_ref().filter(|_| !bytes.is_empty()) {
            self.gpu.queue.write_buffer(buffer, 0, bytes);
        }
        Ok(())
    }

    pub(super) fn record_once(&mut self, encoder: &mut wgpu::CommandEncoder) {
        let Self { parts, once, uniforms, parity, .. } = self;
        if let Some(due) = once.due(uniforms) {
            let commands = &parts.script.once;
            let mut recorder = Recorder::new(parts, encoder, None, *parity);
            walk(&parts.script, commands, 0..commands.len(), due, &mut recorder);
            once.done(uniforms);
        }
    }

    pub(super) fn record_range(&mut self, encoder: &mut wgpu::CommandEncoder, range: std::ops::Range<usize>) {
        let Self { parts, parity, flags, timing, .. } = self;
        let stamps = timing.as_ref().map(Timing::stamps);
        let mut recorder = Recorder::new(parts, encoder, stamps, *parity);
        walk(&parts.script, &parts.script.frame, range, flags, &mut recorder);
    }

    /// Behind the last command of a frame.
    pub(super) fn finish(&mut self, encoder: &mut wgpu::CommandEncoder, frame: &Frame) {
        let Self { parts, flags, timing, .. } = self;
        if let Some(timing) = timing {
            let steps = parts.script.times.iter().map(|step| parts.script.steps[*step].flag);
            timing.resolve(encoder, frame.index, steps.map(|flag| flag.is_none_or(|flag| flags[flag.index()])));
        }
        self.advance();
    }

    /// The encoder of the last frame was submitted: what it measured may come back.
    pub fn submitted(&mut self) {
        if let Some(timing) = &mut self.timing {
            timing.submitted();
        }
    }

    /// The newest GPU times that have arrived; none where the device cannot time. Poll the device before.
    pub fn times(&mut self) -> Option<&Times> {
        self.timing.as_mut()?.latest()
    }

    fn evaluate(&mut self, frame: &Frame) -> Result<(), UniformError> {
        let Frame { index, time, delta, camera } = *frame;
        (self.now.index, self.now.time, self.now.delta, self.now.camera) = (index, time, delta, camera);
        if self.frames == 0 {
            self.before.copy_from(&self.now);
        }
        self.uniforms.fill(&self.graph.blocks, &self.now, &self.before)?;
        let inputs = self.now.record(0);
        for (pass, flag) in self.parts.script.conditions.iter().zip(&mut self.flags) {
            let pass = &self.graph.passes[*pass];
            let fault =
                |why| UniformError { block: pass.name.to_string(), field: "when".to_owned(), why, span: pass.span };
            let condition = pass.condition.as_ref().expect("only conditional passes have a flag");
            *flag = match condition.eval(&inputs).map_err(|why| fault(why.to_string()))? {
                Value::Bool(it) => it,
                _ => return Err(fault("it is neither true nor false".to_owned())),
            };
        }
        Ok(())
    }

    fn advance(&mut self) {
        self.before.copy_from(&self.now);
        self.frames += 1;
        for (age, resource) in self.now.ages.iter_mut().zip(&self.graph.resources) {
            if resource.lifetime != Lifetime::Transient {
                *age += 1;
            }
        }
    }

    /// Takes the place of `old` at a frame boundary: parity, ages, inputs of the frame before, and by recorded copies the
    /// contents that could not be shared. `old` is the program whose [`past`](Self::past) was given as `from`.
    pub fn succeed(&mut self, old: &Self, encoder: &mut wgpu::CommandEncoder) {
        (self.parity, self.frames) = (old.parity, old.frames);
        self.heritage.copy(encoder, old, self);
        for (new, before) in &self.heritage.alive {
            self.now.ages[new.index()] = old.now.ages[before.index()];
            self.before.ages[new.index()] = old.before.ages[before.index()];
        }
        let Inputs { camera, index, time, delta, surface, .. } = old.before;
        (self.before.camera, self.before.index, self.before.time) = (camera, index, time);
        (self.before.delta, self.before.surface) = (delta, surface);
        for (id, param) in self.graph.params.entries() {
            let mut known = old.graph.params.entries();
            if let Some((before, _)) = known.find(|(_, it)| it.name == param.name && it.kind == param.kind) {
                self.before.params[id.index()] = old.before.params[before.index()];
            }
        }
        let Self { once, heritage, .. } = self;
        once.succeed(&old.once, |id| !heritage.alive.contains_key(&id));
    }

    /// Goes on after `failed`, which had taken its place and shares its memory: the halves of each History stand as that one
    /// left them.
    pub fn resume(&mut self, failed: &Self) {
        let missed = failed.frames.saturating_sub(self.frames);
        (self.parity, self.frames) = (failed.parity, failed.frames);
        for age in self.now.ages.iter_mut().chain(&mut self.before.ages).filter(|age| **age > 0) {
            *age += missed;
        }
    }
}

fn first_inputs(graph: &Graph) -> Inputs {
    Inputs {
        params: graph.params.iter().map(|param| param.value).collect(),
        ages: vec![0; graph.resources.len()],
        camera: graph.camera.state(graph.surface),
        index: 0,
        time: 0.0,
        delta: 0.0,
        surface: graph.surface,
    }
}

fn check_attachments(script: &Script, limit: u32) -> Result<(), Error> {
    let limit = u64::from(limit).min(MAX_COLOR as u64);
    match script.render_passes.iter().find(|pass| pass.color.len() as u64 > limit) {
        Some(pass) => Err(Error::Limit {
            what: format!("pass `{}`", script.labels[pass.label]),
            asked: pass.color.len() as u64,
            name: "max_color_attachments",
            limit,
        }),
        None => Ok(()),
    }
}

fn uniform_buffer(gpu: &Gpu, graph: &Graph, size: u64) -> Result<Option<wgpu::Buffer>, Error> {
    if size == 0 {
        return Ok(None);
    }
    let label = format!("{}/uniforms", graph.name);
    let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
    let descriptor = wgpu::BufferDescriptor { label: Some(&label), size, usage, mapped_at_creation: false };
    gpu.scope(|| format!("buffer `{label}`"), || gpu.device.create_buffer(&descriptor)).map(Some)
}

/// Groups without handles: for each record one offset a block of several copies.
fn dynamic_groups(graph: &Graph, script: &Script, layout: &UniformLayout) -> IdVec<record::GroupId, MadeGroup> {
    let made = |group: &record::Group| {
        let records = group.dynamic.iter().map(|block| graph.blocks[*block].copies).max().unwrap_or(0);
        let at = |record: u32| {
            let copy = move |block: &crate::graph::BlockId| record.min(graph.blocks[*block].copies - 1);
            group.dynamic.iter().map(move |block| (u64::from(copy(block)) * layout.strides[*block]) as u32)
        };
        MadeGroup { halves: [None, None], count: group.dynamic.len(), offsets: (0..records).flat_map(at).collect() }
    };
    script.groups.iter().map(made).collect()
}
