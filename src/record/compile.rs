//! Graph and plan to script.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use wgpu_types as wgt;

use super::pipeline::Tables;
use super::script::{
    Arguments, BufferCopy, ColorTarget, Command, ComputePipelineId, CountedDraw, DepthTarget, Draw, DrawIndexed,
    FlagId, GroupId, LabelId, RenderPass, RenderPassId, RenderPipelineId, Script, StepInfo, TextureCopy, TimeId,
};
use crate::graph::{
    self, BufferRange, Call, Graph, Groups, Lifetime, Pass, PassId, PassKind, ResourceId, ResourceKind, TextureRegion,
};
use crate::id::Id as _;
use crate::plan::{self, Plan, Step};
use crate::syntax::document::Fallback;

/// The longest list of members in a label.
const NAMED_MEMBERS: usize = 6;

/// What a script may ask of its device, and what it is to carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Features of the device: filterable formats, counted draws.
    pub features: wgt::Features,
    /// The passes of a merged compute pass, and commands between passes, become debug groups.
    pub labels: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { features: wgt::Features::empty(), labels: true }
    }
}

/// Why a graph has no script yet.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its documentation")]
pub enum CompileError {
    #[error("pass `{pass}` depends on a size that only the host can say")]
    UnknownSize { pass: String },
    #[error("texture `{resource}` has no format: the host has to say it")]
    UnknownFormat { resource: String },
    #[error("pass `{pass}` draws as many records as a buffer says, which this device cannot, and has no `fallback`")]
    Counted { pass: String },
    #[error("variable `{variable}` of `{shader}` is {kind}, which rondag does not bind")]
    Unsupported { shader: String, variable: String, kind: String },
}

/// Compiles a frame. What is not in the plan is not in the script.
///
/// # Errors
/// [`CompileError`]: facts that only a host or a device brings.
pub fn compile(graph: &Graph, plan: &Plan, options: Options) -> Result<Script, CompileError> {
    let mut compiler = Compiler::new(graph, plan, options);
    compiler.frame()?;
    compiler.once()?;
    Ok(compiler.finish())
}

/// What is set in the open pass, as far as it is the same on every path.
#[derive(Clone, Default)]
struct Bound {
    compute: Option<ComputePipelineId>,
    render: Option<RenderPipelineId>,
    groups: BTreeMap<u32, GroupId>,
    vertex: BTreeMap<u32, ResourceId>,
    index: Option<(ResourceId, wgt::IndexFormat)>,
}

impl Bound {
    /// Keeps what is the same in both.
    fn meet(&mut self, other: &Self) {
        self.compute = self.compute.filter(|it| other.compute == Some(*it));
        self.render = self.render.filter(|it| other.render == Some(*it));
        self.groups.retain(|slot, group| other.groups.get(slot) == Some(group));
        self.vertex.retain(|slot, buffer| other.vertex.get(slot) == Some(buffer));
        self.index = self.index.filter(|it| other.index == Some(*it));
    }
}

struct Compiler<'a> {
    graph: &'a Graph,
    plan: &'a Plan,
    options: Options,
    tables: Tables<'a>,
    /// Transients to zero before the step of a pass, or at the start of the frame.
    zeroed: BTreeMap<Option<PassId>, Vec<ResourceId>>,
    script: Script,
    out: Vec<Command>,
    bound: Bound,
}

impl<'a> Compiler<'a> {
    fn new(graph: &'a Graph, plan: &'a Plan, options: Options) -> Self {
        let mut zeroed: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (resource, pass) in &plan.zeroed {
            zeroed.entry(*pass).or_default().push(*resource);
        }
        let tables = Tables::new(graph, options.features);
        let (script, out, bound) = Default::default();
        Self { graph, plan, options, tables, zeroed, script, out, bound }
    }

    fn finish(self) -> Script {
        self.tables.finish(self.script)
    }

    fn frame(&mut self) -> Result<(), CompileError> {
        let plan = self.plan;
        self.zero(None);
        for step in &plan.steps {
            self.step(step)?;
        }
        self.script.frame = std::mem::take(&mut self.out);
        Ok(())
    }

