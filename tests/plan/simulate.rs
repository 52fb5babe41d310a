//! What a frame means, and what recording its plan does: two ways to the same bytes, compared.
//!
//! The meaning is taken from the file by the words of the order rule, for one subresource at a time. The plan is executed
//! on memory as the plan lays it out, slots included. Values are the lists of passes that made them, so any read that sees
//! another resource's bytes, a value too early or one too late shows.

use std::collections::BTreeMap;

use rondag::graph::{Access, Draft, Effect, Lifetime, Part, PassId, PortKind, ResourceId, ResourceKind, Run};
use rondag::id::Id as _;
use rondag::plan::{DeadReason, Plan, Step};

/// A subresource: resource, last frame's copy, mip, layer.
type Cell = (ResourceId, bool, u32, u32);

/// What a cell holds: what it started as, and who wrote since.
#[derive(Debug, Clone, PartialEq)]
struct Value {
    /// Nothing is known about it; else what it started as.
    base: Option<String>,
    writers: Vec<PassId>,
}

fn cells(access: &Access) -> impl Iterator<Item = Cell> + use<> {
    let Access { resource, previous, part, .. } = *access;
    let mips = part.mip..part.mip + part.mips;
    mips.flat_map(move |mip| (part.layer..part.layer + part.layers).map(move |layer| (resource, previous, mip, layer)))
}

fn covers(access: &Access, cell: Cell) -> bool {
    let part = Part { mip: cell.2, mips: 1, layer: cell.3, layers: 1 };
    access.resource == cell.0 && access.previous == cell.1 && access.part.overlaps(part)
}

fn replaces(draft: &Draft, pass: PassId, cell: Cell) -> bool {
    let it = &draft.passes[pass];
    it.condition.is_none() && it.accesses.iter().any(|a| covers(a, cell) && a.effect == Effect::Replace)
}

fn reads(draft: &Draft, pass: PassId, cell: Cell) -> bool {
    draft.passes[pass].accesses.iter().any(|a| covers(a, cell) && a.effect.reads())
}

fn starts(draft: &Draft, resource: ResourceId) -> bool {
    let it = &draft.resources[resource];
    let made = matches!(&it.kind, ResourceKind::Buffer(buffer) if buffer.initial.is_some());
    it.lifetime == Lifetime::Persistent || matches!(it.port, Some(PortKind::In | PortKind::InOut)) || made
}

/// The meaning of a file: who reads whose value.
pub(crate) struct Meaning<'a> {
    draft: &'a Draft,
    /// Writers of each cell in file order.
    writers: BTreeMap<Cell, Vec<PassId>>,
    /// All pairs of passes of which the first must come first.
    pub(crate) before: Vec<(PassId, PassId)>,
    /// A read sees nothing.
    pub(crate) lacking: bool,
}

impl<'a> Meaning<'a> {
    pub(crate) fn of(draft: &'a Draft) -> Self {
        let mut writers: BTreeMap<Cell, Vec<PassId>> = BTreeMap::new();
        let mut touched: BTreeMap<Cell, Vec<PassId>> = BTreeMap::new();
        for (pass, it) in draft.passes.entries().filter(|(_, it)| it.run == Run::EachFrame) {
            for access in &it.accesses {
                for cell in cells(access) {
                    let list = touched.entry(cell).or_default();
                    list.extend((list.last() != Some(&pass)).then_some(pass));
                    if access.effect.writes() {
                        let list = writers.entry(cell).or_default();
                        list.extend((list.last() != Some(&pass)).then_some(pass));
                    }
                }
            }
        }
        let mut meaning = Self { draft, writers, before: Vec::new(), lacking: false };
        for (cell, passes) in &touched {
            for pass in passes {
                meaning.touch(*cell, *pass);
            }
        }
        let stated =
            draft.passes.entries().flat_map(|(pass, it)| it.after.iter().map(move |(before, _)| (*before, pass)));
        meaning.before.extend(stated);
        meaning
    }

    fn touch(&mut self, cell: Cell, pass: PassId) {
        let writers = self.writers.get(&cell).cloned().unwrap_or_default();
        let is_writer = writers.contains(&pass);
        let above = writers.iter().copied().rfind(|writer| *writer < pass);
        if is_writer {
            self.before.extend(above.map(|above| (above, pass)));
        }
        if !reads(self.draft, pass, cell) {
            return;
        }
        let seen = self.seen(cell, pass);
        match seen {
            Err(()) => self.lacking = true,
            Ok(seen) => self.before.extend(seen.map(|seen| (seen, pass))),
        }
        let next = match seen {
            Ok(Some(seen)) => writers.iter().copied().find(|writer| *writer > seen),
            _ => writers.first().copied(),
        };
        if let Some(next) = next.filter(|next| *next != pass && seen.is_ok()) {
            self.before.push((pass, next));
        }
    }

    /// Whose value a pass reads; none for what the frame started with, an error for nothing.
    fn seen(&self, cell: Cell, pass: PassId) -> Result<Option<PassId>, ()> {
        let writers = self.writers.get(&cell).map_or(&[][..], Vec::as_slice);
        let above = writers.iter().copied().rfind(|writer| *writer < pass);
        match above {
            Some(above) => Ok(Some(above)),
            None if cell.1 || starts(self.draft, cell.0) => Ok(None),
            None => match writers {
                [only] if *only != pass => Ok(Some(*only)),
                _ => Err(()),
            },
        }
    }

