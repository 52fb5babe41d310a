//! Levels of rules: what the command line says goes before what a file says of itself, and that before what the root says.
//!
//! Errors make a frame impossible and stay. A warning can be allowed or denied; a note can be allowed, and what is a note by
//! its rule can be made more.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Edit, Level, Rule, did_you_mean, rule};
use crate::graph::formula::{self, Function, SurfaceField};
use crate::graph::{Draft, LintSetting, Value};
use crate::source::{Files, Span};
use crate::syntax::document::{Document, LintLevel};
use crate::syntax::edit::remove_item;
use crate::syntax::expr::{Binary, Expr, ExprKind, Reference, SuffixKind};

rule! {
    pub(super) UNKNOWN_LINT = Error "unknown-lint": "`lints` names no rule";
    pub(super) UNUSED_ALLOW = Warning "unused-allow": "an allowed rule finds nothing";
}

/// A level that is set for a rule outside of the graphs.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// The rule's code.
    pub code: String,
    /// The level.
    pub level: LintLevel,
    /// Only in variants for which this holds. Where it names what a graph lacks, it does not hold.
    pub when: Option<Expr>,
    /// Where it is said, if in a file; allows that are said in a file are watched for being of use.
    pub span: Option<Span>,
}

/// Levels besides those that files set for themselves. Of several for one code, the last that holds counts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Levels {
    /// They go before those of the files.
    pub command: Vec<Setting>,
    /// They come after those of the files.
    pub root: Vec<Setting>,
}

pub(super) static ALL: &[&Rule] = &[&UNKNOWN_LINT, &UNUSED_ALLOW];

/// What is to be done with a finding.
enum Verdict {
    Stay(Level),
    /// It is allowed, here if in a file.
    Allowed(Option<Span>),
}

/// Findings, and those that are allowed with the place of the allow.
pub(super) struct Leveled {
    pub found: Vec<Diagnostic>,
    pub allowed: Vec<(Diagnostic, Option<Span>)>,
}

impl Levels {
    /// Gives the findings of one variant their levels. Codes in the files' `lints` that no rule has are findings.
    pub(super) fn apply(&self, draft: &Draft, found: Vec<Diagnostic>) -> Leveled {
        let mut leveled = Leveled { found: unknown(draft), allowed: Vec::new() };
        for finding in found {
            match self.verdict(&draft.lints, Some(draft), &finding) {
                Verdict::Stay(level) => leveled.found.push(Diagnostic { level, ..finding }),
                Verdict::Allowed(span) => leveled.allowed.push((finding, span)),
            }
        }
        leveled
    }

    fn verdict(&self, lints: &[LintSetting], draft: Option<&Draft>, finding: &Diagnostic) -> Verdict {
        let (code, level) = (finding.rule.code, finding.level);
        let last = |settings: &[Setting]| {
            let mut concerning = settings.iter().rev().filter(|setting| setting.code == code);
            concerning.find(|setting| setting.holds(draft)).map(|setting| (setting.level, setting.span))
        };
        let at = finding.primary.span.file;
        // What is no graph is a shader: the outermost graph that says something answers for all that it reaches.
        let is_shader = draft.is_some_and(|draft| !draft.files.contains(&at));
        let concerning = || lints.iter().filter(|lint| lint.code == code);
        let speaker = if is_shader { concerning().map(|lint| lint.span.file).next() } else { Some(at) };
        let file = concerning().rfind(|lint| Some(lint.span.file) == speaker).map(|lint| (lint.level, Some(lint.span)));
        let set = last(&self.command).or(file).or_else(|| last(&self.root));
        let Some((set, span)) = set else { return Verdict::Stay(level) };
        let raised = level == Level::Warning || finding.rule.level == Level::Note;
        match set {
            _ if level == Level::Error => Verdict::Stay(level),
            LintLevel::Allow => Verdict::Allowed(span),
            LintLevel::Warn if raised => Verdict::Stay(Level::Warning),
            LintLevel::Deny if raised => Verdict::Stay(Level::Error),
            LintLevel::Warn | LintLevel::Deny => Verdict::Stay(level),
        }
    }

    /// Whether the command line decides about a rule.
    pub(super) fn commands(&self, code: &str) -> bool {
        self.command.iter().any(|setting| setting.code == code)
    }
}

impl Setting {
    fn holds(&self, draft: Option<&Draft>) -> bool {
        let there = |when| draft.and_then(|draft| value(draft, when));
        self.when.as_ref().is_none_or(|when| matches!(there(when), Some(Value::Bool(true))))
    }
}

