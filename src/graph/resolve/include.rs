//! Includes: another file's passes in place, its ports bound to the includer's resources.

use std::sync::Arc;

use super::lower::When;
use super::reference::Referent;
use super::scope::{Cx, Entry, Typed, View};
use super::{Made, Resolver, Stop};
use crate::diagnostic::{Diagnostic, did_you_mean, has_errors};
use crate::graph::{Formula, PassId, PortKind, Resource, ResourceId, ResourceKind, Ty, Value, rules};
use crate::id::Id as _;
use crate::shader::rules::load_fault;
use crate::source::{Name, Sp, Span, join};
use crate::syntax::document::{
    Document, FormatDecl, ParamDecl, ParamKind, PassDecl, PassKindDecl, ResourceDecl, ResourceKindDecl,
};
use crate::syntax::expr::{Expr, Reference, Template};

/// The most files that may include each other in a row.
const MAX_DEPTH: usize = 32;

impl Resolver<'_> {
    /// The passes of another file. Fails if they cannot be told.
    pub(super) fn include(&mut self, cx: &Cx, decl: &PassDecl) -> Made<()> {
        let PassKindDecl::Include { graph, bind, set, requires } = &decl.kind else { return Ok(()) };
        let document = self.included(cx, graph)?;
        let mut inner = self.new_scope(&document, cx.prefix.clone());
        inner.run = cx.run;
        inner.condition.clone_from(&cx.condition);
        inner.after.clone_from(&cx.after);
        let params = self.include_params(cx, &inner, &document, set, decl);
        let ports = self.include_ports(cx, &inner, &document, bind, decl);
        self.requires(&document.requires);
        self.requires(requires);
        self.lints(&inner, &document);
        self.live_buffers(&inner, &document);
        params.and(ports)?;
        self.open.push(document.file);
        let (first, faults) = (self.draft.passes.next_id(), self.found.len());
        self.passes(&inner, &document.passes);
        self.open.pop();
        // What a faulty pass would have written is not known.
        let poisoned = self.draft.passes.as_slice()[first.index()..].iter().any(|pass| pass.poisoned);
        if !poisoned && !has_errors(&self.found[faults..]) {
            self.ports_hold(&inner, &document, decl, first);
        }
        Ok(())
    }

    fn included(&mut self, cx: &Cx, graph: &Sp<Template>) -> Made<Arc<Document>> {
        let path = self.template(cx, &graph.value)?;
        let top = self.library.files.get(self.open[0]).path.clone();
        let folder = top.rsplit_once('/').map_or("", |(folder, _)| folder);
        let at = format!("{}.graph", cx.path());
        let document = match self.library.load(&join(folder, &path), &mut self.found) {
            Ok(document) => document,
            Err(error) => {
                let found = load_fault(&error, &path, graph.span);
                self.report(found.help("paths of includes are relative to the folder of the top graph").at(at));
                return Err(Stop::Poisoned);
            }
        };
        if self.open.contains(&document.file) {
            let names: Vec<String> =
                self.open.iter().chain([&document.file]).map(|f| self.library.files.get(*f).display.clone()).collect();
            let message = format!("graphs include each other: {}", names.join(" → "));
            self.report(Diagnostic::new(&rules::INCLUDE_CYCLE, message, graph.span, "closes the circle").at(at));
            return Err(Stop::Poisoned);
        }
        if self.open.len() >= MAX_DEPTH {
            let message = format!("includes are nested more than {MAX_DEPTH} deep");
            self.report(Diagnostic::new(&rules::EXPANSION_LIMIT, message, graph.span, "reached here").at(at));
            return Err(Stop::Poisoned);
        }
        if document.poisoned { Err(Stop::Poisoned) } else { Ok(document) }
    }

    fn include_params(
        &mut self,
        cx: &Cx,
        inner: &Cx,
        document: &Document,
        set: &[(Sp<Name>, Expr)],
        decl: &PassDecl,
    ) -> Made<()> {
        let mut failed = false;
        for (key, _) in set {
            if !document.params.iter().any(|param| param.name.value == key.value) {
                let known = document.params.iter().map(|param| param.name.value.as_str());
                let file = self.library.files.get(document.file).display.clone();
                let message = format!("`{file}` has no param `{}`", key.value);
                let found =
                    Diagnostic::new(&rules::UNKNOWN_VALUE, message, key.span, "the included graph has no such param");
                let found = did_you_mean(&key.value, known).into_iter().fold(found, Diagnostic::help);
                self.report(found.at(format!("{}.set", cx.path())));
                failed = true;
            }
        }
        for param in &document.params {
            let entry = match self.include_param(cx, param, set, decl) {
                Ok(typed) => Entry::Param(Arc::new(typed)),
                Err(_) => {
                    failed = true;
                    Entry::Poisoned
                }
            };
            self.scopes[inner.scope].names.insert(param.name.value.clone(), entry);
        }
        if failed { Err(Stop::Poisoned) } else { Ok(()) }
    }

    /// What a param of an included graph is: what `set` gives, else what has its name outside, else its default.
    fn include_param(&mut self, cx: &Cx, param: &ParamDecl, set: &[(Sp<Name>, Expr)], decl: &PassDecl) -> Made<Typed> {
        let at = decl.name.as_ref().map_or(decl.keyword, |name| name.span);
        let wanted = super::declare::param_type(&param.kind).ok_or(Stop::Poisoned)?;
        let Some(expr) = self.given_by(cx, set, &param.name.value, at) else {
            let value = self.param_value(&param.kind, None);
            return Ok(Typed { formula: Formula::Const(value), ty: wanted });
        };
        let mut given = self.live(cx, &expr, When::Frame)?;
        if given.ty == Ty::Int && wanted == Ty::Float {
            given = match given.formula {
                Formula::Const(Value::Int(i)) => {
                    Typed { formula: Formula::Const(Value::Float(i as f64)), ty: Ty::Float }
                }
                formula => Typed { formula, ty: Ty::Float },
            };
        }
        if given.ty != wanted {
            let message = format!("`{}` is {}, but it is given {}", param.name.value, wanted.name(), given.ty.name());
            let found = Diagnostic::new(&rules::TYPE_MISMATCH, message, expr.span, "given here");
            self.report(found.also(param.name.span, "the param").at(format!("{}.set", cx.path())));
            return Err(Stop::Poisoned);
        }
        self.include_range(cx, param, &given, expr.span)?;
        Ok(given)
    }

    fn include_range(&mut self, cx: &Cx, param: &ParamDecl, given: &Typed, span: Span) -> Made<()> {
        let Formula::Const(value) = given.formula else { return Ok(()) };
        let outside = match (&param.kind, value) {
            (ParamKind::Int { min, max, .. }, Value::Int(i)) if i < min.value || i > max.value => {
                Some((i.to_string(), format!("{} to {}", min.value, max.value)))
            }
            (ParamKind::Float { min, max, .. }, Value::Float(f)) if f < min.value || f > max.value => {
                Some((f.to_string(), format!("{} to {}", min.value, max.value)))
            }
            (ParamKind::Choice { of, .. }, Value::Text(text)) => {
                let text = &self.draft.texts[text as usize];
                let known: Vec<&str> = of.iter().map(|one| one.value.as_str()).collect();
                (!known.contains(&text.as_str())).then(|| (format!("'{text}'"), known.join(", ")))
            }
            _ => None,
        };
        let Some((has, range)) = outside else { return Ok(()) };
        let message = format!("`{}` is set to {has}, outside of {range}", param.name.value);
        let found = Diagnostic::new(&rules::VALUE_RANGE, message, span, "given here");
        self.report(found.also(param.span, "its range").at(format!("{}.set", cx.path())));
        Err(Stop::Poisoned)
    }

    fn include_ports(
        &mut self,
        cx: &Cx,
        inner: &Cx,
        document: &Arc<Document>,
        bind: &[(Sp<Name>, Reference)],
        decl: &PassDecl,
    ) -> Made<()> {
        let mut failed = false;
        let is_port = |name: &str| document.resources.iter().any(|r| r.port.is_some() && r.name.value == name);
        let mut strangers: Vec<&str> = Vec::new();
        for (key, _) in bind {
            if !is_port(&key.value) {
                strangers.push(&key.value);
                let known = document.resources.iter().filter(|r| r.port.is_some()).map(|r| r.name.value.as_str());
                let file = self.library.files.get(document.file).display.clone();
                let message = format!("`{file}` has no port `{}`", key.value);
                let found =
                    Diagnostic::new(&rules::UNKNOWN_PORT, message, key.span, "the included graph has no such port");
                let found = did_you_mean(&key.value, known).into_iter().fold(found, Diagnostic::help);
                self.report(found.at(format!("{}.bind", cx.path())));
                failed = true;
            }
        }
        for (index, resource) in document.resources.iter().enumerate() {
            let entry = match resource.port {
                None => self.declare(inner, resource, index, None),
                Some(port) => match self.port(cx, resource, port.value, bind, &strangers, decl) {
                    Ok(entry) => entry,
                    Err(_) => {
                        failed = true;
                        Entry::Poisoned
                    }
                },
            };
            self.scopes[inner.scope].names.insert(resource.name.value.clone(), entry);
        }
        if failed { Err(Stop::Poisoned) } else { Ok(()) }
    }

    /// What a port is bound to: what `bind` gives, else the includer's resource of its name.
    fn port(
        &mut self,
        cx: &Cx,
        port: &ResourceDecl,
        direction: PortKind,
        bind: &[(Sp<Name>, Reference)],
        strangers: &[&str],
        decl: &PassDecl,
    ) -> Made<Entry> {
        let name = &port.name.value;
        let given = bind.iter().find(|(key, _)| key.value == *name);
        let (referent, span) = match given {
            Some((_, reference)) => (self.referent(cx, reference)?, reference.span),
            None => {
                let at = decl.name.as_ref().map_or(decl.keyword, |name| name.span);
                match self.lookup(cx, name) {
                    Some(Entry::Resource(view)) => (Referent::View(view), at),
                    Some(Entry::Pack(pack)) => (Referent::Pack(pack), at),
                    Some(Entry::Poisoned) => return Err(Stop::Poisoned),
                    // A misspelt key, or one whose reference could not be read, is told already.
                    Some(Entry::Param(_)) | None
                        if decl.poisoned
                            || strangers.iter().any(|key| did_you_mean(key, [name.as_str()]).is_some()) =>
                    {
                        return Err(Stop::Poisoned);
                    }
                    Some(Entry::Param(_)) | None => {
                        let message = format!("port `{name}` is bound to nothing");
                        let found = Diagnostic::new(
                            &rules::MISSING_PORT,
                            message,
                            at,
                            format!("no resource here is called `{name}`"),
                        )
                        .also(port.name.span, "the port")
                        .help(format!("give it with `bind: {{ \"{name}\": \"…\" }}`"));
                        self.report(found.at(format!("{}.bind[\"{name}\"]", cx.path())));
                        return Err(Stop::Poisoned);
                    }
                }
            }
        };
        match referent {
            Referent::Pack(pack) if matches!(port.kind, ResourceKindDecl::Meshes(_)) => Ok(Entry::Pack(pack)),
            Referent::View(view) if self.port_kind_fits(port, view) => {
                self.port_fields(cx, port, view, span)?;
                Ok(Entry::Resource(View { port: Some(direction), ..view }))
            }
            _ => Err(self.port_mismatch(cx, port, span, "is of another kind")),
        }
    }

    fn port_kind_fits(&self, port: &ResourceDecl, view: View) -> bool {
        matches!(
            (&port.kind, &self.draft.resources[view.resource].kind),
            (ResourceKindDecl::Buffer(_), ResourceKind::Buffer(_))
                | (ResourceKindDecl::Texture(_), ResourceKind::Texture(_))
                | (ResourceKindDecl::Uniform(_), ResourceKind::Uniform | ResourceKind::HostUniform { .. })
                | (ResourceKindDecl::Sampler(_), ResourceKind::Sampler(_))
        )
    }

    /// Fields that a port states must agree with what it is given.
    fn port_fields(&mut self, cx: &Cx, port: &ResourceDecl, view: View, span: Span) -> Made<()> {
        let ResourceKindDecl::Texture(decl) = &port.kind else { return Ok(()) };
        let texture = self.texture(view)?;
        let stated = match decl.format.map(|format| format.value) {
            Some(FormatDecl::Is(format)) => Some(format),
            Some(FormatDecl::Surface) => self.draft.surface_format,
            None => None,
        };
        match (stated, texture.format) {
            (Some(stated), Some(has)) if stated != has => {
                Err(self.port_mismatch(cx, port, span, &format!("has format {has:?}, but the port states {stated:?}")))
            }
            _ => Ok(()),
        }
    }

    fn port_mismatch(&mut self, cx: &Cx, port: &ResourceDecl, span: Span, why: &str) -> Stop {
        let message = format!("what is given to port `{}` {why}", port.name.value);
        let found = Diagnostic::new(&rules::PORT_MISMATCH, message, span, "given here").also(port.span, "the port");
        self.report(found.at(format!("{}.bind[\"{}\"]", cx.path(), port.name.value)));
        Stop::Poisoned
    }

    /// An In is never written; an Out is written, and before it is read.
    fn ports_hold(&mut self, inner: &Cx, document: &Document, decl: &PassDecl, first: PassId) {
        for port in &document.resources {
            let (Some(direction), Some(Entry::Resource(view))) = (port.port, self.lookup(inner, &port.name.value))
            else {
                continue;
            };
            let fault = self.port_fault(direction.value, view.resource, view, first);
            if let Some((what, span)) = fault {
                let name = &port.name.value;
                let message = format!("port `{name}` {what}");
                let at = span.or(decl.name.as_ref().map(|name| name.span)).unwrap_or(decl.keyword);
                let label = match (span, direction.value) {
                    (None, _) => "by nothing in this include",
                    (Some(_), PortKind::In) => "written here",
                    (Some(_), _) => "read here",
                };
                let found = Diagnostic::new(&rules::PORT_DIRECTION, message, at, label);
                self.report(found.also(port.span, "the port").at(format!("resources[\"{name}\"]")));
            }
        }
    }

    /// What is wrong with the uses of a port by the passes from `first` on.
    pub(super) fn port_fault(
        &self,
        direction: PortKind,
        resource: ResourceId,
        view: View,
        first: PassId,
    ) -> Option<(&'static str, Option<Span>)> {
        let passes = &self.draft.passes.as_slice()[first.index()..];
        let uses = passes.iter().flat_map(|pass| &pass.accesses).filter(|access| {
            access.resource == resource && !access.previous && view.part.is_none_or(|part| part.overlaps(access.part))
        });
        let mut uses = uses.peekable();
        match direction {
            PortKind::In => {
                let write = uses.find(|access| access.effect.writes())?;
                Some(("is In, but written", Some(write.span)))
            }
            PortKind::Out => match uses.peek() {
                None => Some(("is Out, but never written", None)),
                Some(access) if access.effect.reads() => {
                    Some(("is Out, but read before it is written", Some(access.span)))
                }
                Some(_) => None,
            },
            PortKind::InOut => None,
        }
    }
}

/// Ports of the top graph, whose giver is the host.
impl Resolver<'_> {
    pub(super) fn top_ports(&mut self) {
        if has_errors(&self.found) || self.draft.passes.iter().any(|pass| pass.poisoned) {
            return;
        }
        let ports: Vec<(ResourceId, PortKind)> =
            self.draft.resources.entries().filter_map(|(id, r)| Some((id, r.port?))).collect();
        for (id, direction) in ports.into_iter().filter(|(_, direction)| *direction == PortKind::Out) {
            let view = View::whole(id, Some(direction));
            if let Some((what, span)) = self.port_fault(direction, id, view, PassId::from_index(0)) {
                let Resource { name, span: declared, .. } = &self.draft.resources[id];
                let message = format!("port `{name}` {what}");
                let label = if span.is_some() { "read here" } else { "declared here" };
                let found = Diagnostic::new(&rules::PORT_DIRECTION, message, span.unwrap_or(*declared), label);
                let found = if span.is_some() { found.also(*declared, "the port") } else { found };
                let at = format!("resources[\"{name}\"]");
                self.report(found.at(at));
            }
        }
    }
}
