//! `--set name=value`, held against the params that the graph declares.

use std::collections::BTreeMap;

use anyhow::{Context as _, bail};
use rondag::diagnostic::did_you_mean;
use rondag::graph::ParamValue;
use rondag::syntax::document::{Document, ParamDecl, ParamKind};

/// The values by name; where a param is set twice, the last one holds.
pub(super) fn params(document: &Document, set: &[(String, String)]) -> anyhow::Result<BTreeMap<String, ParamValue>> {
    let mut params = BTreeMap::new();
    for (name, text) in set {
        params.extend(value(find(document, name)?, text)?.map(|value| (name.clone(), value)));
    }
    Ok(params)
}

fn find<'a>(document: &'a Document, name: &str) -> anyhow::Result<&'a ParamDecl> {
    if let Some(param) = document.params.iter().find(|param| param.name.value == name) {
        return Ok(param);
    }
    let names = || document.params.iter().map(|param| param.name.value.as_str());
    match did_you_mean(name, names()) {
        Some(hint) => bail!("the graph has no param `{name}`; {hint}"),
        None if document.params.is_empty() => bail!("the graph has no param `{name}`; it has none at all"),
        None => bail!("the graph has no param `{name}`; it has {}", listed(names())),
    }
}

/// Nothing for a param whose declaration is at fault.
fn value(param: &ParamDecl, text: &str) -> anyhow::Result<Option<ParamValue>> {
    let name = &param.name.value;
    let digits = text.replace('_', "");
    let value = match &param.kind {
        ParamKind::Int { min, max, .. } => {
            let value: i64 =
                digits.parse().ok().with_context(|| format!("`{name}` needs a whole number, not `{text}`"))?;
            within(name, &value, &min.value, &max.value)?;
            ParamValue::Int(value)
        }
        ParamKind::Float { min, max, .. } => {
            let value: f64 = digits.parse().ok().with_context(|| format!("`{name}` needs a number, not `{text}`"))?;
            within(name, &value, &min.value, &max.value)?;
            ParamValue::Float(value)
        }
        ParamKind::Bool { .. } => {
            let value = text.parse().ok().with_context(|| format!("`{name}` needs `true` or `false`, not `{text}`"))?;
            ParamValue::Bool(value)
        }
        ParamKind::Choice { of, .. } => {
            let known = || of.iter().map(|choice| choice.value.as_str());
            if !known().any(|choice| choice == text) {
                let hint = did_you_mean(text, known()).map(|hint| format!("; {hint}")).unwrap_or_default();
                bail!("`{name}` can be {}, not `{text}`{hint}", listed(known()))
            }
            ParamValue::Choice(text.to_owned())
        }
        ParamKind::Poison => return Ok(None),
    };
    Ok(Some(value))
}

/// NaN is outside of every range.
fn within<T: PartialOrd + std::fmt::Display>(name: &str, value: &T, min: &T, max: &T) -> anyhow::Result<()> {
    if *min <= *value && *value <= *max {
        return Ok(());
    }
    bail!("`{name}` is {value}, outside its range {min} to {max}")
}

fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
