//! The order, the memory and the reasons of a frame: plain, printable, comparable data, the same on every run.
//!
//! [`attempt`] reads as its phases: which value each access sees and what must come before what (`depend`), which passes
//! reach nothing (`live`), the schedule (`order`), the steps that a recorder walks (`steps`), what is alive when
//! (`lifetime`), which transients share a slot (`allocate`), and which usages each resource needs (`usage`).

mod allocate;
mod cycle;
mod depend;
mod diff;
mod dump;
mod explain;
mod faults;
mod fold;
mod frugal;
mod lifetime;
mod live;
mod once;
mod order;
mod pack;
mod reason;
pub mod rules;
mod search;
mod size;
mod steps;
mod usage;
mod uses;
mod verify;
mod words;

pub use diff::{Change, Planned, Subject, diff};
pub use dump::{dot, mermaid, text};
#[cfg(feature = "cli")]
pub use dump::{html, json};
pub use explain::{Answer, Explainer};
pub use fold::{Clears, clears};
pub use reason::{dead as why_dead, edge as why_after, human_bytes};
pub use usage::flag;
pub use verify::verify;

use crate::diagnostic::Diagnostic;
use crate::graph::{Draft, Part, PassId, ResourceId};
use crate::id::{IdVec, define_id};
use crate::source::Span;

define_id! {
    /// A buffer or texture that transients share.
    SlotId
}

/// Switches: each optimisation can be turned off, so that a black frame can be bisected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "switches of one kind, each on its own")]
pub struct Options {
    /// Transients with disjoint lifetimes share memory.
    pub alias: bool,
    /// Adjacent compute passes share one recorded pass, and clears fold into the next render pass on the same targets.
    pub merge: bool,
    /// What decides where the hazards leave a choice.
    pub order: Order,
    /// Passes that reach nothing are left out.
    pub cull: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { alias: true, merge: true, order: Order::Merge, cull: true }
    }
}

/// What decides about the order of passes where the hazards leave a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// The file.
    File,
    /// The file, but passes move where that saves a pass boundary and costs no more than an eighth of the bytes alive at once.
    #[default]
    Merge,
    /// The fewest bytes alive at once, as far as a greedy search finds them; never more than in the file's order.
    Memory,
    /// Any that the hazards allow, by this seed: for tests of what the hazards say.
    Shuffle(u64),
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
    /// Transients whose writers are all empty although a recorded pass, or whoever reads the outputs, sees them: zeroed before
    /// the step that holds the first pass to touch them, at the start of the frame where there is none.
    pub zeroed: Vec<(ResourceId, Option<PassId>)>,
    /// Memory.
    pub bytes: Bytes,
}

impl Plan {
    /// Whether a resource has memory in this plan: transients that no recorded pass uses have none.
    pub fn is_made(&self, graph: &Draft, id: ResourceId) -> bool {
        let it = &graph.resources[id];
        let is_state = it.lifetime != crate::graph::Lifetime::Transient || it.port.is_some();
        let is_output = graph.outputs.iter().any(|(output, _)| *output == id);
        let once = |pass: &PassId| graph.passes[*pass].accesses.iter().any(|access| access.resource == id);
        is_state || is_output || self.lifetimes[id].is_some() || self.once.iter().any(once)
    }

    /// What must come after a pass, and why.
    pub fn edges_from(&self, pass: PassId) -> &[Edge] {
        let from = self.edges.partition_point(|edge| edge.before < pass);
        let edges = &self.edges[from..];
        &edges[..edges.partition_point(|edge| edge.before == pass)]
    }
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
    /// rondag itself: contents are copied over to a new copy.
    State,
    /// rondag itself: contents can be read back.
    Output,
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

/// Bytes of the frame. Ports are the host's and not among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bytes {
    /// All slots.
    pub shared: u64,
    /// All that lives in slots, had each its own memory.
    pub unshared: u64,
    /// The most bytes of slots' residents alive at once: a bound that whole buffers need not reach.
    pub bound: u64,
    /// Transients with memory of their own: outputs, and what `Once` passes work with.
    pub own: u64,
    /// Persistent and History resources, all copies.
    pub kept: u64,
    /// A size that the host will say is missing in these sums.
    pub unknown: bool,
}

/// Plans a frame.
///
/// # Errors
/// Every fault of order: cycles, reads of what nothing wrote, ambiguous writers, accumulation onto nothing, `Once` and
/// conditional passes that write what does not last.
pub fn plan(graph: &Draft, options: Options) -> Result<Plan, Vec<Diagnostic>> {
    let (plan, found) = attempt(graph, options);
    if found.is_empty() { Ok(plan) } else { Err(found) }
}

/// Plans a frame as far as it goes, for rules that look at plans. A plan with faults must not be recorded: passes that wait
/// for each other stand in file order, reads of nothing wait for nobody.
pub fn attempt(graph: &Draft, options: Options) -> (Plan, Vec<Diagnostic>) {
    let mut found = Vec::new();
    let frame = uses::collect(graph);
    let chains = depend::chains(graph, &frame);
    faults::report(graph, &frame, &chains.faults, &mut found);
    once::check(graph, &frame, &mut found);
    let web = order::web(graph.passes.len(), &chains.edges);
    let stable = order::stable(graph, &web, &chains.edges, &mut found);
    let fates = live::fates(graph, &frame, &chains, options);
    let timeline = order::schedule(&frame, &web, &stable, &fates.recorded, options);
    let steps = steps::group(&frame, &timeline.order, options);
    let zeroed = steps::zeroed(&frame, &chains, &timeline);
    let lifetimes = lifetime::measure(graph, &frame, &timeline, &steps, &zeroed);
    let placement = allocate::place(graph, &frame, &lifetimes, timeline.order.len(), options);
    let usages = usage::derive(graph, &frame, &zeroed);
    let plan = Plan {
        order: timeline.order,
        once: fates.once,
        dead: fates.dead,
        edges: chains.edges,
        lifetimes,
        placement: placement.of,
        slots: placement.slots,
        usages,
        steps,
        zeroed,
        bytes: placement.bytes,
    };
    debug_assert!(!found.is_empty() || verify(graph, &plan).is_empty(), "{:?}", verify(graph, &plan));
    (plan, found)
}
