//! Which value each access sees, and what must therefore come before what.
//!
//! The writers of a resource form a chain in file order; each link is one value. A read takes the value of the nearest
//! writer above it. Where none is above, it takes what the resource holds when the frame starts, and where that is
//! nothing, the value of the only writer, wherever it stands. A reader of a link comes before the next link.
//!
//! All of it holds for each subresource. Textures whose passes name parts are cut along the borders of those parts into
//! cells, and each cell is a chain of its own; a buffer is one cell.

use super::faults::{Fault, FaultKind};
use super::uses::{Frame, Groups, Use};
use super::{Edge, EdgeReason, Hazard};
use crate::graph::{Access, Draft, Part, PassId, ResourceId, Run};
use crate::id::{IdVec, define_id};
use crate::source::Span;

define_id! {
    /// One value of one cell: what a writer leaves.
    #[allow(unreachable_pub, reason = "the macro makes public types; this one stays inside")]
    LinkId
}

/// The most hazards that are derived. Only textures of thousands of parts, each written and read on its own, have so many.
pub(super) const MAX_HAZARDS: usize = 4_000_000;

/// One value of one cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct Link {
    /// Who leaves it.
    pub pass: PassId,
    /// Of what.
    pub resource: ResourceId,
    /// Where the author said so.
    pub span: Span,
    /// What it is built on.
    pub prev: Option<LinkId>,
    /// What is built on it.
    pub next: Option<LinkId>,
    /// Passes that read it and leave it as it is.
    pub readers: u32,
    /// The value before shows through.
    pub partial: bool,
    /// Only passes without work wrote so far, onto nothing.
    pub blank: bool,
}

/// All chains of a frame.
#[derive(Debug)]
pub(super) struct Chains<'a> {
    /// What must come before what, sorted.
    pub edges: Vec<Edge>,
    /// Values.
    pub links: IdVec<LinkId, Link>,
    /// The values that each pass reads.
    pub reads: Groups<PassId, (PassId, LinkId)>,
    /// Values that someone outside of the frame sees.
    pub finals: Vec<LinkId>,
    /// Accesses that see nothing.
    pub faults: Vec<Fault<'a>>,
}

/// Finds the value that each access sees, and the edges that follow.
pub(super) fn chains<'a>(graph: &'a Draft, frame: &Frame<'a>) -> Chains<'a> {
    let passes = graph.passes.len();
    let mut builder = Builder {
        frame,
        edges: Vec::with_capacity(passes * 4),
        links: IdVec::from(Vec::with_capacity(passes * 2)),
        reads: Vec::with_capacity(passes * 2),
        finals: Vec::new(),
        readers: Vec::new(),
        early: Vec::new(),
        faults: Vec::new(),
    };
    let mut cells = Vec::new();
    'resources: for (id, standing) in frame.standing.entries() {
        let uses = frame.uses.of(id);
        let Some(first) = uses.first().map(|it| it.access.part).filter(|_| !standing.poisoned) else { continue };
        let mut constant = standing.starts;
        let mut whole = true;
        for it in uses {
            constant &= !it.role.writes();
            whole &= it.access.part == first;
        }
        if constant {
            continue;
        }
        cells.clear();
        if whole {
            cells.push(first);
        } else {
            cut(uses, &mut cells);
        }
        for cell in &cells {
            builder.chain(id, uses, *cell, Run::EachFrame);
            if frame.any_once {
                builder.chain(id, uses, *cell, Run::Once);
            }
            if builder.edges.len() > MAX_HAZARDS {
                builder.fault(FaultKind::TooMany, *cell, uses[0].pass, uses[0].access);
                break 'resources;
            }
        }
    }
    stated(graph, frame, &mut builder.edges);
    let edges = sorted(passes, &builder.edges);
    let reads = Groups::new(passes, &builder.reads, |(pass, _)| *pass);
    Chains { edges, links: builder.links, reads, finals: builder.finals, faults: builder.faults }
}

