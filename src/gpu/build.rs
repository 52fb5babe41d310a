//! From the tables of a script to wgpu's objects.

use std::borrow::Cow;
use std::num::NonZeroU64;

use super::device::Gpu;
use super::error::Error;
use super::known::{Keys, Known};
use super::permute::reversed;
use super::program::Trial;
use super::store::Store;
use super::trusted;
use crate::graph::{Graph, ResourceKind, ShaderId};
use crate::id::IdVec;
use crate::record::{
    Bound, ComputePipelineId, Group, GroupId, LayoutId, RenderPipelineId, SamplerId, Script, Stage, UniformLayout,
    View, ViewId,
};
use crate::shader::{Joined, by_draw_index};
use crate::syntax::document::{Address, Filter, SamplerDecl};

/// What does not depend on memory.
#[derive(Debug)]
pub(super) struct Pipelines {
    pub(super) layouts: IdVec<LayoutId, wgpu::BindGroupLayout>,
    pub(super) compute: IdVec<ComputePipelineId, wgpu::ComputePipeline>,
    pub(super) render: IdVec<RenderPipelineId, wgpu::RenderPipeline>,
    pub(super) samplers: IdVec<SamplerId, wgpu::Sampler>,
    keys: Keys,
    /// Those that the program before had made already.
    pub(super) known_compute: IdVec<ComputePipelineId, bool>,
    pub(super) known_render: IdVec<RenderPipelineId, bool>,
}

impl Pipelines {
    /// Makes all pipelines that are not known; `unchecked` ones without wgpu's run-time checks.
    ///
    /// # Errors
    /// [`Error::Refused`], naming the shader or the pass.
    pub(super) fn make(
        gpu: &Gpu,
        graph: &Graph,
        script: &Script,
        uniforms: &UniformLayout,
        (unchecked, trial): (bool, Trial),
        known: Option<&Known>,
    ) -> Result<Self, Error> {
        let layouts = script.layouts.iter().map(|entries| {
            let descriptor = wgpu::BindGroupLayoutDescriptor { label: Some(&graph.name), entries };
            gpu.scope(|| "a bind group layout".to_owned(), || gpu.device.create_bind_group_layout(&descriptor))
        });
        let layouts: IdVec<LayoutId, _> = layouts.collect::<Result<_, _>>()?;
        let keys = Keys::of(graph, script, uniforms, unchecked);
        let old_compute: IdVec<ComputePipelineId, _> =
            keys.compute.iter().map(|key| known.and_then(|known| known.compute.get(key)).cloned()).collect();
        let old_render: IdVec<RenderPipelineId, _> =
            keys.render.iter().map(|key| known.and_then(|known| known.render.get(key)).cloned()).collect();
        let known_compute: IdVec<_, _> = old_compute.iter().map(Option::is_some).collect();
        let known_render: IdVec<_, _> = old_render.iter().map(Option::is_some).collect();
        let modules = modules(gpu, graph, script, (unchecked, trial), (&known_compute, &known_render))?;
        let maker = Maker { gpu, graph, script, modules, layouts: &layouts, uniforms, unchecked, dirty: trial.dirty };
        let compute = old_compute.entries().map(|(id, old)| old.clone().map_or_else(|| maker.compute(id), Ok));
        let compute = compute.collect::<Result<_, _>>()?;
        let render = old_render.entries().map(|(id, old)| old.clone().map_or_else(|| maker.render(id), Ok));
        let render = render.collect::<Result<_, _>>()?;
        let samplers = script.samplers.iter().map(|decl| sampler(gpu, *decl)).collect::<Result<_, _>>()?;
        Ok(Self { layouts, compute, render, samplers, keys, known_compute, known_render })
    }

    /// All of them, for the program that takes this one's place.
    pub(super) fn known(&self) -> Known {
        let compute = self.keys.compute.iter().cloned().zip(self.compute.iter().cloned()).collect();
        let render = self.keys.render.iter().cloned().zip(self.render.iter().cloned()).collect();
        Known { compute, render }
    }
}

