//! Questions about a plan: why a pass is dead, why it comes before another, why two resources do not share memory, why a usage
//! flag is there, why two compute passes did not become one.
//!
//! Every answer is what the plan says, in words, with the places in the files where its reason stands.

use super::{
    Asker, DeadReason, Edge, EdgeReason, Hazard, Lifespan, Options, Plan, SlotId, Step, dump, reason, size, words,
};
use crate::graph::{Draft, Effect, Lifetime, Param, PassId, ResourceId, ResourceKind, Run};
use crate::id::{Id as _, IdVec};
use crate::source::Span;

/// One sentence, with where its reason stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The sentence, without a full stop.
    pub text: String,
    /// The places that it cites, in order.
    pub places: Vec<Span>,
}

fn say(text: impl Into<String>, places: impl IntoIterator<Item = Span>) -> Answer {
    Answer { text: text.into(), places: places.into_iter().collect() }
}

/// Whoever answers about one plan.
#[derive(Debug)]
pub struct Explainer<'a> {
    graph: &'a Draft,
    plan: &'a Plan,
    options: Options,
    positions: IdVec<PassId, Option<u32>>,
}

impl<'a> Explainer<'a> {
    /// Answers about this plan of this graph, which was made by these switches.
    pub fn new(graph: &'a Draft, plan: &'a Plan, options: Options) -> Self {
        Self { graph, plan, options, positions: dump::positions(plan, graph.passes.len()) }
    }

    fn name(&self, pass: PassId) -> &str {
        &self.graph.passes[pass].name
    }

    fn label(&self, resource: ResourceId) -> &str {
        &self.graph.resources[resource].name
    }

    /// Whether a param makes another plan.
    pub fn param(&self, param: &Param) -> Vec<Answer> {
        let name = &param.name;
        vec![match (param.structural, param.read) {
            (true, _) => say(
                format!(
                    "`{name}` is structural: a size, count, path, condition or override reads it, so changing it makes another plan"
                ),
                [param.span],
            ),
            (false, true) => {
                say(format!("`{name}` is live: only values read it, so changing it is an upload"), [param.span])
            }
            (false, false) => say(format!("nothing of this variant reads `{name}`"), [param.span]),
        }]
    }

    /// What becomes of a pass, what it waits for, and what it does to resources.
    pub fn pass(&self, pass: PassId) -> Vec<Answer> {
        let mut answers = vec![self.fate(pass)];
        if self.positions[pass].is_none() {
            return answers;
        }
        let waits = self.plan.edges.iter().filter(|edge| edge.after == pass && self.positions[edge.before].is_some());
        answers.extend(waits.map(|edge| self.edge(edge)));
        let waiting = self.plan.edges_from(pass).iter().filter(|edge| self.positions[edge.after].is_some());
        answers.extend(waiting.map(|edge| self.edge(edge)));
        if answers.len() == 1 {
            answers.push(say("it waits for nothing and nothing waits for it: it stands where the file has it", []));
        }
        answers.extend(self.neighbours(pass));
        answers
    }

    fn fate(&self, pass: PassId) -> Answer {
        let (name, it) = (self.name(pass), &self.graph.passes[pass]);
        if let Some((_, why)) = self.plan.dead.iter().find(|(dead, _)| *dead == pass) {
            let words = reason::dead(self.graph, self.plan, pass, *why);
            let state = match why {
                DeadReason::Unread => "dead",
                DeadReason::Empty => "empty",
                DeadReason::Folded(_) => "folded",
            };
            return say(format!("`{name}` is {state}, not recorded: {words}"), [it.span]);
        }
        if it.run == Run::Once {
            return say(format!("`{name}` runs once, before the first frame"), [it.span]);
        }
        let at = self.positions[pass].unwrap_or(0);
        let of = self.plan.order.len();
        let step = self.plan.steps.iter().find(|step| dump::passes(step).contains(&pass));
        let how = step.map_or(String::new(), |step| {
            let others = dump::passes(step).iter().filter(|other| **other != pass).map(|other| self.name(*other));
            match (dump::kind(step), words::list(others, "and")) {
                (kind, others) if others.is_empty() => format!(", recorded as {}", article(kind)),
                (_, others) => format!(", in one compute pass with {others}"),
            }
        });
        say(format!("`{name}` is #{at} of {of} recorded passes{how}"), [it.span])
    }

    fn edge(&self, edge: &Edge) -> Answer {
        let (before, after) = (self.name(edge.before), self.name(edge.after));
        match edge.reason {
            EdgeReason::Stated(span) => say(format!("`{after}` comes after `{before}`: `after` says so"), [span]),
            EdgeReason::Hazard { kind, resource, part, before: there, after: here } => {
                let what = words::part(self.graph, resource, part);
                let why = match kind {
                    Hazard::ReadAfterWrite => format!("reads `{what}`"),
                    Hazard::WriteAfterRead => format!("changes `{what}` after it was read"),
                    Hazard::WriteAfterWrite => format!("changes `{what}`"),
                };
                say(format!("`{after}` comes after `{before}`: it {why}"), [here, there])
            }
        }
    }

