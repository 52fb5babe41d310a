//! Accesses, grouped by resource: the flat form in which the planner walks a frame.
//!
//! A [`Pass`](crate::graph::Pass) is large and its accesses lie in a vector of its own. Planning touches every access a
//! few times, so it visits the passes once, and from then on walks arrays of small elements.

use std::marker::PhantomData;

use super::size;
use crate::graph::{
    Access, Draft, Effect, Lifetime, Pass, PassId, PassKind, PortKind, Resource, ResourceId, ResourceKind, Run,
};
use crate::id::{Id, IdVec};

/// One access and who makes it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Use<'a> {
    /// Who.
    pub pass: PassId,
    /// What it does to the value.
    pub role: Role,
    /// What.
    pub access: &'a Access,
}

/// What an access does to the value that this frame makes, as bits. Reading last frame's copy does nothing to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Role(u8);

impl Role {
    const READS: u8 = 1;
    const WRITES: u8 = 2;
    const REPLACES: u8 = 4;
    const ONCE: u8 = 8;

    fn new(pass: &Pass, access: &Access) -> Self {
        let once = if pass.run == Run::Once { Self::ONCE } else { 0 };
        let effect = match access.effect {
            _ if access.previous => 0,
            Effect::Read => Self::READS,
            Effect::Write => Self::WRITES,
            Effect::ReadWrite | Effect::Accumulate => Self::READS | Self::WRITES,
            // A pass that may be skipped replaces nothing.
            Effect::Replace if pass.condition.is_some() => Self::WRITES,
            Effect::Replace => Self::WRITES | Self::REPLACES,
        };
        Self(once | effect)
    }

    /// It needs the value.
    pub(super) const fn reads(self) -> bool {
        self.0 & Self::READS != 0
    }

    /// It changes the value.
    pub(super) const fn writes(self) -> bool {
        self.0 & Self::WRITES != 0
    }

    /// It makes the value anew.
    pub(super) const fn replaces(self) -> bool {
        self.0 & Self::REPLACES != 0
    }

    /// It belongs to a pass that runs then, and does something to the value.
    pub(super) const fn acts_in(self, run: Run) -> bool {
        let once = self.0 & Self::ONCE != 0;
        self.0 & (Self::READS | Self::WRITES) != 0 && matches!((run, once), (Run::Once, true) | (Run::EachFrame, false))
    }
}

/// How a pass is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Outside of any pass.
    Commands,
    /// In a compute pass, which others can share.
    Compute,
    /// In a render pass of its own.
    Render,
}

/// What the planner asks about a pass again and again.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facts {
    /// How it is recorded.
    pub class: Class,
    /// When it runs.
    pub run: Run,
    /// It has no work.
    pub empty: bool,
    /// It may not run in every frame, so it replaces nothing.
    pub conditional: bool,
    /// Its accesses may be incomplete.
    pub poisoned: bool,
}

/// What a resource takes memory as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Memory {
    /// A buffer of its own or shared.
    Buffer,
    /// A texture of its own or shared.
    Texture,
    /// A struct that the host gives.
    Host,
    /// None: samplers and uniforms.
    None,
}

/// What the planner asks about a resource again and again; a [`Resource`] is ten times as large.
#[derive(Debug, Clone, Copy)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct Standing {
    /// What it takes memory as.
    pub memory: Memory,
    /// Something about it is wrong.
    pub poisoned: bool,
    /// It holds nothing from one frame to the next.
    pub transient: bool,
    /// It is made with contents.
    pub initial: bool,
    /// The host reads it when the frame ends.
    pub given_out: bool,
    /// It holds something when a frame starts.
    pub starts: bool,
    /// It holds something before the `Once` passes run.
    pub starts_once: bool,
    /// Someone outside of this frame sees what it holds when the frame ends.
    pub rooted: bool,
    /// Bytes of a transient that may share memory; zero for everything else, and while the size is unknown.
    pub shareable: u64,
}

/// Items grouped by a small index.
#[derive(Debug)]
pub(super) struct Groups<I, T> {
    starts: Vec<u32>,
    items: Vec<T>,
    ids: PhantomData<fn(I)>,
}

impl<I: Id, T: Copy> Groups<I, T> {
    /// Groups `items` by `key`, which is below `n`; within a group they keep their order. A counting sort.
    pub(super) fn new(n: usize, items: &[T], key: impl Fn(&T) -> I) -> Self {
        let mut starts = vec![0_u32; n + 2];
        for item in items {
            starts[key(item).index() + 2] += 1;
        }
        for at in 2..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut sorted = items.to_vec();
        for item in items {
            let cursor = &mut starts[key(item).index() + 1];
            sorted[*cursor as usize] = *item;
            *cursor += 1;
        }
        starts.pop();
        Self { starts, items: sorted, ids: PhantomData }
    }

    /// All items, after `tidy` had its way with each group.
    pub(super) fn into_items(mut self, tidy: impl Fn(&mut [T])) -> Vec<T> {
        for bounds in self.starts.windows(2) {
            tidy(&mut self.items[bounds[0] as usize..bounds[1] as usize]);
        }
        self.items
    }

