//! Which of many graph files are parts of others.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rondag::source::{self, Files, Memory};
use rondag::syntax;
use rondag::syntax::document::{Document, ParamKind, PassDecl, PassKindDecl};
use rondag::syntax::expr::{Expr, Piece, Template};

/// The spellings of one path that are looked at; a path with more is followed no further.
const MAX_SPELLINGS: usize = 256;

/// Absent where the text has nothing that could include another.
type Documents = BTreeMap<String, Option<Document>>;

/// Of graphs found in folders, by path and text, those that are checked on their own: those that no other of them includes.
/// Of graphs that include each other in a circle, the first.
pub(super) fn tops(found: Vec<(PathBuf, String)>) -> Vec<PathBuf> {
    let mut files = Files::new(Memory::default());
    let mut parse = |(path, text): &(PathBuf, String)| {
        let path = slashed(path);
        let document = text.contains("Include").then(|| {
            let file = files.add(&path, text.clone());
            syntax::parse(&files, file).0
        });
        (path, document)
    };
    let documents: Documents = found.iter().map(&mut parse).collect();
    let included: BTreeSet<String> = documents.keys().flat_map(|path| direct(&documents, path, path)).collect();
    let mut tops: BTreeSet<&String> = documents.keys().filter(|path| !included.contains(*path)).collect();
    let mut covered: BTreeSet<String> = tops.iter().flat_map(|path| closure(&documents, path)).collect();
    for path in documents.keys() {
        if !tops.contains(path) && !covered.contains(path) {
            covered.extend(closure(&documents, path));
            tops.insert(path);
        }
    }
    found.into_iter().map(|(path, _)| path).filter(|path| tops.contains(&slashed(path))).collect()
}

fn slashed(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// All documents that a top one reaches.
fn closure(documents: &Documents, top: &str) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut open = vec![top.to_owned()];
    while let Some(path) = open.pop() {
        open.extend(direct(documents, top, &path).into_iter().filter(|path| reached.insert(path.clone())));
    }
    reached
}

/// The documents that `path` includes while `top` is the top one, itself left out.
fn direct(documents: &Documents, top: &str, path: &str) -> Vec<String> {
    let Some(Some(document)) = documents.get(path) else {
        return Vec::new();
    };
    let folder = top.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut templates = Vec::new();
    collect(&document.passes, &mut templates);
    let known = |path: &String| documents.contains_key(path);
    let paths = templates.into_iter().flat_map(|template| spelled(document, template));
    let inner = paths.filter_map(|path| source::normalize(&path).ok());
    let joined = inner.map(|path| if folder.is_empty() { path } else { format!("{folder}/{path}") });
    joined.filter(|other| known(other) && other != path).collect()
}

fn collect<'a>(passes: &'a [PassDecl], templates: &mut Vec<&'a Template>) {
    for pass in passes {
        match &pass.kind {
            PassKindDecl::Include { graph, .. } => templates.push(&graph.value),
            PassKindDecl::Repeat { passes, .. } => collect(passes, templates),
            _ => {}
        }
    }
}

/// Every path that a template can spell: a Choice in it takes all its texts. Other expressions in a path are faults.
fn spelled(document: &Document, template: &Template) -> Vec<String> {
    let mut paths = vec![String::new()];
    for piece in &template.pieces {
        let texts: Vec<&str> = match piece {
            Piece::Text(text) => vec![text],
            Piece::Expr(expr) => choices(document, expr),
        };
        let longer = paths.iter().flat_map(|path| texts.iter().map(move |text| format!("{path}{text}")));
        paths = longer.take(MAX_SPELLINGS).collect();
    }
    paths
}

fn choices<'a>(document: &'a Document, expr: &Expr) -> Vec<&'a str> {
    let param = document.params.iter().find(|param| expr.plain() == Some(&param.name.value));
    match param.map(|param| &param.kind) {
        Some(ParamKind::Choice { of, .. }) => of.iter().map(|choice| choice.value.as_str()).collect(),
        _ => Vec::new(),
    }
}
