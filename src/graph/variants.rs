//! Which settings of a graph are tried when it is checked.
//!
//! The default first; then every combination of the Choices and Bools that select anything, up to [`MAX_PRODUCT`], and
//! beyond that every pair of their values; then every structural Int at its ends, and the extreme surfaces where anything reads
//! the surface, with the other params at their defaults.

use std::collections::{BTreeMap, BTreeSet};

use super::{Draft, Library, ParamValue, Settings, Value, resolve};
use crate::diagnostic::Diagnostic;
use crate::source::FileId;
use crate::syntax::document::ParamKind;

/// Up to here all combinations are tried.
pub const MAX_PRODUCT: usize = 256;

/// Passes planned for one file, all variants together; what is above is left untried.
pub const MAX_PLANNED: usize = 500_000;

/// Surfaces tried besides the given one: the least, a common one, an odd one.
const SURFACES: [[u32; 2]; 3] = [[1, 1], [1920, 1080], [801, 603]];

/// One setting that is tried.
#[derive(Debug, Clone, PartialEq)]
pub struct Variant {
    /// Values of params, where they are not the given ones.
    pub params: BTreeMap<String, ParamValue>,
    /// The surface, where it is not the given one.
    pub surface: Option<[u32; 2]>,
    /// Why it is tried.
    pub kind: VariantKind,
}

/// Why a variant is tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VariantKind {
    /// As given: params at their defaults unless set.
    Default,
    /// A combination of Choices and Bools.
    Combination,
    /// An Int at one of its ends.
    End(String),
    /// An extreme surface.
    Surface,
}

impl Variant {
    /// `compaction=atomic, sorted=false`; empty for the default.
    pub fn label(&self) -> String {
        let params = self.params.iter().map(|(name, value)| format!("{name}={value}"));
        let surface = self.surface.iter().map(|[width, height]| format!("surface={width}x{height}"));
        params.chain(surface).collect::<Vec<_>>().join(", ")
    }

    /// The settings of this variant.
    pub fn settings(&self, given: &Settings) -> Settings {
        let mut settings = given.clone();
        settings.params.extend(self.params.clone());
        settings.surface = self.surface.unwrap_or(given.surface);
        settings
    }
}

impl std::fmt::Display for ParamValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Int(i) => write!(f, "{i}"),
            Self::Float(x) => write!(f, "{x}"),
            Self::Bool(b) => write!(f, "{b}"),
            Self::Choice(text) => f.write_str(text),
        }
    }
}

/// One variant, resolved.
#[derive(Debug)]
pub struct Tried {
    /// Which.
    pub variant: Variant,
    /// What came out.
    pub draft: Draft,
    /// What is wrong with it. Faults of files are among those of the first variant that reads them.
    pub found: Vec<Diagnostic>,
}

/// Resolves every variant of a graph and shows each to `visit`. Returns how many were left untried.
pub fn explore(
    library: &mut Library,
    top: FileId,
    given: &Settings,
    mut visit: impl FnMut(&mut Library, Tried),
) -> usize {
    let mut explorer = Explorer {
        given,
        seen: BTreeSet::new(),
        selectors: BTreeMap::new(),
        ends: Vec::new(),
        ranged: BTreeSet::new(),
        planned: 0,
        surface: false,
    };
    let mut queue = vec![Variant { params: BTreeMap::new(), surface: None, kind: VariantKind::Default }];
    let mut untried = 0;
    while !queue.is_empty() {
        for variant in std::mem::take(&mut queue) {
            if !explorer.seen.insert(variant.label()) {
                continue;
            }
            if explorer.planned > MAX_PLANNED {
                untried += 1;
                continue;
            }
            let (draft, found) = resolve(library, top, &variant.settings(given));
            explorer.planned += draft.passes.len().max(1);
            explorer.learn(&draft);
            visit(library, Tried { variant, draft, found });
        }
        // A variant may select by params that no other does, so the combinations are made anew until none is new.
        queue = explorer.next();
    }
    untried
}

