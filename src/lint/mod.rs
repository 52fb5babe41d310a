//! Checks that need no GPU: every variant of a graph, and all rules as one table.
//!
//! [`check`] resolves and plans each variant and joins what was found: a fault that all variants have is there once, one that
//! only some have names them.

use std::collections::BTreeSet;

use crate::diagnostic::{Assignment, Diagnostic, Level, Rule, merge};
use crate::graph::variants::{self, Tried, Variant, VariantKind};
use crate::graph::{self, Draft, Library, ParamValue, Settings};
use crate::source::{FileId, Span};
use crate::syntax::document::ParamKind;
use crate::{plan, shader, syntax};

/// Every rule, in order of its code.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    let layers = [syntax::rules::ALL, shader::rules::ALL, graph::rules::ALL, plan::rules::ALL];
    let mut rules: Vec<_> = layers.concat();
    rules.sort_by_key(|rule| rule.code);
    rules.into_iter()
}

/// What was found in all variants of a graph.
#[derive(Debug, Default)]
pub struct Report {
    /// In no order.
    pub found: Vec<Diagnostic>,
    /// Settings that were tried.
    pub tried: usize,
    /// Settings that were not: those tried have passes enough.
    pub untried: usize,
}

/// Checks a graph in every variant that `given` leaves open: params that it sets stay as they are.
pub fn check(library: &mut Library, top: FileId, given: &Settings) -> Report {
    let mut runs = Runs::default();
    let untried = variants::explore(library, top, given, |_, tried| runs.add(tried));
    let Runs { tried, text, combinations, ends } = runs;
    let mut found = merge(combinations);
    let known: BTreeSet<_> = found.iter().map(place).collect();
    found.extend(merge(without(&known, &ends)));
    for end in &ends {
        found.extend(largest(library, top, given, end, &known));
    }
    found.extend(text);
    Report { found, tried, untried }
}

/// The findings of all variants, by what they say about the graph.
#[derive(Default)]
struct Runs {
    tried: usize,
    /// Faults of texts: found when a file is read first, whatever the variant.
    text: Vec<Diagnostic>,
    /// Of the combinations of Choices and Bools.
    combinations: Vec<(Assignment, Vec<Diagnostic>)>,
    /// Of Ints at their ends, and of other surfaces.
    ends: Vec<End>,
}

/// An Int at one of its ends, or another surface.
struct End {
    variant: Variant,
    /// The Int, and its value in the default variant.
    int: Option<(String, i64)>,
    found: Vec<Diagnostic>,
}

impl Runs {
    fn add(&mut self, Tried { variant, draft, mut found }: Tried) {
        self.tried += 1;
        found.extend(plan::attempt(&draft, plan::Options::default()).1);
        self.text.extend(found.extract_if(.., |finding| is_of_text(finding.rule)));
        match &variant.kind {
            VariantKind::Default | VariantKind::Combination => self.combinations.push((assignment(&draft), found)),
            VariantKind::End(name) => {
                let int = int_default(&draft, name).map(|default| (name.clone(), default));
                self.ends.push(End { variant, int, found });
            }
            VariantKind::Surface => self.ends.push(End { variant, int: None, found }),
        }
    }
}

/// All Choices and Bools of a variant with their values.
fn assignment(draft: &Draft) -> Assignment {
    let selects = |kind: &ParamKind| matches!(kind, ParamKind::Bool { .. } | ParamKind::Choice { .. });
    let params = draft.params.iter().filter(|param| selects(&param.kind));
    let value = |param: &graph::Param| variants::given_value(draft, param.value).map(|value| value.to_string());
    params.filter_map(|param| Some((param.name.clone(), value(param)?))).collect()
}

fn int_default(draft: &Draft, name: &str) -> Option<i64> {
    match &draft.params.iter().find(|param| param.name == name)?.kind {
        ParamKind::Int { default, .. } => Some(default.value),
        _ => None,
    }
}

/// What the ends add to what is known, as runs that can be merged. One run more stands for the default variant, so that no
/// fault of the ends is taken for a fault of all. Broken limits are told otherwise.
fn without(known: &BTreeSet<(Span, &str)>, ends: &[End]) -> Vec<(Assignment, Vec<Diagnostic>)> {
    let run = |end: &End| {
        let params = end.variant.params.iter().map(|(name, value)| (name.clone(), value.to_string()));
        let surface = end.variant.surface.map(|[width, height]| ("surface".to_owned(), format!("{width}x{height}")));
        let told = |finding: &&Diagnostic| end.int.is_some() && is_of_a_limit(finding.rule);
        let new = end.found.iter().filter(|finding| !known.contains(&place(finding)) && !told(finding));
        (params.chain(surface).collect(), new.cloned().collect())
    };
    std::iter::once((Assignment::new(), Vec::new())).chain(ends.iter().map(run)).collect()
}

/// The limit that an Int meets first on the way from its default to an end of its range, as notes that name the last value
/// that fits; by bisection from what is broken at the end.
fn largest(
    library: &mut Library,
    top: FileId,
    given: &Settings,
    end: &End,
    known: &BTreeSet<(Span, &str)>,
) -> Vec<Diagnostic> {
    let new = |finding: &Diagnostic| is_of_a_limit(finding.rule) && !known.contains(&place(finding));
    let Some((name, mut fits)) = end.int.clone() else { return Vec::new() };
    let Some(ParamValue::Int(mut fails)) = end.variant.params.get(&name).cloned() else { return Vec::new() };
    let mut broken: Vec<Diagnostic> = end.found.iter().filter(|finding| new(finding)).cloned().collect();
    while !broken.is_empty() && fits.abs_diff(fails) > 1 {
        let middle = fits.midpoint(fails);
        let mut settings = given.clone();
        settings.params.insert(name.clone(), ParamValue::Int(middle));
        let (_, mut found) = graph::resolve(library, top, &settings);
        found.retain(new);
        if found.is_empty() { fits = middle } else { (fails, broken) = (middle, found) }
    }
    let variant = format!("{name} {} {fits}", if fails > fits { "above" } else { "below" });
    let note = |finding| Diagnostic { level: Level::Note, variant: variant.clone(), ..finding };
    broken.into_iter().map(|finding| note(finding).note(format!("`{name}` fits up to {fits}"))).collect()
}

/// Where a fault is and of what rule: at other sizes its message has other numbers.
fn place(finding: &Diagnostic) -> (Span, &'static str) {
    (finding.primary.span, finding.rule.code)
}

fn is_of_text(rule: &'static Rule) -> bool {
    let is = |other: &&'static Rule| std::ptr::eq(*other, rule);
    syntax::rules::ALL.iter().any(is) || shader::rules::ALL.iter().any(is)
}

fn is_of_a_limit(rule: &Rule) -> bool {
    rule.code.ends_with("-limit")
}