    /// Why a dispatch does not share a compute pass with those before and after.
    fn neighbours(&self, pass: PassId) -> Vec<Answer> {
        let steps = &self.plan.steps;
        let is_compute = |step: &Step| matches!(step, Step::Compute(_));
        let Some(at) = steps.iter().position(|step| is_compute(step) && dump::passes(step).contains(&pass)) else {
            return Vec::new();
        };
        let before = steps[..at].iter().rposition(is_compute);
        let after = steps[at + 1..].iter().position(is_compute).map(|by| at + 1 + by);
        let apart = |first: usize, second: usize| self.apart(first, second);
        before.map(|before| apart(before, at)).into_iter().chain(after.map(|after| apart(at, after))).collect()
    }

    /// Why two compute passes are not one.
    fn apart(&self, first: usize, second: usize) -> Answer {
        let steps = &self.plan.steps;
        let (a, b) = (dump::passes(&steps[first]), dump::passes(&steps[second]));
        let [names_a, names_b] = [a, b].map(|of| words::list(of.iter().map(|pass| self.name(*pass)), "and"));
        let what = format!("{names_a} and {names_b} are two compute passes");
        let between: Vec<PassId> = steps[first + 1..second].iter().flat_map(dump::passes).copied().collect();
        if !self.options.merge {
            return say(format!("{what}: merging is off"), []);
        }
        let bound = a.iter().find_map(|from| {
            let path = self.path(*from, |to| b.contains(&to), |through| between.contains(&through))?;
            (path.len() > 1).then_some(path)
        });
        match bound {
            Some(path) => {
                let through = path[0].after;
                let places = path.iter().copied().flat_map(places);
                let name = self.name(through);
                say(format!("{what}: `{name}` has to be recorded between them"), places)
            }
            None => {
                let names = words::list(between.iter().map(|pass| self.name(*pass)), "and");
                let stand = if between.len() == 1 { "stands" } else { "stand" };
                let why = match self.options.order {
                    super::Order::Merge => {
                        "moving what could be moved would save no compute pass or cost too much memory"
                    }
                    super::Order::File => "the order is the file's",
                    super::Order::Memory => "the order is the one for memory",
                    super::Order::Shuffle(_) => "the order is any that the hazards allow",
                };
                say(format!("{what}: {names} {stand} between them; {why}"), [])
            }
        }
    }

