//! Which limits and features graphs are held against.
//!
//! A file, TOML or JSON, says what differs from WebGPU's guarantees, by wgpu's names:
//!
//! ```toml
//! name = "my handheld"
//! features = ["SUBGROUP"]
//! max_memory = 1_073_741_824
//!
//! [limits]
//! max_storage_buffers_per_shader_stage = 16
//! ```

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context as _, bail};
use rondag::diagnostic::did_you_mean;
use rondag::lint::Profile;
use rondag::source::{Disk, Door as _};
use toml::Spanned;
use toml::de::DeValue;

use super::super::input;
use super::super::toml::Toml;

const NAMES: [&str; 2] = ["webgpu", "adapter"];

/// Profiles by name, each made once.
#[derive(Debug, Default)]
pub(super) struct Profiles(BTreeMap<String, Profile>);

impl Profiles {
    /// The profile that the command line names: one of the names, or a file.
    pub(super) fn typed(&mut self, name: &str) -> anyhow::Result<Profile> {
        let path = Path::new(name);
        self.get(name, || if path.exists() { input::small_file(path) } else { Err(missing(name)) })
    }

    /// The profile that a root names: a file of it is one below the root.
    pub(super) fn of_root(&mut self, name: &str, disk: &Disk) -> anyhow::Result<Profile> {
        let key = format!("{}/{name}", disk.root().display());
        let key = if NAMES.contains(&name) { name } else { &key };
        let read = || {
            let inside = disk.root().join(name).exists();
            if inside { Ok(disk.read(&rondag::source::normalize(name)?)?) } else { Err(missing(name)) }
        };
        self.get(key, read).with_context(|| format!("`profile` of `{}`", disk.display(super::config::NAME)))
    }

    fn get(&mut self, name: &str, read: impl FnOnce() -> anyhow::Result<Vec<u8>>) -> anyhow::Result<Profile> {
        if let Some(known) = self.0.get(name) {
            return Ok(known.clone());
        }
        let profile = match name {
            "webgpu" => Profile::default(),
            "adapter" => adapter()?,
            file => {
                let text = String::from_utf8(read()?).ok().with_context(|| format!("`{file}` is not valid UTF-8"))?;
                Reader { toml: Toml { shown: file, text: &text } }.profile()?
            }
        };
        self.0.insert(name.to_owned(), profile.clone());
        Ok(profile)
    }
}

fn missing(name: &str) -> anyhow::Error {
    let hint = did_you_mean(name, NAMES).unwrap_or_else(|| "known are `webgpu` and `adapter`".to_owned());
    anyhow::anyhow!("no profile and no file is called `{name}`; {hint}")
}

/// What this machine's adapter has.
#[cfg(feature = "gpu")]
fn adapter() -> anyhow::Result<Profile> {
    use rondag::gpu::{DeviceOptions, Gpu, Pick};
    Ok(Gpu::open(&Pick::Any, DeviceOptions::default())?.profile(rondag::lint::MAX_MEMORY))
}

#[cfg(not(feature = "gpu"))]
fn adapter() -> anyhow::Result<Profile> {
    bail!("this build cannot ask an adapter: it has no `gpu` feature")
}

/// A value of either language, and where it stands.
struct Node {
    at: Range<usize>,
    kind: Kind,
}

enum Kind {
    Text(String),
    Int(u64),
    List(Vec<Node>),
    Table(Vec<(Spanned<String>, Node)>),
    Other,
}

struct Reader<'t> {
    toml: Toml<'t>,
}

