//! How much was drawn: the instances in the arguments of indirect draws, read late and without a wait.

use super::error::Error;
use super::program::Program;
use super::ring::Ring;
use crate::graph::{Call, Draft, PassKind, ResourceId};

/// The arguments of one indirect draw.
#[derive(Debug)]
struct Arguments {
    name: String,
    resource: ResourceId,
    ring: Ring,
    /// Bytes of the first record, of one record, and their number.
    layout: (u64, usize, usize),
    seen: Option<Seen>,
}

#[derive(Debug, Clone)]
struct Seen {
    frame: u64,
    instances: Vec<u32>,
}

/// What one buffer of arguments says.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Counts {
    /// The buffer.
    pub arguments: String,
    /// The frame that it is from.
    pub frame: u64,
    /// Instances of each record.
    pub instances: Vec<u32>,
    /// Their sum.
    pub total: u64,
}

/// The instances of all indirect draws of a program.
#[derive(Debug)]
pub struct Visible(Vec<Arguments>);

/// Each buffer of arguments once, with the bytes before its records, the bytes of a record, and their number.
fn indirect(draft: &Draft) -> Vec<(ResourceId, (u64, usize, usize))> {
    let mut found: Vec<(ResourceId, (u64, usize, usize))> = Vec::new();
    for pass in &draft.passes {
        let PassKind::Render(render) = &pass.kind else { continue };
        for draw in &render.draws {
            if let Call::Indirect { indexed, args, offset, count, .. } = draw.call
                && count > 0
                && !found.iter().any(|(known, _)| *known == args)
            {
                found.push((args, (offset, if indexed { 20 } else { 16 }, count as usize)));
            }
        }
    }
    found
}

/// The names of the buffers that have to be outputs to be read.
pub fn visible_names(draft: &Draft) -> impl Iterator<Item = String> {
    indirect(draft).into_iter().map(|(id, _)| draft.resources[id].name.to_string())
}

impl Visible {
    /// Rings for all of them.
    ///
    /// # Errors
    /// [`Error::Refused`].
    pub fn new(program: &Program) -> Result<Self, Error> {
        let arguments = indirect(program.graph()).into_iter().map(|(resource, layout)| {
            let name = program.graph().resources[resource].name.to_string();
            let ring = Ring::new(program.gpu(), "visible", (layout.1 * layout.2) as u64)?;
            Ok(Arguments { name, resource, ring, layout, seen: None })
        });
        Ok(Self(arguments.collect::<Result<_, Error>>()?))
    }

    /// Behind a frame's last pass.
    pub fn copy(&mut self, program: &Program, encoder: &mut wgpu::CommandEncoder, frame: u64) {
        for Arguments { resource, ring, layout, .. } in &mut self.0 {
            // Only what is asked to be an output can be read.
            let readable = |it: &wgpu::Buffer| it.usage().contains(wgpu::BufferUsages::COPY_SRC);
            if let Some((buffer, _)) = program.buffer(*resource).filter(|(buffer, _)| readable(buffer)) {
                ring.copy(encoder, buffer, layout.0, frame);
            }
        }
    }

    /// Behind its submit.
    pub fn submitted(&mut self) {
        self.0.iter_mut().for_each(|arguments| arguments.ring.submitted());
    }

    /// Takes what has arrived.
    pub fn arrived(&mut self) {
        for Arguments { ring, layout, seen, .. } in &mut self.0 {
            let (_, stride, count) = *layout;
            ring.arrived(|_, frame, bytes| {
                let records = bytes.chunks_exact(stride).take(count);
                // The number of instances is the second word of both kinds of records.
                let word = |record: &[u8]| record[4..8].try_into().map_or(0, u32::from_le_bytes);
                *seen = Some(Seen { frame, instances: records.map(word).collect() });
            });
        }
    }

    /// What arrived last.
    pub fn counts(&self) -> Vec<Counts> {
        let counts = |arguments: &Arguments| {
            let Seen { frame, instances } = arguments.seen.clone()?;
            let total = instances.iter().map(|n| u64::from(*n)).sum();
            Some(Counts { arguments: arguments.name.clone(), frame, instances, total })
        };
        self.0.iter().filter_map(counts).collect()
    }
}
