//! Which `Once` passes have to run before the next frame.
//!
//! Each has a key: a hash of what it does and of the values it is given. It is due when its key is not the one it last ran
//! with, or when what it writes was made anew. What a due pass writes makes its readers due; a due reader of a transient
//! makes the transient's writers due, because nothing else holds it.

use std::fmt::Write as _;

use crate::graph::{
    Binding, BindingSource, Graph, Initial, Lifetime, Pass, PassKind, Program, ResourceId, ResourceKind,
};
use crate::id::Id as _;
use crate::plan::Plan;
use crate::record::Uniforms;

use super::store::initial_bytes;

#[derive(Debug)]
struct OncePass {
    name: String,
    /// Hash of all but the values of uniforms.
    text: u64,
    /// Ranges of its blocks in the uniform bytes.
    values: Vec<std::ops::Range<usize>>,
    /// The key that it last ran with.
    ran: Option<u64>,
    reads: Vec<ResourceId>,
    writes: Vec<ResourceId>,
}

/// The `Once` passes of a plan.
#[derive(Debug)]
pub(super) struct Once {
    passes: Vec<OncePass>,
    due: Vec<bool>,
    transient: Vec<bool>,
    /// Something changed that a key may depend on.
    unsure: bool,
}

impl Once {
    /// Everything is due.
    pub(super) fn new(graph: &Graph, plan: &Plan, uniforms: &Uniforms) -> Self {
        let passes = plan.once.iter().map(|id| once_pass(graph, &graph.passes[*id], uniforms)).collect();
        let transient = graph.resources.iter().map(|resource| resource.lifetime == Lifetime::Transient).collect();
        Self { passes, due: vec![false; plan.once.len()], transient, unsure: true }
    }

    /// A value changed.
    pub(super) const fn doubt(&mut self) {
        self.unsure = true;
    }

    /// What a resource holds is not what it was: its readers run again, and if `lost` those that make it.
    pub(super) fn touched(&mut self, resource: ResourceId, lost: bool) {
        for pass in &mut self.passes {
            if pass.reads.contains(&resource) || (lost && pass.writes.contains(&resource)) {
                pass.ran = None;
            }
        }
        self.unsure = true;
    }

    /// Takes over what ran before an edit, for passes of the same name that write nothing in `anew`.
    pub(super) fn succeed(&mut self, old: &Self, anew: impl Fn(ResourceId) -> bool) {
        for pass in &mut self.passes {
            let before = old.passes.iter().find(|it| it.name == pass.name);
            let stands = !pass.writes.iter().chain(&pass.reads).any(|id| !self.transient[id.index()] && anew(*id));
            pass.ran = before.and_then(|it| it.ran).filter(|_| stands);
        }
        self.unsure = true;
    }

    /// The passes that are due, by position; none of them if nothing changed. Call it when the uniforms are filled.
    pub(super) fn due(&mut self, uniforms: &Uniforms) -> Option<&[bool]> {
        if !std::mem::take(&mut self.unsure) {
            return None;
        }
        for (pass, due) in self.passes.iter().zip(&mut self.due) {
            *due = pass.ran != Some(pass.key(uniforms));
        }
        while self.spread() {}
        Some(&self.due)
    }

    /// What was due has been recorded.
    pub(super) fn done(&mut self, uniforms: &Uniforms) {
        for (pass, due) in self.passes.iter_mut().zip(&mut self.due) {
            if std::mem::take(due) {
                pass.ran = Some(pass.key(uniforms));
            }
        }
    }

    /// One step of the closure; whether it found anything.
    fn spread(&mut self) -> bool {
        for at in 0..self.passes.len() {
            if self.due[at] {
                continue;
            }
            let pass = &self.passes[at];
            let due = || self.passes.iter().zip(&self.due).enumerate().filter(|(_, (_, due))| **due);
            let feeds = |from: &[ResourceId], to: &[ResourceId]| from.iter().any(|id| to.contains(id));
            let fed = due().any(|(other, (it, _))| other < at && feeds(&it.writes, &pass.reads));
            let made: Vec<_> = pass.writes.iter().copied().filter(|id| self.transient[id.index()]).collect();
            let wanted = due().any(|(other, (it, _))| other > at && feeds(&made, &it.reads));
            if fed || wanted {
                self.due[at] = true;
                return true;
            }
        }
        false
    }
}