/// The modules that a pipeline is still to be made of, from naga's IR: nothing is parsed twice.
fn modules(
    gpu: &Gpu,
    graph: &Graph,
    script: &Script,
    (unchecked, trial): (bool, Trial),
    (known_compute, known_render): (&IdVec<ComputePipelineId, bool>, &IdVec<RenderPipelineId, bool>),
) -> Result<IdVec<ShaderId, Option<wgpu::ShaderModule>>, Error> {
    let compute = script.compute_pipelines.entries().filter(|(id, _)| !known_compute[*id]);
    let compute = compute.map(|(_, pipeline)| pipeline.stage.shader);
    let render = script.render_pipelines.entries().filter(|(id, _)| !known_render[*id]);
    let render = render.flat_map(|(_, pipeline)| {
        std::iter::once(pipeline.vertex.shader).chain(pipeline.fragment.as_ref().map(|stage| stage.shader))
    });
    let mut used = IdVec::filled(false, graph.shaders.len());
    compute.chain(render).for_each(|shader| used[shader] = true);
    let modules = graph.shaders.entries().map(|(id, shader)| {
        if !used[id] {
            return Ok(None);
        }
        let text = if trial.reversed { reversed(&shader.module) } else { shader.module.clone() };
        module(gpu, &shader.path, text, unchecked).map(Some)
    });
    modules.collect()
}

fn module(gpu: &Gpu, path: &str, module: naga::Module, unchecked: bool) -> Result<wgpu::ShaderModule, Error> {
    let source = wgpu::ShaderSource::Naga(Cow::Owned(module));
    let descriptor = wgpu::ShaderModuleDescriptor { label: Some(path), source };
    let make = || {
        if unchecked { trusted::module(&gpu.device, descriptor) } else { gpu.device.create_shader_module(descriptor) }
    };
    gpu.scope(|| format!("shader `{path}`"), make)
}

struct Maker<'a> {
    gpu: &'a Gpu,
    graph: &'a Graph,
    script: &'a Script,
    modules: IdVec<ShaderId, Option<wgpu::ShaderModule>>,
    layouts: &'a IdVec<LayoutId, wgpu::BindGroupLayout>,
    uniforms: &'a UniformLayout,
    unchecked: bool,
    /// Workgroup memory is left as it is.
    dirty: bool,
}

