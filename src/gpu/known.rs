//! Pipelines that a program leaves to the one that takes its place: what an edit did not touch is not compiled again.
//!
//! A pipeline is known by everything that it was made of: label, stitched texts, entry points, constants, layouts and fixed
//! function state. Handles are shared, so a program that is gone costs nothing.

use std::collections::HashMap;

use crate::graph::{Graph, ShaderId};
use crate::id::{Id as _, IdVec};
use crate::record::{
    ComputePipeline, ComputePipelineId, LayoutId, RenderPipeline, RenderPipelineId, Script, Stage, UniformLayout,
};
use crate::source::content_hash;

/// A shader's text, and the strides of values that are found by the draw's index.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Code {
    path: String,
    text: (usize, u64),
    strides: Vec<u64>,
}

/// A pipeline without the ids of the script that it came from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Shape {
    Compute(ComputePipeline),
    Render(Box<RenderPipeline>),
}

/// All that a pipeline is made of.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    label: String,
    code: Vec<Code>,
    layouts: Vec<Option<Vec<wgpu::BindGroupLayoutEntry>>>,
    shape: Shape,
    unchecked: bool,
}

/// Pipelines by what they are made of.
#[derive(Debug, Clone, Default)]
pub(super) struct Known {
    pub(super) compute: HashMap<Key, wgpu::ComputePipeline>,
    pub(super) render: HashMap<Key, wgpu::RenderPipeline>,
}

/// The keys of a script's pipelines.
#[derive(Debug)]
pub(super) struct Keys {
    pub(super) compute: IdVec<ComputePipelineId, Key>,
    pub(super) render: IdVec<RenderPipelineId, Key>,
}

impl Keys {
    pub(super) fn of(graph: &Graph, script: &Script, uniforms: &UniformLayout, unchecked: bool) -> Self {
        let texts = graph.shaders.iter().map(|shader| (shader.text.len(), content_hash(shader.text.as_bytes())));
        let namer = Namer { graph, script, uniforms, unchecked, texts: texts.collect() };
        Self {
            compute: script.compute_pipelines.ids().map(|id| namer.compute(id)).collect(),
            render: script.render_pipelines.ids().map(|id| namer.render(id)).collect(),
        }
    }
}

struct Namer<'a> {
    graph: &'a Graph,
    script: &'a Script,
    uniforms: &'a UniformLayout,
    unchecked: bool,
    texts: IdVec<ShaderId, (usize, u64)>,
}

impl Namer<'_> {
    fn code(&self, stage: &Stage) -> Code {
        Code {
            path: self.graph.shaders[stage.shader].path.clone(),
            text: self.texts[stage.shader],
            strides: stage.joined.iter().map(|(_, block)| self.uniforms.strides[*block]).collect(),
        }
    }

    fn layouts(&self, layouts: &[Option<LayoutId>]) -> Vec<Option<Vec<wgpu::BindGroupLayoutEntry>>> {
        layouts.iter().map(|id| id.map(|id| self.script.layouts[id].clone())).collect()
    }

    fn compute(&self, id: ComputePipelineId) -> Key {
        let pipeline = &self.script.compute_pipelines[id];
        let shape = ComputePipeline { stage: without_ids(&pipeline.stage), layouts: Vec::new() };
        Key {
            label: self.script.labels[self.script.compute_labels[id]].clone(),
            code: vec![self.code(&pipeline.stage)],
            layouts: self.layouts(&pipeline.layouts),
            shape: Shape::Compute(shape),
            unchecked: self.unchecked,
        }
    }

    fn render(&self, id: RenderPipelineId) -> Key {
        let pipeline = &self.script.render_pipelines[id];
        let stages = std::iter::once(&pipeline.vertex).chain(&pipeline.fragment);
        let shape = RenderPipeline {
            vertex: without_ids(&pipeline.vertex),
            fragment: pipeline.fragment.as_ref().map(without_ids),
            layouts: Vec::new(),
            ..pipeline.clone()
        };
        Key {
            label: self.script.labels[self.script.render_labels[id]].clone(),
            code: stages.map(|stage| self.code(stage)).collect(),
            layouts: self.layouts(&pipeline.layouts),
            shape: Shape::Render(Box::new(shape)),
            unchecked: self.unchecked,
        }
    }
}

/// A stage whose ids mean nothing any more; what they meant is in the key's code.
fn without_ids(stage: &Stage) -> Stage {
    let joined = stage.joined.iter().map(|(global, _)| (*global, crate::graph::BlockId::from_index(0))).collect();
    Stage { shader: ShaderId::from_index(0), joined, ..stage.clone() }
}
