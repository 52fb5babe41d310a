//! Shaders and what they are given: every variable that an entry point uses gets a resource or a value, and what the code
//! does to it becomes an access.

use std::borrow::Cow;
use std::sync::Arc;

use super::lower::When;
use super::reference::whole;
use super::scope::{Cx, Entry, View};
use super::sizes::Source;
use super::{Made, Resolver, Stop};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::graph::{
    Access, Binding, BindingSource, Effect, Part, Program, ResourceKind, ShaderId, Usage, Value, rules,
};
use crate::shader::{Global, GlobalKind, Shader, Stage, Use};
use crate::source::{Name, Sp, Span};
use crate::syntax::document::ProgramDecl;
use crate::syntax::expr::{Expr, ExprKind};
use wgpu_types::StorageTextureAccess;

/// What a program is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A dispatch.
    Compute,
    /// A draw of so many records.
    Draw(u32),
}

/// A program and what it does to resources.
#[derive(Debug)]
pub(super) struct Bound {
    pub(super) program: Program,
    pub(super) accesses: Vec<Access>,
}

/// Everything about one program that is being bound.
pub(super) struct Binder<'a> {
    pub(super) cx: &'a Cx,
    pub(super) decl: &'a ProgramDecl,
    /// Where a variable that `bind` leaves out is said to be bound: the pass's or draw's place.
    pub(super) at: Span,
    pub(super) kind: Kind,
    shader: Arc<Shader>,
    /// By global: what the entry points do to it together.
    uses: Vec<Option<Use>>,
}

impl<'a> Binder<'a> {
    /// Keys of `bind` that are no variable.
    fn strange_variables(&self) -> impl Iterator<Item = &'a Sp<Name>> {
        let is_known = |key: &Sp<Name>| self.shader.interface.globals.iter().any(|global| global.name == key.value);
        self.decl.bind.iter().map(|(key, _)| key).filter(move |key| !is_known(key))
    }

    /// Keys of `set` that take no value.
    fn strange_values(&self) -> impl Iterator<Item = &'a Sp<Name>> {
        self.decl.set.iter().map(|(key, _)| key).filter(|key| !self.takes_value(&key.value))
    }

    fn takes_value(&self, name: &str) -> bool {
        let interface = &self.shader.interface;
        let takes = |global: &Global| match &global.kind {
            GlobalKind::Uniform(layout) if layout.members.is_empty() => global.name == name,
            GlobalKind::Uniform(layout) => layout.members.iter().any(|member| member.name == name),
            _ => false,
        };
        interface.globals.iter().any(takes) || interface.overrides.iter().any(|constant| constant.name == name)
    }

    fn value_names(&self) -> Vec<&str> {
        let interface = &self.shader.interface;
        let members = interface.globals.iter().filter_map(|global| match &global.kind {
            GlobalKind::Uniform(layout) if layout.members.is_empty() => Some(vec![global.name.as_str()]),
            GlobalKind::Uniform(layout) => Some(layout.members.iter().map(|member| member.name.as_str()).collect()),
            _ => None,
        });
        members.flatten().chain(interface.overrides.iter().map(|constant| constant.name.as_str())).collect()
    }

    /// Whether it is told already why a name was given nothing: what it is given could not be read, or stands under a
    /// misspelt key.
    pub(super) fn is_told(&self, name: &str) -> bool {
        let mut strangers = self.strange_variables().chain(self.strange_values());
        self.decl.partial || strangers.any(|key| did_you_mean(&key.value, [name]).is_some())
    }
}