    fn step(&mut self, step: &Step) -> Result<(), CompileError> {
        let members: &[PassId] = match step {
            Step::Commands(pass) | Step::Render(pass) => std::slice::from_ref(pass),
            Step::Compute(passes) => passes,
        };
        let start = self.out.len();
        for pass in members {
            self.zero(Some(*pass));
        }
        let label = self.step_label(members);
        let flag = if let [pass] = members { self.flag(*pass) } else { None };
        let skip = flag.map(|flag| self.skip(flag));
        let timed = !matches!(step, Step::Commands(_));
        let time = timed.then(|| self.script.times.push(self.script.steps.len()));
        match step {
            Step::Commands(pass) => self.commands(*pass)?,
            Step::Compute(passes) => self.compute(passes, label, time)?,
            Step::Render(pass) => self.render(*pass, label, time)?,
        }
        self.land(skip);
        let commands = start..self.out.len();
        self.script.steps.push(StepInfo { label, members: members.to_vec(), commands, time, flag });
        Ok(())
    }

    /// `Once` passes, each behind a flag of its own; a History that one writes is copied to its other half.
    fn once(&mut self) -> Result<(), CompileError> {
        let plan = self.plan;
        for (index, &id) in plan.once.iter().enumerate() {
            let pass = self.pass(id);
            if pass.empty {
                continue;
            }
            let skip = Some(self.skip(FlagId::from_index(index)));
            self.zero(Some(id));
            let label = self.step_label(&[id]);
            match &pass.kind {
                PassKind::Dispatch(_) => self.compute(&[id], label, None)?,
                PassKind::Render(_) => self.render(id, label, None)?,
                _ => self.commands(id)?,
            }
            self.fill_other_halves(pass)?;
            self.land(skip);
        }
        self.script.once = std::mem::take(&mut self.out);
        Ok(())
    }