impl Maker<'_> {
    fn module(&self, stage: &Stage) -> &wgpu::ShaderModule {
        self.modules[stage.shader].as_ref().expect("modules are made for every shader of a pipeline")
    }

    /// The module of a stage whose values are found by the draw's index; none where there are no such values.
    fn joined(&self, stage: &Stage) -> Result<Option<wgpu::ShaderModule>, Error> {
        if stage.joined.is_empty() {
            return Ok(None);
        }
        let shader = &self.graph.shaders[stage.shader];
        let joined = stage.joined.iter().map(|(global, block)| {
            let global = &shader.interface.globals[*global];
            Joined { group: global.group, binding: global.binding, stride: self.uniforms.strides[*block] as u32 }
        });
        let lowered = by_draw_index(&shader.module, stage.entry, &joined.collect::<Vec<_>>());
        module(self.gpu, &shader.path, lowered, self.unchecked).map(Some)
    }

    fn entry(&self, stage: &Stage) -> &str {
        &self.graph.shaders[stage.shader].interface.entries[stage.entry].name
    }

    fn layout(&self, label: &str, layouts: &[Option<LayoutId>]) -> wgpu::PipelineLayout {
        let layouts: Vec<_> = layouts.iter().map(|id| id.map(|id| &self.layouts[id])).collect();
        self.gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(label),
            bind_group_layouts: &layouts,
            immediate_size: 0,
        })
    }

    fn compute(&self, id: ComputePipelineId) -> Result<wgpu::ComputePipeline, Error> {
        let pipeline = &self.script.compute_pipelines[id];
        let label = &self.script.labels[self.script.compute_labels[id]];
        let constants = constants(&pipeline.stage);
        self.gpu.scope(
            || format!("the pipeline of `{label}`"),
            || {
                self.gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                    label: Some(label),
                    layout: Some(&self.layout(label, &pipeline.layouts)),
                    module: self.module(&pipeline.stage),
                    entry_point: Some(self.entry(&pipeline.stage)),
                    compilation_options: wgpu::PipelineCompilationOptions {
                        zero_initialize_workgroup_memory: !self.dirty,
                        ..options(&constants)
                    },
                    cache: None,
                })
            },
        )
    }

    fn render(&self, id: RenderPipelineId) -> Result<wgpu::RenderPipeline, Error> {
        let pipeline = &self.script.render_pipelines[id];
        let label = &self.script.labels[self.script.render_labels[id]];
        let vertex_constants = constants(&pipeline.vertex);
        let fragment = pipeline.fragment.as_ref().map(|stage| (stage, constants(stage)));
        let buffers = pipeline.buffers.iter().map(|(stride, attributes)| {
            let step_mode = wgpu::VertexStepMode::Vertex;
            Some(wgpu::VertexBufferLayout { array_stride: *stride, step_mode, attributes })
        });
        let buffers: Vec<_> = buffers.collect();
        let targets: Vec<_> = pipeline.targets.iter().cloned().map(Some).collect();
        let joined = self.joined(&pipeline.vertex)?;
        let make = || {
            self.gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some(label),
                layout: Some(&self.layout(label, &pipeline.layouts)),
                vertex: wgpu::VertexState {
                    module: joined.as_ref().unwrap_or_else(|| self.module(&pipeline.vertex)),
                    entry_point: Some(self.entry(&pipeline.vertex)),
                    compilation_options: options(&vertex_constants),
                    buffers: &buffers,
                },
                primitive: pipeline.primitive,
                depth_stencil: pipeline.depth.clone(),
                multisample: wgpu::MultisampleState { count: pipeline.samples, ..Default::default() },
                fragment: fragment.as_ref().map(|(stage, constants)| wgpu::FragmentState {
                    module: self.module(stage),
                    entry_point: Some(self.entry(stage)),
                    compilation_options: options(constants),
                    targets: &targets,
                }),
                multiview_mask: None,
                cache: None,
            })
        };
        self.gpu.scope(|| format!("the pipeline of a draw in `{label}`"), make)
    }
}

fn constants(stage: &Stage) -> Vec<(&str, f64)> {
    stage.constants.iter().map(|(key, value)| (key.as_str(), f64::from(*value))).collect()
}

