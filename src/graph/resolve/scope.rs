//! What names mean: one scope a file and place of inclusion, Repeat variables on top.

use std::collections::{BTreeSet, HashMap};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::{Arc, LazyLock};

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
    known: HashMap<Name, u32, Seeded>,
}

/// Hashes short names fast. Its seed is new in each process, so that no file can be written whose names collide.
#[derive(Debug, Clone, Copy)]
struct Seeded(u64);

impl Default for Seeded {
    fn default() -> Self {
        static SEED: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(0));
        Self(*SEED)
    }
}

impl BuildHasher for Seeded {
    type Hasher = Self;

    fn build_hasher(&self) -> Self {
        *self
    }
}

impl Hasher for Seeded {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = xxhash_rust::xxh3::xxh3_64_with_seed(bytes, self.0);
    }

    /// The end of a text: nothing follows it here.
    fn write_u8(&mut self, _: u8) {}
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

/// A pack of meshes: four buffers.
#[derive(Debug, Clone)]
pub(super) struct Pack {
    pub(super) vertices: ResourceId,
    pub(super) indices: ResourceId,
    pub(super) draws: ResourceId,
    pub(super) bounds: ResourceId,
    /// Absent where the host gives it.
    pub(super) meshes: Option<Arc<crate::graph::mesh::Pack>>,
}

/// The names of passes, and of those in them.
pub(super) fn pass_names(passes: &[PassDecl], names: &mut BTreeSet<Name>) {
    for pass in passes {
        names.extend(pass.name.as_ref().map(|name| name.value.clone()));
        if let PassKindDecl::Repeat { passes, .. } = &pass.kind {
            pass_names(passes, names);
        }
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

    /// Whether one more misspelt name may be compared with so many others.
    pub(super) fn may_guess(&mut self, names: usize) -> bool {
        let left = self.guesses.checked_sub(names);
        self.guesses = left.unwrap_or(0);
        left.is_some()
    }

    /// Reports a name that means nothing here.
    pub(super) fn unknown(&mut self, cx: &Cx, name: &str, span: Span, wanted: &str) -> Stop {
        let guess = self.may_guess(self.scopes[cx.scope].names.len());
        let scope = &self.scopes[cx.scope];
        let resources = wanted == "resource";
        let known = || {
            let names = scope.names.sorted().into_iter();
            let names = names.filter(|(_, entry)| !resources || !matches!(entry, Entry::Param(_)));
            names.map(|(name, _)| name).chain(cx.vars.iter().map(|var| var.name.as_str()))
        };
        let near = guess.then(|| nearest(name, known())).flatten().map(str::to_owned);
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
