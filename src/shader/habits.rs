//! What an entry point's code does that is legal and often wrong: appending in no order, storing without a bound, waiting
//! for other workgroups, counting on a size of subgroups. Found on naga's IR, by where values come from.

use std::collections::BTreeSet;

use naga::{BinaryOperator, Binding, Block, BuiltIn, Expression, Function, Handle, MathFunction, Module, Statement};

use super::LineMap;
use super::origin::{Origin, Origins, constant, leaving, storage};
use crate::source::Span;

/// What rules ask about an entry point. Empty for what its code does not do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Habits {
    /// Stores to elements whose index comes from an atomic addition: in the order in which invocations came. Indices into
    /// [`Interface::globals`](super::Interface::globals), each with its first store.
    pub appends: Vec<(usize, Span)>,
    /// The first store to a runtime-sized array at an index that comes from an invocation's id, where nothing that comes from
    /// an id is ever compared.
    pub unguarded: Option<Span>,
    /// Loops that end only once another workgroup has written something.
    pub waits: Vec<Span>,
    /// A place in the workgroup is split at a fixed subgroup size, and the real size is never asked for.
    pub fixed_subgroup: Option<Span>,
    /// Barriers that not all invocations of a workgroup are known to reach, each with the condition that may part them.
    pub lone_barriers: Vec<(Span, Span)>,
}

/// All entry points' habits, in order; `globals` are those that have a binding, in the order of the interface.
pub(super) fn habits(module: &Module, globals: &[Handle<naga::GlobalVariable>], lines: &LineMap) -> Vec<Habits> {
    let origins = Origins::new(module);
    let entry = |index: usize| {
        let mut seen = Seen::new(module, &origins, globals, lines);
        seen.entry(index);
        seen.habits()
    };
    (0..module.entry_points.len()).map(entry).collect()
}

/// One function of those that an entry point reaches.
#[derive(Clone, Copy)]
enum Code {
    Entry(usize),
    Function(Handle<Function>),
}

/// What was seen in an entry point and all it calls.
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
struct Seen<'a> {
    module: &'a Module,
    origins: &'a Origins<'a>,
    globals: &'a [Handle<naga::GlobalVariable>],
    lines: &'a LineMap,
    appends: Vec<(usize, Span)>,
    loads_by_ticket: bool,
    stores: Option<Span>,
    compares: bool,
    waits: Vec<Span>,
    subgroups: bool,
    asks_size: bool,
    splits: Option<Span>,
    barriers: Vec<(Span, Span)>,
}

impl<'a> Seen<'a> {
    fn new(
        module: &'a Module,
        origins: &'a Origins<'a>,
        globals: &'a [Handle<naga::GlobalVariable>],
        lines: &'a LineMap,
    ) -> Self {
        Self {
            module,
            origins,
            globals,
            lines,
            appends: Vec::new(),
            loads_by_ticket: false,
            stores: None,
            compares: false,
            waits: Vec::new(),
            subgroups: false,
            asks_size: false,
            splits: None,
            barriers: Vec::new(),
        }
    }

    fn entry(&mut self, index: usize) {
        let entry = &self.module.entry_points[index];
        self.asks_size = asks_subgroup_size(self.module, &entry.function);
        let mut open = vec![Code::Entry(index)];
        let mut done = BTreeSet::new();
        while let Some(code) = open.pop() {
            let function = self.function(code);
            self.expressions(code, function);
            self.reach(code, &function.body, None);
            let mut called = Vec::new();
            self.block(code, &function.body, &mut called);
            open.extend(called.into_iter().filter(|callee| done.insert(*callee)).map(Code::Function));
        }
    }

    fn habits(self) -> Habits {
        Habits {
            // Who reads by the same numbers takes its work by ticket: what it writes is where it belongs.
            appends: if self.loads_by_ticket { Vec::new() } else { self.appends },
            unguarded: self.stores.filter(|_| !self.compares),
            waits: self.waits,
            fixed_subgroup: self.splits.filter(|_| self.subgroups && !self.asks_size),
            lone_barriers: self.barriers,
        }
    }

