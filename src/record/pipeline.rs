//! From a program of the graph to a pipeline, its layouts and its bind groups.
//!
//! Layouts are explicit and hold what the entry points use, so a variable that nothing reads needs no binding, and one
//! that an edit stops using does not break its neighbours. What a shader leaves open is decided by what is bound: a
//! texture is filterable only where it is sampled and its format can be filtered, a sampler filters only if it says so.

use std::collections::BTreeMap;
use std::num::NonZeroU64;

use wgpu_types as wgt;

use super::compile::CompileError;
use super::script::{
    Bound, ComputePipeline, ComputePipelineId, Group, GroupId, LabelId, LayoutId, RenderPipeline, RenderPipelineId,
    SamplerId, Script, Stage, View, ViewId,
};
use super::table::Table;
use crate::graph::{self, Binding, BindingSource, BlockId, DrawState, Graph, Part, Program, ResourceId, ResourceKind};
use crate::id::IdVec;
use crate::shader::{Global, GlobalKind, Shader, Stage as ShaderStage};
use crate::syntax::document as doc;

/// By group number: the layout, if the group is used, and what is bound.
type Groups = (Vec<Option<LayoutId>>, Vec<(u32, GroupId)>);

/// All copies of a block.
const ARRAY: wgt::BindingType = wgt::BindingType::Buffer {
    ty: wgt::BufferBindingType::Storage { read_only: true },
    has_dynamic_offset: false,
    min_binding_size: None,
};

/// The tables of a script while it is compiled.
pub(super) struct Tables<'a> {
    graph: &'a Graph,
    features: wgt::Features,
    labels: Table<LabelId, String>,
    compute: Table<ComputePipelineId, ComputePipeline>,
    render: Table<RenderPipelineId, RenderPipeline>,
    compute_labels: IdVec<ComputePipelineId, LabelId>,
    render_labels: IdVec<RenderPipelineId, LabelId>,
    layouts: Table<LayoutId, Vec<wgt::BindGroupLayoutEntry>>,
    groups: Table<GroupId, Group>,
    group_labels: IdVec<GroupId, LabelId>,
    views: Table<ViewId, View>,
    samplers: IdVec<SamplerId, doc::SamplerDecl>,
}

impl<'a> Tables<'a> {
    pub(super) fn new(graph: &'a Graph, features: wgt::Features) -> Self {
        Self {
            graph,
            features,
            labels: Table::default(),
            compute: Table::default(),
            render: Table::default(),
            compute_labels: IdVec::new(),
            render_labels: IdVec::new(),
            layouts: Table::default(),
            groups: Table::default(),
            group_labels: IdVec::new(),
            views: Table::default(),
            samplers: IdVec::new(),
        }
    }

    pub(super) fn finish(self, script: Script) -> Script {
        Script {
            labels: self.labels.into_items(),
            compute_pipelines: self.compute.into_items(),
            render_pipelines: self.render.into_items(),
            compute_labels: self.compute_labels,
            render_labels: self.render_labels,
            layouts: self.layouts.into_items(),
            groups: self.groups.into_items(),
            group_labels: self.group_labels,
            views: self.views.into_items(),
            samplers: self.samplers,
            ..script
        }
    }

    pub(super) fn label(&mut self, text: String) -> LabelId {
        self.labels.intern(text)
    }

    pub(super) fn attachment(&mut self, resource: ResourceId, part: Part) -> ViewId {
        let dimension = wgt::TextureViewDimension::D2;
        self.views.intern(View { resource, previous: false, part, dimension, attachment: true })
    }

    pub(super) fn is_dynamic(&self, group: GroupId) -> bool {
        !self.groups.items()[group].dynamic.is_empty()
    }

    pub(super) fn compute_program(
        &mut self,
        program: &Program,
        label: LabelId,
    ) -> Result<(ComputePipelineId, Vec<(u32, GroupId)>), CompileError> {
        let (layouts, groups) = self.bindings(program, label, &[])?;
        let stage = stage(program, program.entries[0], &[]);
        let id = self.compute.intern(ComputePipeline { stage, layouts });
        if id == self.compute_labels.next_id() {
            self.compute_labels.push(label);
        }
        Ok((id, groups))
    }