    /// The shortest chain of edges from a pass to one that is wanted, through passes that are allowed.
    fn path(
        &self,
        from: PassId,
        wanted: impl Fn(PassId) -> bool,
        allowed: impl Fn(PassId) -> bool,
    ) -> Option<Vec<&'a Edge>> {
        let mut came: IdVec<PassId, Option<&'a Edge>> = IdVec::filled(None, self.graph.passes.len());
        let mut open = std::collections::VecDeque::from([from]);
        while let Some(pass) = open.pop_front() {
            for edge in self.plan.edges_from(pass) {
                let next = edge.after;
                if next == from || came[next].is_some() || !(wanted(next) || allowed(next)) {
                    continue;
                }
                came[next] = Some(edge);
                if wanted(next) {
                    let mut path = Vec::new();
                    let mut at = next;
                    while let Some(edge) = came[at] {
                        path.push(edge);
                        at = edge.before;
                    }
                    path.reverse();
                    return Some(path);
                }
                open.push_back(next);
            }
        }
        None
    }

    /// Why one pass comes before the other, and why they do or do not share a compute pass.
    pub fn order(&self, a: PassId, b: PassId) -> Vec<Answer> {
        let (first, second) = match (self.positions[a], self.positions[b]) {
            (Some(at), Some(other)) if at <= other => (a, b),
            (Some(_), Some(_)) => (b, a),
            _ => {
                return [a, b]
                    .into_iter()
                    .filter(|pass| self.positions[*pass].is_none())
                    .map(|pass| self.fate(pass))
                    .collect();
            }
        };
        let mut answers = Vec::new();
        let [first_name, second_name] = [first, second].map(|pass| self.name(pass));
        if let Some(path) = self.path(first, |pass| pass == second, |_| true) {
            if path.len() > 1 {
                let through = words::list(path[..path.len() - 1].iter().map(|edge| self.name(edge.after)), "and");
                answers.push(say(format!("`{second_name}` comes after `{first_name}`, by way of {through}"), []));
            }
            answers.extend(path.into_iter().map(|edge| self.edge(edge)));
        } else {
            let why = if first < second { "the file has them in this order" } else { "that saves a compute pass" };
            let text = format!("nothing makes `{second_name}` wait for `{first_name}`: {why}");
            answers.push(say(text, [self.graph.passes[first].span, self.graph.passes[second].span]));
        }
        let step = |pass: PassId| {
            self.plan
                .steps
                .iter()
                .position(|step| matches!(step, Step::Compute(_)) && dump::passes(step).contains(&pass))
        };
        match (step(first), step(second)) {
            (Some(one), Some(other)) if one == other => answers.push(say("they share a compute pass", [])),
            (Some(one), Some(other)) => answers.push(self.apart(one, other)),
            _ => {}
        }
        answers
    }

    /// What a resource is, where it lives, who uses it for what, and why it has its usage flags.
    pub fn resource(&self, id: ResourceId) -> Vec<Answer> {
        let mut answers = vec![self.home(id)];
        answers.extend(self.lifetime(id));
        let users = self.graph.passes.entries();
        answers.extend(users.flat_map(|(pass, _)| self.uses(pass, id)));
        for reasons in self.plan.usages[id].chunk_by(|a, b| a.flag == b.flag) {
            let askers = reasons.iter().map(|reason| match reason.asked_by {
                Asker::Pass(pass, _) if self.is_recorded(pass) => format!("`{}`", self.name(pass)),
                Asker::Pass(pass, _) => format!("`{}` (not recorded)", self.name(pass)),
                Asker::Upload => "its contents, which are uploaded".to_owned(),
                Asker::State => "its state, which moves to a new copy when it is made anew".to_owned(),
                Asker::Output => "whoever reads the output back".to_owned(),
                Asker::Zero => "the zeros that stand in for writers without work".to_owned(),
            });
            let mut askers: Vec<String> = askers.collect();
            askers.dedup();
            let places = reasons.iter().filter_map(|reason| match reason.asked_by {
                Asker::Pass(_, span) => Some(span),
                _ => None,
            });
            answers.push(say(format!("{:?} is asked for by {}", reasons[0].flag, askers.join(", ")), places));
        }
        answers
    }

    /// Where a resource lives, and why.
    fn home(&self, id: ResourceId) -> Answer {
        let (name, it) = (self.label(id), &self.graph.resources[id]);
        if !matches!(it.kind, ResourceKind::Buffer(_) | ResourceKind::Texture(_)) {
            let text = format!("`{name}` holds no memory of the frame: it is a uniform or a sampler");
            return say(text, [it.span]);
        }
        if !self.plan.is_made(self.graph, id) {
            return say(format!("`{name}` has no memory in this setting: no recorded pass uses it"), [it.span]);
        }
        let bytes = size::bytes(it).map_or_else(|| "unknown size".to_owned(), reason::human_bytes);
        if let Some(slot) = self.plan.placement[id] {
            let others = self.plan.slots[slot].residents.iter().filter(|other| **other != id);
            let others = words::list(others.map(|other| self.label(*other)), "and");
            let with = if others.is_empty() { "alone".to_owned() } else { format!("with {others}") };
            return say(format!("`{name}` ({bytes}) lives in slot s{} {with}", slot.index()), [it.span]);
        }
        let why = self.alone(id);
        say(format!("`{name}` ({bytes}) has memory of its own: {why}"), [it.span])
    }

    /// Why a resource is in no slot.
    fn alone(&self, id: ResourceId) -> &'static str {
        let it = &self.graph.resources[id];
        let initial = matches!(&it.kind, ResourceKind::Buffer(buffer) if buffer.initial.is_some());
        if it.port.is_some() {
            return "the host gives it";
        }
        match it.lifetime {
            Lifetime::Persistent => "it is Persistent: the next frame sees what it holds",
            Lifetime::History => "it is a History: the next frame reads what this one writes",
            Lifetime::Transient if initial => "it has contents from the start",
            Lifetime::Transient if self.graph.outputs.iter().any(|(output, _)| *output == id) => {
                "it is an output, kept until the next frame"
            }
            Lifetime::Transient if size::bytes(it).is_none() => "its size is known to the host alone",
            Lifetime::Transient => "a `Once` pass works with it",
        }
    }

    fn is_recorded(&self, pass: PassId) -> bool {
        self.positions[pass].is_some() || self.plan.once.contains(&pass)
    }

    fn lifetime(&self, id: ResourceId) -> Option<Answer> {
        let Lifespan { first, last } = self.plan.lifetimes[id]?;
        let [from, to] = [first, last]
            .map(|at| self.plan.order.get(at as usize).map_or("the end of the frame", |pass| self.name(*pass)));
        Some(say(format!("it is alive from `{from}` ({first}) to `{to}` ({last})"), []))
    }

    /// What a pass does to a resource.
    pub fn uses(&self, pass: PassId, resource: ResourceId) -> Vec<Answer> {
        let accesses = self.graph.passes[pass].accesses.iter().filter(|it| it.resource == resource);
        let answers = accesses.map(|it| {
            let what = words::part(self.graph, resource, it.part);
            let does = match it.effect {
                Effect::Read if it.previous => format!("reads last frame's copy of `{what}`"),
                Effect::Read => format!("reads `{what}`"),
                Effect::Write => format!("writes some of `{what}`"),
                Effect::ReadWrite => format!("reads and writes `{what}`"),
                Effect::Accumulate => format!("adds to `{what}`"),
                Effect::Replace => format!("makes `{what}` anew"),
            };
            let flag = super::usage::flag(it.usage);
            let places = std::iter::once(it.span).chain(it.variable);
            let not = if self.is_recorded(pass) { "" } else { " (not recorded)" };
            say(format!("`{}`{not} {does}, as {flag:?}", self.name(pass)), places)
        });
        answers.collect()
    }

    /// Why two resources do or do not share memory.
    pub fn sharing(&self, a: ResourceId, b: ResourceId) -> Vec<Answer> {
        let (name_a, name_b) = (self.label(a), self.label(b));
        let both = [self.graph.resources[a].span, self.graph.resources[b].span];
        let (Some(slot), Some(other)) = (self.plan.placement[a], self.plan.placement[b]) else {
            let apart = [a, b].into_iter().filter(|id| self.plan.placement[*id].is_none());
            return apart.map(|id| self.home(id)).collect();
        };
        if slot == other {
            let text = format!("`{name_a}` and `{name_b}` share slot s{}: they are never alive together", slot.index());
            return std::iter::once(say(text, both)).chain(self.spans(a, b)).collect();
        }
        std::iter::once(self.strangers(a, b, (slot, other), both)).chain(self.spans(a, b)).collect()
    }

    fn spans(&self, a: ResourceId, b: ResourceId) -> Vec<Answer> {
        let span = |id: ResourceId| {
            let mut answer = self.lifetime(id)?;
            answer.text = answer.text.replacen("it is", &format!("`{}` is", self.label(id)), 1);
            Some(answer)
        };
        [a, b].into_iter().filter_map(span).collect()
    }

    /// Why two residents of slots are in two slots.
    fn strangers(&self, a: ResourceId, b: ResourceId, slots: (SlotId, SlotId), both: [Span; 2]) -> Answer {
        let (name_a, name_b) = (self.label(a), self.label(b));
        let head = format!("`{name_a}` and `{name_b}` do not share memory");
        let (one, other) = (&self.graph.resources[a].kind, &self.graph.resources[b].kind);
        match (one, other) {
            (ResourceKind::Buffer(_), ResourceKind::Texture(_))
            | (ResourceKind::Texture(_), ResourceKind::Buffer(_)) => {
                return say(format!("{head}: one is a buffer, the other a texture"), both);
            }
            (ResourceKind::Texture(x), ResourceKind::Texture(y)) if x != y => {
                return say(
                    format!("{head}: textures share only where format, size, mips, layers and samples are equal"),
                    both,
                );
            }
            _ => {}
        }
        let (Some(x), Some(y)) = (self.plan.lifetimes[a], self.plan.lifetimes[b]) else { return say(head, both) };
        let (from, to) = (x.first.max(y.first), x.last.min(y.last));
        if from <= to {
            let pass = self.plan.order.get(from as usize).map_or("the end of the frame", |pass| self.name(*pass));
            let also = if from == to { String::new() } else { format!(" and {} more", to - from) };
            return say(format!("{head}: both are alive at `{pass}`{also}"), both);
        }
        let blocks = |slot: SlotId, id: ResourceId| {
            let span = self.plan.lifetimes[id]?;
            let overlaps = |other: &&ResourceId| {
                self.plan.lifetimes[**other].is_some_and(|it| it.first <= span.last && span.first <= it.last)
            };
            self.plan.slots[slot].residents.iter().find(overlaps).map(|other| self.label(*other))
        };
        match blocks(slots.1, a).or_else(|| blocks(slots.0, b)) {
            Some(third) => say(format!("{head}: they could, but `{third}` lives in that slot meanwhile"), both),
            None if !self.options.alias => say(format!("{head}: sharing is off"), both),
            None => say(format!("{head}: they could, but that would make no slot smaller"), both),
        }
    }
}

fn article(kind: &str) -> &str {
    match kind {
        "render" => "a render pass",
        "compute" => "a compute pass of its own",
        _ => "commands between passes",
    }
}

/// Where an edge's reason stands.
fn places(edge: &Edge) -> Vec<Span> {
    match edge.reason {
        EdgeReason::Stated(span) => vec![span],
        EdgeReason::Hazard { before, after, .. } => vec![after, before],
    }
}
