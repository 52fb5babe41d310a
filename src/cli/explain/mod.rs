//! `rondag explain`: what a rule means, and why a plan is as it is.

mod graph;

use anyhow::bail;
use rondag::diagnostic::{Rule, did_you_mean};
use rondag::lint;
use serde::Serialize;

use super::Outcome;
use super::args::{Explain, ExplainFormat};
use super::console::Console;

pub(super) fn run(args: &Explain, console: &mut Console) -> anyhow::Result<Outcome> {
    if let [code, _, ..] = args.what.as_slice()
        && lint::rule(code).is_some()
    {
        bail!("`{code}` is a rule's code: it goes with no other name");
    }
    if args.what.len() > 1 || args.what.first().is_some_and(|what| is_graph(what)) {
        return graph::run(args, console);
    }
    let text = match (args.what.first(), args.all, args.format) {
        (Some(code), _, format) => manual(find(code)?, format),
        (None, true, ExplainFormat::Text) => joined(lint::rules().map(text), "\n\n"),
        (None, true, ExplainFormat::Markdown) => joined(lint::rules().map(markdown), "\n"),
        (None, _, ExplainFormat::Json) => lint::rules().map(json).collect(),
        (None, false, ExplainFormat::Text) => list(),
        (None, false, ExplainFormat::Markdown) => table(),
    };
    console.print(&text);
    Ok(Outcome::Clean)
}

/// Whether this is a graph and no rule's code.
fn is_graph(what: &str) -> bool {
    let is_ron = std::path::Path::new(what).extension().is_some_and(|it| it.eq_ignore_ascii_case("ron"));
    is_ron || what == "-"
}

/// The rule of a code.
pub(super) fn find(code: &str) -> anyhow::Result<&'static Rule> {
    if let Some(rule) = lint::rule(code) {
        return Ok(rule);
    }
    match did_you_mean(code, lint::rules().map(|rule| rule.code)) {
        Some(hint) => bail!("no rule is called `{code}`; {hint}"),
        None => bail!("no rule is called `{code}`; `rondag explain` lists all"),
    }
}

fn manual(rule: &Rule, format: ExplainFormat) -> String {
    match format {
        ExplainFormat::Text => text(rule),
        ExplainFormat::Markdown => markdown(rule),
        ExplainFormat::Json => json(rule),
    }
}

fn joined(manuals: impl Iterator<Item = String>, between: &str) -> String {
    manuals.collect::<Vec<_>>().join(between)
}

/// One rule a line: code, level, summary.
fn list() -> String {
    let width = lint::rules().map(|rule| rule.code.len()).max().unwrap_or_default();
    let line = |rule: &Rule| format!("{:width$}  {:7}  {}\n", rule.code, rule.level.name(), rule.summary);
    lint::rules().map(line).collect()
}

fn table() -> String {
    let row = |rule: &Rule| format!("| `{}` | {} | {} |\n", rule.code, rule.level.name(), rule.summary);
    format!("| code | level | finds |\n|---|---|---|\n{}", lint::rules().map(row).collect::<String>())
}

/// The manual in Markdown: its title, what the rule is, and the rest.
fn markdown(rule: &Rule) -> String {
    format!("# {}\n\nLevel: {}. {}.\n{}", rule.code, rule.level.name(), capitalized(rule.summary), body(rule))
}

/// The manual for a terminal: headings in capitals, code set in.
fn text(rule: &Rule) -> String {
    let mut text = format!("{} ({}): {}\n", rule.code, rule.level.name(), rule.summary);
    let mut is_code = false;
    for line in body(rule).trim_end().lines() {
        if line.starts_with("```") {
            is_code = !is_code;
            continue;
        }
        let line = match line.strip_prefix("## ").filter(|_| !is_code) {
            Some(heading) => heading.to_uppercase(),
            None if line.is_empty() => String::new(),
            None => format!("{}{line}", if is_code { "      " } else { "  " }),
        };
        text.push_str(&line);
        text.push('\n');
    }
    text
}

#[derive(Serialize)]
struct Object<'a> {
    version: u32,
    code: &'a str,
    severity: &'a str,
    summary: &'a str,
    /// Markdown without its title.
    docs: &'a str,
}

fn json(rule: &Rule) -> String {
    let (code, severity, summary) = (rule.code, rule.level.name(), rule.summary);
    let object = Object { version: 1, code, severity, summary, docs: body(rule).trim() };
    serde_json::to_string(&object).expect("the object has string keys and finite numbers only") + "\n"
}

/// The manual without its title.
fn body(rule: &Rule) -> &str {
    rule.docs.split_once('\n').map_or("", |(_, body)| body)
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