    pub(super) fn render_program(
        &mut self,
        render: &graph::Render,
        draw: &graph::Draw,
        label: LabelId,
    ) -> Result<(RenderPipelineId, Vec<(u32, GroupId)>), CompileError> {
        let joined = self.joined(draw);
        let (layouts, groups) = self.bindings(&draw.program, label, &joined)?;
        let entries = &self.graph.shaders[draw.program.shader].interface.entries;
        let find = |wanted| draw.program.entries.iter().copied().find(|entry| entries[*entry].stage == wanted);
        let vertex = find(ShaderStage::Vertex).expect("a draw has a vertex entry point");
        let targets = render.color.iter().map(|at| {
            let format = self.format(at.resource)?;
            Ok(wgt::ColorTargetState { format, blend: blend(draw.state.blend), write_mask: wgt::ColorWrites::ALL })
        });
        let depth = render.depth.as_ref().map(|at| {
            let format = self.format(at.resource)?;
            Ok(depth_state(draw.state, format, at.read_only))
        });
        let buffers = draw.vertex_buffers.iter().map(|buffer| (buffer.stride, buffer.attributes.clone()));
        let attached = render.color.iter().map(|at| at.resource).chain(render.depth.iter().map(|at| at.resource));
        let pipeline = RenderPipeline {
            vertex: stage(&draw.program, vertex, &joined),
            fragment: find(ShaderStage::Fragment).map(|entry| stage(&draw.program, entry, &[])),
            layouts,
            buffers: buffers.collect(),
            primitive: primitive(draw),
            depth: depth.transpose()?,
            samples: attached.map(|id| self.samples(id)).max().unwrap_or(1),
            targets: targets.collect::<Result<_, CompileError>>()?,
        };
        let id = self.render.intern(pipeline);
        if id == self.render_labels.next_id() {
            self.render_labels.push(label);
        }
        Ok((id, groups))
    }

    /// The variables of a draw that differ from record to record, where all records can be drawn by one call: the device
    /// tells shaders which record they draw, and only the vertex shader asks.
    fn joined(&self, draw: &graph::Draw) -> Vec<(usize, BlockId)> {
        let needed = wgt::Features::SHADER_DRAW_INDEX | wgt::Features::MULTI_DRAW_INDIRECT_COUNT;
        let shader = &self.graph.shaders[draw.program.shader];
        let several = matches!(draw.call, graph::Call::Indirect { count, .. } if count > 1);
        let own = shader.interface.features.contains(wgt::Features::SHADER_DRAW_INDEX);
        if !several || own || !self.features.contains(needed) {
            return Vec::new();
        }
        let block = |binding: &Binding| match binding.source {
            BindingSource::Block(block) if self.graph.blocks[block].copies > 1 => Some((binding.global, block)),
            _ => None,
        };
        let joined: Vec<_> = draw.program.bindings.iter().filter_map(block).collect();
        let by_vertex =
            |(global, _): &(usize, BlockId)| visibility(shader, &draw.program, *global) == wgt::ShaderStages::VERTEX;
        if joined.iter().all(by_vertex) { joined } else { Vec::new() }
    }

    fn bindings(
        &mut self,
        program: &Program,
        label: LabelId,
        joined: &[(usize, BlockId)],
    ) -> Result<Groups, CompileError> {
        let shader = self.graph.shaders[program.shader].clone();
        let mut by_group: BTreeMap<u32, BTreeMap<u32, &Binding>> = BTreeMap::new();
        for binding in &program.bindings {
            let global = &shader.interface.globals[binding.global];
            by_group.entry(global.group).or_default().insert(global.binding, binding);
        }
        let count = by_group.last_key_value().map_or(0, |(group, _)| *group as usize + 1);
        let (mut layouts, mut groups) = (vec![None; count], Vec::new());
        for (number, bindings) in by_group {
            let mut layout = Vec::new();
            let mut group = Vec::new();
            for binding in bindings.into_values() {
                let global = &shader.interface.globals[binding.global];
                let mut entry = self.layout_entry(&shader, program, binding, global)?;
                let mut bound = self.bound(binding.source, global);
                if let Some((_, block)) = joined.iter().find(|(global, _)| *global == binding.global) {
                    (entry.ty, bound) = (ARRAY, Bound::Blocks(*block));
                }
                layout.push(entry);
                group.push((global.binding, bound));
            }
            let layout = self.layouts.intern(layout);
            layouts[number as usize] = Some(layout);
            groups.push((number, self.group(layout, group, label)));
        }
        Ok((layouts, groups))
    }

    fn group(&mut self, layout: LayoutId, entries: Vec<(u32, Bound)>, label: LabelId) -> GroupId {
        let dynamic = entries.iter().filter_map(|(_, bound)| match bound {
            Bound::Block(block) if self.graph.blocks[*block].copies > 1 => Some(*block),
            _ => None,
        });
        let dynamic = dynamic.collect();
        let id = self.groups.intern(Group { layout, entries, dynamic });
        if id == self.group_labels.next_id() {
            self.group_labels.push(label);
        }
        id
    }

