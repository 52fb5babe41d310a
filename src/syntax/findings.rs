//! The findings of one file, capped.

use crate::diagnostic::Diagnostic;

use super::rules;

/// The most findings of one file that are kept. A file with more was not written by a person.
pub(super) const MAX_FINDINGS: usize = 1_000;

/// Findings in the order they were met, and how many faults there were in all.
#[derive(Debug, Default)]
pub(super) struct Findings {
    list: Vec<Diagnostic>,
    faults: usize,
}

impl Findings {
    /// Adds a finding. `make` is not called once the cap is reached.
    pub(super) fn push(&mut self, make: impl FnOnce() -> Diagnostic) {
        self.faults += 1;
        if self.has_room() {
            self.list.push(make());
        } else if self.list.len() == MAX_FINDINGS {
            let span = make().primary.span;
            let headline = format!("this file has more than {MAX_FINDINGS} findings");
            self.list.push(Diagnostic::new(&rules::TOO_MANY_FINDINGS, headline, span, "the first that is left out"));
        }
    }

    /// Counts a fault that was reported elsewhere, so that what holds it counts as poisoned.
    pub(super) fn poison(&mut self) {
        self.faults += 1;
    }

    /// The faults so far, reported or not. It grows when something in between went wrong.
    pub(super) fn faults(&self) -> usize {
        self.faults
    }

    /// Whether the next finding will be kept; if not, no effort is due for it.
    pub(super) fn has_room(&self) -> bool {
        self.list.len() < MAX_FINDINGS
    }

    /// Whether findings are left out already.
    pub(super) fn is_overflowing(&self) -> bool {
        self.list.len() > MAX_FINDINGS
    }

    /// Whether nothing was reported.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The findings in the order of their places.
    pub(super) fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|finding| (finding.primary.span, finding.rule.code));
        self.list
    }
}