impl Reader<'_> {
    fn profile(&self) -> anyhow::Result<Profile> {
        let shown = Path::new(self.toml.shown);
        let is_json = shown.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
        let entries = if is_json { self.json()? } else { self.table()? };
        let stem = shown.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let mut profile = Profile { name: stem, ..Profile::default() };
        for (key, node) in entries {
            match (key.get_ref().as_str(), node.kind) {
                ("name", Kind::Text(name)) => profile.name = name,
                ("max_memory", Kind::Int(bytes)) => profile.max_memory = bytes,
                ("features", Kind::List(names)) => profile.features = self.features(&names)?,
                ("limits", Kind::Table(limits)) => profile.limits = self.limits(limits)?,
                ("name", _) => return Err(self.toml.fault(&node.at, "`name` needs a text")),
                ("max_memory", _) => return Err(self.toml.fault(&node.at, "`max_memory` needs a number of bytes")),
                ("features", _) => return Err(self.toml.fault(&node.at, "`features` needs a list of names")),
                ("limits", _) => return Err(self.toml.fault(&node.at, "`limits` needs names and whole numbers")),
                _ => {
                    let known = ["name", "features", "limits", "max_memory"];
                    return Err(self.toml.unknown("key", &key, known.into_iter()));
                }
            }
        }
        Ok(profile)
    }

    fn features(&self, names: &[Node]) -> anyhow::Result<wgpu_types::Features> {
        let mut features = wgpu_types::Features::empty();
        for node in names {
            let Kind::Text(name) = &node.kind else {
                return Err(self.toml.fault(&node.at, "`features` needs names"));
            };
            let all = || wgpu_types::Features::all().iter_names();
            match all().find(|(known, _)| folded(known) == folded(name)) {
                Some((_, feature)) => features |= feature,
                None => {
                    let known: Vec<&str> = all().map(|(known, _)| known).collect();
                    let name = Spanned::new(node.at.clone(), name);
                    return Err(self.toml.unknown("feature", &name, known.into_iter()));
                }
            }
        }
        Ok(features)
    }

    /// WebGPU's limits with those that are given.
    fn limits(&self, given: Vec<(Spanned<String>, Node)>) -> anyhow::Result<wgpu_types::Limits> {
        let default = serde_json::to_value(wgpu_types::Limits::default());
        let Ok(serde_json::Value::Object(mut limits)) = default else { bail!("limits cannot be told apart") };
        for (key, node) in given {
            let Kind::Int(value) = node.kind else {
                return Err(self.toml.fault(&node.at, &format!("`{}` needs a whole number", key.get_ref())));
            };
            let Some((name, limit)) = limits.iter_mut().find(|(known, _)| folded(known) == folded(key.get_ref()))
            else {
                let known: Vec<String> = limits.keys().map(|known| snake(known)).collect();
                return Err(self.toml.unknown("limit", &key, known.iter().map(String::as_str)));
            };
            // What WebGPU has at least one of may not be absent: sizes are divided by it.
            let least = u64::from(limit.as_u64() != Some(0));
            let is_alignment = name.ends_with("Alignment");
            if value < least || is_alignment && !value.is_power_of_two() {
                let needs = if is_alignment { "a power of two" } else { "a number above 0" };
                return Err(self.toml.fault(&node.at, &format!("`{}` needs {needs}", key.get_ref())));
            }
            *limit = value.into();
            if serde_json::from_value::<wgpu_types::Limits>(limits.clone().into()).is_err() {
                return Err(self.toml.fault(&node.at, &format!("{value} is too much for `{}`", key.get_ref())));
            }
        }
        serde_json::from_value(limits.into()).context("limits cannot be put together")
    }

    fn table(&self) -> anyhow::Result<Vec<(Spanned<String>, Node)>> {
        Ok(self.toml.table()?.iter().map(|(key, value)| entry(key, value)).collect())
    }

    fn json(&self) -> anyhow::Result<Vec<(Spanned<String>, Node)>> {
        let text = self.toml.text.strip_prefix('\u{feff}').unwrap_or(self.toml.text);
        let value: serde_json::Value = serde_json::from_str(text).map_err(|fault| {
            let why = fault.to_string();
            let why = why.split(" at line ").next().unwrap_or_default();
            anyhow::anyhow!("{}:{}:{}: {why}", self.toml.shown, fault.line(), fault.column())
        })?;
        match self.of_json(&value).kind {
            Kind::Table(entries) => Ok(entries),
            _ => Err(self.toml.fault(&(0..0), "a profile is an object")),
        }
    }

    /// JSON values know no places: texts and keys are where they stand first.
    fn of_json(&self, value: &serde_json::Value) -> Node {
        let place = |text: &str| {
            let at = self.toml.text.find(&format!("\"{text}\"")).unwrap_or_default();
            at..at + text.len()
        };
        match value {
            serde_json::Value::String(text) => Node { at: place(text), kind: Kind::Text(text.clone()) },
            serde_json::Value::Number(number) => {
                let kind = number.as_u64().map_or(Kind::Other, Kind::Int);
                Node { at: 0..0, kind }
            }
            serde_json::Value::Array(items) => {
                Node { at: 0..0, kind: Kind::List(items.iter().map(|item| self.of_json(item)).collect()) }
            }
            serde_json::Value::Object(fields) => {
                let field = |(name, value): (&String, &serde_json::Value)| {
                    let node = self.of_json(value);
                    let at = if node.at == (0..0) { place(name) } else { node.at };
                    (Spanned::new(place(name), name.clone()), Node { at, ..node })
                };
                Node { at: 0..0, kind: Kind::Table(fields.iter().map(field).collect()) }
            }
            _ => Node { at: 0..0, kind: Kind::Other },
        }
    }
}

fn entry(key: &Spanned<toml::de::DeString<'_>>, value: &Spanned<DeValue<'_>>) -> (Spanned<String>, Node) {
    (Spanned::new(key.span(), key.get_ref().to_string()), node(value))
}

fn node(value: &Spanned<DeValue<'_>>) -> Node {
    let kind = match value.get_ref() {
        DeValue::String(text) => Kind::Text(text.to_string()),
        DeValue::Integer(int) => u64::from_str_radix(int.as_str(), int.radix()).map_or(Kind::Other, Kind::Int),
        DeValue::Array(items) => Kind::List(items.iter().map(node).collect()),
        DeValue::Table(entries) => Kind::Table(entries.iter().map(|(key, value)| entry(key, value)).collect()),
        _ => Kind::Other,
    };
    Node { at: value.span(), kind }
}

/// `maxBindGroups` and `max_bind_groups` are one name.
fn folded(name: &str) -> String {
    name.chars().filter(|c| *c != '_' && *c != '-').flat_map(char::to_lowercase).collect()
}

/// As wgpu spells it in Rust.
fn snake(name: &str) -> String {
    let mut snake = String::new();
    for c in name.chars() {
        if (c.is_uppercase() || c.is_ascii_digit()) && !snake.ends_with(|last: char| last.is_ascii_digit()) {
            snake.push('_');
        }
        snake.extend(c.to_lowercase());
    }
    snake
}
