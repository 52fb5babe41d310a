//! Passes in file order, repeats unrolled: one pass of the draft for each pass that is there in this variant.

use super::scope::{Cx, Var, known};
use super::{MAX_PASSES, Made, Resolver, Stated, Stop, joined};
use crate::diagnostic::Diagnostic;
use crate::graph::{
    Access, Dispatch, Effect, Groups, Part, Pass, PassId, PassKind, PortKind, ResourceKind, Run, Usage, rules,
};
use crate::source::{Name, Span};
use crate::syntax::document::{DispatchDecl, PassDecl, PassKindDecl, WorkDecl};
use crate::syntax::expr::Expr;

/// The most rounds of one Repeat.
const MAX_ROUNDS: u64 = 65_536;

/// What the body of a pass came out as.
pub(super) struct Body {
    pub(super) kind: PassKind,
    pub(super) accesses: Vec<Access>,
    pub(super) empty: bool,
}

impl Resolver<'_> {
    pub(super) fn passes(&mut self, cx: &Cx, passes: &[PassDecl]) {
        for (index, decl) in passes.iter().enumerate() {
            if self.full {
                return;
            }
            let name = decl.name.as_ref().map_or_else(|| Name::from(index.to_string()), |name| name.value.clone());
            self.pass(cx, decl, &name);
        }
    }

    fn pass(&mut self, outer: &Cx, decl: &PassDecl, name: &str) {
        let mut cx = outer.clone();
        if let Some(run) = decl.run {
            cx.run = if outer.run == Run::Once { Run::Once } else { run.value };
        }
        cx.after.extend(decl.after.iter().map(|after| (outer.file_prefix.clone(), after.clone())));
        cx.prefix = Name::from_iter([&outer.prefix, name, "/"]);
        if !self.is_there(&mut cx, decl) {
            return;
        }
        match &decl.kind {
            PassKindDecl::Repeat { var, count, passes } => {
                if self.repeat(outer, &cx, &joined(&outer.prefix, name), var, count, passes).is_err() {
                    self.push(&cx, decl, Err(Stop::Poisoned));
                }
            }
            PassKindDecl::Include { .. } => {
                if self.include(&cx, decl).is_err() {
                    self.push(&cx, decl, Err(Stop::Poisoned));
                }
            }
            PassKindDecl::Scan { input, output } => self.scan(&cx, decl, input, output),
            _ => {
                let body = self.body(&cx, decl);
                self.push(&cx, decl, body);
            }
        }
    }

    /// Whether a pass is there in this variant; a condition that is asked each frame is kept in the context.
    fn is_there(&mut self, cx: &mut Cx, decl: &PassDecl) -> bool {
        let Some(when) = &decl.when else { return true };
        match self.condition(cx, when) {
            Ok(Ok(there)) => there,
            Ok(Err(formula)) => {
                if cx.run == Run::Once {
                    let message = "a Once pass has a `when` that is asked each frame";
                    self.report(
                        Diagnostic::new(&rules::ONCE_READS_FRAME, message, when.span, "reads `frame`").at(cx.path()),
                    );
                }
                cx.condition = Some(Box::new(match cx.condition.take() {
                    Some(outer) => {
                        crate::graph::Formula::Binary(crate::syntax::expr::Binary::And, Box::new((*outer, formula)))
                    }
                    None => formula,
                }));
                true
            }
            // Kept, so that what it writes is not missed by others.
            Err(_) => true,
        }
    }

    fn body(&mut self, cx: &Cx, decl: &PassDecl) -> Made<Body> {
        match &decl.kind {
            PassKindDecl::ClearBuffer { target, offset, size } => {
                self.clear_buffer(cx, target, offset.as_ref(), size.as_ref())
            }
            PassKindDecl::CopyBuffer { source, target, source_offset, target_offset, size } => self.copy_buffer(
                cx,
                [source, target],
                [source_offset.as_deref(), target_offset.as_deref()],
                size.as_ref(),
            ),
            PassKindDecl::CopyTexture { source, target, source_offset, target_offset, size } => self.copy_texture(
                cx,
                [source, target],
                [source_offset.as_deref(), target_offset.as_deref()],
                size.as_deref(),
            ),
            PassKindDecl::Dispatch(dispatch) => self.dispatch(cx, decl, dispatch),
            PassKindDecl::Render(render) => self.render(cx, render),
            PassKindDecl::Scan { .. }
            | PassKindDecl::Repeat { .. }
            | PassKindDecl::Include { .. }
            | PassKindDecl::Poison => Err(Stop::Poisoned),
        }
    }

    /// Adds a pass; one that could not be made stands as a poisoned clear of nothing.
    pub(super) fn push(&mut self, cx: &Cx, decl: &PassDecl, body: Made<Body>) -> Option<PassId> {
        if self.draft.passes.len() >= MAX_PASSES {
            self.overflow(decl.span);
            return None;
        }
        let poisoned = body.is_err() || decl.poisoned;
        let Body { kind, accesses, empty } = body.unwrap_or_else(|_| Body {
            kind: PassKind::Render(crate::graph::Render { color: Vec::new(), depth: None, draws: Vec::new() }),
            accesses: Vec::new(),
            empty: true,
        });
        let name = Name::new(cx.prefix.trim_end_matches('/'));
        let span = decl.name.as_ref().map_or(decl.keyword, |name| name.span);
        let id = self.draft.passes.push(Pass {
            name,
            kind,
            run: cx.run,
            condition: cx.condition.clone(),
            after: Vec::new(),
            accesses,
            empty,
            span,
            poisoned,
        });
        for (prefix, after) in &cx.after {
            self.stated.push(Stated { pass: id, prefix: prefix.clone(), name: after.value.clone(), span: after.span });
        }
        self.check_pass(id);
        Some(id)
    }

    fn overflow(&mut self, span: Span) {
        if !self.full {
            self.full = true;
            let message = format!("the frame expands to more than {MAX_PASSES} passes");
            self.report(Diagnostic::new(&rules::EXPANSION_LIMIT, message, span, "reached here"));
        }
    }

    /// A Repeat's rounds. Fails if nothing of them is known.
    fn repeat(
        &mut self,
        outer: &Cx,
        cx: &Cx,
        name: &str,
        var: &crate::source::Sp<Name>,
        count: &Expr,
        passes: &[PassDecl],
    ) -> Made<()> {
        if self.lookup(outer, &var.value).is_some() {
            let message = format!("the Repeat variable `{}` hides a name of this file", var.value);
            let found = Diagnostic::new(&rules::SHADOWED_NAME, message, var.span, "has another meaning already");
            self.report(found.help("choose another name").at(cx.path()));
            return Err(Stop::Poisoned);
        }
        let rounds = match self.size(outer, count, "the number of rounds") {
            Ok(rounds) if rounds <= MAX_ROUNDS => rounds,
            Ok(rounds) => {
                let message = format!("a Repeat of {rounds} rounds, above the limit of {MAX_ROUNDS}");
                self.report(Diagnostic::new(&rules::EXPANSION_LIMIT, message, count.span, "this count").at(cx.path()));
                return Err(Stop::Poisoned);
            }
            // A host's size says how many; one round shows what there is to check.
            Err(Stop::Unknown) => 1,
            Err(Stop::Poisoned) => return Err(Stop::Poisoned),
        };
        for round in 0..rounds {
            let mut inner = cx.clone();
            inner.prefix = format!("{name}[{round}]/").into();
            inner.vars.push(Var { name: var.value.clone(), value: round as i64 });
            self.passes(&inner, passes);
            if self.full {
                break;
            }
        }
        Ok(())
    }

    fn dispatch(&mut self, cx: &Cx, decl: &PassDecl, dispatch: &DispatchDecl) -> Made<Body> {
        let at = decl.name.as_ref().map_or(decl.keyword, |name| name.span);
        let bound = self.program(cx, &dispatch.program, at, super::bind::Kind::Compute);
        let work = match &dispatch.work {
            WorkDecl::Items(numbers, span) => self.work(cx, numbers, *span, true),
            WorkDecl::Groups(numbers, span) => self.work(cx, numbers, *span, false),
            WorkDecl::Indirect(args) => return self.dispatch_indirect(cx, bound, args),
            WorkDecl::Poison => Err(Stop::Poisoned),
        };
        let bound = bound?;
        let work = known(work)?;
        let shader = self.shader(bound.program.shader);
        let entry = bound.program.entries[0];
        let size = self.workgroup_size(cx, &shader, entry, &bound.program.constants, decl.keyword)?;
        let asked = work.as_ref().filter(|work| work.items).map(|work| work.numbers);
        let groups = match work {
            None => Groups::Unknown,
            Some(Work { numbers, items, span, one }) => {
                let mut groups = numbers;
                if items {
                    for (group, size) in groups.iter_mut().zip(size) {
                        *group = group.div_ceil(u64::from(size.max(1)));
                    }
                }
                Groups::Fixed(self.fold(cx, groups, one && items, &shader.interface.entries[entry], span)?)
            }
        };
        let empty = matches!(groups, Groups::Fixed(groups) if groups.contains(&0));
        Ok(Body {
            kind: PassKind::Dispatch(Dispatch { program: bound.program, groups, items: asked }),
            accesses: bound.accesses,
            empty,
        })
    }

    /// The workgroup size under the overrides of a program.
    fn workgroup_size(
        &mut self,
        cx: &Cx,
        shader: &crate::shader::Shader,
        entry: usize,
        constants: &[(String, f64)],
        at: Span,
    ) -> Made<[u32; 3]> {
        shader.workgroup_size_with(entry, constants).map_err(|why| {
            let entry = &shader.interface.entries[entry];
            let message = format!("`{}` cannot be made with these overrides: {why}", entry.name);
            let found =
                Diagnostic::new(&rules::ENTRY_POINT, message, at, "in this pass").also(entry.span, "the entry point");
            self.report(found.at(format!("{}.set", cx.path())));
            Stop::Poisoned
        })
    }

    fn work(&mut self, cx: &Cx, numbers: &[Expr], span: Span, items: bool) -> Made<Work> {
        let what = if items { "the number of items" } else { "the number of groups" };
        let mut work = Work { numbers: [1; 3], items, span, one: numbers.len() == 1 };
        let mut failed = None;
        for (number, expr) in work.numbers.iter_mut().zip(numbers) {
            match self.size(cx, expr, what) {
                Ok(made) => *number = made,
                Err(stop) => failed = failed.or(Some(stop)),
            }
        }
        failed.map_or(Ok(work), Err)
    }

    /// Groups within the limit of each dimension; one dimension folds into two where the shader can tell.
    fn fold(
        &mut self,
        cx: &Cx,
        groups: [u64; 3],
        one: bool,
        entry: &crate::shader::Entry,
        span: Span,
    ) -> Made<[u32; 3]> {
        let limit = u64::from(self.settings.limits.max_compute_workgroups_per_dimension);
        if groups.contains(&0) {
            return Ok([0; 3]);
        }
        if groups.iter().all(|n| *n <= limit) {
            return Ok(groups.map(|n| n as u32));
        }
        if one && entry.folds && groups[0].div_ceil(limit) <= limit {
            return Ok([limit as u32, groups[0].div_ceil(limit) as u32, 1]);
        }
        let shape = groups.iter().map(u64::to_string).collect::<Vec<_>>().join(" × ");
        let message = format!("a dispatch of {shape} groups, above the limit of {limit} in one dimension");
        let mut found = Diagnostic::new(&rules::DISPATCH_LIMIT, message, span, "asked for here");
        if one && !entry.folds {
            found = found
                .also(entry.span, format!("`{}` reads the first component of its id alone", entry.name))
                .help("import `index.wgsl` and take the index from `linear_index`, so that the dispatch can fold into two dimensions");
        }
        self.report(found.at(cx.path()));
        Err(Stop::Poisoned)
    }

    fn dispatch_indirect(
        &mut self,
        cx: &Cx,
        bound: Made<super::bind::Bound>,
        args: &crate::syntax::expr::Reference,
    ) -> Made<Body> {
        let view = self.buffer(cx, args, "indirect");
        let offset = self.element(cx, args, 12);
        let (view, offset, mut bound) = (view?, offset?, bound?);
        self.claim(view.resource, 12, args.span, super::sizes::Source::Call);
        bound.accesses.push(Access {
            resource: view.resource,
            part: Part::ONE,
            previous: view.previous,
            usage: Usage::Indirect,
            effect: Effect::Read,
            span: args.span,
            variable: None,
        });
        let groups = Groups::Indirect { resource: view.resource, offset };
        Ok(Body {
            kind: PassKind::Dispatch(Dispatch { program: bound.program, groups, items: None }),
            accesses: bound.accesses,
            empty: false,
        })
    }

    /// What the host gives and last frame's copies are only read.
    fn check_pass(&mut self, id: PassId) {
        let pass = &self.draft.passes[id];
        let mut found = Vec::new();
        for access in pass.accesses.iter().filter(|access| access.effect.writes()) {
            let resource = &self.draft.resources[access.resource];
            if resource.port == Some(PortKind::In) || access.previous {
                let what = if access.previous { "last frame's copy of " } else { "the In port " };
                let message = format!("`{}` writes {what}`{}`", pass.name, resource.name);
                let one = Diagnostic::new(&rules::PORT_DIRECTION, message, access.span, "written here")
                    .also(resource.span, "only read");
                found.push(one.at(format!("passes[\"{}\"]", pass.name)));
            }
        }
        self.found.extend(found);
    }

    /// A reference to a buffer.
    pub(super) fn buffer(
        &mut self,
        cx: &Cx,
        reference: &crate::syntax::expr::Reference,
        at: &str,
    ) -> Made<super::scope::View> {
        let view = self.resource(cx, reference, at)?;
        let resource = &self.draft.resources[view.resource];
        if matches!(resource.kind, ResourceKind::Buffer(_)) {
            return Ok(view);
        }
        let message = format!("`{}` is not a buffer", resource.name);
        let found = Diagnostic::new(&rules::WRONG_KIND, message, reference.span, "a buffer is needed here");
        let found = found.also(resource.span, "declared here");
        self.report(found.at(format!("{}.{at}", cx.path())));
        Err(Stop::Poisoned)
    }
}

/// How much a dispatch does.
struct Work {
    numbers: [u64; 3],
    items: bool,
    span: Span,
    /// Written in one dimension.
    one: bool,
}
