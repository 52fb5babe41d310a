//! `order-by-after`: only `after` orders two passes.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Diagnostic, rule};
use crate::graph::PassId;
use crate::lint::Context;
use crate::plan::EdgeReason;
use crate::source::Span;

rule! {
    pub(crate) ORDER_BY_AFTER = Warning "order-by-after": "nothing but `after` orders two passes";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    // An `after` that names an Include or a Repeat, or stands on one, makes many edges: one that means something is enough.
    let mut stated: BTreeMap<Span, Vec<(PassId, PassId)>> = BTreeMap::new();
    for edge in &cx.plan.edges {
        if let EdgeReason::Stated(span) = edge.reason {
            stated.entry(span).or_default().push((edge.before, edge.after));
        }
    }
    for (span, pairs) in stated {
        if pairs.iter().any(|(before, after)| depends(cx, *before, *after)) {
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

/// Whether hazards lead from one pass to another.
fn depends(cx: &Context<'_>, from: PassId, to: PassId) -> bool {
    let mut open = vec![from];
    let mut seen = BTreeSet::new();
    while let Some(pass) = open.pop() {
        for edge in cx.plan.edges_from(pass) {
            if matches!(edge.reason, EdgeReason::Hazard { .. }) && seen.insert(edge.after) {
                if edge.after == to {
                    return true;
                }
                open.push(edge.after);
            }
        }
    }
    false
}