    /// The value that a pass leaves in a cell, or that the frame starts with.
    fn value(&self, cell: Cell, left_by: Option<PassId>) -> Value {
        let Some(pass) = left_by else {
            let base = (cell.1 || starts(self.draft, cell.0)).then(|| format!("start of {cell:?}"));
            return Value { base, writers: Vec::new() };
        };
        let above = self.writers[&cell].iter().copied().rfind(|writer| *writer < pass);
        let mut value = self.value(cell, above);
        if self.draft.passes[pass].empty {
            if value.writers.is_empty() {
                value.base.get_or_insert_with(|| "zeros".to_owned());
            }
        } else if replaces(self.draft, pass, cell) {
            value = Value { base: Some("replaced".to_owned()), writers: vec![pass] };
        } else {
            value.writers.push(pass);
        }
        value
    }

    /// Whether some passes wait for each other.
    pub(crate) fn is_cyclic(&self) -> bool {
        let mut open: Vec<PassId> = self.draft.passes.ids().collect();
        loop {
            let waits = |pass: &PassId| self.before.iter().any(|(a, b)| b == pass && open.contains(a));
            let left: Vec<PassId> = open.iter().copied().filter(waits).collect();
            if left.len() == open.len() {
                return !left.is_empty();
            }
            open = left;
        }
    }
}

/// Memory as a plan lays it out.
struct Memory<'a> {
    draft: &'a Draft,
    plan: &'a Plan,
    held: BTreeMap<(usize, bool, u32, u32), Value>,
}

impl Memory<'_> {
    /// Slots come before resources with memory of their own.
    fn place(&self, cell: Cell) -> (usize, bool, u32, u32) {
        let own = self.plan.slots.len() + cell.0.index();
        (self.plan.placement[cell.0].map_or(own, rondag::id::Id::index), cell.1, cell.2, cell.3)
    }

    fn get(&mut self, cell: Cell) -> &mut Value {
        let place = self.place(cell);
        let starts = cell.1 || starts(self.draft, cell.0);
        let base = starts.then(|| format!("start of {cell:?}"));
        self.held.entry(place).or_insert(Value { base, writers: Vec::new() })
    }

    fn write(&mut self, pass: PassId) {
        for access in self.draft.passes[pass].accesses.iter().filter(|access| access.effect.writes()) {
            for cell in cells(access) {
                if replaces(self.draft, pass, cell) {
                    *self.get(cell) = Value { base: Some("replaced".to_owned()), writers: vec![pass] };
                } else if self.get(cell).writers.last() != Some(&pass) {
                    self.get(cell).writers.push(pass);
                }
            }
        }
    }

    fn zero(&mut self, resource: ResourceId) {
        let all: Vec<Cell> = self.draft.passes.iter().flat_map(|pass| &pass.accesses).flat_map(cells).collect();
        for cell in all.into_iter().filter(|cell| cell.0 == resource && !cell.1) {
            *self.get(cell) = Value { base: Some("zeros".to_owned()), writers: Vec::new() };
        }
    }
}

/// Whether what is held is what should be: below a value without a base anything may lie.
fn agrees(held: &Value, due: &Value) -> bool {
    match due.base {
        Some(_) => held == due,
        None => held.writers.ends_with(&due.writers),
    }
}

/// Executes a plan and says where it departs from the file's meaning.
pub(crate) fn differences(draft: &Draft, plan: &Plan) -> Vec<String> {
    let meaning = Meaning::of(draft);
    let mut memory = Memory { draft, plan, held: BTreeMap::new() };
    let mut found = Vec::new();
    let name = |pass: PassId| &draft.passes[pass].name;
    plan.zeroed.iter().filter(|(_, pass)| pass.is_none()).for_each(|(resource, _)| memory.zero(*resource));
    for step in &plan.steps {
        let passes = match step {
            Step::Commands(pass) | Step::Render(pass) => vec![*pass],
            Step::Compute(passes) => passes.clone(),
        };
        let zeroed = plan.zeroed.iter().filter(|(_, pass)| pass.is_some_and(|pass| passes.contains(&pass)));
        zeroed.for_each(|(resource, _)| memory.zero(*resource));
        for pass in passes {
            let folded = plan.dead.iter().filter(|(_, reason)| *reason == DeadReason::Folded(pass));
            folded.for_each(|(from, _)| memory.write(*from));
            for cell in draft.passes[pass].accesses.iter().filter(|access| access.effect.reads()).flat_map(cells) {
                let Ok(seen) = meaning.seen(cell, pass) else { continue };
                let due = meaning.value(cell, seen);
                let held = memory.get(cell).clone();
                if !agrees(&held, &due) {
                    found.push(format!("`{}` reads {held:?} of {cell:?}, not {due:?}", name(pass)));
                }
            }
            memory.write(pass);
        }
    }
    for (cell, writers) in &meaning.writers {
        let resource = &draft.resources[cell.0];
        let seen = resource.lifetime != Lifetime::Transient
            || resource.port.is_some()
            || draft.outputs.iter().any(|(output, _)| *output == cell.0);
        let due = meaning.value(*cell, writers.last().copied());
        let held = memory.get(*cell).clone();
        if seen && !agrees(&held, &due) {
            found.push(format!("{cell:?} ends as {held:?}, not {due:?}"));
        }
    }
    found
}
