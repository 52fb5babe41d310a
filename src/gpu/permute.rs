//! Workgroups in another order: the ids that a compute shader sees run backwards, so that the group that starts first does the
//! work that came last. WGSL promises no order among workgroups; what depends on one shows.
//!
//! The entry point becomes a function, and a new one hands it the ids turned around.

use naga::{
    BinaryOperator, Binding, BuiltIn, EntryPoint, Expression, Function, FunctionArgument, Handle, Literal, Module,
    Scalar, ScalarKind, ShaderStage, Span, Statement, Type, TypeInner, VectorSize,
};

/// The same shader with the order of its workgroups turned around. Entries whose workgroup has a size that is set at pipeline creation
/// stay as they are.
pub(super) fn reversed(module: &Module) -> Module {
    let mut module = module.clone();
    let uint = Scalar { kind: ScalarKind::Uint, width: 4 };
    let inner = TypeInner::Vector { size: VectorSize::Tri, scalar: uint };
    let vector = module.types.insert(Type { name: None, inner }, Span::UNDEFINED);
    for at in 0..module.entry_points.len() {
        let entry = &module.entry_points[at];
        let has_ids = entry.function.arguments.iter().any(|argument| ids(&module, argument).next().is_some());
        if entry.stage == ShaderStage::Compute && entry.workgroup_size_overrides.is_none() && has_ids {
            turn(&mut module, at, vector);
        }
    }
    module
}

/// Members of an argument, or the argument itself, that are ids of workgroups; with their place in it.
fn ids<'a>(module: &'a Module, argument: &'a FunctionArgument) -> impl Iterator<Item = (Option<u32>, BuiltIn)> + 'a {
    built_ins(module, argument)
        .filter(|(_, built_in)| matches!(built_in, BuiltIn::WorkGroupId | BuiltIn::GlobalInvocationId))
}

fn built_ins<'a>(
    module: &'a Module,
    argument: &'a FunctionArgument,
) -> Box<dyn Iterator<Item = (Option<u32>, BuiltIn)> + 'a> {
    let of = |binding: Option<&Binding>| match binding {
        Some(Binding::BuiltIn(built_in)) => Some(*built_in),
        _ => None,
    };
    match &module.types[argument.ty].inner {
        TypeInner::Struct { members, .. } => {
            let numbered = members.iter().enumerate();
            Box::new(numbered.filter_map(move |(at, member)| Some((Some(at as u32), of(member.binding.as_ref())?))))
        }
        _ => Box::new(of(argument.binding.as_ref()).map(|built_in| (None, built_in)).into_iter()),
    }
}

fn turn(module: &mut Module, at: usize, vector: Handle<Type>) {
    let size = module.entry_points[at].workgroup_size;
    let mut function = std::mem::take(&mut module.entry_points[at].function);
    let outer = function.arguments.clone();
    for argument in &mut function.arguments {
        argument.binding = None;
    }
    function.name = Some(format!("{}_", module.entry_points[at].name));
    let callee = module.functions.append(function, Span::UNDEFINED);
    let mut entry = Function { arguments: outer, ..Function::default() };
    let group = given(module, &mut entry, BuiltIn::WorkGroupId, vector);
    let count = given(module, &mut entry, BuiltIn::NumWorkGroups, vector);
    let mut wrapper = Wrapper { function: entry, given: Vec::new() };
    wrapper.body(module, vector, (group, count), size, callee);
    let old = &module.entry_points[at];
    module.entry_points[at] = EntryPoint { function: wrapper.function, ..old.clone() };
}

/// Where an entry has a builtin, which is added if it has not: the argument, and the member of it.
fn given(module: &Module, entry: &mut Function, wanted: BuiltIn, vector: Handle<Type>) -> (u32, Option<u32>) {
    for (at, argument) in entry.arguments.iter().enumerate() {
        if let Some((member, _)) = built_ins(module, argument).find(|(_, built_in)| *built_in == wanted) {
            return (at as u32, member);
        }
    }
    entry.arguments.push(FunctionArgument { name: None, ty: vector, binding: Some(Binding::BuiltIn(wanted)) });
    (entry.arguments.len() as u32 - 1, None)
}