impl Resolver<'_> {
    /// Binds a shader. Every fault in it is reported before it fails.
    pub(super) fn program(&mut self, cx: &Cx, decl: &ProgramDecl, at: Span, kind: Kind) -> Made<Bound> {
        let id = self.load_shader(cx, decl)?;
        let shader = self.shader(id);
        let entries = self.entries(cx, decl, &shader, kind)?;
        let uses = combined(&shader, &entries);
        let binder = Binder { cx, decl, at, kind, shader, uses };
        let constants = self.constants(&binder, &entries);
        let bindings = self.bindings(&binder);
        let strangers = self.strangers(&binder);
        let (bindings, accesses) = bindings?;
        let program = Program { shader: id, entries, constants: constants?, bindings };
        strangers?;
        Ok(Bound { program, accesses })
    }

    fn load_shader(&mut self, cx: &Cx, decl: &ProgramDecl) -> Made<ShaderId> {
        let path = self.template(cx, &decl.shader.value)?;
        self.shader_at(&path, decl.shader.span)
    }

    /// The shader of a path below `shaders/`.
    pub(super) fn shader_at(&mut self, path: &str, at: Span) -> Made<ShaderId> {
        if let Some(Some(known)) = self.shaders.get(path) {
            return Ok(*known);
        }
        let loaded = self.library.shaders.load(&mut self.library.files, path, at, &mut self.found);
        let id = loaded.map(|shader| self.draft.shaders.push(shader));
        self.shaders.insert(path.to_owned(), id);
        id.ok_or(Stop::Poisoned)
    }

    fn entries(&mut self, cx: &Cx, decl: &ProgramDecl, shader: &Shader, kind: Kind) -> Made<Vec<usize>> {
        for name in &decl.entry {
            if !shader.interface.entries.iter().any(|entry| entry.name == name.value) {
                let known = shader.interface.entries.iter().map(|entry| entry.name.as_str());
                let message = format!("`{}` has no entry point `{}`", shader.path, name.value);
                let found = Diagnostic::new(&rules::ENTRY_POINT, message, name.span, "no such entry point");
                let found = did_you_mean(&name.value, known).into_iter().fold(found, Diagnostic::help);
                self.report(found.at(format!("{}.entry", cx.path())));
                return Err(Stop::Poisoned);
            }
        }
        match kind {
            Kind::Compute => Ok(vec![self.entry(cx, decl, shader, Stage::Compute)?.ok_or(Stop::Poisoned)?]),
            Kind::Draw(_) => {
                let vertex = self.entry(cx, decl, shader, Stage::Vertex)?.ok_or(Stop::Poisoned)?;
                let fragment = self.entry(cx, decl, shader, Stage::Fragment)?;
                Ok(std::iter::once(vertex).chain(fragment).collect())
            }
        }
    }

    /// The entry point of a stage: the named one, or the only one. A fragment stage may be absent.
    fn entry(&mut self, cx: &Cx, decl: &ProgramDecl, shader: &Shader, stage: Stage) -> Made<Option<usize>> {
        let all = || shader.interface.entries.iter().enumerate().filter(|(_, entry)| entry.stage == stage);
        let named = all().find(|(_, entry)| decl.entry.iter().any(|name| name.value == entry.name));
        match (named, all().next(), all().nth(1)) {
            (Some((index, _)), ..) | (None, Some((index, _)), None) => Ok(Some(index)),
            (None, None, _) if stage == Stage::Fragment => Ok(None),
            (None, first, _) => {
                let (message, help) = if first.is_none() {
                    (format!("`{}` has no {stage:?} entry point", shader.path).to_lowercase(), None)
                } else {
                    let names: Vec<String> = all().map(|(_, e)| format!("`{}`", e.name)).collect();
                    let message =
                        format!("`{}` has several {} entry points", shader.path, format!("{stage:?}").to_lowercase());
                    (message, Some(format!("name one with `entry`: {}", names.join(", "))))
                };
                let found = Diagnostic::new(&rules::ENTRY_POINT, message, decl.shader.span, "this shader");
                self.report(help.into_iter().fold(found, Diagnostic::help).at(format!("{}.shader", cx.path())));
                Err(Stop::Poisoned)
            }
        }
    }

    /// Values of the overrides that the entry points read.
    fn constants(&mut self, binder: &Binder<'_>, entries: &[usize]) -> Made<Vec<(String, f64)>> {
        let interface = &binder.shader.interface;
        let mut constants = Vec::new();
        let mut failed = false;
        for (index, constant) in interface.overrides.iter().enumerate() {
            if !entries.iter().any(|entry| interface.entries[*entry].overrides.contains(&index)) {
                continue;
            }
            match self.given(binder, &constant.name) {
                Some(expr) => match self.value(binder.cx, &expr) {
                    Ok(Value::Bool(b)) => constants.push((constant.key.clone(), f64::from(u8::from(b)))),
                    Ok(value) if value.number().is_some() => {
                        constants.push((constant.key.clone(), value.number().unwrap_or_default()));
                    }
                    Ok(value) => {
                        self.mistyped(expr.span, "a number or a bool", value.ty());
                        failed = true;
                    }
                    Err(_) => failed = true,
                },
                None if constant.has_default => {}
                None => {
                    self.valueless(binder, "override", &constant.name, constant.span);
                    failed = true;
                }
            }
        }
        if failed { Err(Stop::Poisoned) } else { Ok(constants) }
    }

    /// The expression that `set` gives to a name, or that the param or Repeat variable of that name stands for.
    pub(super) fn given_by<'e>(
        &self,
        cx: &Cx,
        set: &'e [(Sp<Name>, Expr)],
        name: &str,
        at: Span,
    ) -> Option<Cow<'e, Expr>> {
        if let Some((_, expr)) = set.iter().find(|(key, _)| key.value == name) {
            return Some(Cow::Borrowed(expr));
        }
        matches!(self.lookup(cx, name), Some(Entry::Param(_)))
            .then(|| Cow::Owned(Expr { kind: ExprKind::Name(Name::new(name)), span: at }))
    }

    fn given<'e>(&self, binder: &Binder<'e>, name: &str) -> Option<Cow<'e, Expr>> {
        self.given_by(binder.cx, &binder.decl.set, name, binder.at)
    }

    fn valueless(&mut self, binder: &Binder<'_>, what: &str, name: &str, span: Span) {
        if binder.is_told(name) {
            return;
        }
        let message = format!("the {what} `{name}` of `{}` has no value", binder.shader.path);
        let found =
            Diagnostic::new(&rules::MISSING_VALUE, message, binder.at, format!("nothing here is called `{name}`"))
                .also(span, "declared here")
                .help(format!("give it with `set: {{ \"{name}\": … }}`, or declare a param of that name"));
        self.report(found.at(format!("{}.set[\"{name}\"]", binder.cx.path())));
    }

    fn bindings(&mut self, binder: &Binder<'_>) -> Made<(Vec<Binding>, Vec<Access>)> {
        let n_used = binder.uses.iter().flatten().count();
        let mut bindings = Vec::with_capacity(n_used);
        let mut accesses = Vec::with_capacity(n_used);
        let mut failed = false;
        let shader = Arc::clone(&binder.shader);
        for (index, global) in shader.interface.globals.iter().enumerate() {
            let Some(used) = binder.uses[index] else { continue };
            match self.bind(binder, global, used, &mut accesses) {
                Ok(source) => bindings.push(Binding { global: index, source }),
                Err(_) => failed = true,
            }
        }
        if failed { Err(Stop::Poisoned) } else { Ok((bindings, accesses)) }
    }

    fn bind(
        &mut self,
        binder: &Binder<'_>,
        global: &Global,
        used: Use,
        accesses: &mut Vec<Access>,
    ) -> Made<BindingSource> {
        let named = binder.decl.bind.iter().find(|(key, _)| key.value == global.name);
        let (view, span) = match named {
            Some((_, reference)) => {
                let at = format_args!("bind[\"{}\"]", global.name);
                (self.resource(binder.cx, reference, at)?, reference.span)
            }
            None => match self.lookup(binder.cx, &global.name) {
                Some(Entry::Resource(view)) => (view, binder.at),
                Some(Entry::Poisoned) => return Err(Stop::Poisoned),
                _ => match &global.kind {
                    GlobalKind::Uniform(layout) => {
                        return self.value_block(binder, global, layout);
                    }
                    _ => return Err(self.unbound(binder, global)),
                },
            },
        };
        if let ResourceKind::Sampler(_) = self.draft.resources[view.resource].kind {
            return self.bind_sampler(binder, global, view, span);
        }
        match &global.kind {
            GlobalKind::Uniform(layout) => self.bind_uniform(binder, global, layout, view, span, accesses),
            GlobalKind::Storage { layout, .. } => {
                self.expect_buffer(binder, global, view, span)?;
                self.claim_layout(view.resource, layout, global.span, span);
                let (usage, effect) = storage_effect(used);
                accesses.push(Access {
                    variable: Some(global.span),
                    ..super::transfer::access(view, Part::ONE, usage, effect, span)
                });
                Ok(BindingSource::Buffer { resource: view.resource, previous: view.previous })
            }
            GlobalKind::Texture { .. } | GlobalKind::StorageTexture { .. } => {
                self.bind_texture(binder, global, used, view, span, accesses)
            }
            GlobalKind::Sampler { .. } => Err(self.mismatch(binder, global, view, span, "a sampler")),
            GlobalKind::Unsupported(what) => {
                let message = format!("`{}` is {what}, which a graph cannot bind", global.name);
                let found = Diagnostic::new(&rules::UNSUPPORTED_BINDING, message, global.span, "declared here");
                self.report(found.also(binder.at, "used by this pass").at(binder.cx.path()));
                Err(Stop::Poisoned)
            }
        }
    }

    fn unbound(&mut self, binder: &Binder<'_>, global: &Global) -> Stop {
        if binder.is_told(&global.name) {
            return Stop::Poisoned;
        }
        let known = if self.may_guess(self.scopes[binder.cx.scope].names.len()) {
            self.resource_names(binder.cx)
        } else {
            Vec::new()
        };
        let message = format!("`{}` of `{}` is bound to nothing", global.name, binder.shader.path);
        let found = Diagnostic::new(
            &rules::UNBOUND_VARIABLE,
            message,
            binder.at,
            format!("no resource is called `{}`", global.name),
        )
        .also(global.span, "the variable");
        let help = did_you_mean(&global.name, known.iter().map(String::as_str))
            .unwrap_or_else(|| format!("name a resource with `bind: {{ \"{}\": \"…\" }}`", global.name));
        self.report(found.help(help).at(format!("{}.bind[\"{}\"]", binder.cx.path(), global.name)));
        Stop::Poisoned
    }

    fn resource_names(&self, cx: &Cx) -> Vec<String> {
        let names = &self.scopes[cx.scope].names;
        let resources = names.sorted().into_iter().filter(|(_, entry)| matches!(entry, Entry::Resource(_)));
        resources.map(|(name, _)| name.to_owned()).collect()
    }

    fn bind_sampler(&mut self, binder: &Binder<'_>, global: &Global, view: View, span: Span) -> Made<BindingSource> {
        let ResourceKind::Sampler(sampler) = self.draft.resources[view.resource].kind else {
            return Err(Stop::Poisoned);
        };
        match global.kind {
            GlobalKind::Sampler { comparison } if comparison == sampler.compare.is_some() => {
                Ok(BindingSource::Sampler(view.resource))
            }
            GlobalKind::Sampler { comparison: true } => {
                Err(self.mismatch(binder, global, view, span, "a sampler with `compare`"))
            }
            GlobalKind::Sampler { .. } => Err(self.mismatch(binder, global, view, span, "a sampler without `compare`")),
            _ => Err(self.mismatch(binder, global, view, span, wanted(&global.kind))),
        }
    }

    fn bind_uniform(
        &mut self,
        binder: &Binder<'_>,
        global: &Global,
        layout: &crate::shader::Layout,
        view: View,
        span: Span,
        accesses: &mut Vec<Access>,
    ) -> Made<BindingSource> {
        match self.draft.resources[view.resource].kind {
            ResourceKind::Uniform => self.named_block(binder.cx, view, global, layout, span),
            ResourceKind::HostUniform { .. } => {
                self.host_uniform(view, layout, global.span, span)?;
                Ok(BindingSource::Buffer { resource: view.resource, previous: false })
            }
            ResourceKind::Buffer(_) => {
                self.claim(
                    view.resource,
                    u64::from(layout.size.next_multiple_of(16)),
                    span,
                    Source::Variable(global.span),
                );
                let access = super::transfer::access(view, Part::ONE, Usage::Uniform, Effect::Read, span);
                accesses.push(Access { variable: Some(global.span), ..access });
                Ok(BindingSource::Buffer { resource: view.resource, previous: view.previous })
            }
            ResourceKind::Texture(_) | ResourceKind::Sampler(_) => {
                Err(self.mismatch(binder, global, view, span, "a Uniform or a buffer"))
            }
        }
    }

    fn expect_buffer(&mut self, binder: &Binder<'_>, global: &Global, view: View, span: Span) -> Made<()> {
        match self.draft.resources[view.resource].kind {
            ResourceKind::Buffer(_) => Ok(()),
            _ => Err(self.mismatch(binder, global, view, span, "a buffer")),
        }
    }

    fn bind_texture(
        &mut self,
        binder: &Binder<'_>,
        global: &Global,
        used: Use,
        view: View,
        span: Span,
        accesses: &mut Vec<Access>,
    ) -> Made<BindingSource> {
        if !matches!(self.draft.resources[view.resource].kind, ResourceKind::Texture(_)) {
            return Err(self.mismatch(binder, global, view, span, "a texture"));
        }
        let texture = self.texture(view)?;
        let part = view.part.unwrap_or_else(|| whole(&texture));
        let (usage, effect) = match &global.kind {
            GlobalKind::StorageTexture { access, .. } => (Usage::StorageTexture, stored(*access, used)),
            _ => (Usage::Sampled, Effect::Read),
        };
        if let Some(needs) = super::fits::texture_needs(&global.kind, &texture, part, used) {
            return Err(self.mismatch(binder, global, view, span, &needs));
        }
        accesses
            .push(Access { variable: Some(global.span), ..super::transfer::access(view, part, usage, effect, span) });
        Ok(BindingSource::Texture { resource: view.resource, previous: view.previous, part })
    }

    fn mismatch(&mut self, binder: &Binder<'_>, global: &Global, view: View, span: Span, needs: &str) -> Stop {
        let resource = &self.draft.resources[view.resource];
        let message = format!(
            "`{}` of `{}` needs {needs}, but `{}` is {}",
            global.name,
            binder.shader.path,
            resource.name,
            described(&resource.kind)
        );
        let found = Diagnostic::new(&rules::BINDING_MISMATCH, message, span, "bound here")
            .also(global.span, "the variable")
            .also(resource.span, "the resource");
        self.report(found.at(format!("{}.bind[\"{}\"]", binder.cx.path(), global.name)));
        Stop::Poisoned
    }

    /// Reports keys of `bind` and `set` that name nothing in the shader.
    fn strangers(&mut self, binder: &Binder<'_>) -> Made<()> {
        let mut failed = false;
        for key in binder.strange_variables() {
            let known = binder.shader.interface.globals.iter().map(|global| global.name.as_str());
            self.stranger(binder, &rules::UNKNOWN_VARIABLE, "variable", key, known);
            failed = true;
        }
        for key in binder.strange_values() {
            let known = binder.value_names().into_iter();
            self.stranger(binder, &rules::UNKNOWN_VALUE, "override or uniform member", key, known);
            failed = true;
        }
        if failed { Err(Stop::Poisoned) } else { Ok(()) }
    }

    fn stranger<'s>(
        &mut self,
        binder: &Binder<'_>,
        rule: &'static crate::diagnostic::Rule,
        what: &str,
        key: &Sp<Name>,
        known: impl Iterator<Item = &'s str>,
    ) {
        let message = format!("`{}` has no {what} `{}`", binder.shader.path, key.value);
        let found = Diagnostic::new(rule, message, key.span, "the shader has no such name");
        let found = did_you_mean(&key.value, known).into_iter().fold(found, Diagnostic::help);
        self.report(found.at(binder.cx.path()));
    }
}

