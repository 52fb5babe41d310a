//! What names mean: one scope a file and place of inclusion, Repeat variables on top.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Made, Resolver, Stop};
use crate::diagnostic::{Diagnostic, Edit, nearest};
use crate::graph::{Formula, Part, PortKind, ResourceId, Run, Ty, rules};
use crate::source::{Name, Sp, Span};
use crate::syntax::document::{Document, PassDecl, PassKindDecl};

/// Where a pass is read: its file's names, the Repeat variables around it, what its includers ask of it.
#[derive(Debug, Clone)]
pub(super) struct Cx {
    /// Index into `Resolver::scopes`.
    pub(super) scope: usize,
    /// Innermost last.
    pub(super) vars: Vec<Var>,
    /// What stands before each pass's name: `compact/`, `down[3]/`.
    pub(super) prefix: Name,
    /// What stands before an `after` name: the prefix of the file.
    pub(super) file_prefix: Name,
    /// Once, if an Include or Repeat around it is.
    pub(super) run: Run,
    /// Asked each frame, if an Include or Repeat around it is.
    pub(super) condition: Option<Box<Formula>>,
    /// `after` of the Includes and Repeats around it, with the prefix in which the names are to be read.
    pub(super) after: Vec<(Name, Sp<Name>)>,
}

/// A Repeat variable in one round.
#[derive(Debug, Clone)]
pub(super) struct Var {
    pub(super) name: Name,
    pub(super) value: i64,
}

/// The names of one file in one place of inclusion.
#[derive(Debug)]
pub(super) struct Scope {
    pub(super) document: Arc<Document>,
    pub(super) names: Names,
}

/// Names and what they stand for. The map is only asked, never walked.
#[derive(Debug, Default)]
pub(super) struct Names {
    entries: Vec<(Name, Entry)>,
    known: HashMap<Name, u32>,
}

impl Names {
    /// Makes room for so many more.
    pub(super) fn reserve(&mut self, more: usize) {
        self.entries.reserve(more);
        self.known.reserve(more);
    }

    /// Gives a name its meaning.
    pub(super) fn insert(&mut self, name: Name, entry: Entry) {
        let at = *self.known.entry(name.clone()).or_insert(self.entries.len() as u32) as usize;
        match self.entries.get_mut(at) {
            Some(known) => known.1 = entry,
            None => self.entries.push((name, entry)),
        }
    }

    /// What a name stands for.
    pub(super) fn get(&self, name: &str) -> Option<&Entry> {
        self.known.get(name).map(|at| &self.entries[*at as usize].1)
    }

    /// All names in alphabetical order, for messages.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn sorted(&self) -> Vec<(&str, &Entry)> {
        let mut all: Vec<_> = self.entries.iter().map(|(name, entry)| (name.as_str(), entry)).collect();
        all.sort_unstable_by_key(|(name, _)| *name);
        all
    }
}

/// What a name stands for.
#[derive(Debug, Clone)]
pub(super) enum Entry {
    /// A param: of the top graph, or what an Include set it to.
    Param(Arc<Typed>),
    /// A buffer, texture, sampler, uniform, or a view of one given through a port.
    Resource(View),
    /// A pack of meshes.
    Pack(usize),
    /// Its declaration is wrong; reported already.
    Poisoned,
}

/// A formula and its type.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Typed {
    pub(super) formula: Formula,
    pub(super) ty: Ty,
}

/// A resource or some of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct View {
    pub(super) resource: ResourceId,
    pub(super) previous: bool,
    /// All of it if absent.
    pub(super) part: Option<Part>,
    /// The direction of the port through which it is seen.
    pub(super) port: Option<PortKind>,
}

impl View {
    pub(super) const fn whole(resource: ResourceId, port: Option<PortKind>) -> Self {
        Self { resource, previous: false, part: None, port }
    }
}

/// A pack of meshes: three buffers.
#[derive(Debug, Clone)]
pub(super) struct Pack {
    pub(super) vertices: ResourceId,
    pub(super) indices: ResourceId,
    pub(super) draws: ResourceId,
    /// Absent where the host gives it.
    pub(super) meshes: Option<Arc<crate::graph::mesh::Pack>>,
}

impl Scope {
    /// Whether a pass of that name is written in this file.
    pub(super) fn knows_pass(&self, name: &str) -> bool {
        fn within(passes: &[PassDecl], name: &str) -> bool {
            passes.iter().any(|pass| {
                pass.name.as_ref().is_some_and(|n| n.value == name)
                    || matches!(&pass.kind, PassKindDecl::Repeat { passes, .. } if within(passes, name))
            })
        }
        within(&self.document.passes, name)
    }
}

impl Resolver<'_> {
    /// Looks a name up among Repeat variables and the file's params and resources.
    pub(super) fn lookup(&self, cx: &Cx, name: &str) -> Option<Entry> {
        if let Some(var) = cx.vars.iter().rev().find(|var| var.name == name) {
            let formula = Formula::Const(crate::graph::Value::Int(var.value));
            return Some(Entry::Param(Arc::new(Typed { formula, ty: Ty::Int })));
        }
        self.scopes[cx.scope].names.get(name).cloned()
    }

    /// Reports a name that means nothing here.
    pub(super) fn unknown(&mut self, cx: &Cx, name: &str, span: Span, wanted: &str) -> Stop {
        let scope = &self.scopes[cx.scope];
        let resources = wanted == "resource";
        let left = self.guesses.checked_sub(scope.names.len());
        self.guesses = left.unwrap_or(0);
        let known = || {
            let names = scope.names.sorted().into_iter();
            let names = names.filter(|(_, entry)| !resources || !matches!(entry, Entry::Param(_)));
            names.map(|(name, _)| name).chain(cx.vars.iter().map(|var| var.name.as_str()))
        };
        let near = left.and_then(|_| nearest(name, known())).map(str::to_owned);
        let rule = if resources { &rules::UNKNOWN_RESOURCE } else { &rules::UNKNOWN_NAME };
        let found = Diagnostic::new(
            rule,
            format!("unknown {wanted} `{name}`"),
            span,
            format!("no {wanted} of this file has this name"),
        );
        let found = match near {
            Some(near) => {
                let plain = self.library.files.text(span) == name;
                let found = found.help(format!("did you mean `{near}`?"));
                let edit = Edit { span, text: near.clone() };
                if plain { found.fix(format!("write `{near}`"), false, vec![edit]) } else { found }
            }
            None => found,
        };
        self.report(found.at(cx.path()));
        Stop::Poisoned
    }
}

impl Cx {
    /// The names of a file, outside of any pass.
    pub(super) fn of_file(scope: usize) -> Self {
        Self {
            scope,
            vars: Vec::new(),
            prefix: Name::default(),
            file_prefix: Name::default(),
            run: Run::EachFrame,
            condition: None,
            after: Vec::new(),
        }
    }

    /// The structural path of the place, for diagnostics.
    pub(super) fn path(&self) -> String {
        if self.prefix.is_empty() {
            String::new()
        } else {
            format!("passes[\"{}\"]", self.prefix.trim_end_matches('/'))
        }
    }
}

/// Turns an unknown value into an absent one.
pub(super) fn known<T>(made: Made<T>) -> Result<Option<T>, Stop> {
    match made {
        Ok(value) => Ok(Some(value)),
        Err(Stop::Unknown) => Ok(None),
        Err(Stop::Poisoned) => Err(Stop::Poisoned),
    }
}
