//! Tree to [`Document`]: what each place of the format takes.
//!
//! Every struct, variant and map goes through [`fields`], which reports unknown, duplicate, missing and mistyped entries
//! and goes on. A fault is counted; a pass or resource in which the count grew is poisoned.

mod camera;
mod draws;
mod fields;
mod formats;
mod leaf;
mod maps;
mod params;
mod passes;
mod resources;
mod values;

use std::fmt::Write as _;

use crate::diagnostic::{Diagnostic, Edit, Rule};
use crate::source::{FileId, Span};

use super::document::{Document, LintDecl, LintLevel};
use super::findings::Findings;
use super::reader::excerpt;
use super::rules;
use super::tree::{Kind, Node, Tree, offset};
use fields::{Fields, What};

/// The name that the outermost parentheses may have.
const ROOT_NAME: &str = "Graph";

/// Makes a document of a tree, reporting into `found`.
pub(super) fn document(tree: &Tree<'_>, text: &str, file: FileId, found: &mut Findings) -> Document {
    let mut lower = Lower { text, file, found, path: Vec::new() };
    let mut document = Document {
        file,
        span: lower.span(&tree.root),
        version: None,
        params: Vec::new(),
        camera: None,
        resources: Vec::new(),
        passes: Vec::new(),
        outputs: Vec::new(),
        requires: Vec::new(),
        lints: Vec::new(),
        poisoned: tree.is_partial,
    };
    let is_outline_whole = lower.root(&tree.root, &mut document);
    document.poisoned |= !is_outline_whole || found.is_overflowing();
    document
}

