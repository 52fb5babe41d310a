//! The order, the memory and the reasons of a frame: plain, printable, comparable data, the same on every run.
//!
//! [`plan`] reads as its phases: which value each access sees ([`depend`]), what must come before what ([`depend`], edges
//! with their reasons on a petgraph graph), which passes reach nothing ([`order`]), the schedule ([`order`]), what is
//! alive when ([`lifetime`]), which transients share a slot ([`allocate`]), which usages each resource needs ([`usage`]),
//! and the steps that a recorder walks ([`steps`]).

use crate::diagnostic::Diagnostic;
use crate::graph::{Draft, PassId, Part, ResourceId};
use crate::id::{IdVec, define_id};
use crate::source::Span;

define_id! {
    /// A buffer or texture that transients share.
    SlotId
}

/// Switches: each optimisation can be turned off, so that a black frame can be bisected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Transients with disjoint lifetimes share memory.
    pub alias: bool,
    /// Adjacent compute passes share one recorded pass.
    pub merge: bool,
    /// A pass may move when that saves a pass boundary.
    pub reorder: bool,
    /// Passes that reach nothing are left out.
    pub cull: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { alias: true, merge: true, reorder: true, cull: true }
    }
}

/// What was decided for a frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Passes of each frame, in the order in which they are recorded; dead, empty and `Once` passes are not among them.
    pub order: Vec<PassId>,
    /// `Once` passes, in file order.
    pub once: Vec<PassId>,
    /// Why a pass is not recorded, in file order.
    pub dead: Vec<(PassId, DeadReason)>,
    /// What must come before what, and why; sorted.
    pub edges: Vec<Edge>,
    /// First and last position in `order` of each resource's use; absent where nothing uses it.
    pub lifetimes: IdVec<ResourceId, Option<Lifespan>>,
    /// Where each transient lives; absent for what has memory of its own (or none).
    pub placement: IdVec<ResourceId, Option<SlotId>>,
    /// What transients live in.
    pub slots: IdVec<SlotId, Slot>,
    /// What each resource is made for, and who asked.
    pub usages: IdVec<ResourceId, Vec<UsageReason>>,
    /// Recorded passes.
    pub steps: Vec<Step>,
    /// Transients whose writers are all empty although a live pass reads them: zeroed before the step that holds the reader.
    pub zeroed: Vec<(ResourceId, PassId)>,
    /// Memory.
    pub bytes: Bytes,
}

/// Why a pass is not recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeadReason {
    /// What it writes reaches no output, written port, Persistent or History.
    Unread,
    /// It has zero items, vertices or records.
    Empty,
    /// A render pass without draws whose clears fold into this later pass.
    Folded(PassId),
}

/// `before` must come before `after`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// The earlier pass.
    pub before: PassId,
    /// The later pass.
    pub after: PassId,
    /// Why.
    pub reason: EdgeReason,
}

/// Why one pass comes before another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeReason {
    /// A hazard on a resource.
    Hazard {
        /// Which hazard.
        kind: Hazard,
        /// On what.
        resource: ResourceId,
        /// On which part of it; one subresource of the overlap.
        part: Part,
        /// Where the earlier access is written.
        before: Span,
        /// Where the later access is written.
        after: Span,
    },
    /// `after: […]`, at this place.
    Stated(Span),
}

/// Hazards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hazard {
    /// The later pass reads what the earlier one wrote.
    ReadAfterWrite,
    /// The later pass overwrites what the earlier one reads.
    WriteAfterRead,
    /// Two links of a chain.
    WriteAfterWrite,
}

/// Positions in [`Plan::order`], both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lifespan {
    /// First use.
    pub first: u32,
    /// Last use; the end of the frame for outputs.
    pub last: u32,
}

/// Memory that transients share.
///
/// # Invariants
/// - Residents have pairwise disjoint lifespans, and no pass uses two of them.
/// - A buffer slot is as large as its largest resident; a texture slot has exactly its residents' descriptor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// Bytes.
    pub size: u64,
    /// In order of their first use.
    pub residents: Vec<ResourceId>,
}

/// A usage flag and who asked for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct UsageReason {
    /// The flag.
    pub flag: crate::syntax::document::UsageFlag,
    /// Who.
    pub asked_by: Asker,
}

/// Who asks for a usage flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Asker {
    /// A pass, at this place.
    Pass(PassId, Span),
    /// rondag itself: contents are uploaded when it is made.
    Upload,
    /// rondag itself: contents can be read back or copied over to a new copy.
    State,
    /// rondag itself: it is zeroed because nothing wrote it.
    Zero,
}

/// One recorded pass, or commands between passes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Clears and copies: outside of any pass.
    Commands(PassId),
    /// A compute pass of one or more dispatches.
    Compute(Vec<PassId>),
    /// A render pass; draws of passes folded into it come first.
    Render(PassId),
}

/// Bytes of the frame. `None` where a size is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bytes {
    /// All slots.
    pub shared: u64,
    /// All transients, had each its own memory.
    pub unshared: u64,
    /// The most bytes of transients alive at once: a bound that whole buffers need not reach.
    pub bound: u64,
    /// Persistent and History resources, all copies.
    pub kept: u64,
    /// A size that the host will say is missing in these sums.
    pub unknown: bool,
}

/// Plans a frame.
///
/// # Errors
/// Every fault of order: cycles, reads of what nothing wrote, ambiguous writers, accumulation onto nothing.
pub fn plan(graph: &Draft, options: Options) -> Result<Plan, Vec<Diagnostic>> {
    let _ = (graph, options);
    Err(Vec::new())
}
