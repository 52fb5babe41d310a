//! Where the values in a module's code come from, as far as rules ask: a data flow over naga's expressions that only ever adds,
//! without regard to branches and to who calls.

use naga::{
    AddressSpace, AtomicFunction, BinaryOperator, Binding, Block, BuiltIn, Expression, Function, Handle, Module,
    Statement, TypeInner,
};

use super::walk::{Exit, blocks, exits};

/// A set of sources.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Origin(u8);

impl Origin {
    /// An id that is different in each invocation of a dispatch.
    pub(super) const INVOCATION: Self = Self(1);
    /// A place within the workgroup.
    pub(super) const LOCAL: Self = Self(2);
    /// What an atomic addition found: whoever comes first has the least.
    pub(super) const TICKET: Self = Self(4);
    /// An atomic that other workgroups write.
    pub(super) const SHARED: Self = Self(8);
    /// A variable that counts up or down.
    pub(super) const COUNTED: Self = Self(16);
    /// Not known to be the same in all invocations of a workgroup.
    pub(super) const VARYING: Self = Self(32);

    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    const fn only(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(super) const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// Origins in one function.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Values {
    expressions: Vec<Origin>,
    locals: Vec<Origin>,
    arguments: Vec<Origin>,
    /// Of the members of arguments that are what the pipeline gave to an entry point, handed on whole.
    members: Vec<Vec<Origin>>,
    result: Origin,
}

/// Origins of all expressions of a module.
pub(super) struct Origins<'m> {
    module: &'m Module,
    /// Functions by their handles' indices, then entry points.
    functions: Vec<&'m Function>,
    /// Of each.
    values: Vec<Values>,
    /// Of private and workgroup variables.
    globals: Vec<Origin>,
    changed: bool,
}

/// Where a pointer leads.
enum Root {
    Global(Handle<naga::GlobalVariable>),
    Local(Handle<naga::LocalVariable>),
    Argument(u32),
    None,
}

/// The variable that a place is part of.
fn root(function: &Function, mut place: Handle<Expression>) -> Root {
    loop {
        match function.expressions[place] {
            Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => place = base,
            Expression::GlobalVariable(global) => return Root::Global(global),
            Expression::LocalVariable(local) => return Root::Local(local),
            Expression::FunctionArgument(index) => return Root::Argument(index),
            _ => return Root::None,
        }
    }
}

/// The storage buffer that a place is part of.
pub(super) fn storage(
    module: &Module,
    function: &Function,
    place: Handle<Expression>,
) -> Option<Handle<naga::GlobalVariable>> {
    match root(function, place) {
        Root::Global(global) => {
            matches!(module.global_variables[global].space, AddressSpace::Storage { .. }).then_some(global)
        }
        _ => None,
    }
}

/// Literals and constants.
pub(super) fn constant(module: &Module, function: &Function, at: Handle<Expression>) -> Option<u32> {
    let literal = |expression: &Expression| match *expression {
        Expression::Literal(naga::Literal::U32(value)) => Some(value),
        Expression::Literal(naga::Literal::I32(value)) => u32::try_from(value).ok(),
        Expression::ZeroValue(_) => Some(0),
        _ => None,
    };
    match function.expressions[at] {
        Expression::Constant(constant) => literal(&module.global_expressions[module.constants[constant].init]),
        ref other => literal(other),
    }
}

impl<'m> Origins<'m> {
    pub(super) fn new(module: &'m Module) -> Self {
        let empty = |function: &Function| Values {
            expressions: vec![Origin::default(); function.expressions.len()],
            locals: vec![Origin::default(); function.local_variables.len()],
            arguments: vec![Origin::default(); function.arguments.len()],
            members: vec![Vec::new(); function.arguments.len()],
            result: Origin::default(),
        };
        let functions = module.functions.iter().map(|(_, function)| function);
        let functions: Vec<_> = functions.chain(module.entry_points.iter().map(|entry| &entry.function)).collect();
        let values = functions.iter().map(|function| empty(function)).collect();
        let globals = vec![Origin::default(); module.global_variables.len()];
        let mut origins = Self { module, functions, values, globals, changed: true };
        while std::mem::take(&mut origins.changed) {
            for index in 0..origins.functions.len() {
                origins.visit(index, origins.functions[index]);
            }
        }
        origins
    }

