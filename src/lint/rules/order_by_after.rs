//! `order-by-after`: only `after` orders two passes.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Diagnostic, rule};
use crate::graph::PassId;
use crate::id::IdVec;
use crate::lint::Context;
use crate::plan::EdgeReason;
use crate::source::Span;

rule! {
    pub(crate) ORDER_BY_AFTER = Warning "order-by-after": "nothing but `after` orders two passes";
}

/// Edges that are followed, a pass of the frame.
const MOST_STEPS: usize = 1_000;

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    // An `after` that names an Include or a Repeat, or stands on one, makes many edges: one that means something is enough.
    let mut stated: BTreeMap<Span, Vec<(PassId, PassId)>> = BTreeMap::new();
    for edge in &cx.plan.edges {
        if let EdgeReason::Stated(span) = edge.reason {
            stated.entry(span).or_default().push((edge.before, edge.after));
        }
    }
    if stated.is_empty() {
        return;
    }
    let by_hazards = ordered_by_hazards(cx, stated.values().flatten());
    for (span, pairs) in stated {
        if pairs.iter().any(|pair| by_hazards.contains(pair)) {
            continue;
        }
        let (before, after) = pairs[0];
        let name = |pass: PassId| &cx.draft.passes[pass].name;
        let message =
            format!("`{}` comes after `{}` by this word alone: no resource orders them", name(after), name(before));
        let fault = Diagnostic::new(&ORDER_BY_AFTER, message, span, "changes no result");
        let fault = fault.help("remove it; where one pass does see what the other writes, bind that resource in both");
        out.push(fault.at(format!("passes[\"{}\"].after", name(after))));
    }
}

/// The pairs of which hazards lead from one pass to the other. Beyond [`MOST_STEPS`] all are taken for such.
fn ordered_by_hazards<'p>(
    cx: &Context<'_>,
    pairs: impl Iterator<Item = &'p (PassId, PassId)>,
) -> BTreeSet<(PassId, PassId)> {
    let mut wanted: BTreeMap<PassId, BTreeSet<PassId>> = BTreeMap::new();
    for (before, after) in pairs {
        wanted.entry(*before).or_default().insert(*after);
    }
    let mut found = BTreeSet::new();
    let mut steps = MOST_STEPS.saturating_mul(cx.draft.passes.len());
    // In which round a pass was reached last.
    let mut reached: IdVec<PassId, usize> = IdVec::filled(0, cx.draft.passes.len());
    for (round, (before, mut after)) in (1..).zip(wanted) {
        let mut open = vec![before];
        while let Some(pass) = open.pop().filter(|_| !after.is_empty() && steps > 0) {
            let edges = cx.plan.edges_from(pass);
            steps = steps.saturating_sub(edges.len() + 1);
            for edge in edges.iter().filter(|edge| matches!(edge.reason, EdgeReason::Hazard { .. })) {
                if std::mem::replace(&mut reached[edge.after], round) != round {
                    open.push(edge.after);
                    if after.remove(&edge.after) {
                        found.insert((before, edge.after));
                    }
                }
            }
        }
        if steps == 0 {
            found.extend(after.into_iter().map(|after| (before, after)));
        }
    }
    found
}
