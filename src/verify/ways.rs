//! Ways to plan and to run one frame.

use crate::gpu::Trial;
use crate::plan::{Options, Order};

/// How a frame is planned and run.
#[derive(Debug, Clone, PartialEq)]
pub struct Way {
    /// For people.
    pub name: String,
    /// How it is planned.
    pub options: Options,
    /// Draws are joined.
    pub join: bool,
    /// What is made harder.
    pub trial: Trial,
    /// What transients hold before they are written; left as it is if nothing.
    pub marker: Option<u32>,
}

const OBSERVED: Trial = Trial { observed: true, reversed: false, dirty: false };
const PLAIN: Options = Options { alias: false, merge: false, order: Order::File, cull: false };
const BEST: Options = Options { alias: true, merge: true, order: Order::Merge, cull: true };

impl Way {
    fn new(name: impl Into<String>, options: Options) -> Self {
        Self { name: name.into(), options, join: false, trial: OBSERVED, marker: None }
    }

    /// Nothing is optimised, and transients hold zeros.
    pub fn plainest() -> Self {
        Self { marker: Some(0), ..Self::new("nothing optimised", PLAIN) }
    }
}

/// Each optimisation by itself, all together, and what must not matter: an order by each seed, memory that holds something, workgroups
/// that come in another order.
pub fn ways(seeds: u64) -> Vec<Way> {
    let trial = |name: &str, trial: Trial| Way { trial, join: true, ..Way::new(name, BEST) };
    let mut ways = vec![
        Way::new("memory shared", Options { alias: true, ..PLAIN }),
        Way::new("passes merged", Options { merge: true, ..PLAIN }),
        Way::new("passes moved to merge", Options { merge: true, order: Order::Merge, ..PLAIN }),
        Way::new("passes moved to save memory", Options { alias: true, order: Order::Memory, ..PLAIN }),
        Way::new("dead passes left out", Options { cull: true, ..PLAIN }),
        Way { join: true, ..Way::new("draws joined", PLAIN) },
        Way { join: true, ..Way::new("everything optimised", BEST) },
        // Numbers that count little, and floats that weigh something.
        Way { marker: Some(5), ..Way::new("transients filled with 5", PLAIN) },
        Way { marker: Some(1.5_f32.to_bits()), ..Way::new("transients filled with 1.5", PLAIN) },
        Way { marker: Some(5), join: true, ..Way::new("everything optimised, memory filled with 5", BEST) },
        trial("workgroups from last to first in every second frame", Trial { reversed: true, ..OBSERVED }),
        trial("workgroup memory not zeroed", Trial { dirty: true, ..OBSERVED }),
    ];
    for seed in 0..seeds {
        let order = Order::Shuffle(seed);
        ways.push(Way { join: true, ..Way::new(format!("passes shuffled, seed {seed}"), Options { order, ..BEST }) });
    }
    ways
}