/// Cuts a resource into cells along the borders of the parts that are used.
fn cut(uses: &[Use<'_>], cells: &mut Vec<Part>) {
    let borders = |range: fn(Part) -> [u32; 2]| {
        let mut at: Vec<u32> = uses.iter().flat_map(|it| range(it.access.part)).collect();
        at.sort_unstable();
        at.dedup();
        at
    };
    let mips = borders(|part| [part.mip, part.mip + part.mips]);
    let layers = borders(|part| [part.layer, part.layer + part.layers]);
    for mip in mips.windows(2) {
        for layer in layers.windows(2) {
            cells.push(Part { mip: mip[0], mips: mip[1] - mip[0], layer: layer[0], layers: layer[1] - layer[0] });
        }
    }
}

/// All that one pass does to one cell.
#[derive(Clone, Copy)]
struct Touch<'a> {
    pass: PassId,
    read: Option<&'a Access>,
    write: Option<&'a Access>,
    replaces: bool,
}

/// The next pass that touches `cell`; `uses` then begin behind it.
fn next_touch<'a>(uses: &mut &[Use<'a>], cell: Part, run: Run) -> Option<Touch<'a>> {
    let mut found: Option<Touch<'a>> = None;
    while let [it, rest @ ..] = *uses {
        if found.is_some_and(|touch| touch.pass != it.pass) {
            break;
        }
        *uses = rest;
        if !it.role.acts_in(run) || !it.access.part.overlaps(cell) {
            continue;
        }
        let touch = found.get_or_insert(Touch { pass: it.pass, read: None, write: None, replaces: false });
        if it.role.reads() {
            touch.read = touch.read.or(Some(it.access));
        }
        if it.role.writes() {
            touch.write = touch.write.or(Some(it.access));
        }
        touch.replaces |= it.role.replaces();
    }
    found
}

