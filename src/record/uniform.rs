//! The bytes of all uniform structs of a frame: one buffer, one write.
//!
//! Each copy of each block starts at a multiple of the device's alignment for dynamic offsets. A block of several copies
//! has one a record of an indirect draw. Blocks of `.previous` are filled with the inputs of the frame before.

use crate::graph::camera::CameraState;
use crate::graph::{Block, BlockId, FrameInputs, Value};
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
    /// Bytes in all.
    pub size: u64,
}

impl UniformLayout {
    /// Lays blocks out one after another. `alignment` is the device's, a power of two.
    pub fn new(blocks: &IdVec<BlockId, Block>, alignment: u32) -> Self {
        let (mut offsets, mut strides, mut size) = (IdVec::new(), IdVec::new(), 0u64);
        for block in blocks {
            let stride = u64::from(block.size.max(16)).next_multiple_of(alignment.into());
            offsets.push(size);
            strides.push(stride);
            size = size.saturating_add(stride.saturating_mul(block.copies.into()));
        }
        Self { offsets, strides, size }
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
}

impl Uniforms {
    /// All zeros.
    pub fn new(layout: UniformLayout) -> Self {
        let bytes = vec![0; layout.size as usize];
        Self { layout, bytes }
    }

    /// Where the blocks stand.
    pub const fn layout(&self) -> &UniformLayout {
        &self.layout
    }

    /// What is to be written.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Evaluates every field of every block. Allocates only to report a fault.
    ///
    /// # Errors
    /// The first value that cannot be had or does not fit; the bytes are then partly filled.
    pub fn fill(&mut self, blocks: &IdVec<BlockId, Block>, now: &Inputs, before: &Inputs) -> Result<(), UniformError> {
        for (id, block) in blocks.entries() {
            let inputs = if block.previous { before } else { now };
            let (offset, stride) = (self.layout.offsets[id] as usize, self.layout.strides[id] as usize);
            for copy in 0..block.copies {
                let start = offset + copy as usize * stride;
                fill_copy(block, &mut self.bytes[start..start + stride], &inputs.record(copy))?;
            }
        }
        Ok(())
    }
}

fn fill_copy(block: &Block, bytes: &mut [u8], inputs: &FrameInputs<'_>) -> Result<(), UniformError> {
    for field in &block.fields {
        let fault =
            |why: String| UniformError { block: block.name.clone(), field: field.name.clone(), why, span: field.span };
        let value = field.formula.eval(inputs).map_err(|why| fault(why.to_string()))?;
        write_value(&mut bytes[field.offset as usize..], &field.ty, value).map_err(|why| fault(why.to_owned()))?;
    }
    Ok(())
}
