//! `shaders/compact/*.wgsl`: the visible instances of each batch, side by side.
//!
//! An instance is visible where its flag is not zero, whatever the number.

use super::batch::{BLOCK, Range};

/// A list with the run of each batch.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Compacted {
    /// Instances. What lies outside of the runs is unspecified.
    pub list: Vec<u32>,
    /// One a batch: where its run begins.
    pub starts: Vec<u32>,
    /// One a batch: how long its run is.
    pub counts: Vec<u32>,
}

impl Compacted {
    /// The run of each batch; as much of it as the list holds.
    pub fn runs(&self) -> impl Iterator<Item = &[u32]> {
        self.starts.iter().zip(&self.counts).map(|(start, count)| {
            let start = (*start as usize).min(self.list.len());
            &self.list[start..(start + *count as usize).min(self.list.len())]
        })
    }
}

/// What `compact/scan` makes: all visible instances in order, the runs close together.
pub fn scan(flags: &[u32], ranges: &[Range]) -> Compacted {
    let prefix = super::scan::exclusive(&flags.iter().map(|f| u32::from(*f != 0)).collect::<Vec<_>>(), flags.len() + 1);
    let list = (0..).zip(flags).filter(|(_, flag)| **flag != 0).map(|(instance, _)| instance).collect();
    let starts: Vec<u32> = ranges.iter().map(|range| prefix[range.first as usize]).collect();
    let counts = ranges.iter().zip(&starts).map(|(range, start)| prefix[range.end() as usize] - start).collect();
    Compacted { list, starts, counts }
}

/// What `compact/atomic` and `compact/aggregated` make, but for the order within a run: each run begins where the batch's
/// instances do. Here it is in order; the rest of the list is zeros.
pub fn append(flags: &[u32], ranges: &[Range]) -> Compacted {
    let mut all = Compacted { list: vec![0; flags.len()], ..Compacted::default() };
    for range in ranges {
        let visible = (range.first..range.end()).filter(|instance| flags[*instance as usize] != 0);
        let mut slot = range.first;
        for instance in visible {
            all.list[slot as usize] = instance;
            slot += 1;
        }
        all.starts.push(range.first);
        all.counts.push(slot - range.first);
    }
    all
}

/// Whether a run is one that `compact/aggregated` may make: the instances of a block stand side by side and in order.
pub fn keeps_blocks(run: &[u32]) -> bool {
    let blocks: Vec<&[u32]> = run.chunk_by(|a, b| a / BLOCK == b / BLOCK).collect();
    let mut seen: Vec<u32> = blocks.iter().map(|block| block[0] / BLOCK).collect();
    seen.sort_unstable();
    seen.windows(2).all(|pair| pair[0] != pair[1]) && blocks.iter().all(|block| block.is_sorted_by(|a, b| a < b))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::batch::ranges;
    use super::*;

    #[test]
    fn the_seeds_example() {
        let flags = [1, 0, 0, 7, 1, 0, u32::MAX, 0, 0, 1];
        let scanned = scan(&flags, &ranges(10, 2));
        assert_eq!(scanned.list, [0, 3, 4, 6, 9]);
        assert_eq!((scanned.starts, scanned.counts), (vec![0, 5], vec![5, 0]));
    }

    #[test]
    fn blocks_are_told_from_a_mixture() {
        assert!(keeps_blocks(&[256, 300, 511, 0, 7, 512]));
        assert!(!keeps_blocks(&[256, 0, 300]), "a block in two parts");
        assert!(!keeps_blocks(&[7, 3]), "a block out of order");
        assert!(!keeps_blocks(&[7, 7]), "an instance twice");
        assert!(keeps_blocks(&[]));
    }

    proptest! {
        #[test]
        fn strategies_agree(flags in prop::collection::vec(0..3u32, 0..2000), batches in 1..9u32) {
            let ranges = ranges(flags.len() as u32, batches);
            let (scanned, appended) = (scan(&flags, &ranges), append(&flags, &ranges));
            prop_assert_eq!(&scanned.counts, &appended.counts);
            prop_assert!(scanned.runs().eq(appended.runs()));
            prop_assert!(scanned.runs().all(keeps_blocks));
            prop_assert_eq!(scanned.runs().flatten().count(), scanned.list.len(), "the runs are the whole list");
            prop_assert!(scanned.list.iter().all(|i| flags[*i as usize] != 0));
            prop_assert!(scanned.list.is_sorted_by(|a, b| a < b));
            prop_assert_eq!(scanned.list.len(), flags.iter().filter(|f| **f != 0).count());
        }
    }
}