    /// The function or entry point with this index.
    pub(super) fn function(&self, index: usize) -> &'m Function {
        self.functions[index]
    }

    /// The index of the entry point with this number.
    pub(super) fn entry(&self, number: usize) -> usize {
        self.module.functions.len() + number
    }

    /// Of an expression of the function or entry point with this index.
    pub(super) fn of(&self, index: usize, at: Handle<Expression>) -> Origin {
        self.values[index].expressions[at.index()]
    }

    fn visit(&mut self, index: usize, function: &Function) {
        for (at, expression) in function.expressions.iter() {
            let origin = self.value(index, function, expression);
            self.add(index, at, origin);
        }
        self.block(index, function, &function.body, Origin::default());
    }

    fn add(&mut self, index: usize, at: Handle<Expression>, origin: Origin) {
        let known = &mut self.values[index].expressions[at.index()];
        self.changed |= known.and(origin) != *known;
        *known = known.and(origin);
    }

    /// Adds to the variable that a place is part of.
    fn put(&mut self, index: usize, function: &Function, place: Handle<Expression>, origin: Origin) {
        let known = match root(function, place) {
            Root::Global(global) => match self.module.global_variables[global].space {
                AddressSpace::Private | AddressSpace::WorkGroup => &mut self.globals[global.index()],
                _ => return,
            },
            Root::Local(local) => &mut self.values[index].locals[local.index()],
            Root::Argument(argument) => &mut self.values[index].arguments[argument as usize],
            Root::None => return,
        };
        self.changed |= known.and(origin) != *known;
        *known = known.and(origin);
    }

    /// What a place holds.
    fn held(&self, index: usize, function: &Function, place: Handle<Expression>) -> Origin {
        match root(function, place) {
            Root::Global(global) => self.globals[global.index()],
            Root::Local(local) => self.values[index].locals[local.index()],
            Root::Argument(argument) => self.values[index].arguments[argument as usize],
            Root::None => Origin::default(),
        }
    }

    fn value(&self, index: usize, function: &Function, expression: &Expression) -> Origin {
        let of = |at: Handle<Expression>| self.of(index, at);
        match *expression {
            Expression::FunctionArgument(argument) => {
                let members =
                    (0..self.members(function, argument)).map(|member| self.member(index, function, argument, member));
                let given = members.fold(self.pipeline(function, argument, None), Origin::and);
                given.and(self.values[index].arguments[argument as usize])
            }
            Expression::AccessIndex { base, index: member } => match function.expressions[base] {
                Expression::FunctionArgument(argument) if self.members(function, argument) > 0 => {
                    let given = self.member(index, function, argument, member);
                    given.and(self.values[index].arguments[argument as usize])
                }
                _ => of(base),
            },
            Expression::Load { pointer } => self.load(index, function, pointer),
            Expression::ImageLoad { coordinate, .. } | Expression::ImageSample { coordinate, .. } => {
                of(coordinate).only(Origin::VARYING)
            }
            Expression::SubgroupBallotResult | Expression::SubgroupOperationResult { .. } => Origin::VARYING,
            Expression::Access { base, index } => of(base).and(of(index)),
            Expression::Splat { value: inner, .. }
            | Expression::Swizzle { vector: inner, .. }
            | Expression::Unary { expr: inner, .. }
            | Expression::Relational { argument: inner, .. }
            | Expression::As { expr: inner, .. } => of(inner),
            Expression::Compose { ref components, .. } => {
                components.iter().fold(Origin::default(), |all, part| all.and(of(*part)))
            }
            Expression::Binary { op, left, right } => {
                let counts = matches!(op, BinaryOperator::Add | BinaryOperator::Subtract)
                    && matches!(function.expressions[left], Expression::Load { pointer } if matches!(root(function, pointer), Root::Local(_)))
                    && constant(self.module, function, right).is_some();
                of(left).and(of(right)).and(if counts { Origin::COUNTED } else { Origin::default() })
            }
            Expression::Select { condition, accept, reject } => of(condition).and(of(accept)).and(of(reject)),
            Expression::Math { arg, arg1, arg2, arg3, .. } => {
                [arg1, arg2, arg3].into_iter().flatten().fold(of(arg), |all, part| all.and(of(part)))
            }
            Expression::CallResult(callee) => self.values[callee.index()].result,
            _ => Origin::default(),
        }
    }

    /// What a load gives: what was put there, and whether all invocations find the same.
    fn load(&self, index: usize, function: &Function, pointer: Handle<Expression>) -> Origin {
        let held = self.held(index, function, pointer);
        let Root::Global(global) = root(function, pointer) else { return held };
        let by_index = self.path(index, function, pointer).only(Origin::VARYING);
        match self.module.global_variables[global].space {
            AddressSpace::WorkGroup => held.and(Origin::VARYING),
            AddressSpace::Storage { access } if access.contains(naga::StorageAccess::STORE) => {
                let shared = if self.is_atomic(function, pointer) { Origin::SHARED } else { Origin::default() };
                held.and(shared).and(Origin::VARYING)
            }
            _ => held.and(by_index),
        }
    }

    /// Of all indices on the way to a place.
    pub(super) fn path(&self, index: usize, function: &Function, mut place: Handle<Expression>) -> Origin {
        let mut origin = Origin::default();
        loop {
            match function.expressions[place] {
                Expression::Access { base, index: at } => {
                    origin = origin.and(self.of(index, at));
                    place = base;
                }
                Expression::AccessIndex { base, .. } => place = base,
                _ => return origin,
            }
        }
    }

    /// How many members an argument has: none if it is no struct.
    fn members(&self, function: &Function, argument: u32) -> u32 {
        match &self.module.types[function.arguments[argument as usize].ty].inner {
            TypeInner::Struct { members, .. } => members.len() as u32,
            _ => 0,
        }
    }

    /// What the pipeline put into a member of an argument, here or on the way here.
    fn member(&self, index: usize, function: &Function, argument: u32, member: u32) -> Origin {
        let handed = self.values[index].members[argument as usize].get(member as usize).copied();
        self.pipeline(function, argument, Some(member)).and(handed.unwrap_or_default())
    }

    /// What the pipeline puts into an argument of an entry point, or into one member of it.
    fn pipeline(&self, function: &Function, argument: u32, member: Option<u32>) -> Origin {
        let argument = &function.arguments[argument as usize];
        let of = |binding: Option<&Binding>| match binding {
            Some(Binding::BuiltIn(BuiltIn::GlobalInvocationId)) => Origin::INVOCATION.and(Origin::VARYING),
            Some(Binding::BuiltIn(BuiltIn::WorkGroupId)) => Origin::INVOCATION,
            Some(Binding::BuiltIn(BuiltIn::LocalInvocationId | BuiltIn::LocalInvocationIndex)) => {
                Origin::LOCAL.and(Origin::VARYING)
            }
            Some(Binding::BuiltIn(BuiltIn::SubgroupId | BuiltIn::SubgroupInvocationId)) => Origin::VARYING,
            _ => Origin::default(),
        };
        match (&self.module.types[argument.ty].inner, member) {
            (TypeInner::Struct { members, .. }, Some(member)) => {
                of(members.get(member as usize).and_then(|member| member.binding.as_ref()))
            }
            _ => of(argument.binding.as_ref()),
        }
    }

    /// Whether a place is an atomic.
    fn is_atomic(&self, function: &Function, place: Handle<Expression>) -> bool {
        let types = &self.module.types;
        let ty = |handle: Handle<naga::Type>| &types[handle].inner;
        // From the variable outwards.
        let mut path = Vec::new();
        let mut at = place;
        let mut inner = loop {
            match function.expressions[at] {
                Expression::Access { base, .. } => (path.push(None), at = base).1,
                Expression::AccessIndex { base, index } => (path.push(Some(index)), at = base).1,
                Expression::GlobalVariable(global) => break ty(self.module.global_variables[global].ty),
                _ => return false,
            }
        };
        for step in path.into_iter().rev() {
            inner = match (inner, step) {
                (TypeInner::Array { base, .. }, _) => ty(*base),
                (TypeInner::Struct { members, .. }, Some(index)) => ty(members[index as usize].ty),
                _ => return false,
            };
        }
        matches!(inner, TypeInner::Atomic(_))
    }

    /// `control`: whether all invocations come here together. Blocks nest no deeper than brackets may.
    fn block(&mut self, index: usize, function: &Function, body: &Block, mut control: Origin) {
        for statement in body {
            let varies = |at: Handle<Expression>| self.of(index, at).has(Origin::VARYING);
            let leaves = leaving(statement, &varies);
            match statement {
                Statement::Block(inner) => self.block(index, function, inner, control),
                Statement::If { condition, accept, reject } => {
                    let inner = control.and(self.of(index, *condition));
                    self.block(index, function, accept, inner);
                    self.block(index, function, reject, inner);
                }
                Statement::Switch { selector, cases } => {
                    let inner = control.and(self.of(index, *selector));
                    for case in cases {
                        self.block(index, function, &case.body, inner);
                    }
                }
                Statement::Loop { body, continuing, .. } => {
                    let inner = if leaves.apart() { control.and(Origin::VARYING) } else { control };
                    self.block(index, function, body, inner);
                    self.block(index, function, continuing, inner);
                }
                other => self.statement(index, function, other, control.only(Origin::VARYING)),
            }
            if leaves.the_rest() {
                control = control.and(Origin::VARYING);
            }
        }
    }

    fn statement(&mut self, index: usize, function: &Function, statement: &Statement, control: Origin) {
        match statement {
            Statement::Store { pointer, value } => {
                let origin = self.of(index, *value).and(control);
                self.put(index, function, *pointer, origin);
            }
            Statement::Atomic { pointer, fun, value, result } => {
                let origin = self.of(index, *value);
                self.put(index, function, *pointer, origin);
                if let Some(result) = result {
                    let origin = self.atomic(function, *pointer, *fun, *value);
                    self.add(index, *result, origin);
                }
            }
            Statement::WorkGroupUniformLoad { pointer, result } => {
                let origin = self.held(index, function, *pointer).without(Origin::VARYING);
                self.add(index, *result, origin);
            }
            Statement::Call { function: callee, arguments, .. } => self.call(index, function, *callee, arguments),
            Statement::Return { value: Some(value) } => {
                let origin = self.of(index, *value).and(control);
                let known = &mut self.values[index].result;
                self.changed |= known.and(origin) != *known;
                *known = known.and(origin);
            }
            Statement::SubgroupBallot { result, predicate: Some(argument) }
            | Statement::SubgroupGather { argument, result, .. }
            | Statement::SubgroupCollectiveOperation { argument, result, .. } => {
                let origin = self.of(index, *argument);
                self.add(index, *result, origin);
            }
            _ => {}
        }
    }

    /// What an atomic operation gives back.
    fn atomic(
        &self,
        function: &Function,
        pointer: Handle<Expression>,
        fun: AtomicFunction,
        value: Handle<Expression>,
    ) -> Origin {
        let fixed = |at: Handle<Expression>| constant(self.module, function, at);
        let origin = match fun {
            // Adding nothing is a load.
            _ if fixed(value) == Some(0) && !matches!(fun, AtomicFunction::Exchange { .. }) => Origin::SHARED,
            AtomicFunction::Add | AtomicFunction::Subtract => Origin::TICKET,
            // A lock: it waits for one value. Other exchanges try again with what they saw.
            AtomicFunction::Exchange { compare: Some(compare) } if fixed(compare).is_some() => Origin::SHARED,
            _ => Origin::default(),
        };
        let outside = storage(self.module, function, pointer).is_some();
        let origin = if origin == Origin::SHARED && !outside { Origin::default() } else { origin };
        origin.and(Origin::VARYING)
    }

    fn call(&mut self, index: usize, function: &Function, callee: Handle<Function>, arguments: &[Handle<Expression>]) {
        for (at, argument) in arguments.iter().enumerate() {
            let is_pointer = matches!(
                self.module.types[self.module.functions[callee].arguments[at].ty].inner,
                TypeInner::Pointer { .. } | TypeInner::ValuePointer { .. }
            );
            let given = match function.expressions[*argument] {
                _ if is_pointer => self.held(index, function, *argument),
                Expression::FunctionArgument(own) if self.members(function, own) > 0 => {
                    self.hand_on(index, function, own, (callee, at));
                    self.values[index].arguments[own as usize]
                }
                _ => self.of(index, *argument),
            };
            let known = &mut self.values[callee.index()].arguments[at];
            self.changed |= known.and(given) != *known;
            *known = known.and(given);
            if is_pointer {
                let back = self.values[callee.index()].arguments[at];
                self.put(index, function, *argument, back);
            }
        }
    }

    /// Hands a struct on, each member with what the pipeline put into it.
    fn hand_on(&mut self, index: usize, function: &Function, argument: u32, (callee, at): (Handle<Function>, usize)) {
        for member in 0..self.members(function, argument) {
            let given = self.member(index, function, argument, member);
            let known = &mut self.values[callee.index()].members[at];
            known.resize(known.len().max(member as usize + 1), Origin::default());
            let known = &mut known[member as usize];
            self.changed |= known.and(given) != *known;
            *known = known.and(given);
        }
    }
}

