//! Checking a file: every variant resolved, planned and held against the rules, what all have said once.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use super::examine::{breaks, examine};
use super::levels::{Allow, Levels, Used};
use super::{Context, Profile, is_of_a_limit, is_of_text, rules, run};
use crate::diagnostic::{Assignment, Diagnostic, Level, Rule, has_errors, merge, rule};
use crate::graph::variants::{self, Tried, Variant, VariantKind};
use crate::graph::{self, Draft, Library, ParamValue, Settings};
use crate::plan;
use crate::source::{FileId, Span};
use crate::syntax::document::ParamKind;

rule! {
    pub(crate) SKIPPED_VARIANT = Note "skipped-variant": "a variant was not checked";
}

pub(super) static ALL: &[&Rule] = &[&SKIPPED_VARIANT];

/// Faults that a graph has only if every variant in which the thing exists has them.
const EVERYWHERE: [&Rule; 11] = [
    &rules::DEAD_PASS,
    &rules::NEVER_RESET,
    &rules::NEVER_WRITTEN,
    &rules::OVERWRITTEN_UNREAD,
    &rules::REDUNDANT_CLEAR,
    &rules::STORAGE_FOR_UNIFORM,
    &rules::UNREAD_WRITE,
    &rules::UNUSED_PARAM,
    &rules::UNUSED_RESOURCE,
    &rules::UNUSED_USAGE,
    &rules::UNUSED_VALUE,
];

/// What may be idle or lost: its place, and for a use the place of what is used.
type Subject = (Span, Option<Span>);

/// What was found in a graph.
#[derive(Debug)]
pub struct Report {
    /// In no order.
    pub found: Vec<Diagnostic>,
    /// Settings that were tried.
    pub tried: usize,
    /// Settings that were not: those tried have passes enough.
    pub untried: usize,
    /// Graph files that took part, the checked one first.
    pub closure: Vec<FileId>,
    /// Allows of other files than the checked one, which other graphs may have a use for.
    pub allows: Vec<Allow>,
}

/// Checks a graph at the levels that its files set. See [`check_at`].
pub fn check(library: &mut Library, top: FileId, given: &Settings, profile: &Profile) -> Report {
    check_at(library, top, given, profile, &Levels::default())
}

