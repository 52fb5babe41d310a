//! Structs in uniform memory: which member gets which value.

use std::borrow::Cow;
use std::sync::Arc;

use super::bind::Binder;
use super::declare::Pending;
use super::lower::When;
use super::scope::{Cx, Typed, View};
use super::{Made, Resolver, Stop};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::graph::{BindingSource, Block, BlockId, Field, Formula, NamedValue, ResourceKind, Run, Ty, rules};
use crate::shader::{Global, Layout, Member, Scalar, Type};
use crate::source::{Name, Span};
use crate::syntax::document::ResourceKindDecl;
use crate::syntax::expr::Expr;

impl Resolver<'_> {
    /// A struct over a declared Uniform: it takes the members it names.
    pub(super) fn named_block(
        &mut self,
        cx: &Cx,
        view: View,
        global: &Global,
        layout: &Layout,
        span: Span,
    ) -> Made<BindingSource> {
        if !self.draft.uniforms.contains(&view.resource) {
            self.draft.uniforms.push(view.resource);
        }
        let key = (view.resource, view.previous, layout.name.clone());
        let wanted = members(global, layout);
        let same = |block: &Block| {
            block.fields.len() == wanted.len()
                && block
                    .fields
                    .iter()
                    .zip(wanted.iter())
                    .all(|(f, m)| f.name == m.name && f.offset == m.offset && f.ty == m.ty)
        };
        let known = self.blocks.get(&key).into_iter().flatten().find(|id| same(&self.draft.blocks[**id])).copied();
        let id = match known {
            Some(id) => id,
            None => {
                let fields = self.named_fields(view, &layout.name, &wanted, span)?;
                let id = self.add_block(global, layout, fields, view.previous, 1);
                self.blocks.entry(key).or_default().push(id);
                id
            }
        };
        self.steady(cx, id, span)?;
        Ok(BindingSource::Block(id))
    }

    fn named_fields(&mut self, view: View, of: &str, wanted: &[Member], span: Span) -> Made<Vec<Field>> {
        let Pending::Uniform(scope, index) = self.pending[view.resource] else { return Err(Stop::Poisoned) };
        let document = Arc::clone(&self.scopes[scope].document);
        let decl = &document.resources[index];
        let ResourceKindDecl::Uniform(uniform) = &decl.kind else { return Err(Stop::Poisoned) };
        let cx = Cx::of_file(scope);
        let mut fields = Vec::with_capacity(wanted.len());
        let mut failed = false;
        for member in wanted {
            let Some((_, expr)) = uniform.members.iter().find(|(name, _)| name.value == member.name) else {
                let message = format!("`{}` has no member `{}`, which `{of}` has", decl.name.value, member.name);
                let found = Diagnostic::new(&rules::MISSING_MEMBER, message, span, "bound here")
                    .also(member.span, "the struct's member")
                    .also(decl.name.span, "the Uniform");
                let known = uniform.members.iter().map(|(name, _)| name.value.as_str());
                let help = did_you_mean(&member.name, known)
                    .unwrap_or_else(|| format!("add `\"{}\": …` to `{}`", member.name, decl.name.value));
                self.report(found.help(help).at(format!("resources[\"{}\"]", decl.name.value)));
                failed = true;
                continue;
            };
            match self.field_of(&cx, member, expr, When::Frame) {
                Ok(field) => fields.push(field),
                Err(_) => failed = true,
            }
        }
        if failed { Err(Stop::Poisoned) } else { Ok(fields) }
    }

    /// Values of Uniforms by name. What no struct of this variant takes is worked out, so that what is wrong in it is said.
    pub(super) fn named_values(&mut self) {
        for id in self.draft.resources.ids() {
            let Pending::Uniform(scope, index) = self.pending[id] else { continue };
            let document = Arc::clone(&self.scopes[scope].document);
            let ResourceKindDecl::Uniform(uniform) = &document.resources[index].kind else { continue };
            let of = self.blocks.range((id, false, String::new())..).take_while(|((of, ..), _)| *of == id);
            let blocks: Vec<BlockId> = of.flat_map(|(_, blocks)| blocks).copied().collect();
            let taken =
                |name: &str| blocks.iter().any(|block| self.draft.blocks[*block].fields.iter().any(|f| f.name == name));
            let found: Vec<_> = uniform.members.iter().map(|(name, expr)| (name, expr, taken(&name.value))).collect();
            for (name, expr, is_taken) in found {
                if !is_taken {
                    let _ = self.live(&Cx::of_file(scope), expr, When::Frame);
                }
                self.draft.named_values.push(NamedValue { uniform: id, span: name.span, is_taken });
            }
        }
    }

    /// A struct bound to no resource: its members come from `set`, params and Repeat variables.
    pub(super) fn value_block(&mut self, binder: &Binder<'_>, global: &Global, layout: &Layout) -> Made<BindingSource> {
        let Binder { cx, decl, at, kind, .. } = *binder;
        let members = members(global, layout);
        let mut fields = Vec::with_capacity(members.len());
        let mut failed = false;
        for member in members.iter() {
            let Some(expr) = self.given_by(cx, &decl.set, &member.name, at) else {
                if !binder.is_told(&member.name) && !binder.is_told(&global.name) {
                    self.memberless(cx, at, global, member);
                }
                failed = true;
                continue;
            };
            match self.field_of(cx, member, &expr, kind.when()) {
                Ok(field) => fields.push(field),
                Err(_) => failed = true,
            }
        }
        if failed {
            return Err(Stop::Poisoned);
        }
        let indexed = fields.iter().any(|field| field.formula.any(&mut |part| matches!(part, Formula::DrawIndex)));
        let copies = if indexed { kind.records().max(1) } else { 1 };
        let id = self.add_block(global, layout, fields, false, copies);
        self.steady(cx, id, at)?;
        Ok(BindingSource::Block(id))
    }

    fn memberless(&mut self, cx: &Cx, at: Span, global: &Global, member: &Member) {
        let what = if global.name == member.name { "uniform" } else { "uniform member" };
        let message = format!("the {what} `{}` has no value", member.name);
        let found =
            Diagnostic::new(&rules::MISSING_VALUE, message, at, format!("nothing here is called `{}`", member.name))
                .also(member.span, "declared here")
                .help(format!(
                    "give it with `set: {{ \"{}\": … }}`, or bind the whole struct with `bind: {{ \"{}\": \"…\" }}`",
                    member.name, global.name
                ));
        self.report(found.at(format!("{}.set[\"{}\"]", cx.path(), member.name)));
    }

    fn add_block(
        &mut self,
        global: &Global,
        layout: &Layout,
        fields: Vec<Field>,
        previous: bool,
        copies: u32,
    ) -> BlockId {
        let name = Name::from_iter([&global.name, ": ", &layout.name]);
        let size = layout.size.next_multiple_of(16);
        self.draft.blocks.push(Block { name, size, previous, copies, fields })
    }

    fn field_of(&mut self, cx: &Cx, member: &Member, expr: &Expr, when: When) -> Made<Field> {
        let value = self.live(cx, expr, when)?;
        if !fits(value.ty, &member.ty) {
            let message =
                format!("`{}` is {}, but its value is {}", member.name, type_name(&member.ty), value.ty.name());
            let found =
                Diagnostic::new(&rules::TYPE_MISMATCH, message, expr.span, format!("this is {}", value.ty.name()));
            self.report(found.also(member.span, "the member").at(cx.path()));
            return Err(Stop::Poisoned);
        }
        self.in_range(&value, member, expr.span)?;
        Ok(Field {
            offset: member.offset,
            ty: member.ty.clone(),
            formula: value.formula,
            name: Name::new(&member.name),
            span: expr.span,
        })
    }

    /// Integers that are known must fit 32 bits.
    fn in_range(&mut self, value: &Typed, member: &Member, span: Span) -> Made<()> {
        let Formula::Const(crate::graph::Value::Int(i)) = value.formula else { return Ok(()) };
        let fits = match scalar(&member.ty) {
            Some(Scalar::U32) => u32::try_from(i).is_ok(),
            Some(Scalar::I32) => i32::try_from(i).is_ok(),
            _ => true,
        };
        if fits {
            return Ok(());
        }
        let message = format!("{i} does not fit `{}`, which is {}", member.name, type_name(&member.ty));
        self.report(Diagnostic::new(&rules::NUMBER_RANGE, message, span, "this value").also(member.span, "the member"));
        Err(Stop::Poisoned)
    }

    /// A Once pass belongs to no frame: what it is given must not change from frame to frame.
    fn steady(&mut self, cx: &Cx, id: BlockId, span: Span) -> Made<()> {
        if cx.run != Run::Once {
            return Ok(());
        }
        let late = |formula: &Formula| {
            formula.any(&mut |part| matches!(part, Formula::Camera(_) | Formula::Frame(_) | Formula::Age(_)))
        };
        let Some(field) = self.draft.blocks[id].fields.iter().find(|field| late(&field.formula)) else { return Ok(()) };
        let message = format!("a Once pass reads `{}`, which changes from frame to frame", field.name);
        let found =
            Diagnostic::new(&rules::ONCE_READS_FRAME, message, span, "given here").also(field.span, "its value");
        self.report(
            found.help("a Once pass runs before the first frame: give it params and the surface only").at(cx.path()),
        );
        Err(Stop::Poisoned)
    }

    /// A uniform that the host fills: one struct for all shaders.
    pub(super) fn host_uniform(&mut self, view: View, layout: &Layout, variable: Span, span: Span) -> Made<()> {
        let resource = &mut self.draft.resources[view.resource];
        let ResourceKind::HostUniform { size } = &mut resource.kind else { return Ok(()) };
        let needs = u64::from(layout.size.next_multiple_of(16));
        match *size {
            None => *size = Some(needs),
            Some(known) if known == needs => {}
            Some(known) => {
                let (name, declared) = (resource.name.clone(), resource.span);
                let message = format!("`{name}` is a struct of {known} bytes in one shader and of {needs} in another");
                let found = Diagnostic::new(&rules::STRIDE_MISMATCH, message, span, "bound here")
                    .also(variable, "this struct")
                    .also(declared, "the host gives one struct for all shaders");
                self.report(found);
                return Err(Stop::Poisoned);
            }
        }
        Ok(())
    }
}