struct Builder<'a, 'f> {
    frame: &'f Frame<'a>,
    edges: Vec<Edge>,
    links: IdVec<LinkId, Link>,
    reads: Vec<(PassId, LinkId)>,
    finals: Vec<LinkId>,
    faults: Vec<Fault<'a>>,
    /// Readers of the current value.
    readers: Vec<(PassId, Span)>,
    /// Readers above every writer, of what holds nothing when the frame starts.
    early: Vec<(PassId, &'a Access)>,
}

impl<'a> Builder<'a, '_> {
    /// Walks one cell from the top of the file to its end.
    fn chain(&mut self, resource: ResourceId, mut uses: &[Use<'a>], cell: Part, run: Run) {
        let standing = self.frame.standing[resource];
        let starts = if run == Run::Once { standing.starts_once } else { standing.starts };
        let mut first = None;
        let mut current = None;
        self.readers.clear();
        self.early.clear();
        while let Some(touch) = next_touch(&mut uses, cell, run) {
            if let Some(read) = touch.read {
                match current {
                    Some(link) => self.read(link, cell, touch.pass, read.span, touch.write.is_none()),
                    None if touch.write.is_some() && !starts => self.fault(FaultKind::ReadsOwn, cell, touch.pass, read),
                    None if !starts => self.early.push((touch.pass, read)),
                    None if touch.write.is_none() => self.readers.push((touch.pass, read.span)),
                    None => {}
                }
            }
            if let Some(write) = touch.write {
                current = Some(self.write(current, cell, touch, write, starts));
                first = first.or(current);
            }
        }
        self.settle(first, current, cell, run);
        if let Some(last) = current.filter(|_| standing.rooted) {
            self.finals.push(last);
        }
    }

    fn read(&mut self, link: LinkId, cell: Part, pass: PassId, span: Span, leaves: bool) {
        self.reads.push((pass, link));
        let Link { pass: writer, span: written, resource, .. } = self.links[link];
        self.hazard(Hazard::ReadAfterWrite, resource, cell, (writer, written), (pass, span));
        if leaves {
            self.links[link].readers += 1;
            self.readers.push((pass, span));
        }
    }

    fn write(&mut self, prev: Option<LinkId>, cell: Part, by: Touch<'a>, write: &Access, starts: bool) -> LinkId {
        let (resource, pass) = (write.resource, by.pass);
        let here = (pass, write.span);
        let mut readers = std::mem::take(&mut self.readers);
        for reader in readers.drain(..) {
            self.hazard(Hazard::WriteAfterRead, resource, cell, reader, here);
        }
        self.readers = readers;
        if let Some(prev) = prev
            && by.read.is_none()
        {
            let link = self.links[prev];
            self.hazard(Hazard::WriteAfterWrite, resource, cell, (link.pass, link.span), here);
        }
        let onto_nothing = prev.map_or(!starts, |prev| self.links[prev].blank);
        let empty = self.frame.facts[pass].empty;
        let id = self.links.push(Link {
            pass,
            resource,
            span: write.span,
            prev,
            next: None,
            readers: 0,
            partial: empty || !by.replaces,
            blank: empty && onto_nothing,
        });
        if let Some(prev) = prev {
            self.links[prev].next = Some(id);
        }
        id
    }

    /// Gives readers that stand above every writer the only writer's value.
    fn settle(&mut self, first: Option<LinkId>, last: Option<LinkId>, cell: Part, run: Run) {
        for (pass, read) in std::mem::take(&mut self.early) {
            match first {
                Some(only) if first == last && run == Run::EachFrame => self.read(only, cell, pass, read.span, true),
                Some(_) => self.fault(FaultKind::Ambiguous, cell, pass, read),
                None => self.fault(FaultKind::Unwritten, cell, pass, read),
            }
        }
    }

    fn fault(&mut self, kind: FaultKind, cell: Part, pass: PassId, access: &'a Access) {
        self.faults.push(Fault { resource: access.resource, cell, pass, access, kind });
    }

    /// Adds an edge. `Once` passes have an order of their own.
    fn hazard(
        &mut self,
        kind: Hazard,
        resource: ResourceId,
        cell: Part,
        before: (PassId, Span),
        after: (PassId, Span),
    ) {
        if self.frame.each_frame(before.0) {
            let part = Part { mips: 1, layers: 1, ..cell };
            let reason = EdgeReason::Hazard { kind, resource, part, before: before.1, after: after.1 };
            self.edges.push(Edge { before: before.0, after: after.0, reason });
        }
    }
}

/// Adds the edges of `after`. What comes after a `Once` pass does so anyway.
fn stated(graph: &Draft, frame: &Frame<'_>, edges: &mut Vec<Edge>) {
    for pass in &frame.told {
        for (before, span) in &graph.passes[*pass].after {
            if frame.each_frame(*pass) && frame.each_frame(*before) {
                edges.push(Edge { before: *before, after: *pass, reason: EdgeReason::Stated(*span) });
            }
        }
    }
}

/// Sorts edges. Of hazards of one kind on one resource between two passes, the one on the first part stays.
fn sorted(passes: usize, edges: &[Edge]) -> Vec<Edge> {
    let all: Vec<u32> = (0..edges.len() as u32).collect();
    let groups = Groups::new(passes, &all, |at| edges[*at as usize].before);
    let order = groups.into_items(|group| {
        if group.len() > 1 {
            group.sort_unstable_by(|a, b| edges[*a as usize].cmp(&edges[*b as usize]));
        }
    });
    let mut sorted: Vec<Edge> = Vec::with_capacity(edges.len());
    for at in order {
        let edge = edges[at as usize];
        let repeats = |last: &Edge| {
            (last.before, last.after) == (edge.before, edge.after) && same_cause(&last.reason, &edge.reason)
        };
        if !sorted.last().is_some_and(repeats) {
            sorted.push(edge);
        }
    }
    sorted
}

fn same_cause(a: &EdgeReason, b: &EdgeReason) -> bool {
    use EdgeReason::Hazard;
    match (a, b) {
        (Hazard { kind: a, resource: x, .. }, Hazard { kind: b, resource: y, .. }) => a == b && x == y,
        _ => a == b,
    }
}
