//! Document to draft, for one setting: names to ids, includes and repeats expanded, shaders bound, sizes known.
//!
//! The phases are those of [`resolve`]. Expansion walks the file once, top to bottom; a size is worked out when something
//! asks for it, so that declarations may stand in any order; strides are known at the end, when every shader was seen.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::camera::{Camera, CameraState};
use super::{
    BlockId, Draft, FrameInputs, Library, LintSetting, Param, ParamValue, PassId, ResourceId, Settings, ShaderId,
    Value, rules,
};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::id::IdVec;
use crate::source::{FileId, Name, Span};
use crate::syntax::document::{Document, ParamKind};

mod bind;
mod call;
mod conflict;
mod declare;
mod expand;
mod fits;
mod include;
mod lower;
mod ranges;
mod reference;
mod render;
mod scan;
mod scope;
mod sizes;
mod transfer;
mod uniform;
mod vertex;

use declare::Pending;
use scope::{Cx, Pack, Scope};
use sizes::Claim;

/// The most passes that one frame may expand to.
pub(crate) const MAX_PASSES: usize = 200_000;

/// Names that are compared with misspelt ones, all faults of a frame together.
const MAX_GUESSES: usize = 20_000;

/// A value could not be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stop {
    /// Something is wrong with it; reported already.
    Poisoned,
    /// It hangs on a size that the host will say.
    Unknown,
}

type Made<T> = Result<T, Stop>;

/// Resolves a graph file for one setting.
///
/// The draft holds all that could be built. It is a frame to be recorded only if none of the diagnostics is an error.
/// Faults of files are reported the first time that the library reads them.
pub fn resolve(library: &mut Library, top: FileId, settings: &Settings) -> (Draft, Vec<Diagnostic>) {
    let mut found = Vec::new();
    let document = library.document(top, &mut found);
    let mut resolver = Resolver::new(library, settings, found);
    resolver.name(&document);
    resolver.params(&document);
    resolver.camera(&document);
    let cx = resolver.open_top(&document);
    resolver.lints(&cx, &document);
    resolver.passes(&cx, &document.passes);
    resolver.after();
    resolver.outputs(&cx, &document);
    resolver.requires(&document.requires);
    resolver.named_values();
    resolver.sizes();
    resolver.ranges();
    resolver.conflicts();
    resolver.finish()
}

/// What is known while a frame is built.
struct Resolver<'a> {
    library: &'a mut Library,
    settings: &'a Settings,
    found: Vec<Diagnostic>,
    draft: Draft,
    scopes: Vec<Scope>,
    /// Where the size of each resource comes from.
    pending: IdVec<ResourceId, Pending>,
    packs: Vec<Pack>,
    /// What shaders and calls say about the elements of buffers, in order of binding.
    claims: Vec<Claim>,
    /// What the data files of buffers hold, with the type of an element as soon as a shader says it.
    filled: BTreeMap<ResourceId, Filled>,
    /// Shaders by path.
    shaders: BTreeMap<String, Option<ShaderId>>,
    /// Blocks of named uniforms: one a uniform, struct layout and time.
    blocks: BTreeMap<(ResourceId, bool, String), Vec<BlockId>>,
    /// `after` entries, to be looked up when all passes are known.
    stated: Vec<Stated>,
    /// Values of the params in this setting, by id.
    values: Vec<Value>,
    camera: CameraState,
    /// Graph files that are being expanded, outermost first.
    open: Vec<FileId>,
    /// Names that may still be compared with misspelt ones: of a thousand faults the first have their suggestions.
    guesses: usize,
    /// The expansion limit was reported.
    full: bool,
}

/// The data file of a buffer.
#[derive(Debug, Default)]
struct Filled {
    content: Option<Arc<super::data::Content>>,
    element: Option<crate::shader::Type>,
    span: Option<Span>,
}

/// `after: ["name"]` of a pass.
struct Stated {
    pass: PassId,
    prefix: Name,
    name: Name,
    span: Span,
}

