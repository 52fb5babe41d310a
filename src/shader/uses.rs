//! What code does to the variables of its module.
//!
//! naga's analysis has the same answer for most of it, and its answer decides what wgpu wants bound; but it counts a
//! texture that is handed to a function as read, and an atomic addition as a read and a write like any other. So the code
//! is walked once more, callees first, with what a function does to its arguments told to its callers.

use std::collections::BTreeSet;

use naga::{Block, Expression, Function, GlobalVariable, Handle, Module, Override, Statement};

use super::walk;

/// What is done to one variable.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Access(u8);

impl Access {
    const READ: Self = Self(1);
    const WRITE: Self = Self(2);
    const ACCUMULATE: Self = Self(4);
    const SAMPLE: Self = Self(8);

    const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) const fn reads(self) -> bool {
        self.has(Self::READ)
    }

    pub(super) const fn writes(self) -> bool {
        self.has(Self::WRITE)
    }

    pub(super) const fn accumulates(self) -> bool {
        self.has(Self::ACCUMULATE)
    }

    pub(super) const fn samples(self) -> bool {
        self.has(Self::SAMPLE)
    }
}

/// What a function and those it calls do.
#[derive(Debug, Clone)]
pub(super) struct Summary {
    /// By the index of the global.
    globals: Vec<Access>,
    arguments: Vec<Access>,
    /// Named or not.
    pub(super) overrides: BTreeSet<Handle<Override>>,
}

impl Summary {
    pub(super) fn of(&self, global: Handle<GlobalVariable>) -> Access {
        self.globals[global.index()]
    }
}

/// Summaries of all functions that are no entry points, callees before callers as naga orders them.
pub(super) fn functions(module: &Module) -> Vec<Summary> {
    let mut done = Vec::with_capacity(module.functions.len());
    for (_, function) in module.functions.iter() {
        let summary = summary(module, function, &done);
        done.push(summary);
    }
    done
}

/// What `function` does, given all functions that it can call.
pub(super) fn summary(module: &Module, function: &Function, callees: &[Summary]) -> Summary {
    let summary = Summary {
        globals: vec![Access::default(); module.global_variables.len()],
        arguments: vec![Access::default(); function.arguments.len()],
        overrides: BTreeSet::new(),
    };
    let mut walk = Walk { function, summary };
    for (_, expression) in function.expressions.iter() {
        walk.expression(expression);
    }
    walk.block(&function.body, callees);
    walk.summary
}

struct Walk<'a> {
    function: &'a Function,
    summary: Summary,
}

impl Walk<'_> {
    /// Adds an access to whatever `place` is part of.
    fn add(&mut self, mut place: Handle<Expression>, access: Access) {
        loop {
            let slot = match self.function.expressions[place] {
                Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => {
                    place = base;
                    continue;
                }
                Expression::GlobalVariable(global) => &mut self.summary.globals[global.index()],
                Expression::FunctionArgument(index) => &mut self.summary.arguments[index as usize],
                _ => return,
            };
            *slot = slot.and(access);
            return;
        }
    }

    fn expression(&mut self, expression: &Expression) {
        match *expression {
            Expression::Load { pointer } => self.add(pointer, Access::READ),
            Expression::ImageLoad { image, .. } => self.add(image, Access::READ),
            Expression::ImageSample { image, sampler, .. } => {
                self.add(image, Access::READ.and(Access::SAMPLE));
                self.add(sampler, Access::READ);
            }
            Expression::CooperativeLoad { ref data, .. } => self.add(data.pointer, Access::READ),
            Expression::Override(handle) => {
                self.summary.overrides.insert(handle);
            }
            _ => {}
        }
    }

    fn block(&mut self, body: &Block, callees: &[Summary]) {
        walk::each(body, |statement, _| match statement {
            Statement::Call { function, arguments, .. } => self.call(&callees[function.index()], arguments),
            other => self.statement(other),
        });
    }

    fn statement(&mut self, statement: &Statement) {
        let update = Access::READ.and(Access::WRITE);
        match *statement {
            Statement::Store { pointer, .. } => self.add(pointer, Access::WRITE),
            Statement::ImageStore { image, .. } => self.add(image, Access::WRITE),
            // An exchange leaves nothing of the old value behind.
            Statement::Atomic { pointer, fun: naga::AtomicFunction::Exchange { compare: None }, .. } => {
                self.add(pointer, update);
            }
            Statement::Atomic { pointer, .. } => self.add(pointer, update.and(Access::ACCUMULATE)),
            Statement::ImageAtomic { image, .. } => self.add(image, update.and(Access::ACCUMULATE)),
            Statement::WorkGroupUniformLoad { pointer, .. } => self.add(pointer, Access::READ),
            Statement::CooperativeStore { ref data, .. } => self.add(data.pointer, Access::WRITE),
            Statement::RayQuery { fun: naga::RayQueryFunction::Initialize { acceleration_structure, .. }, .. } => {
                self.add(acceleration_structure, Access::READ);
            }
            _ => {}
        }
    }

    fn call(&mut self, callee: &Summary, arguments: &[Handle<Expression>]) {
        for (mine, theirs) in self.summary.globals.iter_mut().zip(&callee.globals) {
            *mine = mine.and(*theirs);
        }
        self.summary.overrides.extend(&callee.overrides);
        for (argument, access) in arguments.iter().zip(&callee.arguments) {
            self.add(*argument, *access);
        }
    }
}