/// The members of a uniform; a variable that is no struct counts as its own member.
fn members<'l>(global: &Global, layout: &'l Layout) -> Cow<'l, [Member]> {
    if layout.members.is_empty() {
        vec![Member { name: global.name.clone(), offset: 0, ty: whole_type(layout), span: global.span }].into()
    } else {
        layout.members.as_slice().into()
    }
}

/// The type of a uniform that is no struct.
fn whole_type(layout: &Layout) -> Type {
    match &layout.element {
        vector @ Type::Vector { size: 4, .. } if layout.size > 16 => {
            Type::Array { of: Box::new(vector.clone()), count: Some(layout.size / 16), stride: 16 }
        }
        element => element.clone(),
    }
}

/// Whether a value of the expression language can fill a WGSL type.
fn fits(value: Ty, ty: &Type) -> bool {
    let float = |scalar: Scalar| matches!(scalar, Scalar::F32);
    match (value, ty) {
        (Ty::Int, Type::Scalar(scalar)) => matches!(scalar, Scalar::I32 | Scalar::U32 | Scalar::F32),
        (Ty::Float, Type::Scalar(scalar)) => float(*scalar),
        (Ty::Bool, Type::Scalar(scalar)) => *scalar == Scalar::U32,
        (Ty::Vec2, Type::Vector { size: 2, scalar })
        | (Ty::Vec3, Type::Vector { size: 3, scalar })
        | (Ty::Vec4, Type::Vector { size: 4, scalar })
        | (Ty::Mat4, Type::Matrix { columns: 4, rows: 4, scalar }) => float(*scalar),
        (Ty::Planes, Type::Array { of, count: Some(6), .. }) => {
            matches!(**of, Type::Vector { size: 4, scalar: Scalar::F32 })
        }
        _ => false,
    }
}

const fn scalar(ty: &Type) -> Option<Scalar> {
    match ty {
        Type::Scalar(scalar) => Some(*scalar),
        _ => None,
    }
}

/// A WGSL type as its author would write it.
pub(super) fn type_name(ty: &Type) -> String {
    let scalar_name = |scalar: Scalar| format!("{scalar:?}").to_lowercase();
    match ty {
        Type::Scalar(scalar) => scalar_name(*scalar),
        Type::Vector { size, scalar } => format!("vec{size}<{}>", scalar_name(*scalar)),
        Type::Matrix { columns, rows, scalar } => format!("mat{columns}x{rows}<{}>", scalar_name(*scalar)),
        Type::Atomic(scalar) => format!("atomic<{}>", scalar_name(*scalar)),
        Type::Array { of, count: Some(count), .. } => format!("array<{}, {count}>", type_name(of)),
        Type::Array { of, count: None, .. } => format!("array<{}>", type_name(of)),
        Type::Struct { name, .. } | Type::Other(name) => name.clone(),
    }
}