    /// The items of one group.
    pub(super) fn of(&self, id: I) -> &[T] {
        &self.items[self.starts[id.index()] as usize..self.starts[id.index() + 1] as usize]
    }
}

/// The frame in flat form.
#[derive(Debug)]
pub(super) struct Frame<'a> {
    /// By pass.
    pub facts: IdVec<PassId, Facts>,
    /// By resource.
    pub standing: IdVec<ResourceId, Standing>,
    /// Accesses of each resource in file order.
    pub uses: Groups<ResourceId, Use<'a>>,
    /// Some pass has no work.
    pub any_empty: bool,
    /// Some pass runs once.
    pub any_once: bool,
    /// Some pass may lack accesses.
    pub any_poisoned: bool,
    /// Passes that may be skipped in a frame.
    pub conditional: Vec<PassId>,
    /// Passes that name others they come after.
    pub told: Vec<PassId>,
}

impl Frame<'_> {
    /// Whether a pass is one of the frame's own, not run before it.
    pub(super) fn each_frame(&self, pass: PassId) -> bool {
        self.facts[pass].run == Run::EachFrame
    }
}

/// Brings a draft into flat form.
pub(super) fn collect(graph: &Draft) -> Frame<'_> {
    let mut all = Vec::with_capacity(graph.passes.len() * 4);
    let mut facts = Vec::with_capacity(graph.passes.len());
    let (mut any_empty, mut any_once, mut any_poisoned) = (false, false, false);
    let (mut told, mut skipped) = (Vec::new(), Vec::new());
    for (id, pass) in graph.passes.entries() {
        let class = match pass.kind {
            PassKind::ClearBuffer { .. } | PassKind::CopyBuffer { .. } | PassKind::CopyTexture { .. } => {
                Class::Commands
            }
            PassKind::Dispatch(_) => Class::Compute,
            PassKind::Render(_) => Class::Render,
        };
        let conditional = pass.condition.is_some();
        facts.push(Facts { class, run: pass.run, empty: pass.empty, conditional, poisoned: pass.poisoned });
        any_empty |= pass.empty;
        any_once |= pass.run == Run::Once;
        any_poisoned |= pass.poisoned;
        if !pass.after.is_empty() {
            told.push(id);
        }
        if conditional && pass.run == Run::EachFrame {
            skipped.push(id);
        }
        for access in &pass.accesses {
            all.push(Use { pass: id, role: Role::new(pass, access), access });
        }
    }
    let uses = Groups::new(graph.resources.len(), &all, |it| it.access.resource);
    let standing = standing(graph);
    let mut frame =
        Frame { facts: facts.into(), standing, uses, any_empty, any_once, any_poisoned, conditional: skipped, told };
    if any_once {
        start_what_once_writes(graph, &mut frame);
    }
    frame
}

fn standing(graph: &Draft) -> IdVec<ResourceId, Standing> {
    let look = |resource: &Resource| {
        let (memory, initial) = match &resource.kind {
            ResourceKind::Buffer(buffer) => (Memory::Buffer, buffer.initial.is_some()),
            ResourceKind::Texture(_) => (Memory::Texture, false),
            ResourceKind::HostUniform { .. } => (Memory::Host, false),
            ResourceKind::Sampler(_) | ResourceKind::Uniform => (Memory::None, false),
        };
        let given = matches!(resource.port, Some(PortKind::In | PortKind::InOut));
        let made = initial || matches!(memory, Memory::Host | Memory::None);
        let starts = given || made || resource.lifetime == Lifetime::Persistent;
        let rooted = resource.port.is_some() || resource.lifetime != Lifetime::Transient;
        let shareable = if starts || rooted { 0 } else { size::bytes(resource).unwrap_or(0) };
        Standing {
            memory,
            poisoned: resource.poisoned,
            transient: resource.lifetime == Lifetime::Transient,
            initial,
            given_out: matches!(resource.port, Some(PortKind::Out | PortKind::InOut)),
            starts,
            starts_once: starts,
            rooted,
            shareable,
        }
    };
    let mut standing: IdVec<_, _> = graph.resources.iter().map(look).collect();
    for (resource, _) in &graph.outputs {
        standing[*resource].rooted = true;
        standing[*resource].shareable = 0;
    }
    standing
}

/// What `Once` passes touch shares no memory with the frame's own, and what they write is a start-of-frame value. A History
/// that the frame writes too is an exception: its two copies change places, so from the second frame on the copy holds what
/// the frame before the last left.
fn start_what_once_writes(graph: &Draft, frame: &mut Frame<'_>) {
    for id in graph.resources.ids() {
        if frame.uses.of(id).iter().any(|it| !frame.each_frame(it.pass)) {
            frame.standing[id].shareable = 0;
        }
        let mut once = false;
        let mut each = false;
        for it in frame.uses.of(id).iter().filter(|it| it.role.writes()) {
            once |= !frame.each_frame(it.pass);
            each |= frame.each_frame(it.pass);
        }
        let history = graph.resources[id].lifetime == Lifetime::History;
        frame.standing[id].starts |= once && !(history && each);
    }
}
