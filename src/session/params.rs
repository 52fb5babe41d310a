//! Values of params that somebody moved.

use std::collections::BTreeMap;

use crate::graph::{Draft, Graph, Param, ParamValue, Value};
use crate::syntax::document::{Document, ParamKind};

/// Moved params by name. All others follow their defaults, also when those are edited.
pub type Moved = BTreeMap<String, ParamValue>;

/// Those that the document declares, each inside its range; a value that fits no more is left out.
pub(super) fn fitting(document: &Document, moved: &Moved) -> Moved {
    let params = document.params.iter();
    let fits = params.filter_map(|param| {
        let name = param.name.value.to_string();
        Some((name, fit(&param.kind, moved.get(param.name.value.as_str())?)?))
    });
    fits.collect()
}

/// A value inside the range of a param; nothing if it is of another kind.
pub fn fit(kind: &ParamKind, value: &ParamValue) -> Option<ParamValue> {
    match (kind, value) {
        (ParamKind::Int { min, max, .. }, ParamValue::Int(it)) => {
            Some(ParamValue::Int(*it.max(&min.value).min(&max.value)))
        }
        (ParamKind::Float { min, max, .. }, ParamValue::Float(it)) if !it.is_nan() => {
            Some(ParamValue::Float(it.max(min.value).min(max.value)))
        }
        (ParamKind::Float { .. }, ParamValue::Int(it)) => fit(kind, &ParamValue::Float(*it as f64)),
        (ParamKind::Bool { .. }, ParamValue::Bool(it)) => Some(ParamValue::Bool(*it)),
        (ParamKind::Choice { of, .. }, ParamValue::Choice(it)) => {
            of.iter().any(|known| known.value == it.as_str()).then(|| value.clone())
        }
        _ => None,
    }
}

/// What a param is when nobody moved it.
pub fn default(kind: &ParamKind) -> Option<ParamValue> {
    Some(match kind {
        ParamKind::Int { default, .. } => ParamValue::Int(default.value),
        ParamKind::Float { default, .. } => ParamValue::Float(default.value),
        ParamKind::Bool { default } => ParamValue::Bool(default.value),
        ParamKind::Choice { default, .. } => ParamValue::Choice(default.value.to_string()),
        ParamKind::Poison => return None,
    })
}

/// What a param is to be.
pub(super) fn wanted(param: &Param, moved: &Moved) -> Option<ParamValue> {
    moved.get(&param.name).and_then(|value| fit(&param.kind, value)).or_else(|| default(&param.kind))
}

/// A value in the terms of a draft. A text that the draft has nowhere equals none of those that it has.
pub(super) fn value(draft: &Draft, value: &ParamValue) -> Value {
    match value {
        ParamValue::Int(it) => Value::Int(*it),
        ParamValue::Float(it) => Value::Float(*it),
        ParamValue::Bool(it) => Value::Bool(*it),
        ParamValue::Choice(it) => {
            let at = draft.texts.iter().position(|text| text == it);
            Value::Text(at.and_then(|at| u32::try_from(at).ok()).unwrap_or(u32::MAX))
        }
    }
}

/// Whether a graph was made for these values as far as its structure hangs on them.
pub(super) fn is_made_for(graph: &Graph, moved: &Moved) -> bool {
    let mut structural = graph.params.iter().filter(|param| param.structural);
    structural.all(|param| wanted(param, moved).is_none_or(|wanted| value(graph, &wanted) == param.value))
}