impl<'a> Resolver<'a> {
    fn new(library: &'a mut Library, settings: &'a Settings, found: Vec<Diagnostic>) -> Self {
        let draft =
            Draft { surface: settings.surface, surface_format: Some(settings.surface_format), ..Draft::default() };
        Self {
            library,
            settings,
            found,
            camera: Camera::default().state(settings.surface),
            draft,
            scopes: Vec::new(),
            pending: IdVec::new(),
            packs: Vec::new(),
            claims: Vec::new(),
            filled: BTreeMap::new(),
            shaders: BTreeMap::new(),
            blocks: BTreeMap::new(),
            stated: Vec::new(),
            values: Vec::new(),
            open: Vec::new(),
            guesses: MAX_GUESSES,
            full: false,
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
    }

    fn name(&mut self, document: &Document) {
        let path = &self.library.files.get(document.file).path;
        let file = path.rsplit('/').next().unwrap_or(path);
        self.draft.name = file.strip_suffix(".ron").unwrap_or(file).to_owned();
        self.open.push(document.file);
    }

    fn params(&mut self, document: &Document) {
        for decl in document.params.iter().filter(|decl| declare::param_type(&decl.kind).is_some()) {
            let value = self.param_value(&decl.kind, self.settings.params.get(decl.name.value.as_str()));
            self.draft.params.push(Param {
                name: decl.name.value.to_string(),
                kind: decl.kind.clone(),
                value,
                structural: false,
                read: false,
                span: decl.name.span,
            });
            self.values.push(value);
        }
    }

    /// The given value where it is of the param's type, else the default. Ranges are the giver's matter.
    fn param_value(&mut self, kind: &ParamKind, given: Option<&ParamValue>) -> Value {
        match (kind, given) {
            (ParamKind::Int { .. }, Some(ParamValue::Int(i))) => Value::Int(*i),
            (ParamKind::Int { default, .. }, _) => Value::Int(default.value),
            (ParamKind::Float { .. }, Some(ParamValue::Float(f))) => Value::Float(*f),
            (ParamKind::Float { .. }, Some(ParamValue::Int(i))) => Value::Float(*i as f64),
            (ParamKind::Float { default, .. }, _) => Value::Float(default.value),
            (ParamKind::Bool { .. }, Some(ParamValue::Bool(b))) => Value::Bool(*b),
            (ParamKind::Bool { default }, _) => Value::Bool(default.value),
            (ParamKind::Choice { .. }, Some(ParamValue::Choice(text))) => Value::Text(self.text(text)),
            (ParamKind::Choice { default, .. }, _) => Value::Text(self.text(&default.value)),
            (ParamKind::Poison, _) => Value::Int(0),
        }
    }

    /// The index of a text, which is added if it is new.
    fn text(&mut self, text: &str) -> u32 {
        let at = self.draft.texts.iter().position(|known| known == text).unwrap_or_else(|| {
            self.draft.texts.push(text.to_owned());
            self.draft.texts.len() - 1
        });
        at as u32
    }

    fn camera(&mut self, document: &Document) {
        if let Some(decl) = &document.camera {
            let f = |v: [f64; 3]| v.map(|x| x as f32);
            self.draft.camera = Camera {
                eye: f(decl.eye.value),
                target: f(decl.target.value),
                up: f(decl.up.value),
                fov_y_degrees: decl.fov_y_degrees.value as f32,
                near: decl.near.value as f32,
                far: decl.far.value as f32,
                projection: decl.projection.value,
            };
        }
        self.camera = self.draft.camera.state(self.draft.surface);
    }

    /// The inputs of the first frame: what a live expression is tried with.
    fn first_frame(&self) -> FrameInputs<'_> {
        FrameInputs {
            params: &self.values,
            ages: &[],
            camera: &self.camera,
            index: 0,
            time: 0.0,
            delta: 1.0 / 60.0,
            surface: self.draft.surface,
            draw_index: 0,
        }
    }

    /// Turns `after` names into ids. A name may be a pass, or an Include or Repeat and so all passes in it.
    fn after(&mut self) {
        if self.stated.is_empty() {
            return;
        }
        let ids: BTreeMap<Name, PassId> = self.draft.passes.entries().map(|(id, p)| (p.name.clone(), id)).collect();
        let mut written: Option<BTreeSet<Name>> = None;
        for stated in std::mem::take(&mut self.stated) {
            let full = joined(&stated.prefix, &stated.name);
            let inside = ids.range(full.clone()..).take_while(|(name, _)| name.starts_with(full.as_str()));
            let before: Vec<PassId> = inside
                .filter(|(name, _)| matches!(name.as_bytes().get(full.len()), None | Some(b'/' | b'[')))
                .map(|(_, id)| *id)
                .collect();
            // One that is written in the file may be absent in this variant.
            if before.is_empty() && !written.get_or_insert_with(|| self.written_passes()).contains(&stated.name) {
                let guess = self.may_guess(ids.len());
                let known = ids.keys().filter_map(|name| name.strip_prefix(stated.prefix.as_str()));
                let found = Diagnostic::new(
                    &rules::UNKNOWN_PASS,
                    format!("`after` names an unknown pass `{}`", stated.name),
                    stated.span,
                    "no pass of this file has this name",
                );
                let near = guess.then(|| did_you_mean(&stated.name, known)).flatten();
                let found = near.into_iter().fold(found, Diagnostic::help);
                self.report(found.at(format!("passes[\"{}\"].after", self.draft.passes[stated.pass].name)));
            }
            let pass = &mut self.draft.passes[stated.pass];
            pass.after.extend(before.into_iter().map(|id| (id, stated.span)));
        }
    }

