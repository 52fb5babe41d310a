//! Ways through the blocks of naga's IR. They nest no deeper than brackets may.

use naga::{Block, Expression, Handle, Statement};

/// The blocks that stand in a statement.
pub(super) fn blocks(statement: &Statement) -> impl Iterator<Item = &Block> {
    let (own, cases) = match statement {
        Statement::Block(inner) => ([Some(inner), None], &[][..]),
        Statement::If { accept, reject, .. } => ([Some(accept), Some(reject)], &[][..]),
        Statement::Loop { body, continuing, .. } => ([Some(body), Some(continuing)], &[][..]),
        Statement::Switch { cases, .. } => ([None, None], cases.as_slice()),
        _ => ([None, None], &[][..]),
    };
    own.into_iter().flatten().chain(cases.iter().map(|case| &case.body))
}

/// Every statement of a block and of the blocks in it, those of the block itself first.
pub(super) fn each<'b>(body: &'b Block, mut visit: impl FnMut(&'b Statement, naga::Span)) {
    let mut open = vec![body];
    while let Some(block) = open.pop() {
        for (statement, span) in block.span_iter() {
            visit(statement, *span);
            open.extend(blocks(statement));
        }
    }
}

/// How invocations leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exit {
    /// The function.
    Return,
    /// The loop around the statement.
    Break,
    /// This round of it.
    Continue,
}

/// The ways out of a statement, each with whether a condition that `counts` stands around it. Those that only leave a loop or
/// switch within the statement are no ways out of it.
pub(super) fn exits(
    statement: &Statement,
    counts: &dyn Fn(Handle<Expression>) -> bool,
    out: &mut dyn FnMut(Exit, bool),
) {
    exits_within(statement, (false, true), counts, out);
}

/// `behind`: a condition that counts stands around the statement. `own`: a `break` in it leaves what is asked about.
fn exits_within(
    statement: &Statement,
    (behind, own): (bool, bool),
    counts: &dyn Fn(Handle<Expression>) -> bool,
    out: &mut dyn FnMut(Exit, bool),
) {
    let inner = match statement {
        Statement::Return { .. } | Statement::Kill => return out(Exit::Return, behind),
        Statement::Break if own => return out(Exit::Break, behind),
        Statement::Continue if own => return out(Exit::Continue, behind),
        Statement::If { condition, .. } => (behind || counts(*condition), own),
        Statement::Switch { selector, .. } => (behind || counts(*selector), false),
        Statement::Loop { .. } => (behind, false),
        _ => (behind, own),
    };
    for statement in blocks(statement).flatten() {
        exits_within(statement, inner, counts, out);
    }
}