    fn bound(&mut self, source: BindingSource, global: &Global) -> Bound {
        match source {
            BindingSource::Buffer { resource, previous } => Bound::Buffer { resource, previous },
            BindingSource::Texture { resource, previous, part } => {
                let dimension = match global.kind {
                    GlobalKind::Texture { view, .. } | GlobalKind::StorageTexture { view, .. } => view,
                    _ => wgt::TextureViewDimension::D2,
                };
                let view = View { resource, previous, part, dimension, attachment: false };
                Bound::View(self.views.intern(view))
            }
            BindingSource::Sampler(resource) => Bound::Sampler(self.sampler(resource)),
            BindingSource::Block(block) => Bound::Block(block),
        }
    }

    /// Equal samplers become one.
    fn sampler(&mut self, resource: ResourceId) -> SamplerId {
        let decl = self.sampler_decl(resource);
        let known = self.samplers.entries().find(|(_, known)| **known == decl).map(|(id, _)| id);
        known.unwrap_or_else(|| self.samplers.push(decl))
    }

    fn sampler_decl(&self, resource: ResourceId) -> doc::SamplerDecl {
        match self.graph.resources[resource].kind {
            ResourceKind::Sampler(decl) => decl,
            _ => unreachable!("a graph without errors binds samplers to samplers"),
        }
    }

    fn layout_entry(
        &self,
        shader: &Shader,
        program: &Program,
        binding: &Binding,
        global: &Global,
    ) -> Result<wgt::BindGroupLayoutEntry, CompileError> {
        let ty = match &global.kind {
            GlobalKind::Uniform(layout) => wgt::BindingType::Buffer {
                ty: wgt::BufferBindingType::Uniform,
                has_dynamic_offset: matches!(binding.source, BindingSource::Block(b) if self.graph.blocks[b].copies > 1),
                min_binding_size: NonZeroU64::new(layout.size.into()),
            },
            GlobalKind::Storage { layout, declared_write } => wgt::BindingType::Buffer {
                ty: wgt::BufferBindingType::Storage { read_only: !declared_write },
                has_dynamic_offset: false,
                min_binding_size: NonZeroU64::new(layout.size.into()),
            },
            GlobalKind::Texture { view, sample, multisampled } => wgt::BindingType::Texture {
                sample_type: self.sample_type(*sample, *multisampled, is_sampled(shader, program, binding), binding),
                view_dimension: *view,
                multisampled: *multisampled,
            },
            GlobalKind::StorageTexture { view, format, access } => {
                wgt::BindingType::StorageTexture { access: *access, format: *format, view_dimension: *view }
            }
            GlobalKind::Sampler { comparison } => {
                wgt::BindingType::Sampler(self.sampler_type(*comparison, binding.source))
            }
            GlobalKind::Unsupported(kind) => {
                let (shader, variable) = (shader.path.clone(), global.name.clone());
                return Err(CompileError::Unsupported { shader, variable, kind: kind.clone() });
            }
        };
        let visibility = visibility(shader, program, binding.global);
        Ok(wgt::BindGroupLayoutEntry { binding: global.binding, visibility, ty, count: None })
    }

    fn sample_type(
        &self,
        declared: wgt::TextureSampleType,
        multisampled: bool,
        sampled: bool,
        binding: &Binding,
    ) -> wgt::TextureSampleType {
        let wgt::TextureSampleType::Float { .. } = declared else { return declared };
        let format = match binding.source {
            BindingSource::Texture { resource, .. } => self.format(resource).ok(),
            _ => None,
        };
        let filterable = format.is_some_and(|format| {
            let flags = format.guaranteed_format_features(self.features).flags;
            flags.contains(wgt::TextureFormatFeatureFlags::FILTERABLE)
        });
        wgt::TextureSampleType::Float { filterable: filterable && sampled && !multisampled }
    }

    fn sampler_type(&self, comparison: bool, source: BindingSource) -> wgt::SamplerBindingType {
        let filters = |decl: doc::SamplerDecl| [decl.filter, decl.mip_filter].contains(&doc::Filter::Linear);
        match source {
            _ if comparison => wgt::SamplerBindingType::Comparison,
            BindingSource::Sampler(resource) if !filters(self.sampler_decl(resource)) => {
                wgt::SamplerBindingType::NonFiltering
            }
            _ => wgt::SamplerBindingType::Filtering,
        }
    }

    fn format(&self, id: ResourceId) -> Result<wgt::TextureFormat, CompileError> {
        let resource = &self.graph.resources[id];
        match &resource.kind {
            ResourceKind::Texture(texture) => texture.format,
            _ => None,
        }
        .ok_or_else(|| CompileError::UnknownFormat { resource: resource.name.to_string() })
    }