/// An expression over params and the surface; nothing where it has no value.
fn value(draft: &Draft, expr: &Expr) -> Option<Value> {
    match &expr.kind {
        ExprKind::Int(i) => Some(Value::Int(*i)),
        ExprKind::Float(f) => Some(Value::Float(*f)),
        ExprKind::Bool(b) => Some(Value::Bool(*b)),
        // A text that the graph does not have is like none of its own.
        ExprKind::Text(text) => {
            let known = draft.texts.iter().position(|known| *known == text.as_str());
            Some(Value::Text(known.map_or(u32::MAX, |index| index as u32)))
        }
        ExprKind::Name(name) => param(draft, name),
        ExprKind::Path(reference) => named(draft, reference),
        ExprKind::Unary(op, of) => formula::unary(*op, value(draft, of)?).ok(),
        ExprKind::Binary(op, pair) => match (op, value(draft, &pair.0)?) {
            (Binary::And, Value::Bool(false)) => Some(Value::Bool(false)),
            (Binary::Or, Value::Bool(true)) => Some(Value::Bool(true)),
            (op, left) => formula::binary(*op, left, value(draft, &pair.1)?).ok(),
        },
        ExprKind::Call(call) => {
            let (name, args) = &**call;
            let (_, function, arity) = Function::ALL.into_iter().find(|(known, ..)| *known == name.value)?;
            let args = args.iter().map(|arg| value(draft, arg)).collect::<Option<Vec<_>>>()?;
            (args.len() == arity).then(|| formula::call(function, &args).ok())?
        }
        ExprKind::Vector(_) | ExprKind::Poison => None,
    }
}

fn param(draft: &Draft, name: &str) -> Option<Value> {
    draft.params.iter().find(|param| param.name == name).map(|param| param.value)
}

fn named(draft: &Draft, reference: &Reference) -> Option<Value> {
    if let Some(name) = reference.plain() {
        return param(draft, name);
    }
    let (Some("surface"), [suffix]) = (reference.name.plain(), reference.suffixes()) else { return None };
    let SuffixKind::Field(field) = &suffix.kind else { return None };
    let (_, field, _) = SurfaceField::ALL.into_iter().find(|(known, ..)| *known == field.as_str())?;
    Some(Value::Int(draft.surface[usize::from(field == SurfaceField::Height)].into()))
}

/// Codes that no rule has.
fn unknown(draft: &Draft) -> Vec<Diagnostic> {
    let unknown = draft.lints.iter().filter(|lint| super::rule(&lint.code).is_none());
    let fault = |code: &str, span| {
        let message = format!("no rule is called `{code}`");
        let fault = Diagnostic::new(&UNKNOWN_LINT, message, span, "unknown code").at(format!("lints[\"{code}\"]"));
        did_you_mean(code, super::rules().map(|rule| rule.code)).into_iter().fold(fault, Diagnostic::help)
    };
    unknown.map(|lint| fault(&lint.code, lint.span)).collect()
}

/// An allow that is said in a file, and what became of it in one graph.
#[derive(Debug, Clone)]
pub struct Allow {
    /// Where the code stands.
    pub span: Span,
    /// Whether it kept a finding back.
    pub used: bool,
    /// What is to be said if no graph has a use for it; nothing where that cannot be told, or is allowed.
    pub unused: Option<Diagnostic>,
}

/// Allows that kept something back in one graph.
#[derive(Debug, Default)]
pub(super) struct Used(BTreeSet<Span>);

impl Used {
    pub(super) fn add(&mut self, span: Option<Span>) {
        self.0.extend(span);
    }

    /// What became of all allows that concern a graph of these documents. `judged` says whether every variant was tried
    /// and sound.
    pub(super) fn settled(
        &self,
        files: &Files,
        levels: &Levels,
        documents: &[Arc<Document>],
        judged: bool,
    ) -> Vec<Allow> {
        let said = || documents.iter().flat_map(|document| &document.lints);
        let own = said().map(|lint| (lint.code.value.as_str(), lint.level.value, Some(lint.code.span)));
        let root = levels.root.iter().map(|setting| (setting.code.as_str(), setting.level, setting.span));
        let lints: Vec<LintSetting> = said()
            .map(|lint| LintSetting {
                code: lint.code.value.to_string(),
                level: lint.level.value,
                span: lint.code.span,
            })
            .collect();
        let settle = |(code, level, span): (&str, LintLevel, Option<Span>)| {
            let (rule, span) = (super::rule(code).filter(|_| level == LintLevel::Allow)?, span?);
            if std::ptr::eq(rule, &raw const UNUSED_ALLOW) {
                return None;
            }
            let used = self.0.contains(&span);
            let judged = judged && !used && !levels.commands(code);
            let said_by_graph = documents.iter().any(|document| document.file == span.file);
            let edit = said_by_graph.then(|| remove_item(files, span)).flatten();
            let finding = judged.then(|| fault(rule, span, edit));
            let unused = finding.and_then(|finding| match levels.verdict(&lints, None, &finding) {
                Verdict::Stay(level) => Some(Diagnostic { level, ..finding }),
                Verdict::Allowed(_) => None,
            });
            Some(Allow { span, used, unused })
        };
        own.chain(root).filter_map(settle).collect()
    }
}

fn fault(rule: &Rule, span: Span, edit: Option<Edit>) -> Diagnostic {
    let code = rule.code;
    let message = if rule.level == Level::Error && !super::is_of_a_limit(rule) {
        format!("`{code}` is an error, which cannot be allowed")
    } else {
        format!("`{code}` is allowed, but that keeps nothing back")
    };
    let fault = Diagnostic::new(&UNUSED_ALLOW, message, span, "without effect").help("remove it");
    let fault = fault.at(format!("lints[\"{code}\"]"));
    edit.into_iter().fold(fault, |fault, edit| fault.fix("remove it", true, vec![edit]))
}