struct Wrapper {
    function: Function,
    /// The entry's arguments.
    given: Vec<Handle<Expression>>,
}

impl Wrapper {
    fn add(&mut self, expression: Expression) -> Handle<Expression> {
        self.function.expressions.append(expression, Span::UNDEFINED)
    }

    fn binary(
        &mut self,
        op: BinaryOperator,
        left: Handle<Expression>,
        right: Handle<Expression>,
    ) -> Handle<Expression> {
        self.add(Expression::Binary { op, left, right })
    }

    fn body(
        &mut self,
        module: &Module,
        vector: Handle<Type>,
        (group, count): ((u32, Option<u32>), (u32, Option<u32>)),
        size: [u32; 3],
        callee: Handle<Function>,
    ) {
        let arguments = self.function.arguments.clone();
        self.given = (0..arguments.len() as u32).map(|at| self.add(Expression::FunctionArgument(at))).collect();
        let literal = |this: &mut Self, value| this.add(Expression::Literal(Literal::U32(value)));
        let (one, sides) = (literal(self, 1), size.map(|side| literal(self, side)));
        let start = self.function.expressions.len();
        let group = self.place(group);
        let count = self.place(count);
        let ones = self.add(Expression::Splat { size: VectorSize::Tri, value: one });
        let size = self.add(Expression::Compose { ty: vector, components: sides.to_vec() });
        let last = self.binary(BinaryOperator::Subtract, count, ones);
        let turned = self.binary(BinaryOperator::Subtract, last, group);
        let moved = self.binary(BinaryOperator::Subtract, turned, group);
        let moved = self.binary(BinaryOperator::Multiply, moved, size);
        let own = module.functions[callee].arguments.len();
        let values = arguments[..own].iter().enumerate().map(|(at, argument)| {
            let changed: Vec<_> = ids(module, argument).collect();
            self.argument(module, (at, argument), &changed, turned, moved)
        });
        let values: Vec<_> = values.collect();
        let emitted = self.function.expressions.range_from(start);
        self.function.body.push(Statement::Emit(emitted), Span::UNDEFINED);
        let call = Statement::Call { function: callee, arguments: values, result: None };
        self.function.body.push(call, Span::UNDEFINED);
        self.function.body.push(Statement::Return { value: None }, Span::UNDEFINED);
    }

    fn place(&mut self, (argument, member): (u32, Option<u32>)) -> Handle<Expression> {
        let base = self.given[argument as usize];
        member.map_or(base, |index| self.add(Expression::AccessIndex { base, index }))
    }

    /// What an argument becomes.
    fn argument(
        &mut self,
        module: &Module,
        (at, argument): (usize, &FunctionArgument),
        changed: &[(Option<u32>, BuiltIn)],
        turned: Handle<Expression>,
        moved: Handle<Expression>,
    ) -> Handle<Expression> {
        let base = self.given[at];
        let turn = |this: &mut Self, it: Handle<Expression>, built_in: BuiltIn| match built_in {
            BuiltIn::WorkGroupId => turned,
            _ => this.binary(BinaryOperator::Add, it, moved),
        };
        match (&module.types[argument.ty].inner, changed) {
            (_, []) => base,
            (TypeInner::Struct { members, .. }, changed) => {
                let components = (0..members.len() as u32).map(|index| {
                    let member = self.add(Expression::AccessIndex { base, index });
                    match changed.iter().find(|(at, _)| *at == Some(index)) {
                        Some((_, built_in)) => turn(self, member, *built_in),
                        None => member,
                    }
                });
                let components = components.collect();
                self.add(Expression::Compose { ty: argument.ty, components })
            }
            (_, [(_, built_in), ..]) => turn(self, base, *built_in),
        }
    }
}
