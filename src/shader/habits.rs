//! What an entry point's code does that is legal and often wrong: appending in no order, storing without a bound, waiting
//! for other workgroups, counting on a size of subgroups. Found on naga's IR, by where values come from.

use std::collections::BTreeSet;

use naga::{BinaryOperator, Binding, Block, BuiltIn, Expression, Function, Handle, MathFunction, Module, Statement};

use super::LineMap;
use super::origin::{Origin, Origins, constant, leaving, storage};
use super::walk::{self, Exit, blocks, exits};
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
    let code = Code { module, origins: Origins::new(module), barriers: barriers(module), globals, lines };
    (0..module.entry_points.len()).map(|number| Seen::new(&code).entry(number)).collect()
}

/// What is known of the whole module. Functions and entry points go by their index among the origins.
struct Code<'a> {
    module: &'a Module,
    origins: Origins<'a>,
    /// Which functions wait for the whole workgroup, or call one that does.
    barriers: Vec<bool>,
    globals: &'a [Handle<naga::GlobalVariable>],
    lines: &'a LineMap,
}

/// What was seen in an entry point and all it calls.
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
struct Seen<'a> {
    code: &'a Code<'a>,
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
    const fn new(code: &'a Code<'a>) -> Self {
        Self {
            code,
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

    fn entry(mut self, number: usize) -> Habits {
        let Code { module, origins, .. } = self.code;
        self.asks_size = asks_subgroup_size(module, &module.entry_points[number].function);
        let mut open = vec![origins.entry(number)];
        let mut done = BTreeSet::new();
        while let Some(at) = open.pop() {
            let function = origins.function(at);
            self.expressions(at, function);
            self.reach(at, &function.body, None);
            walk::each(&function.body, |statement, span| {
                if let Statement::Call { function, .. } = statement
                    && done.insert(*function)
                {
                    open.push(function.index());
                }
                self.statement(at, statement, span);
            });
        }
        Habits {
            // Who reads by the same numbers takes its work by ticket: what it writes is where it belongs.
            appends: if self.loads_by_ticket { Vec::new() } else { self.appends },
            unguarded: self.stores.filter(|_| !self.compares),
            waits: self.waits,
            fixed_subgroup: self.splits.filter(|_| self.subgroups && !self.asks_size),
            lone_barriers: self.barriers,
        }
    }

    fn span(&self, span: naga::Span) -> Span {
        self.code.lines.span(span.to_range().unwrap_or_default())
    }

    fn expressions(&mut self, within: usize, function: &Function) {
        for (at, expression) in function.expressions.iter() {
            match *expression {
                Expression::Binary { op, left, right } => self.binary(within, (at, op), left, right),
                Expression::Math { fun: MathFunction::Min | MathFunction::Clamp, arg, .. } => {
                    self.compares |= self.code.origins.of(within, arg).has(Origin::INVOCATION);
                }
                Expression::Load { pointer } if storage(self.code.module, function, pointer).is_some() => {
                    self.loads_by_ticket |= self.code.origins.path(within, function, pointer).has(Origin::TICKET);
                }
                _ => {}
            }
        }
    }

    fn binary(
        &mut self,
        within: usize,
        (at, op): (Handle<Expression>, BinaryOperator),
        left: Handle<Expression>,
        right: Handle<Expression>,
    ) {
        use BinaryOperator as Op;
        let function = self.code.origins.function(within);
        let of = |at: Handle<Expression>| self.code.origins.of(within, at);
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
                if constant(self.code.module, function, right).is_some_and(|by| sizes.contains(&by)) {
                    let span = self.span(function.expressions.get_span(at));
                    self.splits.get_or_insert(span);
                }
            }
            _ => {}
        }
    }

    fn statement(&mut self, within: usize, statement: &Statement, span: naga::Span) {
        match statement {
            Statement::Loop { break_if, .. } if self.waits_for_others(within, statement, *break_if) => {
                let span = self.span(span);
                self.waits.push(span);
            }
            Statement::Store { pointer, .. } => self.store(within, *pointer, span),
            Statement::SubgroupBallot { .. }
            | Statement::SubgroupGather { .. }
            | Statement::SubgroupCollectiveOperation { .. } => self.subgroups = true,
            _ => {}
        }
    }

    /// Whether all ways out of a loop are behind a condition on what other workgroups write, and on nothing that counts.
    fn waits_for_others(&self, within: usize, statement: &Statement, break_if: Option<Handle<Expression>>) -> bool {
        let waits = |condition: Handle<Expression>| {
            let origin = self.code.origins.of(within, condition);
            origin.has(Origin::SHARED) && !origin.has(Origin::COUNTED)
        };
        let (mut all, mut waiting) = (0, 0);
        let mut count = |exit: Exit, behind: bool| {
            all += usize::from(exit != Exit::Continue);
            waiting += usize::from(exit != Exit::Continue && behind);
        };
        for statement in blocks(statement).flatten() {
            exits(statement, &waits, &mut count);
        }
        if let Some(condition) = break_if {
            count(Exit::Break, waits(condition));
        }
        all > 0 && all == waiting
    }

    /// Follows a block with the condition that parted the invocations, if one did.
    fn reach(&mut self, within: usize, block: &'a Block, mut parted: Option<Span>) {
        let function = self.code.origins.function(within);
        for (statement, span) in block.span_iter() {
            let here = |at: Handle<Expression>| {
                let varies = self.code.origins.of(within, at).has(Origin::VARYING);
                parted.or_else(|| varies.then(|| self.span(function.expressions.get_span(at))))
            };
            let varies = |at: Handle<Expression>| self.code.origins.of(within, at).has(Origin::VARYING);
            let leaving = leaving(statement, &varies);
            match statement {
                Statement::Block(inner) => self.reach(within, inner, parted),
                Statement::If { condition, accept, reject } => {
                    let inner = here(*condition);
                    self.reach(within, accept, inner);
                    self.reach(within, reject, inner);
                }
                Statement::Switch { selector, cases } => {
                    let inner = here(*selector);
                    for case in cases {
                        self.reach(within, &case.body, inner);
                    }
                }
                Statement::Loop { body, continuing, .. } => {
                    let inner = parted.or_else(|| leaving.apart().then(|| self.span(*span)));
                    self.reach(within, body, inner);
                    self.reach(within, continuing, inner);
                }
                other => {
                    if let Some(condition) = parted.filter(|_| is_barrier(other, &self.code.barriers)) {
                        let span = self.span(*span);
                        self.barriers.push((span, condition));
                    }
                }
            }
            if leaving.the_rest() {
                parted = parted.or_else(|| Some(self.span(*span)));
            }
        }
    }

    fn store(&mut self, within: usize, pointer: Handle<Expression>, span: naga::Span) {
        let function = self.code.origins.function(within);
        let Some(handle) = storage(self.code.module, function, pointer) else { return };
        let origin = self.code.origins.path(within, function, pointer);
        let span = self.span(span);
        if origin.has(Origin::INVOCATION) {
            self.stores.get_or_insert(span);
        }
        let Some(global) = self.code.globals.iter().position(|global| *global == handle) else { return };
        if origin.has(Origin::TICKET) && !self.appends.iter().any(|(known, _)| *known == global) {
            self.appends.push((global, span));
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

/// Which functions wait for the whole workgroup, or call one that does, by index; naga puts callees first.
fn barriers(module: &Module) -> Vec<bool> {
    let mut known = Vec::with_capacity(module.functions.len());
    for (_, function) in module.functions.iter() {
        let mut has = false;
        walk::each(&function.body, |statement, _| has |= is_barrier(statement, &known));
        known.push(has);
    }
    known
}

fn is_barrier(statement: &Statement, functions: &[bool]) -> bool {
    match statement {
        Statement::ControlBarrier(_) | Statement::WorkGroupUniformLoad { .. } => true,
        Statement::Call { function, .. } => functions[function.index()],
        _ => false,
    }
}
