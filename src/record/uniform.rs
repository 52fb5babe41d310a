//! The bytes of all uniform structs of a frame: one buffer, one write.
//!
//! Each copy of each block starts at a multiple of the device's alignment for dynamic offsets. A block of several copies
//! has one a record of an indirect draw. Blocks of `.previous` are filled with the inputs of the frame before. Blocks that
//! change from frame to frame come first, so that what depends on params alone (the many copies of draws, as a rule) is
//! neither evaluated nor written again while nobody moves a param.

use crate::graph::camera::CameraState;
use crate::graph::{Block, BlockId, Formula, FrameInputs, Value};
use crate::id::IdVec;
use crate::source::Span;

use super::value::write_value;

/// What formulas read, owned, so that the frame before can be kept.
#[derive(Debug, Clone)]
pub struct Inputs {
    /// By [`ParamId`](crate::graph::ParamId).
    pub params: Vec<Value>,
    /// By [`ResourceId`](crate::graph::ResourceId): frames in a row that each kept its contents.
    pub ages: Vec<u64>,
    /// The camera.
    pub camera: CameraState,
    /// From 0.
    pub index: u64,
    /// Seconds.
    pub time: f64,
    /// Seconds since the frame before.
    pub delta: f64,
    /// Texels.
    pub surface: [u32; 2],
}

impl Inputs {
    /// The inputs for one record of an indirect draw.
    pub fn record(&self, draw_index: u32) -> FrameInputs<'_> {
        FrameInputs {
            params: &self.params,
            ages: &self.ages,
            camera: &self.camera,
            index: self.index,
            time: self.time,
            delta: self.delta,
            surface: self.surface,
            draw_index,
        }
    }

    /// Becomes equal to `other`, in the memory that it has.
    ///
    /// # Panics
    /// If the two are of different graphs.
    pub fn copy_from(&mut self, other: &Self) {
        self.params.copy_from_slice(&other.params);
        self.ages.copy_from_slice(&other.ages);
        let Self { camera, index, time, delta, surface, .. } = *other;
        (self.camera, self.index, self.time, self.delta, self.surface) = (camera, index, time, delta, surface);
    }
}

/// Where each block stands in the buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UniformLayout {
    /// Bytes from the start to the first copy.
    pub offsets: IdVec<BlockId, u64>,
    /// Bytes from one copy to the next.
    pub strides: IdVec<BlockId, u64>,
    /// Bytes of the blocks that change from frame to frame; they come first.
    pub moving: u64,
    /// Bytes in all.
    pub size: u64,
}

impl UniformLayout {
    /// Lays blocks out one after another. `alignment` is the device's, a power of two.
    pub fn new(blocks: &IdVec<BlockId, Block>, alignment: u32) -> Self {
        let stride = |block: &Block| u64::from(block.size.max(16)).next_multiple_of(alignment.into());
        let mut layout = Self {
            offsets: IdVec::filled(0, blocks.len()),
            strides: blocks.iter().map(stride).collect(),
            moving: 0,
            size: 0,
        };
        for wanted in [true, false] {
            for (id, block) in blocks.entries().filter(|(_, block)| moves(block) == wanted) {
                layout.offsets[id] = layout.size;
                let bytes = layout.strides[id].saturating_mul(block.copies.into());
                layout.size = layout.size.saturating_add(bytes);
            }
            if wanted {
                layout.moving = layout.size;
            }
        }
        layout
    }
}

/// Whether a block may change while no param does. One of `.previous` follows a param one frame late.
fn moves(block: &Block) -> bool {
    block.fields.iter().any(|field| block.previous || reads_frame(&field.formula))
}

fn reads_frame(formula: &Formula) -> bool {
    match formula {
        Formula::Camera(_) | Formula::Frame(_) | Formula::Age(_) => true,
        Formula::Const(_) | Formula::Param(_) | Formula::Surface(_) | Formula::DrawIndex => false,
        Formula::Unary(_, of) => reads_frame(of),
        Formula::Binary(_, pair) => reads_frame(&pair.0) || reads_frame(&pair.1),
        Formula::Call(_, arguments) => arguments.iter().any(reads_frame),
    }
}

/// A value that cannot be had or does not fit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("value of `{field}` in `{block}`: {why}")]
pub struct UniformError {
    /// The struct.
    pub block: String,
    /// The member.
    pub field: String,
    /// What is wrong.
    pub why: String,
    /// The value's expression.
    pub span: Span,
}

/// The bytes of all blocks.
#[derive(Debug, Clone)]
pub struct Uniforms {
    layout: UniformLayout,
    bytes: Vec<u8>,
    /// A param moved, or nothing was written yet.
    stale: bool,
}

impl Uniforms {
    /// All zeros.
    pub fn new(layout: UniformLayout) -> Self {
        let bytes = vec![0; layout.size as usize];
        Self { layout, bytes, stale: true }
    }

    /// Where the blocks stand.
    pub const fn layout(&self) -> &UniformLayout {
        &self.layout
    }

    /// All bytes as they were filled last.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// A param moved: the next frame fills everything.
    pub const fn touch(&mut self) {
        self.stale = true;
    }

    /// Evaluates the fields of blocks that may have changed. Allocates only to report a fault.
    ///
    /// # Errors
    /// The first value that cannot be had or does not fit; the bytes are then partly filled.
    pub fn fill(&mut self, blocks: &IdVec<BlockId, Block>, now: &Inputs, before: &Inputs) -> Result<(), UniformError> {
        for (id, block) in blocks.entries() {
            let (offset, stride) = (self.layout.offsets[id], self.layout.strides[id] as usize);
            if offset >= self.layout.moving && !self.stale {
                continue;
            }
            let inputs = if block.previous { before } else { now };
            for copy in 0..block.copies {
                let start = offset as usize + copy as usize * stride;
                fill_copy(block, &mut self.bytes[start..start + stride], &inputs.record(copy))?;
            }
        }
        Ok(())
    }

    /// The bytes from the start that have to be written to the buffer after [`fill`](Self::fill); none if nothing moves.
    pub fn take(&mut self) -> &[u8] {
        let end = if std::mem::take(&mut self.stale) { self.layout.size } else { self.layout.moving };
        &self.bytes[..end as usize]
    }
}

fn fill_copy(block: &Block, bytes: &mut [u8], inputs: &FrameInputs<'_>) -> Result<(), UniformError> {
    for field in &block.fields {
        let fault = |why: String| UniformError {
            block: block.name.to_string(),
            field: field.name.to_string(),
            why,
            span: field.span,
        };
        let value = field.formula.eval(inputs).map_err(|why| fault(why.to_string()))?;
        write_value(&mut bytes[field.offset as usize..], &field.ty, value).map_err(|why| fault(why.to_owned()))?;
    }
    Ok(())
}