/// What several entry points do to each global, taken together.
fn combined(shader: &Shader, entries: &[usize]) -> Vec<Option<Use>> {
    let mut uses: Vec<Option<Use>> = vec![None; shader.interface.globals.len()];
    for used in entries.iter().flat_map(|entry| &shader.interface.entries[*entry].uses) {
        let sum = uses[used.global].get_or_insert(*used);
        sum.read |= used.read;
        sum.write |= used.write;
        sum.accumulates |= used.accumulates;
        sum.sampled |= used.sampled;
    }
    uses
}

/// What a storage buffer's use means for its value.
fn storage_effect(used: Use) -> (Usage, Effect) {
    match used {
        Use { accumulates: true, .. } => (Usage::StorageWrite, Effect::Accumulate),
        Use { read: true, write: true, .. } => (Usage::StorageWrite, Effect::ReadWrite),
        Use { write: true, .. } => (Usage::StorageWrite, Effect::Write),
        _ => (Usage::StorageRead, Effect::Read),
    }
}

fn stored(access: StorageTextureAccess, used: Use) -> Effect {
    match (access, used.read, used.write) {
        (StorageTextureAccess::ReadOnly, ..) | (_, true, false) => Effect::Read,
        (StorageTextureAccess::WriteOnly, ..) | (_, false, _) => Effect::Write,
        (StorageTextureAccess::Atomic, ..) => Effect::Accumulate,
        (StorageTextureAccess::ReadWrite, ..) => Effect::ReadWrite,
    }
}