    fn function(&self, code: Code) -> &'a Function {
        match code {
            Code::Entry(index) => &self.module.entry_points[index].function,
            Code::Function(handle) => &self.module.functions[handle],
        }
    }

    fn origin(&self, code: Code, at: Handle<Expression>) -> Origin {
        match code {
            Code::Entry(index) => self.origins.in_entry(index, at),
            Code::Function(handle) => self.origins.in_function(handle, at),
        }
    }

    fn span(&self, span: naga::Span) -> Span {
        self.lines.span(span.to_range().unwrap_or_default())
    }

    fn expressions(&mut self, code: Code, function: &Function) {
        for (at, expression) in function.expressions.iter() {
            match *expression {
                Expression::Binary { op, left, right } => self.binary(code, (at, op), left, right),
                Expression::Math { fun: MathFunction::Min | MathFunction::Clamp, arg, .. } => {
                    self.compares |= self.origin(code, arg).has(Origin::INVOCATION);
                }
                Expression::Load { pointer } if storage(self.module, function, pointer).is_some() => {
                    self.loads_by_ticket |= self.index(code, function, pointer).has(Origin::TICKET);
                }
                _ => {}
            }
        }
    }

    fn binary(
        &mut self,
        code: Code,
        (at, op): (Handle<Expression>, BinaryOperator),
        left: Handle<Expression>,
        right: Handle<Expression>,
    ) {
        use BinaryOperator as Op;
        let function = self.function(code);
        let of = |at: Handle<Expression>| self.origin(code, at);
        match op {
            Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual | Op::Equal | Op::NotEqual => {
                let either = of(left).and(of(right));
                self.compares |= either.has(Origin::INVOCATION) || either.has(Origin::LOCAL);
            }
            Op::Divide | Op::Modulo | Op::And | Op::ShiftRight if of(left).has(Origin::LOCAL) => {
                let sizes: &[u32] = match op {
                    Op::Divide | Op::Modulo => &[16, 32, 64],
                    Op::And => &[15, 31, 63],
                    _ => &[4, 5, 6],
                };
                if constant(self.module, function, right).is_some_and(|by| sizes.contains(&by)) {
                    let span = self.span(function.expressions.get_span(at));
                    self.splits.get_or_insert(span);
                }
            }
            _ => {}
        }
    }

    /// Where the index of an element comes from.
    fn index(&self, code: Code, function: &Function, mut place: Handle<Expression>) -> Origin {
        let mut origin = Origin::default();
        loop {
            match function.expressions[place] {
                Expression::Access { base, index } => {
                    origin = origin.and(self.origin(code, index));
                    place = base;
                }
                Expression::AccessIndex { base, .. } => place = base,
                _ => return origin,
            }
        }
    }

    fn block(&mut self, code: Code, body: &'a Block, called: &mut Vec<Handle<Function>>) {
        let mut open = vec![body];
        while let Some(block) = open.pop() {
            for (statement, span) in block.span_iter() {
                match statement {
                    Statement::Block(inner) => open.push(inner),
                    Statement::If { accept, reject, .. } => open.extend([accept, reject]),
                    Statement::Switch { cases, .. } => open.extend(cases.iter().map(|case| &case.body)),
                    Statement::Loop { body, continuing, break_if } => {
                        let mut exits = Exits { seen: self, code, all: 0, waiting: 0 };
                        exits.block(body, false, true);
                        exits.block(continuing, false, true);
                        exits.exit(break_if.is_some_and(|at| exits.waits(at)), break_if.is_some());
                        if exits.all > 0 && exits.all == exits.waiting {
                            let span = self.span(*span);
                            self.waits.push(span);
                        }
                        open.extend([body, continuing]);
                    }
                    Statement::Call { function, .. } => called.push(*function),
                    Statement::Store { pointer, .. } => self.store(code, *pointer, *span),
                    Statement::SubgroupBallot { .. }
                    | Statement::SubgroupGather { .. }
                    | Statement::SubgroupCollectiveOperation { .. } => self.subgroups = true,
                    _ => {}
                }
            }
        }
    }

    /// Follows a block with the condition that parted the invocations, if one did.
    fn reach(&mut self, code: Code, block: &'a Block, mut parted: Option<Span>) {
        let function = self.function(code);
        for (statement, span) in block.span_iter() {
            let here = |at: Handle<Expression>| {
                let varies = self.origin(code, at).has(Origin::VARYING);
                parted.or_else(|| varies.then(|| self.span(function.expressions.get_span(at))))
            };
            let varies = |at: Handle<Expression>| self.origin(code, at).has(Origin::VARYING);
            let leaving = leaving(statement, &varies);
            match statement {
                Statement::Block(inner) => self.reach(code, inner, parted),
                Statement::If { condition, accept, reject } => {
                    let inner = here(*condition);
                    self.reach(code, accept, inner);
                    self.reach(code, reject, inner);
                }
                Statement::Switch { selector, cases } => {
                    let inner = here(*selector);
                    for case in cases {
                        self.reach(code, &case.body, inner);
                    }
                }
                Statement::Loop { body, continuing, .. } => {
                    let inner = parted.or_else(|| leaving.apart().then(|| self.span(*span)));
                    self.reach(code, body, inner);
                    self.reach(code, continuing, inner);
                }
                Statement::ControlBarrier(_) | Statement::WorkGroupUniformLoad { .. } => {
                    if let Some(condition) = parted {
                        let span = self.span(*span);
                        self.barriers.push((span, condition));
                    }
                }
                Statement::Call { function: callee, .. } => {
                    if let Some(condition) = parted
                        && waits_for_all(self.module, *callee)
                    {
                        let span = self.span(*span);
                        self.barriers.push((span, condition));
                    }
                }
                _ => {}
            }
            if leaving.the_rest() {
                parted = parted.or_else(|| Some(self.span(*span)));
            }
        }
    }

    fn store(&mut self, code: Code, pointer: Handle<Expression>, span: naga::Span) {
        let function = self.function(code);
        let Some(handle) = storage(self.module, function, pointer) else { return };
        let origin = self.index(code, function, pointer);
        let span = self.span(span);
        if origin.has(Origin::INVOCATION) {
            self.stores.get_or_insert(span);
        }
        let Some(global) = self.globals.iter().position(|global| *global == handle) else { return };
        if origin.has(Origin::TICKET) && !self.appends.iter().any(|(known, _)| *known == global) {
            self.appends.push((global, span));
        }
    }
}

