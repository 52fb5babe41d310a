//! `rondag explain`: what a rule means.

use anyhow::bail;
use rondag::diagnostic::{Rule, did_you_mean};

use super::Outcome;
use super::args::Explain;
use super::console::Console;

pub(super) fn run(args: &Explain, console: &mut Console) -> anyhow::Result<Outcome> {
    match &args.code {
        None => console.print(&list(rondag::lint::rules())),
        Some(code) => console.print(&manual(find(code)?)),
    }
    Ok(Outcome::Clean)
}

fn find(code: &str) -> anyhow::Result<&'static Rule> {
    if let Some(rule) = rondag::lint::rules().find(|rule| rule.code == code) {
        return Ok(rule);
    }
    match did_you_mean(code, rondag::lint::rules().map(|rule| rule.code)) {
        Some(hint) => bail!("no rule is called `{code}`; {hint}"),
        None => bail!("no rule is called `{code}`; `rondag explain` lists all"),
    }
}

/// One rule a line: code, level, summary.
fn list(rules: impl Iterator<Item = &'static Rule>) -> String {
    let rules: Vec<_> = rules.collect();
    let width = rules.iter().map(|rule| rule.code.len()).max().unwrap_or_default();
    let line = |rule: &&Rule| format!("{:width$}  {:7}  {}\n", rule.code, rule.level.name(), rule.summary);
    rules.iter().map(line).collect()
}

/// The manual in Markdown: its title, what the rule is, and the rest.
fn manual(rule: &Rule) -> String {
    let (title, docs) = rule.docs.split_once('\n').unwrap_or((rule.docs, ""));
    format!("{title}\n\nLevel: {}. {}.\n{docs}", rule.level.name(), capitalized(rule.summary))
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
