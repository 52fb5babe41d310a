//! `shaders/lib/batches.wgsl` and `batch_search.wgsl`: which instances belong to which batch.

/// Instances of a block.
pub const BLOCK: u32 = 256;

/// The instances of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Range {
    /// The first instance.
    pub first: u32,
    /// How many.
    pub count: u32,
}

impl Range {
    /// One behind the last instance.
    pub const fn end(self) -> u32 {
        self.first + self.count
    }
}

/// Blocks of every batch but the last that is not empty.
pub const fn blocks_a_batch(instances: u32, batches: u32) -> u32 {
    instances.div_ceil(BLOCK).div_ceil(batches)
}

/// The instances of a batch. Whole blocks, as many as in each other batch; the last batch that is not empty takes what is
/// left, and those behind it begin at the end.
pub const fn deal(batch: u32, instances: u32, batches: u32) -> Range {
    let size = blocks_a_batch(instances, batches) as u64 * BLOCK as u64;
    let (first, left) = (batch as u64 * size, instances as u64);
    let first = if first < left { first } else { left };
    let count = if size < left - first { size } else { left - first };
    Range { first: first as u32, count: count as u32 }
}

/// The instances of all batches.
pub fn ranges(instances: u32, batches: u32) -> Vec<Range> {
    (0..batches).map(|batch| deal(batch, instances, batches)).collect()
}

/// The last batch that begins at or before `instance`.
pub fn batch_of(instance: u32, ranges: &[Range]) -> u32 {
    let (mut low, mut high) = (0, ranges.len() as u32);
    while high - low > 1 {
        let middle = u32::midpoint(low, high);
        if ranges[middle as usize].first <= instance {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn six_instances_are_one_batch() {
        let dealt = ranges(6, 3);
        assert_eq!(dealt, [(0, 6), (6, 0), (6, 0)].map(|(first, count)| Range { first, count }));
        let dealt = ranges(100_000, 6);
        assert!(dealt[..5].iter().all(|r| r.count == 66 * 256));
        assert_eq!(dealt[5].count, 100_000 - 5 * 66 * 256);
    }

    proptest! {
        #[test]
        fn every_instance_is_dealt_once(instances in 0..200_000u32, batches in 1..70u32, pick in any::<u32>()) {
            let dealt = ranges(instances, batches);
            prop_assert_eq!(dealt[0].first, 0);
            for pair in dealt.windows(2) {
                prop_assert_eq!(pair[0].end(), pair[1].first);
                prop_assert!(pair[1].count == 0 || pair[0].count % BLOCK == 0, "only the last is not in whole blocks");
                prop_assert!(pair[0].count >= pair[1].count);
            }
            prop_assert_eq!(dealt[dealt.len() - 1].end(), instances);
            if instances > 0 {
                let instance = pick % instances;
                let range = dealt[batch_of(instance, &dealt) as usize];
                prop_assert!((range.first..range.end()).contains(&instance));
            }
        }
    }
}
