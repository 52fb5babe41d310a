//! From naga's module to what the graph needs to know.

use std::collections::BTreeSet;

use naga::valid::{FunctionInfo, ModuleInfo};
use naga::{AddressSpace, Binding, BuiltIn, Expression, Handle, ImageClass, Module, ShaderStage, TypeInner};
use wgpu_types as wgt;

use super::declare::Declared;
use super::layout::{Types, scalar};
use super::uses::{self, Summary};
use super::{
    Entry, Global, GlobalKind, Habits, Interface, LineMap, Override, Scalar, Stage, Use, Varying, habits, specialize,
};

/// Reflects a valid module.
pub(super) fn interface(
    module: &Module,
    info: &ModuleInfo,
    features: wgt::Features,
    declared: &Declared,
    lines: &LineMap,
) -> Interface {
    let types = Types::new(module, declared, lines);
    let functions = uses::functions(module);
    let summaries: Vec<Summary> =
        module.entry_points.iter().map(|entry| uses::summary(module, &entry.function, &functions)).collect();
    let reflector = Reflector { module, info, types, declared, lines, summaries };
    let (handles, globals) = reflector.globals();
    let (named, overrides) = reflector.overrides();
    let habits = habits::habits(module, &handles, lines).into_iter().enumerate();
    let entry = |(index, habits)| reflector.entry(index, habits, &handles, &named);
    let entries = habits.filter_map(entry).collect();
    Interface { entries, globals, overrides, features }
}

type GlobalHandle = Handle<naga::GlobalVariable>;
type OverrideHandle = Handle<naga::Override>;

struct Reflector<'a> {
    module: &'a Module,
    info: &'a ModuleInfo,
    types: Types<'a>,
    declared: &'a Declared<'a>,
    lines: &'a LineMap,
    /// By entry point.
    summaries: Vec<Summary>,
}

