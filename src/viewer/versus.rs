//! A against B: what both put out of the same frame is brought back and compared, without a wait.

use std::time::{Duration, Instant};

use super::capture::{Capture, Wanted};
use crate::gpu::{Difference, Elements, Program, compare, elements};
use crate::graph::{Graph, ResourceId, ResourceKind};

/// How often it is looked.
const LOOK: Duration = Duration::from_millis(500);
/// Results above this are not brought back, bytes.
const MOST: u64 = 64 << 20;

/// What is known of one output.
#[derive(Debug, Clone)]
pub(super) struct Verdict {
    pub(super) name: String,
    /// Nothing where both are equal.
    pub(super) difference: Option<Difference>,
    /// What the difference counts.
    pub(super) unit: &'static str,
}

/// One side's outputs, under way.
pub(super) type Side = Vec<(String, Elements, Capture)>;

/// What is under way, and what was found last.
#[derive(Default)]
pub(super) struct Versus {
    pending: Vec<(String, Elements, Capture, Capture)>,
    looked: Option<Instant>,
    pub(super) verdicts: Vec<Verdict>,
}

impl Versus {
    /// Whether the next frame is to be looked at.
    pub(super) fn is_due(&self) -> bool {
        self.pending.is_empty() && self.looked.is_none_or(|last| last.elapsed() > LOOK)
    }

    /// Whether copies are under way.
    pub(super) fn is_waiting(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Records copies of all outputs.
    pub(super) fn record(program: &Program, encoder: &mut wgpu::CommandEncoder) -> Side {
        let graph = program.graph();
        let outputs = graph.outputs.iter().filter_map(|(id, _)| {
            let (elements, wanted) = whole(graph, *id)?;
            let capture = Capture::record(program, encoder, wanted)?;
            Some((graph.resources[*id].name.to_string(), elements, capture))
        });
        outputs.collect()
    }

    /// Both sides were submitted, of the same frame.
    pub(super) fn submitted(&mut self, a: Side, mut b: Side) {
        if a.is_empty() {
            return;
        }
        self.looked = Some(Instant::now());
        for (name, elements, ours) in a {
            let Some(at) = b.iter().position(|(other, ..)| *other == name) else { continue };
            let (_, others, theirs) = b.swap_remove(at);
            ours.submitted();
            theirs.submitted();
            let any_order = elements.any_order || others.any_order;
            self.pending.push((name, Elements { any_order, ..elements }, ours, theirs));
        }
    }

    /// Compares what has arrived.
    pub(super) fn arrived(&mut self) {
        if self.pending.iter().any(|(.., a, b)| a.has_failed() || b.has_failed()) {
            self.pending.clear();
        }
        let mut verdicts = Vec::new();
        for (name, elements, a, b) in &self.pending {
            let (Some(a), Some(b)) = (a.take(), b.take()) else { return };
            let unit = if a.format.is_some() { "texels" } else { "elements" };
            let difference = compare(&a.bytes, &b.bytes, *elements);
            verdicts.push(Verdict { name: name.clone(), difference, unit });
        }
        if !self.pending.is_empty() {
            self.pending.clear();
            self.verdicts = verdicts;
        }
    }
}

/// All of a resource, unless it is too large.
fn whole(graph: &Graph, id: ResourceId) -> Option<(Elements, Wanted)> {
    let elements = elements(graph, id);
    let wanted = match &graph.resources[id].kind {
        ResourceKind::Buffer(buffer) => {
            let size = buffer.size.filter(|size| *size <= MOST)?;
            Wanted::Buffer { resource: id, bytes: 0..size }
        }
        ResourceKind::Texture(texture) => {
            let [width, height] = texture.size?;
            let bytes = u64::from(width) * u64::from(height) * elements.stride as u64;
            (texture.format.is_some() && bytes <= MOST).then_some(Wanted::Texture { resource: id, mip: 0, layer: 0 })?
        }
        _ => return None,
    };
    Some((elements, wanted))
}