struct Explorer<'a> {
    given: &'a Settings,
    seen: BTreeSet<String>,
    /// Choices and Bools that select something, with their other values.
    selectors: BTreeMap<String, Vec<ParamValue>>,
    /// Structural Ints and their ends.
    ends: Vec<(String, ParamValue)>,
    /// Those Ints.
    ranged: BTreeSet<String>,
    planned: usize,
    /// A variant reads the surface.
    surface: bool,
}

impl Explorer<'_> {
    fn learn(&mut self, draft: &Draft) {
        self.surface |= draft.reads_surface;
        for param in draft.params.iter().filter(|param| param.structural) {
            if self.given.params.contains_key(&param.name) {
                continue;
            }
            match &param.kind {
                ParamKind::Bool { default } => {
                    self.selectors.insert(param.name.clone(), vec![ParamValue::Bool(!default.value)]);
                }
                ParamKind::Choice { default, of } => {
                    let others = of.iter().filter(|text| text.value != default.value);
                    let others = others.map(|text| ParamValue::Choice(text.value.to_string())).collect();
                    self.selectors.insert(param.name.clone(), others);
                }
                ParamKind::Int { default, min, max } => {
                    if self.ranged.insert(param.name.clone()) {
                        let ends = [min.value, max.value].into_iter().filter(|end| *end != default.value);
                        self.ends.extend(ends.map(|end| (param.name.clone(), ParamValue::Int(end))));
                    }
                }
                ParamKind::Float { .. } | ParamKind::Poison => {}
            }
        }
    }

    /// Variants that are not tried yet.
    fn next(&self) -> Vec<Variant> {
        let combinations = self.combinations().into_iter().map(|params| Variant {
            kind: if params.is_empty() { VariantKind::Default } else { VariantKind::Combination },
            params,
            surface: None,
        });
        let ends = self.ends.iter().map(|(name, value)| Variant {
            params: BTreeMap::from([(name.clone(), value.clone())]),
            surface: None,
            kind: VariantKind::End(name.clone()),
        });
        let surfaces = SURFACES
            .iter()
            .filter(|surface| self.surface && **surface != self.given.surface)
            .map(|surface| Variant { params: BTreeMap::new(), surface: Some(*surface), kind: VariantKind::Surface });
        let all = combinations.chain(ends).chain(surfaces);
        all.filter(|variant| !self.seen.contains(&variant.label())).collect()
    }

    fn combinations(&self) -> Vec<BTreeMap<String, ParamValue>> {
        let product = self.selectors.values().try_fold(1usize, |product, others| product.checked_mul(others.len() + 1));
        if product.is_some_and(|product| product <= MAX_PRODUCT) {
            return self.selectors.iter().fold(vec![BTreeMap::new()], |all, (name, others)| {
                all.into_iter().flat_map(|params| with_each(&params, name, others)).collect()
            });
        }
        let mut pairs = Vec::new();
        for (index, (name, others)) in self.selectors.iter().enumerate() {
            for one in with_each(&BTreeMap::new(), name, others) {
                pairs.push(one.clone());
                for (second, values) in self.selectors.iter().skip(index + 1) {
                    pairs.extend(with_each(&one, second, values).into_iter().skip(1));
                }
            }
        }
        pairs
    }
}

/// `params` as it is, then with each other value of one param.
fn with_each(
    params: &BTreeMap<String, ParamValue>,
    name: &str,
    others: &[ParamValue],
) -> Vec<BTreeMap<String, ParamValue>> {
    let changed = others.iter().map(|value| {
        let mut params = params.clone();
        params.insert(name.to_owned(), value.clone());
        params
    });
    std::iter::once(params.clone()).chain(changed).collect()
}

/// The value of a param in a draft, as a host would give it.
pub fn given_value(draft: &Draft, value: Value) -> Option<ParamValue> {
    match value {
        Value::Int(i) => Some(ParamValue::Int(i)),
        Value::Float(f) => Some(ParamValue::Float(f)),
        Value::Bool(b) => Some(ParamValue::Bool(b)),
        Value::Text(text) => draft.texts.get(text as usize).cloned().map(ParamValue::Choice),
        _ => None,
    }
}