impl Reflector<'_> {
    fn globals(&self) -> (Vec<GlobalHandle>, Vec<Global>) {
        let mut bound: Vec<_> = self
            .module
            .global_variables
            .iter()
            .filter_map(|(handle, variable)| Some((variable.binding?, handle, variable)))
            .collect();
        bound.sort_by_key(|(binding, handle, _)| (binding.group, binding.binding, handle.index()));
        let global = |(binding, handle, variable): (naga::ResourceBinding, GlobalHandle, &naga::GlobalVariable)| {
            let name = variable.name.clone().unwrap_or_default();
            let span = self.lines.span(self.declared.name(&name));
            let kind = self.kind(handle, variable);
            (handle, Global { name, group: binding.group, binding: binding.binding, kind, span })
        };
        bound.into_iter().map(global).unzip()
    }

    fn kind(&self, handle: GlobalHandle, variable: &naga::GlobalVariable) -> GlobalKind {
        let unsupported = || GlobalKind::Unsupported(self.types.name(variable.ty));
        match (variable.space, &self.module.types[variable.ty].inner) {
            (_, TypeInner::BindingArray { .. }) => unsupported(),
            (AddressSpace::Uniform, _) => GlobalKind::Uniform(self.types.layout(variable.ty)),
            (AddressSpace::Storage { access }, _) => GlobalKind::Storage {
                layout: self.types.layout(variable.ty),
                declared_write: access.contains(naga::StorageAccess::STORE),
            },
            (_, TypeInner::Sampler { comparison }) => GlobalKind::Sampler { comparison: *comparison },
            (_, TypeInner::Image { dim, arrayed, class }) => {
                let sampled = self.summaries.iter().any(|summary| summary.of(handle).samples());
                image(*dim, *arrayed, *class, sampled).unwrap_or_else(unsupported)
            }
            _ => unsupported(),
        }
    }

    /// Overrides that a value can be given to.
    fn overrides(&self) -> (Vec<OverrideHandle>, Vec<Override>) {
        let one = |(handle, constant): (OverrideHandle, &naga::Override)| {
            let name = constant.name.clone()?;
            let TypeInner::Scalar(of) = self.module.types[constant.ty].inner else { return None };
            let key = constant.id.map_or_else(|| name.clone(), |id| id.to_string());
            let span = self.lines.span(self.declared.name(&name));
            let ty = scalar(of)?;
            Some((handle, Override { key, name, ty, has_default: constant.init.is_some(), span }))
        };
        self.module.overrides.iter().filter_map(one).unzip()
    }

    /// Absent for stages that WebGPU does not have.
    fn entry(
        &self,
        index: usize,
        habits: Habits,
        globals: &[GlobalHandle],
        overrides: &[OverrideHandle],
    ) -> Option<Entry> {
        let entry = &self.module.entry_points[index];
        let info = self.info.get_entry_point(index);
        let stage = match entry.stage {
            ShaderStage::Compute => Stage::Compute,
            ShaderStage::Vertex => Stage::Vertex,
            ShaderStage::Fragment => Stage::Fragment,
            _ => return None,
        };
        let read = self.overrides_of(index);
        let result = entry.function.result.as_ref();
        let results = result.map(|result| self.bindings(result.ty, result.binding.as_ref(), "")).unwrap_or_default();
        let arguments = entry.function.arguments.iter().flat_map(|argument| {
            self.bindings(argument.ty, argument.binding.as_ref(), argument.name.as_deref().unwrap_or_default())
        });
        let (workgroup_size, workgroup_bytes) = specialize::defaults(self.module, self.info, index);
        Some(Entry {
            name: entry.name.clone(),
            stage,
            span: self.lines.span(self.declared.name(&entry.name)),
            workgroup_size,
            workgroup_bytes,
            uses: globals.iter().enumerate().filter_map(|(at, handle)| self.used(index, at, *handle)).collect(),
            inputs: varyings(&entry.name, self, arguments),
            writes_depth: results.iter().any(|bound| bound.binding == Binding::BuiltIn(BuiltIn::FragDepth)),
            outputs: varyings(&entry.name, self, results.into_iter()),
            folds: folds(self.module, &entry.function, info),
            overrides: (0..overrides.len()).filter(|at| read.contains(&overrides[*at])).collect(),
            habits,
        })
    }

    /// What an entry point does to a global; absent where it does not touch it, as naga and so wgpu see it.
    fn used(&self, entry: usize, global: usize, handle: GlobalHandle) -> Option<Use> {
        if self.info.get_entry_point(entry)[handle].is_empty() {
            return None;
        }
        let access = self.summaries[entry].of(handle);
        Some(Use {
            global,
            read: access.reads(),
            write: access.writes(),
            accumulates: access.accumulates(),
            sampled: access.samples(),
        })
    }

    /// The overrides that an entry point depends on: read by its code, by its workgroup size, by the sizes of its
    /// arrays, or by the default of another.
    fn overrides_of(&self, index: usize) -> BTreeSet<OverrideHandle> {
        let entry = &self.module.entry_points[index];
        let mut open: Vec<OverrideHandle> = self.summaries[index].overrides.iter().copied().collect();
        let sizes = entry.workgroup_size_overrides.iter().flatten().flatten();
        sizes.for_each(|size| self.overrides_in(*size, &mut open));
        let info = self.info.get_entry_point(index);
        for (handle, variable) in self.module.global_variables.iter().filter(|(handle, _)| !info[*handle].is_empty()) {
            let _ = handle;
            if let TypeInner::Array { size: naga::ArraySize::Pending(size), .. } = self.module.types[variable.ty].inner
            {
                open.push(size);
            }
        }
        let mut done = BTreeSet::new();
        while let Some(handle) = open.pop() {
            if done.insert(handle)
                && let Some(init) = self.module.overrides[handle].init
            {
                self.overrides_in(init, &mut open);
            }
        }
        done
    }

    /// The overrides in a module-scope expression. Constants have none.
    fn overrides_in(&self, root: Handle<Expression>, out: &mut Vec<OverrideHandle>) {
        let mut open = vec![root];
        while let Some(at) = open.pop() {
            match &self.module.global_expressions[at] {
                Expression::Override(handle) => out.push(*handle),
                Expression::Compose { components, .. } => open.extend(components),
                Expression::Access { base, index } => open.extend([base, index]),
                Expression::AccessIndex { base: inner, .. }
                | Expression::Splat { value: inner, .. }
                | Expression::Swizzle { vector: inner, .. }
                | Expression::Unary { expr: inner, .. }
                | Expression::Relational { argument: inner, .. }
                | Expression::As { expr: inner, .. } => open.push(*inner),
                Expression::Binary { left, right, .. } => open.extend([left, right]),
                Expression::Select { condition, accept, reject } => open.extend([condition, accept, reject]),
                Expression::Math { arg, arg1, arg2, arg3, .. } => {
                    open.push(*arg);
                    open.extend([arg1, arg2, arg3].into_iter().flatten());
                }
                _ => {}
            }
        }
    }

    /// What is bound to an argument or a result: itself, or the members of its struct.
    fn bindings(&self, ty: Handle<naga::Type>, binding: Option<&Binding>, name: &str) -> Vec<Bound> {
        if let Some(binding) = binding {
            return vec![Bound { owner: None, name: name.to_owned(), ty, binding: binding.clone() }];
        }
        let TypeInner::Struct { members, .. } = &self.module.types[ty].inner else { return Vec::new() };
        let owner = self.module.types[ty].name.clone();
        let bound = |member: &naga::StructMember| {
            let name = member.name.clone().unwrap_or_default();
            Some(Bound { owner: owner.clone(), name, ty: member.ty, binding: member.binding.clone()? })
        };
        members.iter().filter_map(bound).collect()
    }
}

/// An argument, a result or a member of one.
struct Bound {
    /// The struct that has it.
    owner: Option<String>,
    name: String,
    ty: Handle<naga::Type>,
    binding: Binding,
}

