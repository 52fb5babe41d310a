//! One setting, resolved, planned and held against a profile: what `run` and embedding hosts need before anything is made.

use std::sync::Arc;

use super::{Context, Profile, run};
use crate::diagnostic::{Diagnostic, Level, has_errors};
use crate::graph::{Draft, Graph, Library, ParamValue, Settings, Value, resolve};
use crate::plan::{self, Options, Plan};
use crate::source::FileId;
use crate::syntax::document::ParamKind;

/// One setting of a graph.
#[derive(Debug, Clone)]
pub struct Examined {
    /// The frame.
    pub draft: Draft,
    /// Its plan.
    pub plan: Plan,
    /// What is wrong. Broken limits name the largest value of each Int that fits.
    pub found: Vec<Diagnostic>,
}

impl Examined {
    /// The frame and its plan, to be recorded without further checks.
    ///
    /// # Errors
    /// All findings, if one of them is an error.
    pub fn accept(self) -> Result<(Arc<Graph>, Arc<Plan>), Vec<Diagnostic>> {
        if has_errors(&self.found) {
            return Err(self.found);
        }
        let graph = Graph::new(self.draft).ok_or(self.found)?;
        Ok((Arc::new(graph), Arc::new(self.plan)))
    }
}

/// Resolves and plans one setting and holds it against a profile, whose limits also say where dispatches fold.
pub fn examine(library: &mut Library, top: FileId, given: &Settings, profile: &Profile, options: Options) -> Examined {
    let mut examined = once(library, top, given, profile, options);
    if !examined.found.iter().any(breaks) {
        return examined;
    }
    let notes = fitting(library, top, given, (profile, options), &examined.draft);
    for fault in examined.found.iter_mut().filter(|fault| breaks(fault)) {
        fault.help.extend(notes.iter().cloned());
    }
    examined
}

fn once(library: &mut Library, top: FileId, given: &Settings, profile: &Profile, options: Options) -> Examined {
    let settings = Settings { limits: profile.limits.clone(), ..given.clone() };
    let (draft, mut found) = resolve(library, top, &settings);
    let (plan, mut faults) = plan::attempt(&draft, options);
    found.append(&mut faults);
    found.append(&mut run(&Context::new(&library.files, &draft, &plan, profile)));
    Examined { draft, plan, found }
}

/// Whether a finding is a broken limit.
pub(super) fn breaks(fault: &Diagnostic) -> bool {
    fault.level == Level::Error && fault.rule.code.ends_with("-limit")
}

/// For each structural Int above its minimum: the largest value up to the present one at which no limit is broken.
fn fitting(
    library: &mut Library,
    top: FileId,
    given: &Settings,
    (profile, options): (&Profile, Options),
    draft: &Draft,
) -> Vec<String> {
    let mut notes = Vec::new();
    for param in draft.params.iter().filter(|param| param.structural) {
        let (ParamKind::Int { min, .. }, Value::Int(now)) = (&param.kind, param.value) else { continue };
        let mut holds = |value: i64| {
            let mut settings = given.clone();
            settings.params.insert(param.name.clone(), ParamValue::Int(value));
            !once(library, top, &settings, profile, options).found.iter().any(breaks)
        };
        if min.value >= now || !holds(min.value) {
            continue;
        }
        let (mut fits, mut broken) = (min.value, now);
        while broken - fits > 1 {
            let middle = fits.midpoint(broken);
            if holds(middle) { fits = middle } else { broken = middle }
        }
        notes.push(format!("the largest `{}` that fits is {fits}", param.name));
    }
    notes
}
