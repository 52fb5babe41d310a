//! Whether a result is right, and the bytes that it took.
//!
//! A compaction is known by its buffers: `list`, `starts` and `counts`. Where `flags` and `ranges` are outputs too it is held
//! against the CPU twin, else against the first variant of the same sizes. Order is not asked for, since strategies promise
//! different ones; a run of a batch holds the right instances, each once. Other graphs are held against the first variant
//! by the bytes of their output buffers.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use rondag::gpu::{Program, read_buffer};
use rondag::graph::{PassKind, ResourceId, ResourceKind, Run};
use rondag::reference::batch::Range;
use rondag::reference::compact::{self, Compacted};
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

/// What stands in outputs before they are trusted.
const POISON: u8 = 0xAB;
/// The most bytes that are filled with it.
const POISONED: u64 = 1 << 30;
/// A rounded bound may see this much more than the exact one.
const MORE: f64 = 0.05;

/// What came out of a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Verdict {
    /// As the CPU twin says.
    Twin,
    /// As the first variant says, or it is the first.
    First,
    /// All that the first variant has, and so many instances more.
    Holds(u64),
    /// Why not.
    Wrong(String),
    /// The device lacks a feature.
    Skipped,
}

/// A verdict, and how many instances the list has, if there is one.
pub(super) struct Checked {
    pub verdict: Verdict,
    pub listed: Option<u64>,
}

/// Remembers the first result of each group of settings.
pub(super) struct Checker {
    timeout: Duration,
    lists: BTreeMap<String, Vec<Vec<u32>>>,
    hashes: BTreeMap<String, u64>,
}

impl Checker {
    pub(super) const fn new(timeout: Duration) -> Self {
        Self { timeout, lists: BTreeMap::new(), hashes: BTreeMap::new() }
    }

    /// Fills output buffers that frames write, and that can be filled, with nonsense.
    pub(super) fn poison(program: &mut Program) -> anyhow::Result<()> {
        let written = touched(program, false);
        for (id, _) in program.graph().outputs.clone() {
            let Some((buffer, size)) = program.buffer(id) else { continue };
            if written.contains(&id) && size <= POISONED && buffer.usage().contains(wgpu::BufferUsages::COPY_DST) {
                program.write(id, &vec![POISON; size as usize])?;
            }
        }
        Ok(())
    }

    pub(super) fn check(&mut self, program: &Program, group: &str) -> anyhow::Result<Checked> {
        let words = |name: &str| self.words(program, name);
        let (Some(list), Some(starts), Some(counts)) = (words("list")?, words("starts")?, words("counts")?) else {
            return self.by_hash(program, group);
        };
        let made = Compacted { list, starts, counts };
        let listed = made.counts.iter().map(|count| u64::from(*count)).sum();
        if let (Some(flags), Some(ranges)) = (words("flags")?, words("ranges")?) {
            let ranges: Vec<Range> =
                ranges.chunks_exact(2).map(|pair| Range { first: pair[0], count: pair[1] }).collect();
            let verdict = against(&sorted(&made), &sorted(&compact::scan(&flags, &ranges)), Verdict::Twin);
            return Ok(Checked { verdict, listed: Some(listed) });
        }
        let runs = sorted(&made);
        let verdict = match self.lists.get(group) {
            Some(first) => against(&runs, first, Verdict::First),
            None => Verdict::First,
        };
        // One group at a time: lists are long.
        if !self.lists.contains_key(group) {
            self.lists = BTreeMap::from([(group.to_owned(), runs)]);
        }
        Ok(Checked { verdict, listed: Some(listed) })
    }

    fn by_hash(&mut self, program: &Program, group: &str) -> anyhow::Result<Checked> {
        let mut all = Vec::new();
        for (id, _) in &program.graph().outputs {
            if let Some((buffer, size)) = program.buffer(*id) {
                let name = &program.graph().resources[*id].name;
                let bytes = read_buffer(program.gpu(), name, buffer, 0..size, self.timeout)?;
                all.extend(xxh3_64(&bytes).to_le_bytes());
            }
        }
        let hash = xxh3_64(&all);
        let first = *self.hashes.entry(group.to_owned()).or_insert(hash);
        let wrong = || Verdict::Wrong("outputs differ from those of the first variant".to_owned());
        Ok(Checked { verdict: if first == hash { Verdict::First } else { wrong() }, listed: None })
    }

    /// An output buffer.
    fn words(&self, program: &Program, name: &str) -> anyhow::Result<Option<Vec<u32>>> {
        let id = program.find(name).filter(|id| program.graph().outputs.iter().any(|(output, _)| output == id));
        let Some((buffer, size)) = id.and_then(|id| program.buffer(id)) else {
            return Ok(None);
        };
        let bytes = read_buffer(program.gpu(), name, buffer, 0..size, self.timeout)?;
        Ok(Some(bytemuck::pod_collect_to_vec(&bytes)))
    }
}

