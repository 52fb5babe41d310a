//! A camera that stands still for compute passes while draws see another: culling from outside.
//!
//! It is done to a graph, not to its frames: structs that compute passes read become structs of their own, in which `camera.*`
//! are constants.

use std::collections::BTreeMap;

use crate::graph::camera::CameraState;
use crate::graph::{BindingSource, BlockId, Draft, Formula, FrameInputs, Graph, PassKind};

/// The graph with a camera that compute passes always see.
pub(super) fn freeze(graph: &Graph, camera: &CameraState) -> Option<Graph> {
    let mut draft: Draft = (**graph).clone();
    let mut frozen: BTreeMap<BlockId, BlockId> = BTreeMap::new();
    for id in draft.passes.ids() {
        let PassKind::Dispatch(dispatch) = &mut draft.passes[id].kind else { continue };
        for binding in &mut dispatch.program.bindings {
            let BindingSource::Block(block) = &mut binding.source else { continue };
            let copy = *frozen.entry(*block).or_insert_with(|| {
                let copy = draft.blocks[*block].clone();
                draft.blocks.push(copy)
            });
            *block = copy;
        }
    }
    for copy in frozen.into_values() {
        for field in &mut draft.blocks[copy].fields {
            fix(&mut field.formula, camera);
        }
    }
    Graph::new(draft)
}

/// Puts constants in the place of the camera.
fn fix(formula: &mut Formula, camera: &CameraState) {
    match formula {
        Formula::Camera(_) => {
            let inputs = FrameInputs {
                params: &[],
                ages: &[],
                camera,
                index: 0,
                time: 0.0,
                delta: 0.0,
                surface: [1; 2],
                draw_index: 0,
            };
            if let Ok(value) = formula.eval(&inputs) {
                *formula = Formula::Const(value);
            }
        }
        Formula::Unary(_, of) => fix(of, camera),
        Formula::Binary(_, of) => {
            fix(&mut of.0, camera);
            fix(&mut of.1, camera);
        }
        Formula::Call(_, of) => of.iter_mut().for_each(|it| fix(it, camera)),
        Formula::Const(_)
        | Formula::Param(_)
        | Formula::Frame(_)
        | Formula::Surface(_)
        | Formula::Age(_)
        | Formula::DrawIndex => {}
    }
}
