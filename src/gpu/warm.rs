//! Pipelines used once before they matter: drivers compile at first use.

use std::collections::{BTreeMap, BTreeSet};

use super::build::Pipelines;
use super::program::Program;
use super::target::Recorder;
use crate::graph::ResourceId;
use crate::id::Id as _;
use crate::record::{Command, ComputePipelineId, Draw, GroupId, RenderPassId, RenderPipelineId, Script, Target as _};

/// One use of a pipeline that does nothing.
#[derive(Debug, Clone)]
pub(super) struct WarmUp {
    pipeline: Pipeline,
    groups: Vec<(u32, GroupId)>,
    vertices: Vec<(u32, ResourceId)>,
}

#[derive(Debug, Clone, Copy)]
enum Pipeline {
    Compute(ComputePipelineId),
    Render(RenderPassId, RenderPipelineId),
}

/// One for each pipeline of a script that was not used before, last one first.
pub(super) fn list(script: &Script, pipelines: &Pipelines) -> Vec<WarmUp> {
    let mut found = Vec::new();
    for commands in [&script.once, &script.frame] {
        collect(script, commands, &mut found);
    }
    let is_known = |it: &WarmUp| match it.pipeline {
        Pipeline::Compute(id) => pipelines.known_compute[id],
        Pipeline::Render(_, id) => pipelines.known_render[id],
    };
    let mut seen = BTreeSet::new();
    found.retain(|it| {
        !is_known(it)
            && seen.insert(match it.pipeline {
                Pipeline::Compute(id) => (0, id.index()),
                Pipeline::Render(_, id) => (1, id.index()),
            })
    });
    found.reverse();
    found
}

/// The state before each dispatch and draw. Conditional passes are taken to run.
fn collect(script: &Script, commands: &[Command], found: &mut Vec<WarmUp>) {
    let (mut pass, mut pipeline) = (None, None);
    let (mut groups, mut vertices) = (BTreeMap::new(), BTreeMap::new());
    for command in commands {
        if let Command::DrawEach { rebind: (first, end), .. } = *command {
            groups.extend(script.rebinds[first as usize..end as usize].iter().copied());
        }
        match *command {
            Command::BeginCompute { .. } | Command::BeginRender(_) => {
                (pass, pipeline) = (None, None);
                groups.clear();
                vertices.clear();
                if let Command::BeginRender(id) = *command {
                    pass = Some(id);
                }
            }
            Command::ComputePipeline(id) => pipeline = Some(Pipeline::Compute(id)),
            Command::RenderPipeline(id) => pipeline = pass.map(|pass| Pipeline::Render(pass, id)),
            Command::BindGroup { slot, group } => drop(groups.insert(slot, group)),
            Command::VertexBuffer { slot, resource } => drop(vertices.insert(slot, resource)),
            Command::DrawEach { .. }
            | Command::Dispatch(_)
            | Command::DispatchIndirect { .. }
            | Command::Draw(_)
            | Command::DrawIndexed(_)
            | Command::DrawIndirect { .. }
            | Command::DrawCounted(_) => found.extend(pipeline.map(|pipeline| WarmUp {
                pipeline,
                groups: groups.iter().map(|(slot, group)| (*slot, *group)).collect(),
                vertices: vertices.iter().map(|(slot, buffer)| (*slot, *buffer)).collect(),
            })),
            _ => {}
        }
    }
}

impl Program {
    /// Uses one more pipeline for nothing: a dispatch of no groups, a draw of no vertices that keeps what is attached.
    /// Whether there was one left. Ports must be bound.
    pub fn warm_up(&mut self, encoder: &mut wgpu::CommandEncoder) -> bool {
        if self.check_ports().is_err() {
            return false;
        }
        let Some(WarmUp { pipeline, groups, vertices }) = self.warm_ups.pop() else { return false };
        let mut recorder = Recorder::new(&self.parts, encoder, None, self.parity);
        match pipeline {
            Pipeline::Compute(id) => {
                recorder.open_compute("warm-up", None);
                recorder.compute_pipeline(id);
                for (slot, group) in groups {
                    recorder.bind_group(slot, group, 0);
                }
                recorder.dispatch([0; 3]);
                recorder.end_compute();
            }
            Pipeline::Render(pass, id) => {
                recorder.open_render(pass, true);
                recorder.render_pipeline(id);
                for (slot, group) in groups {
                    recorder.bind_group(slot, group, 0);
                }
                for (slot, buffer) in vertices {
                    recorder.vertex_buffer(slot, buffer);
                }
                recorder.draw(Draw { vertices: 0, instances: 0, first_vertex: 0, first_instance: 0 });
                recorder.end_render();
            }
        }
        true
    }
}
