//! Which passes are recorded, and why the others are not.
//!
//! A value is needed when someone outside of the frame sees it, or when a pass that is recorded reads it. A needed value
//! keeps its writer; a writer that changes only a part keeps the value before as well, one that replaces it does not.

use super::depend::{Chains, LinkId};
use super::uses::Frame;
use super::{DeadReason, Options, fold};
use crate::graph::{Draft, PassId, Run};
use crate::id::Id as _;

/// What becomes of each pass.
#[derive(Debug)]
pub(super) struct Fates {
    /// By pass: it is one of the frame's recorded passes.
    pub recorded: Vec<bool>,
    /// `Once` passes that are recorded.
    pub once: Vec<PassId>,
    /// The others.
    pub dead: Vec<(PassId, DeadReason)>,
}

/// Decides what is recorded.
pub(super) fn fates(graph: &Draft, frame: &Frame<'_>, chains: &Chains<'_>, options: Options) -> Fates {
    let live = if options.cull { needed(frame, chains) } else { vec![true; graph.passes.len()] };
    let folded = if options.merge { fold::targets(graph, frame, chains, &live) } else { Vec::new() };
    let mut fates = Fates { recorded: live, once: Vec::new(), dead: Vec::new() };
    let mut folded = folded.into_iter().peekable();
    for (pass, facts) in frame.facts.entries() {
        let into = folded.next_if(|(from, _)| *from == pass).map(|(_, into)| into);
        let reason = match into {
            _ if facts.empty => Some(DeadReason::Empty),
            _ if !fates.recorded[pass.index()] => Some(DeadReason::Unread),
            Some(into) => Some(DeadReason::Folded(into)),
            None => None,
        };
        fates.dead.extend(reason.map(|reason| (pass, reason)));
        if reason.is_none() && facts.run == Run::Once {
            fates.once.push(pass);
        }
        fates.recorded[pass.index()] = reason.is_none() && facts.run == Run::EachFrame;
    }
    fates
}

/// By pass, whether something outside of the frame depends on it. Of a pass that may lack accesses that is assumed.
fn needed(frame: &Frame<'_>, chains: &Chains<'_>) -> Vec<bool> {
    let mut live = vec![false; frame.facts.len()];
    let mut values = vec![false; chains.links.len()];
    let mut open: Vec<LinkId> = chains.finals.clone();
    if frame.any_poisoned {
        for (pass, _) in frame.facts.entries().filter(|(_, facts)| facts.poisoned) {
            live[pass.index()] = true;
            open.extend(chains.reads.of(pass).iter().map(|(_, link)| *link));
        }
    }
    while let Some(id) = open.pop() {
        if std::mem::replace(&mut values[id.index()], true) {
            continue;
        }
        let link = &chains.links[id];
        if let Some(prev) = link.prev
            && link.partial
        {
            open.push(prev);
        }
        if !frame.facts[link.pass].empty && !std::mem::replace(&mut live[link.pass.index()], true) {
            for (_, read) in chains.reads.of(link.pass) {
                open.push(*read);
            }
        }
    }
    live
}