fn options<'a>(constants: &'a [(&'a str, f64)]) -> wgpu::PipelineCompilationOptions<'a> {
    wgpu::PipelineCompilationOptions { constants, ..Default::default() }
}

fn sampler(gpu: &Gpu, decl: SamplerDecl) -> Result<wgpu::Sampler, Error> {
    let address = match decl.address {
        Address::Clamp => wgpu::AddressMode::ClampToEdge,
        Address::Repeat => wgpu::AddressMode::Repeat,
        Address::Mirror => wgpu::AddressMode::MirrorRepeat,
    };
    let filter = match decl.filter {
        Filter::Nearest => wgpu::FilterMode::Nearest,
        Filter::Linear => wgpu::FilterMode::Linear,
    };
    let mipmap_filter = match decl.mip_filter {
        Filter::Nearest => wgpu::MipmapFilterMode::Nearest,
        Filter::Linear => wgpu::MipmapFilterMode::Linear,
    };
    let descriptor = wgpu::SamplerDescriptor {
        address_mode_u: address,
        address_mode_v: address,
        address_mode_w: address,
        mag_filter: filter,
        min_filter: filter,
        mipmap_filter,
        compare: decl.compare.map(crate::record::compare),
        ..Default::default()
    };
    gpu.scope(|| "a sampler".to_owned(), || gpu.device.create_sampler(&descriptor))
}

/// The view in frames of a parity; absent while its port is unbound.
pub(super) fn view(
    gpu: &Gpu,
    graph: &Graph,
    store: &Store,
    view: &View,
    parity: usize,
) -> Result<Option<wgpu::TextureView>, Error> {
    let Some(pair) = &store.textures[view.resource] else { return Ok(None) };
    let texture = &pair[if view.previous { 1 - parity } else { parity }];
    let name = &graph.resources[view.resource].name;
    let depth = matches!(&graph.resources[view.resource].kind, ResourceKind::Texture(texture)
        if texture.format.is_some_and(|format| format.has_depth_aspect()));
    let aspect = if depth && !view.attachment { wgpu::TextureAspect::DepthOnly } else { wgpu::TextureAspect::All };
    let descriptor = wgpu::TextureViewDescriptor {
        label: Some(name),
        dimension: Some(view.dimension),
        aspect,
        base_mip_level: view.part.mip,
        mip_level_count: Some(view.part.mips),
        base_array_layer: view.part.layer,
        array_layer_count: Some(view.part.layers),
        ..Default::default()
    };
    gpu.scope(|| format!("a view of `{name}`"), || texture.create_view(&descriptor)).map(Some)
}

/// What bind groups are made from.
pub(super) struct Bindings<'a> {
    pub(super) gpu: &'a Gpu,
    pub(super) script: &'a Script,
    pub(super) graph: &'a Graph,
    pub(super) pipelines: &'a Pipelines,
    pub(super) store: &'a Store,
    pub(super) views: &'a IdVec<ViewId, [Option<wgpu::TextureView>; 2]>,
    pub(super) uniform: Option<&'a wgpu::Buffer>,
    pub(super) uniform_layout: &'a UniformLayout,
}

impl Bindings<'_> {
    /// The bind group for frames of a parity; absent while a port in it is unbound.
    ///
    /// # Errors
    /// [`Error::Refused`], naming the pass that first asked for it.
    pub(super) fn group(&self, id: GroupId, parity: usize) -> Result<Option<wgpu::BindGroup>, Error> {
        let Group { layout, entries, .. } = &self.script.groups[id];
        let layout_entries = &self.script.layouts[*layout];
        let mut bound = Vec::with_capacity(entries.len());
        for ((binding, what), layout_entry) in entries.iter().zip(layout_entries) {
            let Some(resource) = self.resource(*what, layout_entry, parity) else { return Ok(None) };
            bound.push(wgpu::BindGroupEntry { binding: *binding, resource });
        }
        let label = &self.script.labels[self.script.group_labels[id]];
        let layout = &self.pipelines.layouts[*layout];
        let descriptor = wgpu::BindGroupDescriptor { label: Some(label), layout, entries: &bound };
        let what = || format!("a bind group of `{label}`");
        self.gpu.scope(what, || self.gpu.device.create_bind_group(&descriptor)).map(Some)
    }

    fn resource(
        &self,
        bound: Bound,
        layout: &wgpu::BindGroupLayoutEntry,
        parity: usize,
    ) -> Option<wgpu::BindingResource<'_>> {
        Some(match bound {
            Bound::Buffer { resource, previous } => {
                let pair = self.store.buffers[resource].as_ref()?;
                let declared = match self.store.sizes[resource] {
                    0 => pair[0].size(),
                    size => size,
                };
                wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                    buffer: &pair[if previous { 1 - parity } else { parity }],
                    offset: 0,
                    size: NonZeroU64::new(bound_size(layout, declared)),
                })
            }
            Bound::View(view) => wgpu::BindingResource::TextureView(self.views[view][parity].as_ref()?),
            Bound::Sampler(sampler) => wgpu::BindingResource::Sampler(&self.pipelines.samplers[sampler]),
            Bound::Blocks(block) => wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                buffer: self.uniform?,
                offset: self.uniform_layout.offsets[block],
                size: NonZeroU64::new(self.uniform_layout.strides[block] * u64::from(self.graph.blocks[block].copies)),
            }),
            Bound::Block(block) => wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                buffer: self.uniform?,
                offset: self.uniform_layout.offsets[block],
                size: NonZeroU64::new(self.graph.blocks[block].size.into()),
            }),
        })
    }
}

/// A uniform variable takes its own size of a larger buffer, a storage variable all that is declared.
fn bound_size(layout: &wgpu::BindGroupLayoutEntry, declared: u64) -> u64 {
    match layout.ty {
        wgpu::BindingType::Buffer { ty: wgpu::BufferBindingType::Uniform, min_binding_size: Some(size), .. } => {
            declared.min(size.get())
        }
        _ => declared,
    }
}
