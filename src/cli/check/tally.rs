//! What all projects amount to.

use std::collections::BTreeMap;

use rondag::diagnostic::{Level, Rule};

/// Counts of a run.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub graphs: usize,
    pub tried: usize,
    pub recorded: usize,
    pub untried: usize,
    errors: usize,
    warnings: usize,
    /// By level and code; the worst level first.
    rules: BTreeMap<(std::cmp::Reverse<Level>, &'static str), (usize, &'static str)>,
    /// Something is at the failing level or above.
    pub fails: bool,
}

impl Tally {
    /// One finding. Warnings may fail, too.
    pub(super) fn count(&mut self, rule: &'static Rule, level: Level, deny_warnings: bool) {
        self.rules.entry((std::cmp::Reverse(level), rule.code)).or_insert((0, rule.summary)).0 += 1;
        match level {
            Level::Error => self.errors += 1,
            Level::Warning => self.warnings += 1,
            Level::Note => {}
        }
        self.fails |= level == Level::Error || deny_warnings && level == Level::Warning;
    }

    /// How often each rule found something, one a line.
    pub(super) fn statistics(&self) -> String {
        let width = self.rules.keys().map(|(_, code)| code.len()).max().unwrap_or_default();
        let row = |((level, code), (n, summary)): (&(std::cmp::Reverse<Level>, &str), &(usize, &str))| {
            format!("{n:>6}  {:7}  {code:width$}  {summary}\n", level.0.name())
        };
        self.rules.iter().map(row).collect::<Vec<_>>().concat()
    }

    pub(super) fn summary(&self) -> String {
        let found = match (self.errors, self.warnings) {
            (0, 0) => "no findings".to_owned(),
            (errors, 0) => some(errors, "error"),
            (0, warnings) => some(warnings, "warning"),
            (errors, warnings) => format!("{}, {}", some(errors, "error"), some(warnings, "warning")),
        };
        let recorded = match self.recorded {
            0 => String::new(),
            recorded => format!(", {recorded} recorded"),
        };
        let (graphs, tried) = (some(self.graphs, "graph"), some(self.tried, "setting"));
        let checked = format!("{found} in {graphs} ({tried} tried{recorded})");
        match self.untried {
            0 => checked,
            untried => format!("{checked}; {} left untried: too many passes", some(untried, "setting")),
        }
    }
}

/// `1 error`, `2 errors`
pub(super) fn some(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}
