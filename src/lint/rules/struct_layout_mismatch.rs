//! `struct-layout-mismatch`: bytes that two shaders read differently.

use std::collections::BTreeSet;

use super::layouts::{Leaf, each_stored, leaves};
use crate::diagnostic::{Diagnostic, rule};
use crate::lint::Context;
use crate::shader::Layout;

rule! {
    pub(crate) STRUCT_LAYOUT_MISMATCH = Warning "struct-layout-mismatch": "two shaders read the elements of one buffer differently";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let mut told = BTreeSet::new();
    each_stored(cx, |stored| {
        let (known, other) = stored.first;
        if let Some(difference) = difference(other, stored.layout)
            && told.insert((stored.resource, stored.global.span))
        {
            let of = &cx.draft.resources[stored.resource];
            let message = format!("`{}` is read differently by two shaders: {difference}", of.name);
            let at = stored.global.span;
            let fault =
                Diagnostic::new(&STRUCT_LAYOUT_MISMATCH, message, at, format!("as `{}` here", stored.layout.name))
                    .also(known.span, format!("as `{}` here", other.name))
                    .also(of.span, "the buffer");
            let fault = fault.help("declare the struct once, in `shaders/lib`, and import it in both");
            out.push(fault.at(format!("resources[\"{}\"]", of.name)));
        }
    });
}

/// What two layouts disagree on. Their strides are compared elsewhere.
pub(super) fn difference(one: &Layout, other: &Layout) -> Option<String> {
    if one.element == other.element || one.tail != other.tail || (one.tail.is_none() && one.size != other.size) {
        return None;
    }
    let (a, b) = (leaves(one)?, leaves(other)?);
    let shape = |leaf: &Leaf| {
        if leaf.name.is_empty() { leaf.kind.to_owned() } else { format!("`{}`, {}", leaf.name, leaf.kind) }
    };
    for leaf in &b {
        let Some(same) = a.iter().find(|other| other.offset == leaf.offset) else { continue };
        if same.kind != leaf.kind {
            return Some(format!("at byte {} one has {}, the other {}", leaf.offset, shape(same), shape(leaf)));
        }
    }
    let names = |leaves: &[Leaf]| {
        let mut names: Vec<String> = leaves.iter().map(|leaf| leaf.name.clone()).collect();
        names.sort();
        names
    };
    // The same members in another order.
    if names(&a) == names(&b) {
        let moved = b.iter().find(|leaf| {
            !leaf.name.is_empty()
                && a.iter().filter(|other| other.name == leaf.name).all(|other| other.offset != leaf.offset)
        })?;
        let was = a.iter().find(|leaf| leaf.name == moved.name)?;
        return Some(format!(
            "`{}` is at byte {} in one and at byte {} in the other",
            moved.name, was.offset, moved.offset
        ));
    }
    None
}
