//! Rules about order: what makes a plan impossible.

use crate::diagnostic::{Rule, rule};

rule! {
    pub DEPENDENCY_CYCLE = Error "dependency-cycle": "passes wait for each other";
    pub READ_BEFORE_WRITE = Error "read-before-write": "a pass reads what nothing wrote";
    pub UNCLEARED_ACCUMULATOR = Error "uncleared-accumulator": "a counter is added to and never cleared";
    pub ONCE_SHARES_TRANSIENT = Error "once-shares-transient": "a `Once` pass and the frame share what does not last";
    pub ONCE_AFTER_FRAME = Error "once-after-frame": "a `Once` pass is told to come after what runs later";
    pub CONDITIONAL_WRITE = Error "conditional-write": "a pass that does not run in every frame writes what does not last";
    pub TOO_MANY_HAZARDS = Error "too-many-hazards": "the frame has more hazards than can be planned";
}

/// All rules of this layer.
pub static ALL: &[&Rule] = &[
    &DEPENDENCY_CYCLE,
    &READ_BEFORE_WRITE,
    &UNCLEARED_ACCUMULATOR,
    &ONCE_SHARES_TRANSIENT,
    &ONCE_AFTER_FRAME,
    &CONDITIONAL_WRITE,
    &TOO_MANY_HAZARDS,
];