/// The ways out of one loop.
struct Exits<'s, 'a> {
    seen: &'s Seen<'a>,
    code: Code,
    all: usize,
    /// Those behind a condition on what other workgroups write, and on nothing that counts.
    waiting: usize,
}

impl Exits<'_, '_> {
    fn waits(&self, condition: Handle<Expression>) -> bool {
        let origin = self.seen.origin(self.code, condition);
        origin.has(Origin::SHARED) && !origin.has(Origin::COUNTED)
    }

    fn exit(&mut self, waits: bool, is: bool) {
        self.all += usize::from(is);
        self.waiting += usize::from(is && waits);
    }

    /// `waits`: a condition around this block does. `own`: a `break` in it leaves the loop.
    fn block(&mut self, block: &Block, waits: bool, own: bool) {
        for statement in block {
            match statement {
                Statement::Break => self.exit(waits, own),
                Statement::Return { .. } | Statement::Kill => self.exit(waits, true),
                Statement::Block(inner) => self.block(inner, waits, own),
                Statement::If { condition, accept, reject } => {
                    let waits = waits || self.waits(*condition);
                    self.block(accept, waits, own);
                    self.block(reject, waits, own);
                }
                Statement::Switch { selector, cases } => {
                    let waits = waits || self.waits(*selector);
                    for case in cases {
                        self.block(&case.body, waits, false);
                    }
                }
                Statement::Loop { body, continuing, .. } => {
                    self.block(body, waits, false);
                    self.block(continuing, waits, false);
                }
                _ => {}
            }
        }
    }
}

/// Whether an entry point takes the size of its subgroups or their number.
fn asks_subgroup_size(module: &Module, function: &Function) -> bool {
    let is = |binding: Option<&Binding>| {
        matches!(binding, Some(Binding::BuiltIn(BuiltIn::SubgroupSize | BuiltIn::NumSubgroups)))
    };
    function.arguments.iter().any(|argument| match &module.types[argument.ty].inner {
        naga::TypeInner::Struct { members, .. } => members.iter().any(|member| is(member.binding.as_ref())),
        _ => is(argument.binding.as_ref()),
    })
}

/// Whether a function, or one that it calls, has a barrier.
fn waits_for_all(module: &Module, function: Handle<Function>) -> bool {
    let mut open = vec![&module.functions[function].body];
    while let Some(block) = open.pop() {
        for statement in block {
            match statement {
                Statement::ControlBarrier(_) | Statement::WorkGroupUniformLoad { .. } => return true,
                Statement::Block(inner) => open.push(inner),
                Statement::If { accept, reject, .. } => open.extend([accept, reject]),
                Statement::Switch { cases, .. } => open.extend(cases.iter().map(|case| &case.body)),
                Statement::Loop { body, continuing, .. } => open.extend([body, continuing]),
                Statement::Call { function, .. } => open.push(&module.functions[*function].body),
                _ => {}
            }
        }
    }
    false
}