/// How invocations part ways in a statement.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Leaving {
    /// Some return and some do not.
    returns: bool,
    /// Some leave the loop around the statement, or go on with its next round, and some do not.
    breaks: bool,
    /// In a loop of its own.
    within: bool,
}

impl Leaving {
    /// Whether those who go on are not all.
    pub(super) const fn the_rest(self) -> bool {
        self.returns || self.breaks
    }

    /// Of a loop: whether its rounds are not run by all together.
    pub(super) const fn apart(self) -> bool {
        self.returns || self.within
    }
}

/// How invocations part ways in a statement, where `varies` tells what differs between them.
pub(super) fn leaving(statement: &Statement, varies: &dyn Fn(Handle<Expression>) -> bool) -> Leaving {
    let mut out = Leaving::default();
    let mut part = |exit: Exit, apart: bool| match exit {
        Exit::Return => out.returns |= apart,
        Exit::Break | Exit::Continue => out.breaks |= apart,
    };
    let Statement::Loop { break_if, .. } = statement else {
        exits(statement, varies, &mut part);
        return out;
    };
    for statement in blocks(statement).flatten() {
        exits(statement, varies, &mut part);
    }
    let within = out.breaks || break_if.is_some_and(varies);
    Leaving { returns: out.returns, breaks: false, within }
}