    fn fill_other_halves(&mut self, pass: &Pass) -> Result<(), CompileError> {
        let written = pass.accesses.iter().filter(|a| a.effect.writes()).map(|a| a.resource);
        let written: std::collections::BTreeSet<_> = written.collect();
        for id in written {
            let resource = &self.graph.resources[id];
            if resource.lifetime != Lifetime::History {
                continue;
            }
            let unknown = || CompileError::UnknownSize { pass: pass.name.to_string() };
            match &resource.kind {
                ResourceKind::Buffer(buffer) => {
                    let source = BufferRange { resource: id, previous: false, offset: 0 };
                    let target = BufferRange { previous: true, ..source };
                    self.copy_buffer(BufferCopy { source, target, size: buffer.size.ok_or_else(unknown)? });
                }
                ResourceKind::Texture(texture) => {
                    let [width, height] = texture.size.ok_or_else(unknown)?;
                    for mip in 0..texture.mips {
                        let size = [(width >> mip).max(1), (height >> mip).max(1)];
                        let source = TextureRegion { resource: id, previous: false, mip, layer: 0, origin: [0; 2] };
                        let target = TextureRegion { previous: true, ..source };
                        self.copy_texture(TextureCopy { source, target, size, layers: texture.layers });
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn pass(&self, id: PassId) -> &'a Pass {
        let graph: &'a Graph = self.graph;
        &graph.passes[id]
    }

    /// `graph/cull + scan + args`.
    fn step_label(&mut self, members: &[PassId]) -> LabelId {
        let names: Vec<_> = members.iter().take(NAMED_MEMBERS).map(|id| self.graph.passes[*id].name.as_str()).collect();
        let mut label = format!("{}/{}", self.graph.name, names.join(" + "));
        if members.len() > NAMED_MEMBERS {
            let rest = members.len() - NAMED_MEMBERS;
            write!(label, " + {rest} more").expect("a String takes all that is written");
        }
        self.tables.label(label)
    }

    /// The flag of a conditional pass; conditions are asked in the order in which they are met.
    fn flag(&mut self, id: PassId) -> Option<FlagId> {
        self.pass(id).condition.as_ref().map(|_| self.script.conditions.push(id))
    }

    fn skip(&mut self, flag: FlagId) -> usize {
        self.out.push(Command::SkipUnless { flag, to: 0 });
        self.out.len() - 1
    }

    /// Lets a skip end here.
    fn land(&mut self, skip: Option<usize>) {
        let here = self.out.len() as u32;
        if let Some(Command::SkipUnless { to, .. }) = skip.and_then(|at| self.out.get_mut(at)) {
            *to = here;
        }
    }

    fn zero(&mut self, pass: Option<PassId>) {
        for resource in self.zeroed.get(&pass).into_iter().flatten().copied() {
            self.out.push(match self.graph.resources[resource].kind {
                ResourceKind::Texture(_) => Command::ClearTexture(resource),
                _ => Command::ClearBuffer { resource, offset: 0, size: None },
            });
        }
    }

    fn commands(&mut self, id: PassId) -> Result<(), CompileError> {
        let pass = self.pass(id);
        let unknown = || CompileError::UnknownSize { pass: pass.name.to_string() };
        self.labelled(id, self.options.labels, |this| {
            match pass.kind {
                PassKind::ClearBuffer { target, offset, size } => {
                    this.out.push(Command::ClearBuffer { resource: target, offset, size });
                }
                PassKind::CopyBuffer { source, target, size } => {
                    this.copy_buffer(BufferCopy { source, target, size: size.ok_or_else(unknown)? });
                }
                PassKind::CopyTexture { source, target, size, layers } => {
                    this.copy_texture(TextureCopy { source, target, size: size.ok_or_else(unknown)?, layers });
                }
                PassKind::Dispatch(_) | PassKind::Render(_) => unreachable!("steps of commands are clears and copies"),
            }
            Ok(())
        })
    }

    fn copy_buffer(&mut self, copy: BufferCopy) {
        let copy = self.script.buffer_copies.push(copy);
        self.out.push(Command::CopyBuffer(copy));
    }

    fn copy_texture(&mut self, copy: TextureCopy) {
        let copy = self.script.texture_copies.push(copy);
        self.out.push(Command::CopyTexture(copy));
    }

    fn labelled(
        &mut self,
        pass: PassId,
        wanted: bool,
        body: impl FnOnce(&mut Self) -> Result<(), CompileError>,
    ) -> Result<(), CompileError> {
        if !wanted {
            return body(self);
        }
        let label = self.step_label(&[pass]);
        self.out.push(Command::PushLabel(label));
        body(self)?;
        self.out.push(Command::PopLabel);
        Ok(())
    }

    fn compute(&mut self, passes: &[PassId], label: LabelId, time: Option<TimeId>) -> Result<(), CompileError> {
        self.bound = Bound::default();
        self.out.push(Command::BeginCompute { label, time });
        let several = passes.len() > 1;
        for &id in passes {
            let flag = if several { self.flag(id) } else { None };
            let before = flag.map(|_| self.bound.clone());
            let skip = flag.map(|flag| self.skip(flag));
            self.labelled(id, several && self.options.labels, |this| this.dispatch(id))?;
            self.land(skip);
            if let Some(before) = before {
                self.bound.meet(&before);
            }
        }
        self.out.push(Command::EndCompute);
        Ok(())
    }

    fn dispatch(&mut self, id: PassId) -> Result<(), CompileError> {
        let pass = self.pass(id);
        let PassKind::Dispatch(dispatch) = &pass.kind else { unreachable!("a compute step holds dispatches") };
        let label = self.step_label(&[id]);
        let (pipeline, groups) = self.tables.compute_program(&dispatch.program, label)?;
        if self.bound.compute.replace(pipeline) != Some(pipeline) {
            self.out.push(Command::ComputePipeline(pipeline));
        }
        self.bind(&groups);
        self.out.push(match dispatch.groups {
            Groups::Fixed(groups) => Command::Dispatch(groups),
            Groups::Indirect { resource, offset } => Command::DispatchIndirect { args: resource, offset },
            Groups::Unknown => return Err(CompileError::UnknownSize { pass: pass.name.to_string() }),
        });
        Ok(())
    }

    fn bind(&mut self, groups: &[(u32, GroupId)]) {
        for &(slot, group) in groups {
            if self.bound.groups.insert(slot, group) != Some(group) {
                self.out.push(Command::BindGroup { slot, group });
            }
        }
    }

    fn render(&mut self, id: PassId, label: LabelId, time: Option<TimeId>) -> Result<(), CompileError> {
        let pass = self.pass(id);
        let PassKind::Render(render) = &pass.kind else { unreachable!("a render step holds a render pass") };
        self.bound = Bound::default();
        let attachments = self.attachments(id, render, label, time);
        self.out.push(Command::BeginRender(attachments));
        for draw in &render.draws {
            self.draw(pass, render, draw, label)?;
        }
        self.out.push(Command::EndRender);
        Ok(())
    }

    fn attachments(
        &mut self,
        id: PassId,
        render: &graph::Render,
        label: LabelId,
        time: Option<TimeId>,
    ) -> RenderPassId {
        let clears = plan::clears(self.graph, self.plan, id);
        let color = render.color.iter().zip(clears.color).map(|(at, clear)| ColorTarget {
            view: self.tables.attachment(at.resource, at.part),
            clear,
            resolve: at.resolve.map(|(resource, part)| self.tables.attachment(resource, part)),
        });
        let color = color.collect();
        let depth = render.depth.as_ref().map(|at| {
            let view = self.tables.attachment(at.resource, at.part);
            DepthTarget { view, clear: clears.depth, read_only: at.read_only && clears.depth.is_none() }
        });
        self.script.render_passes.push(RenderPass { label, time, color, depth })
    }

    fn draw(
        &mut self,
        pass: &Pass,
        render: &graph::Render,
        draw: &graph::Draw,
        label: LabelId,
    ) -> Result<(), CompileError> {
        let (pipeline, groups) = self.tables.render_program(render, draw, label)?;
        if self.bound.render.replace(pipeline) != Some(pipeline) {
            self.out.push(Command::RenderPipeline(pipeline));
        }
        for (slot, buffer) in draw.vertex_buffers.iter().enumerate() {
            let (slot, resource) = (slot as u32, buffer.resource);
            if self.bound.vertex.insert(slot, resource) != Some(resource) {
                self.out.push(Command::VertexBuffer { slot, resource });
            }
        }
        if let Some((resource, format)) = draw.index_buffer
            && self.bound.index.replace((resource, format)) != Some((resource, format))
        {
            self.out.push(Command::IndexBuffer { resource, format });
        }
        self.call(pass, draw.call, &groups)
    }

    fn call(&mut self, pass: &Pass, call: Call, groups: &[(u32, GroupId)]) -> Result<(), CompileError> {
        let unknown = || CompileError::UnknownSize { pass: pass.name.to_string() };
        match call {
            Call::Draw { vertices, instances, first_vertex, first_instance } => {
                let (vertices, instances) = vertices.zip(instances).ok_or_else(unknown)?;
                self.bind(groups);
                self.out.push(Command::Draw(Draw { vertices, instances, first_vertex, first_instance }));
            }
            Call::DrawIndexed { indices, instances, first_index, base_vertex, first_instance } => {
                let (indices, instances) = indices.zip(instances).ok_or_else(unknown)?;
                self.bind(groups);
                let draw = DrawIndexed { indices, instances, first_index, base_vertex, first_instance };
                self.out.push(Command::DrawIndexed(draw));
            }
            Call::Indirect { indexed, args, offset, count, count_buffer, fallback } => {
                let args = Arguments { indexed, resource: args, offset };
                self.indirect(pass, args, count, count_buffer, fallback, groups)?;
            }
        }
        Ok(())
    }

    fn indirect(
        &mut self,
        pass: &Pass,
        args: Arguments,
        count: u32,
        counter: Option<(ResourceId, u64)>,
        fallback: Option<Fallback>,
        groups: &[(u32, GroupId)],
    ) -> Result<(), CompileError> {
        let (each, all): (Vec<_>, Vec<_>) = groups.iter().partition(|(_, group)| self.tables.is_dynamic(*group));
        let counter = match counter {
            Some(at) if each.is_empty() && self.options.features.contains(wgt::Features::MULTI_DRAW_INDIRECT_COUNT) => {
                Some(at)
            }
            Some(_) => match fallback {
                Some(Fallback::Loop) => None,
                Some(Fallback::Skip) => return Ok(()),
                Some(Fallback::Error) | None => return Err(CompileError::Counted { pass: pass.name.to_string() }),
            },
            None => None,
        };
        self.bind(&all);
        if count == 0 {
            return Ok(());
        }
        if let Some(counter) = counter {
            let draw = self.script.counted_draws.push(CountedDraw { args, count, counter });
            self.out.push(Command::DrawCounted(draw));
        } else if each.is_empty() {
            self.out.push(Command::DrawIndirect { args, count });
        } else {
            let first = self.script.rebinds.len() as u32;
            self.script.rebinds.extend(&each);
            for (slot, _) in &each {
                self.bound.groups.remove(slot);
            }
            self.out.push(Command::DrawEach { args, count, rebind: (first, first + each.len() as u32) });
        }
        Ok(())
    }
}
