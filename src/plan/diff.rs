//! What changed between two plans, told by the names of passes and resources.

use std::collections::{BTreeMap, BTreeSet};

use super::{Plan, Step, dump, reason, size};
use crate::graph::{Draft, PassId, ResourceId, ResourceKind};

/// What a change is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Subject {
    /// A pass: there or not, recorded or not, before or after others.
    Pass,
    /// What waits for what, and why.
    Order,
    /// Recorded passes, and which dispatches share one.
    Boundary,
    /// A resource: there or not, its size, what it is made for.
    Resource,
    /// Which resources share memory.
    Slot,
    /// Sums of bytes.
    Bytes,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Change {
    /// What it is about.
    pub subject: Subject,
    /// The pass, the resource, or the sum.
    pub name: String,
    /// What happened: `added`, `resized`, …
    pub what: &'static str,
    /// How it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// How it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// A graph and its plan.
#[derive(Debug, Clone, Copy)]
pub struct Planned<'a> {
    /// The graph.
    pub graph: &'a Draft,
    /// Its plan.
    pub plan: &'a Plan,
}

/// All changes from one plan to another: passes, order, boundaries, resources, slots, bytes; each kind in the order of the new plan.
pub fn diff(old: Planned<'_>, new: Planned<'_>) -> Vec<Change> {
    let mut changes = Vec::new();
    passes(old, new, &mut changes);
    waits(old, new, &mut changes);
    boundaries(old, new, &mut changes);
    resources(old, new, &mut changes);
    slots(old, new, &mut changes);
    bytes(old.plan, new.plan, &mut changes);
    changes
}

fn change(subject: Subject, name: &str, what: &'static str, sides: [Option<String>; 2]) -> Change {
    let [before, after] = sides;
    Change { subject, name: name.to_owned(), what, before, after }
}

impl<'a> Planned<'a> {
    fn pass(self, pass: PassId) -> &'a str {
        &self.graph.passes[pass].name
    }

    fn resource(self, resource: ResourceId) -> &'a str {
        &self.graph.resources[resource].name
    }

    /// Passes of each frame by name, in their order.
    fn order(self) -> Vec<&'a str> {
        self.plan.order.iter().map(|pass| self.pass(*pass)).collect()
    }

    /// The names of the passes of each frame.
    fn recorded(self) -> BTreeSet<String> {
        self.order().into_iter().map(str::to_owned).collect()
    }

    /// Passes that run once, by name.
    fn once(self) -> BTreeSet<&'a str> {
        self.plan.once.iter().map(|pass| self.pass(*pass)).collect()
    }

    /// Who waits for whom among the recorded passes of a frame, and why.
    fn waits(self) -> BTreeSet<(String, String)> {
        let recorded: BTreeSet<PassId> = self.plan.order.iter().copied().collect();
        let edges = self.plan.edges.iter();
        let edges = edges.filter(|edge| recorded.contains(&edge.before) && recorded.contains(&edge.after));
        let words = |edge: &super::Edge| {
            let why = reason::edge(self.graph, edge);
            (self.pass(edge.after).to_owned(), format!("for `{}`, {why}", self.pass(edge.before)))
        };
        edges.map(words).collect()
    }

    /// Why each pass that is not recorded is not.
    fn dead(self) -> BTreeMap<&'a str, String> {
        let why = |(pass, why): &(PassId, _)| (self.pass(*pass), reason::dead(self.graph, self.plan, *pass, *why));
        self.plan.dead.iter().map(why).collect()
    }

    /// Buffers and textures that have memory, by name, in file order.
    fn memory(self) -> Vec<(&'a str, ResourceId)> {
        let held = |id: &ResourceId| {
            matches!(self.graph.resources[*id].kind, ResourceKind::Buffer(_) | ResourceKind::Texture(_))
                && self.plan.is_made(self.graph, *id)
        };
        self.graph.resources.ids().filter(held).map(|id| (self.resource(id), id)).collect()
    }

    fn size(self, id: ResourceId) -> String {
        let resource = &self.graph.resources[id];
        let bytes = size::bytes(resource).map_or_else(|| "unknown size".to_owned(), reason::human_bytes);
        match &resource.kind {
            ResourceKind::Texture(texture) => {
                let [width, height] = texture.size.unwrap_or_default();
                let format = texture.format.map_or_else(|| "?".to_owned(), |format| format!("{format:?}"));
                format!("{bytes}, {format} {width} × {height}, {} mips, {} layers", texture.mips, texture.layers)
            }
            _ => bytes,
        }
    }

    fn usages(self, id: ResourceId) -> String {
        let mut flags: Vec<String> = self.plan.usages[id].iter().map(|reason| format!("{:?}", reason.flag)).collect();
        flags.dedup();
        flags.join(" | ")
    }

    /// Who shares memory with a resource; nothing for memory of its own.
    fn mates(self, id: ResourceId) -> Option<BTreeSet<&'a str>> {
        let slot = self.plan.placement[id]?;
        Some(
            self.plan.slots[slot].residents.iter().filter(|other| **other != id).map(|it| self.resource(*it)).collect(),
        )
    }

    /// Compute passes by the names of their dispatches.
    fn compute_passes(self) -> Vec<Vec<&'a str>> {
        let steps = self.plan.steps.iter().filter(|step| matches!(step, Step::Compute(_)));
        steps.map(|step| dump::passes(step).iter().map(|pass| self.pass(*pass)).collect()).collect()
    }
}