/// A step into the structure, for the path of a finding.
#[derive(Debug, Clone, Copy)]
enum Step<'n> {
    Field(&'static str),
    Key(&'n str),
    Index(usize),
}

/// The walk over one tree.
struct Lower<'n, 'f> {
    text: &'n str,
    file: FileId,
    found: &'f mut Findings,
    path: Vec<Step<'n>>,
}

impl<'n> Lower<'n, '_> {
    /// The graph's own fields. `false` if there is nothing to read.
    fn root(&mut self, root: &'n Node<'n>, document: &mut Document) -> bool {
        self.root_name(root);
        let Some(mut fields) = self.fields(root, What::Place("the graph")) else { return false };
        document.version = self.version(root, &mut fields);
        document.params = self.optional(&mut fields, "params", Self::params).unwrap_or_default();
        document.camera = self.optional(&mut fields, "camera", Self::camera);
        document.resources = self.optional(&mut fields, "resources", Self::resources).unwrap_or_default();
        self.one_name_space(document);
        document.passes = self.optional(&mut fields, "passes", Self::passes).unwrap_or_default();
        document.outputs =
            self.optional(&mut fields, "outputs", |l, n| l.list(n, "references", Self::reference)).unwrap_or_default();
        document.requires =
            self.optional(&mut fields, "requires", |l, n| l.list(n, "features", Self::bare_name)).unwrap_or_default();
        document.lints = self.optional(&mut fields, "lints", Self::lints).unwrap_or_default();
        self.optional(&mut fields, "tests", |l, n| l.list(n, "tests", |_, _| Some(())));
        let is_whole = !fields.is_damaged();
        self.finish(&fields);
        is_whole
    }

    fn root_name(&mut self, root: &Node<'_>) {
        let is_struct = matches!(root.kind, Kind::Struct(_) | Kind::Tuple(_));
        let Some(name) = root.name.filter(|name| is_struct && *name != ROOT_NAME) else { return };
        let span = self.ident_span(name);
        let edit = Edit { span, text: ROOT_NAME.to_owned() };
        self.report(
            &rules::UNKNOWN_KIND,
            span,
            format!("a graph file is `(…)` or `{ROOT_NAME}(…)`, not `{}(…)`", excerpt(name)),
            "wrong name",
            |d| d.help("remove the name").fix(format!("write `{ROOT_NAME}`"), false, vec![edit]),
        );
    }

    fn version(&mut self, root: &Node<'_>, fields: &mut Fields<'n>) -> Option<crate::source::Sp<i64>> {
        let Some(node) = self.take(fields, "version") else {
            if !fields.is_damaged() {
                let at = root.name.map_or(root.start, |name| self.ident_span(name).end);
                let span = Span { file: self.file, start: at, end: at + 1 };
                let behind = Span { file: self.file, start: at + 1, end: at + 1 };
                let edit = Edit { span: behind, text: "version: 1, ".to_owned() };
                let is_tight = root.name.is_none();
                self.report(&rules::MISSING_FIELD, span, "the graph lacks `version`", "no `version` in here", |d| {
                    if is_tight {
                        d.fix("insert `version: 1`", false, vec![edit])
                    } else {
                        d.help("write `version: 1`")
                    }
                });
            }
            return None;
        };
        let version = self.inside(Step::Field("version"), |l| l.int(node))?;
        if version.value != 1 {
            self.inside(Step::Field("version"), |l| {
                l.report(
                    &rules::UNSUPPORTED_VERSION,
                    version.span,
                    format!("version {} of the format is not supported", version.value),
                    "this rondag reads version 1",
                    |d| d,
                );
            });
        }
        Some(version)
    }

    /// Params and resources share one name space.
    fn one_name_space(&mut self, document: &mut Document) {
        let params: std::collections::BTreeMap<&str, Span> =
            document.params.iter().map(|param| (param.name.value.as_str(), param.name.span)).collect();
        for resource in &mut document.resources {
            let name = &resource.name;
            let Some(first) = params.get(name.value.as_str()).copied() else { continue };
            resource.poisoned = true;
            let headline = format!("`{}` is a param and a resource", name.value);
            let path = format!("resources[\"{}\"]", name.value);
            let span = name.span;
            self.found.push(|| {
                Diagnostic::new(&rules::DUPLICATE_NAME, headline, span, "a resource here")
                    .also(first, "a param here")
                    .help("in one file, params, resources and `Repeat` variables share one name space")
                    .at(path)
            });
        }
    }

    fn lints(&mut self, node: &'n Node<'n>) -> Option<Vec<LintDecl>> {
        self.map(node, "lint", |l, code, node| l.lint(node).map(|(level, when)| LintDecl { code, level, when }))
    }

    fn lint(&mut self, node: &'n Node<'n>) -> Option<(crate::source::Sp<LintLevel>, Option<super::expr::Expr>)> {
        let (true, Some(name)) = (matches!(node.kind, Kind::Struct(_)), node.name) else {
            return self.leaf(node).map(|level| (level, None));
        };
        let bare = Node { start: node.start, end: self.ident_span(name).end, name: node.name, kind: Kind::Unit };
        let level = self.leaf(&bare);
        let mut fields = self.fields(node, What::Kind(name))?;
        let when = self.required(&mut fields, "when", Self::expr);
        self.finish(&fields);
        Some((level?, when))
    }

    fn span(&self, node: &Node<'_>) -> Span {
        Span { file: self.file, start: node.start, end: node.end }
    }

    fn ident_span(&self, ident: &str) -> Span {
        let start = offset(self.text, ident);
        Span::new(self.file, start, start + ident.len())
    }

    /// Runs `inner` one step into the structure.
    fn inside<T>(&mut self, step: Step<'n>, inner: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(step);
        let result = inner(self);
        self.path.pop();
        result
    }

    /// Reports a finding of `rule` at `span`: headline and label, then what else belongs to it.
    fn report(
        &mut self,
        rule: &'static Rule,
        span: Span,
        headline: impl Into<String>,
        label: impl Into<String>,
        more: impl FnOnce(Diagnostic) -> Diagnostic,
    ) {
        let path = &self.path;
        self.found.push(|| more(Diagnostic::new(rule, headline, span, label)).at(path_text(path)));
    }
}

/// `passes["cull"].bind["flags"]`
fn path_text(path: &[Step<'_>]) -> String {
    let mut text = String::new();
    for step in path {
        let written = match step {
            Step::Field(name) if text.is_empty() => write!(text, "{name}"),
            Step::Field(name) => write!(text, ".{name}"),
            Step::Key(key) => write!(text, "[{:?}]", excerpt(key)),
            Step::Index(index) => write!(text, "[{index}]"),
        };
        written.expect("writing to a String does not fail");
    }
    text
}