/// Those with a location, by location.
fn varyings(entry: &str, reflector: &Reflector, bound: impl Iterator<Item = Bound>) -> Vec<Varying> {
    let varying = |bound: Bound| {
        let Binding::Location { location, .. } = bound.binding else { return None };
        let (size, of) = match reflector.module.types[bound.ty].inner {
            TypeInner::Scalar(of) => (1, of),
            TypeInner::Vector { size, scalar } => (size as u8, scalar),
            _ => return None,
        };
        let range = reflector.declared.part(bound.owner.as_deref().unwrap_or(entry), &bound.name);
        let span = reflector.lines.span(range);
        Some(Varying { location, name: bound.name, size, scalar: scalar(of).unwrap_or(Scalar::F32), span })
    };
    let mut out: Vec<Varying> = bound.filter_map(varying).collect();
    out.sort_by_key(|varying| varying.location);
    out
}

fn image(dim: naga::ImageDimension, arrayed: bool, class: ImageClass, sampled: bool) -> Option<GlobalKind> {
    use naga::ImageDimension as Dim;
    use wgt::TextureViewDimension as View;
    let view = match (dim, arrayed) {
        (Dim::D1, _) => View::D1,
        (Dim::D2, false) => View::D2,
        (Dim::D2, true) => View::D2Array,
        (Dim::D3, _) => View::D3,
        (Dim::Cube, false) => View::Cube,
        (Dim::Cube, true) => View::CubeArray,
    };
    match class {
        ImageClass::Sampled { kind, multi: multisampled } => {
            let sample = match kind {
                naga::ScalarKind::Sint => wgt::TextureSampleType::Sint,
                naga::ScalarKind::Uint => wgt::TextureSampleType::Uint,
                _ => wgt::TextureSampleType::Float { filterable: sampled && !multisampled },
            };
            Some(GlobalKind::Texture { view, sample, multisampled })
        }
        ImageClass::Depth { multi: multisampled } => {
            Some(GlobalKind::Texture { view, sample: wgt::TextureSampleType::Depth, multisampled })
        }
        ImageClass::Storage { format, access } => {
            let format = wgpu_naga_bridge::map_storage_format_from_naga(format);
            Some(GlobalKind::StorageTexture { view, format, access: storage_access(access) })
        }
        ImageClass::External => None,
    }
}

fn storage_access(access: naga::StorageAccess) -> wgt::StorageTextureAccess {
    use naga::StorageAccess as Has;
    if access.contains(Has::ATOMIC) {
        wgt::StorageTextureAccess::Atomic
    } else if access.contains(Has::LOAD | Has::STORE) {
        wgt::StorageTextureAccess::ReadWrite
    } else if access.contains(Has::STORE) {
        wgt::StorageTextureAccess::WriteOnly
    } else {
        wgt::StorageTextureAccess::ReadOnly
    }
}

/// Whether the code can find a linear index when one dimension is folded into two: it uses the number of workgroups, and
/// more of an id than its first component.
fn folds(module: &Module, function: &naga::Function, info: &FunctionInfo) -> bool {
    let used = |wanted: BuiltIn| {
        let wanted = Binding::BuiltIn(wanted);
        let parts = function.expressions.iter().map(|(at, _)| components(module, function, info, at, &wanted));
        parts.max().unwrap_or(Components::None)
    };
    used(BuiltIn::NumWorkGroups) > Components::None
        && (used(BuiltIn::GlobalInvocationId) > Components::First || used(BuiltIn::WorkGroupId) > Components::First)
}

/// How much of a vector is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Components {
    None,
    First,
    More,
}

/// How much of a built-in value is used through the expression `at`: the argument, a member of the argument's struct, or
/// that struct as a whole.
fn components(
    module: &Module,
    function: &naga::Function,
    info: &FunctionInfo,
    at: Handle<Expression>,
    wanted: &Binding,
) -> Components {
    let argument = |index: u32| &function.arguments[index as usize];
    let members = |index: u32| match &module.types[argument(index).ty].inner {
        TypeInner::Struct { members, .. } => members.as_slice(),
        _ => &[],
    };
    match function.expressions[at] {
        Expression::FunctionArgument(index) if argument(index).binding.as_ref() == Some(wanted) => {
            vector_use(function, info, at)
        }
        Expression::FunctionArgument(index) => {
            let has = members(index).iter().any(|member| member.binding.as_ref() == Some(wanted));
            let parts = function.expressions.iter().filter(|(_, part)| is_part(part, at, None)).count();
            if has && info[at].ref_count > parts { Components::More } else { Components::None }
        }
        Expression::AccessIndex { base, index: member } => match function.expressions[base] {
            Expression::FunctionArgument(index)
                if members(index).get(member as usize).is_some_and(|m| m.binding.as_ref() == Some(wanted)) =>
            {
                vector_use(function, info, at)
            }
            _ => Components::None,
        },
        _ => Components::None,
    }
}

fn vector_use(function: &naga::Function, info: &FunctionInfo, vector: Handle<Expression>) -> Components {
    let first = function.expressions.iter().filter(|(_, part)| is_part(part, vector, Some(0))).count();
    match info[vector].ref_count {
        0 => Components::None,
        uses if uses > first => Components::More,
        _ => Components::First,
    }
}

fn is_part(expression: &Expression, of: Handle<Expression>, wanted: Option<u32>) -> bool {
    matches!(*expression, Expression::AccessIndex { base, index } if base == of && wanted.is_none_or(|w| w == index))
}