fn passes(old: Planned<'_>, new: Planned<'_>, changes: &mut Vec<Change>) {
    let (before, after) = (old.order(), new.order());
    let (was_dead, is_dead) = (old.dead(), new.dead());
    let (was_once, is_once) = (old.once(), new.once());
    let all = |order: &[&str], once: &BTreeSet<&str>| -> BTreeSet<String> {
        order.iter().chain(once).map(|name| (*name).to_owned()).collect()
    };
    let recorded = all(&before, &was_once);
    let known: BTreeSet<String> = was_dead.keys().map(|name| (*name).to_owned()).chain(recorded.clone()).collect();
    let now = all(&after, &is_once);
    let there: BTreeSet<String> = is_dead.keys().map(|name| (*name).to_owned()).chain(now).collect();
    let mut add = |name: &str, what, sides| changes.push(change(Subject::Pass, name, what, sides));
    for name in known.difference(&there) {
        add(name, "removed", [None, None]);
    }
    for name in new.graph.passes.iter().map(|pass| pass.name.as_str()) {
        let dead = is_dead.get(name);
        match (known.contains(name), recorded.contains(name), dead) {
            (false, _, None) => add(name, "added", [None, None]),
            (false, _, Some(why)) => add(name, "added, not recorded", [None, Some(why.clone())]),
            (true, true, Some(why)) => add(name, "no longer recorded", [None, Some(why.clone())]),
            (true, false, None) => add(name, "now recorded", [was_dead.get(name).cloned(), None]),
            (true, false, Some(why)) if was_dead.get(name) != Some(why) => {
                add(name, "not recorded for another reason", [was_dead.get(name).cloned(), Some(why.clone())]);
            }
            (true, true, None) if was_once.contains(name) != is_once.contains(name) => {
                let words = |once: bool| Some(if once { "once" } else { "each frame" }.to_owned());
                add(name, "runs at other times", [words(was_once.contains(name)), words(is_once.contains(name))]);
            }
            _ => {}
        }
    }
    let place: BTreeMap<&str, usize> = before.iter().enumerate().map(|(at, name)| (*name, at)).collect();
    let common: Vec<(&str, usize)> = after.iter().filter_map(|name| Some((*name, *place.get(name)?))).collect();
    let stay = longest_rise(&common.iter().map(|(_, at)| *at).collect::<Vec<_>>());
    let mut last: Option<&str> = None;
    for (at, (name, _)) in common.iter().enumerate() {
        if !stay[at] {
            let behind = last.map_or_else(|| "to the front".to_owned(), |last| format!("behind `{last}`"));
            add(name, "moved", [None, Some(behind)]);
        }
        last = Some(name);
    }
}

/// Which numbers belong to a longest run that rises; patience sorting (Aldous, Diaconis, "Longest increasing subsequences: from
/// patience sorting to the Baik-Deift-Johansson theorem", 1999).
fn longest_rise(numbers: &[usize]) -> Vec<bool> {
    let mut tops: Vec<usize> = Vec::new();
    let mut below: Vec<Option<usize>> = Vec::with_capacity(numbers.len());
    for (at, number) in numbers.iter().enumerate() {
        let pile = tops.partition_point(|top| numbers[*top] < *number);
        below.push(pile.checked_sub(1).map(|pile| tops[pile]));
        if pile == tops.len() { tops.push(at) } else { tops[pile] = at }
    }
    let mut stays = vec![false; numbers.len()];
    let mut at = tops.last().copied();
    while let Some(here) = at {
        stays[here] = true;
        at = below[here];
    }
    stays
}

fn waits(old: Planned<'_>, new: Planned<'_>, changes: &mut Vec<Change>) {
    let (before, after) = (old.waits(), new.waits());
    let [there, here] = [old, new].map(Planned::recorded);
    // What a pass that came or went waits for, or is waited for by, goes without saying.
    let both = |(pass, _): &&(String, String)| there.contains(pass) && here.contains(pass);
    for (pass, why) in before.difference(&after).filter(both) {
        changes.push(change(Subject::Order, pass, "no longer waits", [None, Some(why.clone())]));
    }
    for (pass, why) in after.difference(&before).filter(both) {
        changes.push(change(Subject::Order, pass, "now waits", [None, Some(why.clone())]));
    }
}