const fn wanted(kind: &GlobalKind) -> &'static str {
    match kind {
        GlobalKind::Uniform(_) => "a Uniform or a buffer",
        GlobalKind::Storage { .. } => "a buffer",
        GlobalKind::Texture { .. } | GlobalKind::StorageTexture { .. } => "a texture",
        GlobalKind::Sampler { .. } => "a sampler",
        GlobalKind::Unsupported(_) => "something else",
    }
}

/// What a resource is, for messages.
pub(super) fn described(kind: &ResourceKind) -> String {
    match kind {
        ResourceKind::Buffer(_) => "a buffer".to_owned(),
        ResourceKind::Texture(texture) => {
            let format = texture.format.map_or("unknown format".to_owned(), |format| format!("{format:?}"));
            let layers = if texture.layers > 1 { format!(", {} layers", texture.layers) } else { String::new() };
            let mips = if texture.mips > 1 { format!(", {} mips", texture.mips) } else { String::new() };
            let samples = if texture.samples > 1 { format!(", {} samples", texture.samples) } else { String::new() };
            format!("a texture of {format}{mips}{layers}{samples}")
        }
        ResourceKind::Sampler(sampler) if sampler.compare.is_some() => "a sampler with `compare`".to_owned(),
        ResourceKind::Sampler(_) => "a sampler".to_owned(),
        ResourceKind::Uniform | ResourceKind::HostUniform { .. } => "a Uniform".to_owned(),
    }
}

/// Blocks of a draw see each record's `draw_index`; others see the frame.
impl Kind {
    pub(super) const fn when(self) -> When {
        match self {
            Self::Compute => When::Frame,
            Self::Draw(_) => When::Draw,
        }
    }

    pub(super) const fn records(self) -> u32 {
        match self {
            Self::Compute => 1,
            Self::Draw(records) => records,
        }
    }
}