fn sorted(made: &Compacted) -> Vec<Vec<u32>> {
    let sort = |run: &[u32]| {
        let mut run = run.to_vec();
        if !run.is_sorted() {
            run.sort_unstable();
        }
        run
    };
    made.runs().map(sort).collect()
}

fn against(made: &[Vec<u32>], expected: &[Vec<u32>], equal: Verdict) -> Verdict {
    if made == expected {
        return equal;
    }
    let total = |runs: &[Vec<u32>]| runs.iter().map(|run| run.len() as u64).sum::<u64>();
    let (has, wanted) = (total(made), total(expected));
    let batch = made.iter().zip(expected).position(|(made, expected)| made != expected);
    let wrong = |what: String| Verdict::Wrong(format!("{what}, first in batch {}", batch.unwrap_or_default()));
    if equal == Verdict::Twin || has < wanted || made.len() != expected.len() {
        return wrong(format!("{has} instances where {wanted} are right, or others"));
    }
    let holds = made.iter().zip(expected).all(|(made, expected)| holds(made, expected));
    if !holds || (has - wanted) as f64 > MORE * wanted as f64 + 64.0 {
        return wrong(format!("{has} instances where the first variant has {wanted}, or others"));
    }
    Verdict::Holds(has - wanted)
}

/// Whether one sorted run holds another, and nothing twice.
fn holds(run: &[u32], other: &[u32]) -> bool {
    let mut rest = run.iter();
    run.is_sorted_by(|a, b| a < b) && other.iter().all(|wanted| rest.any(|has| has == wanted))
}

/// Bytes of a frame.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Bytes {
    /// Inputs read once and outputs written once.
    pub best: u64,
    /// Every buffer that a pass touches, once for each pass, read or written.
    pub moved: u64,
}

/// Buffers that passes of each frame touch: those they read, or those they write.
fn touched(program: &Program, read: bool) -> BTreeSet<ResourceId> {
    let graph = program.graph();
    let accesses = program.plan().order.iter().flat_map(|pass| &graph.passes[*pass].accesses);
    let wanted = accesses.filter(|access| if read { access.effect.reads() } else { access.effect.writes() });
    let is_buffer = |id: &ResourceId| matches!(graph.resources[*id].kind, ResourceKind::Buffer(_));
    wanted.map(|access| access.resource).filter(is_buffer).collect()
}

/// Counted from the plan: whole buffers, but of `list` what is listed.
pub(super) fn bytes(program: &Program, listed: Option<u64>) -> Bytes {
    let graph = program.graph();
    let size = |id: ResourceId| match &graph.resources[id].kind {
        ResourceKind::Buffer(_) if graph.resources[id].name == "list" && listed.is_some() => {
            4 * listed.unwrap_or_default()
        }
        ResourceKind::Buffer(buffer) => buffer.size.unwrap_or(0),
        _ => 0,
    };
    let (reads, writes) = (touched(program, true), touched(program, false));
    let inputs = reads.difference(&writes).map(|id| size(*id)).sum::<u64>();
    let outputs = graph.outputs.iter().filter(|(id, _)| writes.contains(id)).map(|(id, _)| size(*id)).sum::<u64>();
    let mut moved = 0;
    for pass in program.plan().order.iter().map(|pass| &graph.passes[*pass]) {
        if pass.run == Run::Once || matches!(pass.kind, PassKind::Render(_)) {
            continue;
        }
        let once = |does: fn(rondag::graph::Effect) -> bool| {
            let ids = pass.accesses.iter().filter(|access| does(access.effect)).map(|access| access.resource);
            ids.collect::<BTreeSet<_>>().into_iter().map(size).sum::<u64>()
        };
        moved += once(rondag::graph::Effect::reads) + once(rondag::graph::Effect::writes);
    }
    Bytes { best: inputs + outputs, moved }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_told_from_what_is_wide() {
        let first = vec![vec![1, 5, 9], vec![]];
        assert_eq!(against(&first, &first, Verdict::First), Verdict::First);
        assert_eq!(against(&[vec![1, 5, 7, 9], vec![]], &first, Verdict::First), Verdict::Holds(1));
        for wrong in [vec![vec![1, 5], vec![]], vec![vec![1, 5, 5, 9], vec![]], vec![vec![1, 6, 7, 9], vec![]]] {
            assert!(matches!(against(&wrong, &first, Verdict::First), Verdict::Wrong(_)), "{wrong:?}");
        }
        assert!(matches!(against(&[vec![1, 5, 7, 9], vec![]], &first, Verdict::Twin), Verdict::Wrong(_)));
    }
}
