//! Many draws in one call: values that differ from draw to draw, looked up by the draw's index.
//!
//! What WGSL calls `var<uniform> call: Call` is one struct a draw, bound at another offset before each. Where draws are
//! joined into one call nothing can be bound between them. So the binding becomes a storage array of all of them, and the
//! vertex entry point begins by copying the element of its draw to a private variable that stands wherever the uniform
//! stood. The text that the author wrote stays as it is.

use naga::{
    AddressSpace, ArraySize, Binding, Block, BuiltIn, Expression, Function, FunctionArgument, GlobalVariable, Handle,
    Module, Scalar, Span, Statement, StorageAccess, StructMember, Type, TypeInner,
};

/// A uniform variable that becomes an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Joined {
    /// Its group.
    pub group: u32,
    /// Its binding.
    pub binding: u32,
    /// Bytes from one element to the next: at least the struct's size, a multiple of its alignment.
    pub stride: u32,
}

/// The module for one entry point of its own; its other entry points are no longer of use.
pub fn by_draw_index(module: &Module, entry: usize, joined: &[Joined]) -> Module {
    let mut module = module.clone();
    let pairs: Vec<_> = joined.iter().filter_map(|one| array(&mut module, *one)).collect();
    let index = plain(&mut module, TypeInner::Scalar(Scalar::U32));
    for (_, function) in module.functions.iter_mut() {
        replace(function, &pairs);
    }
    let function = &mut module.entry_points[entry].function;
    replace(function, &pairs);
    copy(function, index, &pairs);
    module
}

fn plain(module: &mut Module, inner: TypeInner) -> Handle<Type> {
    module.types.insert(Type { name: None, inner }, Span::UNDEFINED)
}

/// Makes an array of the variable, and a private variable of its type. Nothing if there is no such variable.
fn array(module: &mut Module, joined: Joined) -> Option<(Handle<GlobalVariable>, Handle<GlobalVariable>)> {
    let at = |it: &GlobalVariable| it.binding.as_ref().map(|at| (at.group, at.binding));
    let found = module.global_variables.iter().find(|(_, it)| at(it) == Some((joined.group, joined.binding)));
    let (handle, uniform) = found.map(|(handle, found)| (handle, found.clone()))?;
    // A struct of the stride's size around it: arrays have no gaps.
    let member = StructMember { name: Some("value".to_owned()), ty: uniform.ty, binding: None, offset: 0 };
    let element = plain(module, TypeInner::Struct { members: vec![member], span: joined.stride });
    let array = TypeInner::Array { base: element, size: ArraySize::Dynamic, stride: joined.stride };
    let variable = &mut module.global_variables;
    let private = GlobalVariable { space: AddressSpace::Private, binding: None, ..uniform };
    let private = variable.append(private, Span::UNDEFINED);
    let ty = plain(module, array);
    let global = module.global_variables.get_mut(handle);
    (global.space, global.ty) = (AddressSpace::Storage { access: StorageAccess::LOAD }, ty);
    Some((handle, private))
}

/// Wherever the uniform is named, the private variable is.
fn replace(function: &mut Function, pairs: &[(Handle<GlobalVariable>, Handle<GlobalVariable>)]) {
    for (_, expression) in function.expressions.iter_mut() {
        if let Expression::GlobalVariable(global) = expression
            && let Some((_, private)) = pairs.iter().find(|(array, _)| array == global)
        {
            *global = *private;
        }
    }
}

/// Begins a function with copies of the elements at the draw's index.
fn copy(function: &mut Function, ty: Handle<Type>, pairs: &[(Handle<GlobalVariable>, Handle<GlobalVariable>)]) {
    let argument = function.arguments.len() as u32;
    let binding = Some(Binding::BuiltIn(BuiltIn::DrawIndex));
    function.arguments.push(FunctionArgument { name: Some("joined_draw".to_owned()), ty, binding });
    let mut body = Block::new();
    let expressions = &mut function.expressions;
    let mut make = |expression: Expression| expressions.append(expression, Span::UNDEFINED);
    let index = make(Expression::FunctionArgument(argument));
    let places: Vec<_> = pairs
        .iter()
        .map(|(array, private)| (make(Expression::GlobalVariable(*array)), make(Expression::GlobalVariable(*private))))
        .collect();
    for (array, private) in places {
        let before = function.expressions.len();
        let mut make = |expression: Expression| function.expressions.append(expression, Span::UNDEFINED);
        let element = make(Expression::Access { base: array, index });
        let value = make(Expression::AccessIndex { base: element, index: 0 });
        let value = make(Expression::Load { pointer: value });
        body.push(Statement::Emit(function.expressions.range_from(before)), Span::UNDEFINED);
        body.push(Statement::Store { pointer: private, value }, Span::UNDEFINED);
    }
    body.append(&mut function.body);
    function.body = body;
}

#[cfg(test)]
mod tests {
    use naga::valid::{Capabilities, ValidationFlags, Validator};

    use super::*;

    const TEXT: &str = "struct Call { batch: u32, color: vec3f }
        @group(0) @binding(1) var<uniform> call: Call;
        fn batch() -> u32 { return call.batch; }
        @vertex fn vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
            return vec4f(call.color, f32(index + batch()));
        }";

    #[test]
    fn what_comes_out_is_valid_and_reads_an_array() {
        let module = naga::front::wgsl::parse_str(TEXT).expect("it is WGSL");
        let joined = by_draw_index(&module, 0, &[Joined { group: 0, binding: 1, stride: 256 }]);
        let mut validator = Validator::new(ValidationFlags::all(), Capabilities::DRAW_INDEX);
        if let Err(why) = validator.validate(&joined) {
            panic!("{why:?}");
        }
        let (_, array) = joined.global_variables.iter().next().expect("it has a variable");
        assert_eq!(array.space, AddressSpace::Storage { access: StorageAccess::LOAD });
        let arguments = &joined.entry_points[0].function.arguments;
        assert!(matches!(arguments[1].binding, Some(Binding::BuiltIn(BuiltIn::DrawIndex))));
        let unknown = by_draw_index(&module, 0, &[]);
        assert!(validator.validate(&unknown).is_ok());
    }
}