fn boundaries(old: Planned<'_>, new: Planned<'_>, changes: &mut Vec<Change>) {
    let count = |planned: Planned<'_>| planned.plan.steps.len();
    if count(old) != count(new) {
        let sides = [Some(count(old).to_string()), Some(count(new).to_string())];
        changes.push(change(Subject::Boundary, "recorded passes and commands", "changed", sides));
    }
    let joined = |planned: Planned<'_>| -> BTreeSet<(String, String)> {
        let passes = planned.compute_passes();
        let pairs = passes.iter().flat_map(|pass| pass.windows(2).map(|pair| (pair[0].to_owned(), pair[1].to_owned())));
        pairs.collect()
    };
    let (before, after) = (joined(old), joined(new));
    let [there, here] = [old, new].map(Planned::recorded);
    let both = |pair: &&(String, String)| {
        [&pair.0, &pair.1].into_iter().all(|name| there.contains(name) && here.contains(name))
    };
    for (pairs, what) in [
        (before.difference(&after), "no longer side by side in one compute pass"),
        (after.difference(&before), "now side by side in one compute pass"),
    ] {
        for (a, b) in pairs.filter(both) {
            changes.push(change(Subject::Boundary, &format!("{a} and {b}"), what, [None, None]));
        }
    }
}

fn resources(old: Planned<'_>, new: Planned<'_>, changes: &mut Vec<Change>) {
    let before: BTreeMap<&str, ResourceId> = old.memory().into_iter().collect();
    let after: BTreeMap<&str, ResourceId> = new.memory().into_iter().collect();
    let mut add = |name: &str, what, sides| changes.push(change(Subject::Resource, name, what, sides));
    for (name, id) in old.memory() {
        if !after.contains_key(name) {
            add(name, "removed", [Some(old.size(id)), None]);
        }
    }
    for (name, id) in new.memory() {
        let Some(was) = before.get(name).copied() else {
            add(name, "added", [None, Some(new.size(id))]);
            continue;
        };
        let pairs = [
            (
                if bytes_of(old, was) == bytes_of(new, id) { "shaped otherwise" } else { "resized" },
                old.size(was),
                new.size(id),
            ),
            (
                "lives otherwise",
                format!("{:?}", old.graph.resources[was].lifetime),
                format!("{:?}", new.graph.resources[id].lifetime),
            ),
            ("made for other usages", old.usages(was), new.usages(id)),
        ];
        for (what, before, after) in pairs {
            if before != after {
                add(name, what, [Some(before), Some(after)]);
            }
        }
    }
}

fn bytes_of(planned: Planned<'_>, id: ResourceId) -> Option<u64> {
    size::bytes(&planned.graph.resources[id])
}

fn slots(old: Planned<'_>, new: Planned<'_>, changes: &mut Vec<Change>) {
    let before: BTreeMap<&str, ResourceId> = old.memory().into_iter().collect();
    let words = |mates: &Option<BTreeSet<&str>>| match mates {
        None => "memory of its own".to_owned(),
        Some(mates) if mates.is_empty() => "a slot, alone".to_owned(),
        Some(mates) => {
            format!("a slot with {}", mates.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "))
        }
    };
    for (name, id) in new.memory() {
        let Some(was) = before.get(name) else { continue };
        let (old_mates, new_mates) = (old.mates(*was), new.mates(id));
        if old_mates != new_mates {
            changes.push(change(
                Subject::Slot,
                name,
                "lives elsewhere",
                [Some(words(&old_mates)), Some(words(&new_mates))],
            ));
        }
    }
}

fn bytes(old: &Plan, new: &Plan, changes: &mut Vec<Change>) {
    let (a, b) = (&old.bytes, &new.bytes);
    for (name, before, after) in [
        ("slots", a.shared, b.shared),
        ("unshared", a.unshared, b.unshared),
        ("bound", a.bound, b.bound),
        ("own", a.own, b.own),
        ("kept", a.kept, b.kept),
    ] {
        if before != after {
            let sides = [before, after].map(|bytes| Some(reason::human_bytes(bytes)));
            changes.push(change(Subject::Bytes, name, if after > before { "more" } else { "less" }, sides));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stays_is_as_much_as_can() {
        assert_eq!(longest_rise(&[]), [false; 0]);
        assert_eq!(longest_rise(&[0, 1, 2]), [true; 3]);
        assert_eq!(longest_rise(&[2, 0, 1]), [false, true, true]);
        assert_eq!(longest_rise(&[3, 0, 4, 1, 2]).iter().filter(|stays| **stays).count(), 3);
    }
}
