//! Checks that need no GPU: every variant of a graph, and all rules as one table.
//!
//! Rules run on the [`Draft`] and on as much of a [`Plan`] as exists, and skip what is poisoned. One rule, one file: its
//! manual, then its check. [`check`] is what `rondag check` does to a file.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::diagnostic::{Diagnostic, Rule};
use crate::graph::{Access, Draft, Lifetime, PassId, PassKind, Program, Resource, ResourceId};
use crate::id::IdVec;
use crate::plan::Plan;
use crate::shader::{Entry, Shader};
use crate::source::{Files, Span};
use crate::syntax::edit::remove_item;

mod check;
mod examine;
mod levels;
mod profile;
mod rules;

#[cfg(feature = "gpu")]
pub(crate) use check::assignment;
pub use check::{Report, check, check_at};
pub use examine::{Examined, examine};
pub use levels::{Allow, Levels, Setting};
pub use profile::{MAX_MEMORY, Profile};
#[cfg(feature = "gpu")]
pub(crate) use rules::WGPU_REFUSES;

/// What rules look at: one variant.
#[derive(Debug)]
pub struct Context<'a> {
    /// The texts.
    pub files: &'a Files,
    /// The frame.
    pub draft: &'a Draft,
    /// Its plan.
    pub plan: &'a Plan,
    /// Limits and features to hold it against.
    pub profile: &'a Profile,
    /// Who uses each resource, in file order.
    uses: IdVec<ResourceId, Vec<(PassId, &'a Access)>>,
    /// Entry points that a pass dispatches, each once.
    dispatched: Vec<(&'a Shader, &'a Entry)>,
}

impl<'a> Context<'a> {
    /// One variant, its plan as far as there is one, and what it is held against.
    pub fn new(files: &'a Files, draft: &'a Draft, plan: &'a Plan, profile: &'a Profile) -> Self {
        let mut uses = IdVec::from(vec![Vec::new(); draft.resources.len()]);
        for (pass, of) in draft.passes.entries() {
            for access in &of.accesses {
                uses[access.resource].push((pass, access));
            }
        }
        Self { files, draft, plan, profile, uses, dispatched: dispatched(draft) }
    }

    /// Offers to remove the item of the graph file that stands at `span`.
    fn removable(&self, fault: Diagnostic, span: Span, safe: bool) -> Diagnostic {
        match remove_item(self.files, span) {
            Some(edit) => fault.fix("remove it", safe, vec![edit]),
            None => fault,
        }
    }

    /// Whether a pass of this variant writes a resource.
    fn is_written(&self, resource: ResourceId) -> bool {
        self.uses[resource].iter().any(|(_, access)| access.effect.writes())
    }

    /// What lasts from frame to frame and is the graph's own; nothing where a pass is poisoned, whose uses are not known.
    fn lasting(&self) -> impl Iterator<Item = (ResourceId, &'a Resource)> {
        let known = !self.draft.passes.iter().any(|pass| pass.poisoned);
        let lasts = |resource: &Resource| {
            !resource.poisoned && resource.port.is_none() && resource.lifetime != Lifetime::Transient
        };
        self.draft.resources.entries().filter(move |(_, resource)| known && lasts(resource))
    }

    /// All programs of the frame, each with its pass; those of poisoned passes left out.
    fn programs(&self) -> impl Iterator<Item = (PassId, &'a Program)> {
        let passes = self.draft.passes.entries().filter(|(_, pass)| !pass.poisoned);
        passes.flat_map(|(id, pass)| {
            let (dispatch, draws) = match &pass.kind {
                PassKind::Dispatch(dispatch) => (Some(&dispatch.program), &[][..]),
                PassKind::Render(render) => (None, render.draws.as_slice()),
                _ => (None, &[][..]),
            };
            dispatch.into_iter().chain(draws.iter().map(|draw| &draw.program)).map(move |program| (id, program))
        })
    }
}

/// What a shader does by itself is said once, whoever dispatches it.
fn dispatched(draft: &Draft) -> Vec<(&Shader, &Entry)> {
    let (mut asked, mut told) = (BTreeSet::new(), BTreeSet::new());
    let mut all = Vec::new();
    for pass in draft.passes.iter().filter(|pass| !pass.poisoned) {
        let PassKind::Dispatch(dispatch) = &pass.kind else { continue };
        let Some(index) = dispatch.program.entries.first() else { continue };
        if asked.insert((dispatch.program.shader, *index)) {
            let shader = &*draft.shaders[dispatch.program.shader];
            let entry = &shader.interface.entries[*index];
            if told.insert(entry.span) {
                all.push((shader, entry));
            }
        }
    }
    all
}

/// Checks one variant with every rule of this layer.
pub fn run(cx: &Context<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for check in rules::CHECKS {
        check(cx, &mut found);
    }
    found
}

/// Every rule of every layer, in order of its code.
pub fn rules() -> impl Iterator<Item = &'static Rule> + Clone {
    RULES.iter().copied()
}

/// The rule with this code.
pub fn rule(code: &str) -> Option<&'static Rule> {
    RULES.binary_search_by_key(&code, |rule| rule.code).ok().map(|index| RULES[index])
}

static RULES: LazyLock<Vec<&'static Rule>> = LazyLock::new(|| {
    let layers: [&[&'static Rule]; 7] = [
        crate::syntax::rules::ALL,
        crate::shader::rules::ALL,
        crate::graph::rules::ALL,
        crate::plan::rules::ALL,
        rules::ALL,
        check::ALL,
        levels::ALL,
    ];
    let mut all: Vec<_> = layers.concat();
    all.sort_by_key(|rule| rule.code);
    // A code that two layers raise has one manual.
    all.dedup_by_key(|rule| rule.code);
    all
});

/// Whether a rule is about a text by itself: its faults are told when the text is read first, whatever the variant.
pub fn is_of_text(rule: &'static Rule) -> bool {
    let is = |other: &&'static Rule| std::ptr::eq(*other, rule);
    crate::syntax::rules::ALL.iter().any(is) || crate::shader::rules::ALL.iter().any(is)
}

fn is_of_a_limit(rule: &Rule) -> bool {
    rule.code.ends_with("-limit")
}