/// Checks a graph in every variant that `given` leaves open, against a profile: params that `given` sets stay as they are.
///
/// A fault that all variants have is there once, one that only some have names them. A limit that is broken only at an end
/// of an Int is a note with the last value that fits. An allow in the checked file that kept nothing back is a finding if
/// every variant was tried and sound.
pub fn check_at(library: &mut Library, top: FileId, given: &Settings, profile: &Profile, levels: &Levels) -> Report {
    let given = &Settings { limits: profile.limits.clone(), ..given.clone() };
    let mut runs = Runs { sound: given.params.is_empty(), ..Runs::default() };
    let untried = variants::explore(library, top, given, |library, tried| runs.add(library, (profile, levels), tried));
    let idle = runs.idle();
    let allows = runs.allows(library, levels, untried);
    let Runs { tried, text, combinations, ends, closure, .. } = runs;
    let mut found = merge(combinations);
    let known: BTreeSet<_> = found.iter().map(place).collect();
    found.extend(merge(without(&known, &ends)));
    for end in &ends {
        found.extend(largest(library, top, (given, profile), end, &known));
    }
    found.extend(text);
    found.extend(idle);
    if found.iter().any(breaks) {
        let default = examine(library, top, given, profile, plan::Options::default());
        for fault in found.iter_mut().filter(|fault| breaks(fault)) {
            let known = default.found.iter().find(|other| place(other) == place(fault));
            fault.help.extend(
                known.into_iter().flat_map(|other| &other.help).filter(|help| help.starts_with("the largest")).cloned(),
            );
        }
    }
    let (own, allows): (Vec<_>, Vec<_>) = allows.into_iter().partition(|allow| allow.span.file == top);
    found.extend(own.into_iter().filter_map(|allow| allow.unused));
    Report { found, tried, untried, closure, allows }
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
    /// [`EVERYWHERE`] faults by rule and subject.
    everywhere: BTreeMap<(Subject, &'static str), Everywhere>,
    /// The subjects of each variant, which is told by its number.
    present: Vec<(Subject, usize)>,
    closure: Vec<FileId>,
    used: Used,
    /// Whether every variant was checked to the end and nothing was set, so that what was not found is not there.
    sound: bool,
}

/// An [`EVERYWHERE`] fault: how often it is there, and the allows that keep it back; one that the command line says has no place.
struct Everywhere {
    fault: Diagnostic,
    there: usize,
    by: BTreeSet<Option<Span>>,
}

/// An Int at one of its ends, or another surface.
struct End {
    variant: Variant,
    /// The Int, and its value in the default variant.
    int: Option<(String, i64)>,
    found: Vec<Diagnostic>,
}

impl Runs {
    fn add(
        &mut self,
        library: &Library,
        (profile, levels): (&Profile, &Levels),
        Tried { variant, draft, mut found }: Tried,
    ) {
        self.tried += 1;
        for file in &draft.files {
            if !self.closure.contains(file) {
                self.closure.push(*file);
            }
        }
        // Where something is wrong, more may be idle than will be.
        let mut sound = !has_errors(&found) && !is_partial(library, &draft);
        let mut allowed = Vec::new();
        let mut found = match lacks(&draft, &variant, profile) {
            Some(note) => {
                self.sound = false;
                vec![note]
            }
            None => {
                found.extend(linted(library, profile, &draft));
                sound &= !has_errors(&found);
                demote(&variant, &mut found);
                let leveled = levels.apply(&draft, found);
                allowed = leveled.allowed;
                leveled.found
            }
        };
        self.sound &= sound;
        self.text.extend(found.extract_if(.., |finding| is_of_text(finding.rule)));
        let subjects = subjects(&draft);
        let idle = found.extract_if(.., |fault| is_everywhere(fault)).map(|fault| (fault, None));
        let kept_back = allowed.extract_if(.., |(fault, _)| is_everywhere(fault)).map(|(fault, by)| (fault, Some(by)));
        self.everywhere(idle.chain(kept_back).filter(|_| sound), &subjects);
        for (_, by) in allowed {
            self.used.add(by);
        }
        self.present.extend(subjects.into_iter().map(|subject| (subject, self.tried)));
        match &variant.kind {
            VariantKind::Default | VariantKind::Combination => self.combinations.push((assignment(&draft), found)),
            VariantKind::End(name) => {
                let int = int_default(&draft, name).map(|default| (name.clone(), default));
                self.ends.push(End { variant, int, found });
            }
            VariantKind::Surface => self.ends.push(End { variant, int: None, found }),
        }
    }

    /// Counts the faults that all rounds of a Repeat and all inclusions of a file have. Each comes with the allow that keeps it
    /// back, if one does.
    fn everywhere(&mut self, faults: impl Iterator<Item = (Diagnostic, Option<Option<Span>>)>, subjects: &[Subject]) {
        let mut here: BTreeMap<(Subject, &'static str), Everywhere> = BTreeMap::new();
        let mut sorted = Vec::new();
        for (fault, by) in faults {
            if sorted.is_empty() {
                sorted = subjects.to_vec();
                sorted.sort_unstable();
            }
            let use_ = (fault.primary.span, fault.secondary.first().map(|label| label.span));
            let subject = if equal(&sorted, |one| one.cmp(&use_)) > 0 { use_ } else { (fault.primary.span, None) };
            let known = here.entry((subject, fault.rule.code));
            let known = known.or_insert_with(|| Everywhere { fault, there: 0, by: BTreeSet::new() });
            known.there += 1;
            known.by.extend(by);
        }
        for ((subject, code), Everywhere { fault, there, by }) in here {
            if there >= equal(&sorted, |one| one.cmp(&subject)) {
                let known = self.everywhere.entry((subject, code));
                let known = known.or_insert_with(|| Everywhere { fault, there: 0, by: BTreeSet::new() });
                known.there += 1;
                known.by.extend(by);
            }
        }
    }

    /// What is idle in every variant that has it, and not allowed in one of them.
    fn idle(&mut self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let everywhere = std::mem::take(&mut self.everywhere);
        if everywhere.is_empty() {
            return found;
        }
        self.present.sort_unstable();
        self.present.dedup();
        for ((subject, _), Everywhere { fault, there, by }) in everywhere {
            if equal(&self.present, |(one, _)| one.cmp(&subject)) != there {
                continue;
            }
            if by.is_empty() {
                found.push(fault);
            }
            for place in by {
                self.used.add(place);
            }
        }
        found
    }

    fn allows(&self, library: &mut Library, levels: &Levels, untried: usize) -> Vec<Allow> {
        let documents: Vec<_> = self.closure.iter().map(|file| library.document(*file, &mut Vec::new())).collect();
        let faulty = self.closure.iter().any(|file| library.is_faulty(*file));
        self.used.settled(&library.files, levels, &documents, self.sound && !faulty && untried == 0)
    }
}

fn is_everywhere(fault: &Diagnostic) -> bool {
    EVERYWHERE.contains(&fault.rule)
}

/// A limit that is broken at an end of an Int only is no error, and may be allowed.
fn demote(variant: &Variant, found: &mut [Diagnostic]) {
    if matches!(variant.kind, VariantKind::End(_)) {
        for finding in found.iter_mut().filter(|finding| is_of_a_limit(finding.rule)) {
            finding.level = Level::Note;
        }
    }
}

/// Whether more is meant than the draft has: a text, pass or resource could not be read or made.
fn is_partial(library: &Library, draft: &Draft) -> bool {
    draft.files.iter().any(|file| library.is_faulty(*file))
        || draft.passes.iter().any(|pass| pass.poisoned)
        || draft.resources.iter().any(|resource| resource.poisoned)
}

/// What the planner and the rules of this layer find.
fn linted(library: &Library, profile: &Profile, draft: &Draft) -> Vec<Diagnostic> {
    let (plan, mut found) = plan::attempt(draft, plan::Options::default());
    found.extend(run(&Context::new(&library.files, draft, &plan, profile)));
    found
}

/// A note, if the variant requires what the profile lacks.
fn lacks(draft: &Draft, variant: &Variant, profile: &Profile) -> Option<Diagnostic> {
    let (_, span) = draft.lacking(profile.features)?;
    let label = variant.label();
    let which = if label.is_empty() { "the default variant".to_owned() } else { format!("variant `{label}`") };
    let message = format!("{which} was skipped: profile `{}` lacks a feature that it requires", profile.name);
    Some(Diagnostic::new(&SKIPPED_VARIANT, message, span, "required here"))
}

/// How many of a sorted list are neither before nor after what is looked for.
fn equal<T>(sorted: &[T], order: impl Fn(&T) -> Ordering) -> usize {
    let from = sorted.partition_point(|one| order(one).is_lt());
    sorted[from..].partition_point(|one| order(one).is_eq())
}

/// All that may be idle or lost, as often as it is there: passes, their uses of resources, resources, usage flags, params,
/// values.
fn subjects(draft: &Draft) -> Vec<Subject> {
    let flags = draft.resources.iter().flat_map(|resource| resource.declared_usage.iter().flatten());
    let accesses = draft.passes.iter().flat_map(|pass| &pass.accesses);
    let uses = accesses.map(|access| (access.span, Some(draft.resources[access.resource].span)));
    let things = (draft.passes.iter().map(|pass| pass.span))
        .chain(draft.resources.iter().map(|resource| resource.span))
        .chain(flags.map(|flag| flag.span))
        .chain(draft.params.iter().map(|param| param.span))
        .chain(draft.named_values.iter().map(|value| value.span));
    uses.chain(things.map(|span| (span, None))).collect()
}

/// All Choices and Bools of a variant with their values.
pub(crate) fn assignment(draft: &Draft) -> Assignment {
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
    (given, profile): (&Settings, &Profile),
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
        let (draft, mut found) = graph::resolve(library, top, &settings);
        found.extend(linted(library, profile, &draft));
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