    fn samples(&self, id: ResourceId) -> u32 {
        match &self.graph.resources[id].kind {
            ResourceKind::Texture(texture) => texture.samples,
            _ => 1,
        }
    }
}

fn stage(program: &Program, entry: usize, joined: &[(usize, BlockId)]) -> Stage {
    let constants = program.constants.iter().map(|(key, value)| (key.clone(), (*value).into()));
    Stage { shader: program.shader, entry, constants: constants.collect(), joined: joined.to_vec() }
}

fn is_sampled(shader: &Shader, program: &Program, binding: &Binding) -> bool {
    let mut uses = program.entries.iter().flat_map(|entry| &shader.interface.entries[*entry].uses);
    uses.any(|it| it.global == binding.global && it.sampled)
}

/// The stages whose entry point uses the variable; all of them if none does.
fn visibility(shader: &Shader, program: &Program, global: usize) -> wgt::ShaderStages {
    let flag = |stage| match stage {
        ShaderStage::Compute => wgt::ShaderStages::COMPUTE,
        ShaderStage::Vertex => wgt::ShaderStages::VERTEX,
        ShaderStage::Fragment => wgt::ShaderStages::FRAGMENT,
    };
    let entries = || program.entries.iter().map(|entry| &shader.interface.entries[*entry]);
    let users = entries().filter(|entry| entry.uses.iter().any(|it| it.global == global));
    let used: wgt::ShaderStages = users.map(|entry| flag(entry.stage)).collect();
    if used.is_empty() { entries().map(|entry| flag(entry.stage)).collect() } else { used }
}

fn primitive(draw: &graph::Draw) -> wgt::PrimitiveState {
    let topology = match draw.state.topology {
        doc::Topology::PointList => wgt::PrimitiveTopology::PointList,
        doc::Topology::LineList => wgt::PrimitiveTopology::LineList,
        doc::Topology::LineStrip => wgt::PrimitiveTopology::LineStrip,
        doc::Topology::TriangleList => wgt::PrimitiveTopology::TriangleList,
        doc::Topology::TriangleStrip => wgt::PrimitiveTopology::TriangleStrip,
    };
    let cull_mode = draw.state.cull.map(|face| match face {
        doc::Face::Front => wgt::Face::Front,
        doc::Face::Back => wgt::Face::Back,
    });
    let strip_index_format = draw.index_buffer.map(|(_, format)| format).filter(|_| topology.is_strip());
    wgt::PrimitiveState { topology, strip_index_format, cull_mode, ..Default::default() }
}

fn blend(blend: doc::Blend) -> Option<wgt::BlendState> {
    let sum = wgt::BlendComponent {
        src_factor: wgt::BlendFactor::One,
        dst_factor: wgt::BlendFactor::One,
        operation: wgt::BlendOperation::Add,
    };
    match blend {
        doc::Blend::Replace => None,
        doc::Blend::Alpha => Some(wgt::BlendState::ALPHA_BLENDING),
        doc::Blend::Premultiplied => Some(wgt::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
        doc::Blend::Add => Some(wgt::BlendState { color: sum, alpha: sum }),
    }
}

fn depth_state(state: DrawState, format: wgt::TextureFormat, read_only: bool) -> wgt::DepthStencilState {
    let triangles = matches!(state.topology, doc::Topology::TriangleList | doc::Topology::TriangleStrip);
    let bias = wgt::DepthBiasState { constant: state.depth_bias, slope_scale: state.depth_slope, clamp: 0.0 };
    wgt::DepthStencilState {
        format,
        depth_write_enabled: Some(state.depth_write && !read_only),
        depth_compare: Some(compare(state.depth_compare)),
        stencil: wgt::StencilState::default(),
        bias: if triangles { bias } else { wgt::DepthBiasState::default() },
    }
}

/// WebGPU's name of a comparison.
pub(crate) fn compare(compare: doc::Compare) -> wgt::CompareFunction {
    match compare {
        doc::Compare::Never => wgt::CompareFunction::Never,
        doc::Compare::Less => wgt::CompareFunction::Less,
        doc::Compare::Equal => wgt::CompareFunction::Equal,
        doc::Compare::LessEqual => wgt::CompareFunction::LessEqual,
        doc::Compare::Greater => wgt::CompareFunction::Greater,
        doc::Compare::NotEqual => wgt::CompareFunction::NotEqual,
        doc::Compare::GreaterEqual => wgt::CompareFunction::GreaterEqual,
        doc::Compare::Always => wgt::CompareFunction::Always,
    }
}