    /// The names of all passes as the files have them.
    fn written_passes(&self) -> BTreeSet<Name> {
        let mut names = BTreeSet::new();
        let mut files = BTreeSet::new();
        for scope in &self.scopes {
            if files.insert(scope.document.file) {
                scope::pass_names(&scope.document.passes, &mut names);
            }
        }
        names
    }

    fn outputs(&mut self, cx: &Cx, document: &Document) {
        for reference in &document.outputs {
            if let Ok(view) = self.resource(cx, reference, "outputs") {
                self.draft.outputs.push((view.resource, reference.span));
            }
        }
        for name in &self.settings.outputs {
            let named = self.draft.resources.entries().find(|(_, resource)| resource.name == *name);
            if let Some((id, resource)) = named
                && !self.draft.outputs.iter().any(|(known, _)| *known == id)
            {
                self.draft.outputs.push((id, resource.span));
            }
        }
    }

    fn requires(&mut self, names: &[crate::source::Sp<Name>]) {
        for name in names {
            match feature(&name.value) {
                Some(feature) => self.draft.requires.push((feature, name.span)),
                None => {
                    let known: Vec<&str> = FEATURES.iter().map(|(name, _)| *name).collect();
                    let found = Diagnostic::new(
                        &rules::UNKNOWN_FEATURE,
                        format!("unknown feature `{}`", name.value),
                        name.span,
                        "not a feature that a graph can require",
                    );
                    let help = did_you_mean(&name.value, known.iter().copied())
                        .unwrap_or_else(|| format!("known are {}", known.join(", ")));
                    self.report(found.help(help).at("requires"));
                }
            }
        }
    }

    /// Levels that a file sets, where their `when` holds.
    fn lints(&mut self, cx: &Cx, document: &Document) {
        if self.draft.files.contains(&document.file) {
            return;
        }
        self.draft.files.push(document.file);
        for lint in &document.lints {
            let holds = lint.when.as_ref().is_none_or(|when| matches!(self.condition(cx, when), Ok(Ok(true))));
            if holds {
                let (code, span) = (lint.code.value.to_string(), lint.code.span);
                self.draft.lints.push(LintSetting { code, level: lint.level.value, span });
            }
        }
    }

    fn finish(mut self) -> (Draft, Vec<Diagnostic>) {
        let off = &self.settings.off;
        for id in self.draft.passes.ids() {
            let pass = &mut self.draft.passes[id];
            pass.empty |= off.iter().any(|name| pass.name == name.as_str());
        }
        (self.draft, self.found)
    }
}

/// Features that a graph may require, by the name that files use.
pub(crate) const FEATURES: [(&str, wgpu_types::Features); 6] = [
    ("Subgroup", wgpu_types::Features::SUBGROUP),
    ("ShaderF16", wgpu_types::Features::SHADER_F16),
    ("TimestampQuery", wgpu_types::Features::TIMESTAMP_QUERY),
    ("IndirectFirstInstance", wgpu_types::Features::INDIRECT_FIRST_INSTANCE),
    ("MultiDrawIndirectCount", wgpu_types::Features::MULTI_DRAW_INDIRECT_COUNT),
    ("Immediates", wgpu_types::Features::IMMEDIATES),
];

/// The features of a set as `requires` calls them.
pub(crate) fn feature_names(features: wgpu_types::Features) -> Vec<&'static str> {
    let known = |features: wgpu_types::Features| FEATURES.iter().find(|(_, feature)| *feature == features);
    features.iter_names().map(|(name, feature)| known(feature).map_or(name, |(name, _)| name)).collect()
}

/// A name behind a prefix.
fn joined(prefix: &str, name: &str) -> Name {
    if prefix.is_empty() { Name::new(name) } else { Name::from_iter([prefix, name]) }
}

fn feature(name: &str) -> Option<wgpu_types::Features> {
    FEATURES.iter().find(|(known, _)| *known == name).map(|(_, feature)| *feature)
}

impl std::fmt::Debug for Resolver<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Resolver").field("draft", &self.draft).finish_non_exhaustive()
    }
}

/// The param behind an id, for marking.
impl Resolver<'_> {
    fn mark_structural(&mut self, formula: &super::Formula) {
        let params = &mut self.draft.params;
        formula.any(&mut |part| {
            if let super::Formula::Param(id) = part {
                (params[*id].structural, params[*id].read) = (true, true);
            }
            false
        });
    }

    fn mark_read(&mut self, formula: &super::Formula) {
        let params = &mut self.draft.params;
        formula.any(&mut |part| {
            if let super::Formula::Param(id) = part {
                params[*id].read = true;
            }
            false
        });
    }

    fn shader(&self, id: ShaderId) -> Arc<crate::shader::Shader> {
        Arc::clone(&self.draft.shaders[id])
    }
}
