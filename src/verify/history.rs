//! The frames that are run: a camera that moves, a surface and params that change and change back.

use crate::gpu::Frame;
use crate::graph::camera::Camera;
use crate::graph::{Graph, ParamValue, Settings};
use crate::syntax::document::ParamKind;

/// One frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    /// Which of the settings.
    pub variant: usize,
    /// From 0.
    pub index: u64,
    /// What is seen.
    pub camera: Camera,
}

impl Moment {
    /// As a program takes it, at 60 frames a second.
    pub(super) fn frame(&self, surface: [u32; 2]) -> Frame {
        let camera = self.camera.state(surface);
        Frame { index: self.index, time: self.index as f64 / 60.0, delta: 1.0 / 60.0, camera }
    }
}

/// Settings, the given ones first, and moments: at least `frames` in the given settings, then two with another surface, two with
/// other params, and two as at first.
pub(super) fn history(graph: &Graph, settings: &Settings, frames: usize) -> (Vec<Settings>, Vec<Moment>) {
    let mut variants = vec![settings.clone()];
    let mut plan = vec![0; frames.max(1)];
    if graph.reads_surface {
        let surface = settings.surface.map(|side| (side - side / 3) | 1);
        variants.push(Settings { surface, ..settings.clone() });
        plan.extend([variants.len() - 1; 2]);
    }
    let params = moved(graph, settings);
    if !params.is_empty() {
        let mut all = settings.params.clone();
        all.extend(params);
        variants.push(Settings { params: all, ..settings.clone() });
        plan.extend([variants.len() - 1; 2]);
    }
    if variants.len() > 1 {
        plan.extend([0; 2]);
    }
    let moment = |(index, variant): (usize, usize)| {
        let camera = turned(graph.camera, 0.02 * index as f32);
        Moment { variant, index: index as u64, camera }
    };
    (variants, plan.into_iter().enumerate().map(moment).collect())
}

/// Other values of numbers: fewer and smaller where that is possible, so that nothing takes longer than what was asked for.
fn moved(graph: &Graph, settings: &Settings) -> Vec<(String, ParamValue)> {
    let value = |param: &crate::graph::Param| match (&param.kind, settings.params.get(&param.name)) {
        (ParamKind::Int { default, min, .. }, given) => {
            let now = if let Some(ParamValue::Int(given)) = given { *given } else { default.value };
            Some(ParamValue::Int(min.value + (now - min.value) / 2))
        }
        (ParamKind::Float { default, min, .. }, given) => {
            let now = if let Some(ParamValue::Float(given)) = given { *given } else { default.value };
            Some(ParamValue::Float(min.value + (now - min.value) * 0.5))
        }
        _ => None,
    };
    graph.params.iter().filter_map(|param| Some((param.name.clone(), value(param)?))).collect()
}

/// Around the vertical through the target.
fn turned(camera: Camera, angle: f32) -> Camera {
    let [x, y, z] = camera.eye;
    let [to_x, _, to_z] = camera.target;
    let (sin, cos) = angle.sin_cos();
    let (x, z) = (x - to_x, z - to_z);
    Camera { eye: [to_x + cos * x + sin * z, y, to_z - sin * x + cos * z], ..camera }
}