impl OncePass {
    fn key(&self, uniforms: &Uniforms) -> u64 {
        let mut hash = xxhash_rust::xxh3::Xxh3::new();
        hash.update(&self.text.to_le_bytes());
        for range in &self.values {
            hash.update(&uniforms.bytes()[range.clone()]);
        }
        hash.digest()
    }
}

fn once_pass(graph: &Graph, pass: &Pass, uniforms: &Uniforms) -> OncePass {
    let mut text = String::new();
    describe(&mut text, graph, pass).expect("a String takes all that is written");
    let blocks = programs(pass).flat_map(|program| &program.bindings).filter_map(|binding| match binding.source {
        BindingSource::Block(block) => Some(block),
        _ => None,
    });
    let values = blocks.map(|block| {
        let start = uniforms.layout().offsets[block] as usize;
        start..start + (uniforms.layout().strides[block] * u64::from(graph.blocks[block].copies)) as usize
    });
    let values = values.collect();
    let of = |wanted: fn(crate::graph::Effect) -> bool| {
        let mut ids: Vec<_> = pass.accesses.iter().filter(|it| wanted(it.effect)).map(|it| it.resource).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    };
    let (reads, writes) = (of(crate::graph::Effect::reads), of(crate::graph::Effect::writes));
    let text = xxhash_rust::xxh3::xxh3_64(text.as_bytes());
    OncePass { name: pass.name.to_string(), text, values, ran: None, reads, writes }
}

fn programs(pass: &Pass) -> impl Iterator<Item = &Program> {
    let (dispatch, draws) = match &pass.kind {
        PassKind::Dispatch(dispatch) => (Some(&dispatch.program), [].as_slice()),
        PassKind::Render(render) => (None, render.draws.as_slice()),
        _ => (None, [].as_slice()),
    };
    dispatch.into_iter().chain(draws.iter().map(|draw| &draw.program))
}

/// All that a pass does, in words that mean the same in another graph: names for ids.
fn describe(out: &mut String, graph: &Graph, pass: &Pass) -> std::fmt::Result {
    write!(out, "{:?}", std::mem::discriminant(&pass.kind))?;
    match &pass.kind {
        PassKind::Render(render) => {
            for at in &render.color {
                write!(out, "{:?}{:?}", at.clear, at.part)?;
            }
            if let Some(at) = &render.depth {
                write!(out, "{:?}{:?}", at.clear, at.part)?;
            }
            for draw in &render.draws {
                write!(out, "{:?}{:?}", draw.state, draw.call)?;
            }
        }
        PassKind::Dispatch(dispatch) => write!(out, "{:?}", dispatch.groups)?,
        other => write!(out, "{other:?}")?,
    }
    for program in programs(pass) {
        let shader = &graph.shaders[program.shader];
        write!(out, "{}{:?}{:?}", shader.text, program.entries, program.constants)?;
        for Binding { global, source } in &program.bindings {
            write!(out, "{}", shader.interface.globals[*global].name)?;
            if let BindingSource::Block(block) = source {
                write!(out, "{}", graph.blocks[*block].size)?;
            }
        }
    }
    for access in &pass.accesses {
        let resource = &graph.resources[access.resource];
        write!(out, "{}{:?}{}{:?}", resource.name, access.part, access.previous, access.usage)?;
        if let ResourceKind::Buffer(buffer) = &resource.kind {
            write!(out, "{:?}", buffer.size)?;
            describe_initial(out, buffer.initial.as_ref())?;
        }
    }
    Ok(())
}

fn describe_initial(out: &mut String, initial: Option<&Initial>) -> std::fmt::Result {
    let hash = initial.map(|initial| xxhash_rust::xxh3::xxh3_64(initial_bytes(initial)));
    write!(out, "{hash:?}")
}
