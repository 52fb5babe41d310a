//! `shaders/compact/mask.wgsl`, `scatter.wgsl` and `lookback.wgsl`, with subgroups or without: one bit an instance, and the list
//! of those that are set.

use super::batch::Range;
use super::compact::Compacted;

/// Instances of a tile: `TILE` of `shaders/lib/tile_size.wgsl`.
pub const TILE: u32 = 8192;

/// One bit an instance, 32 to a word, the first one lowest; bits behind the last instance are zero.
pub fn mask(flags: &[u32]) -> Vec<u32> {
    let bit = |(at, flag): (usize, &u32)| u32::from(*flag != 0) << at;
    flags.chunks(32).map(|word| word.iter().enumerate().map(bit).sum()).collect()
}

/// How many bits are set in each tile.
pub fn tile_counts(mask: &[u32]) -> Vec<u32> {
    mask.chunks(TILE as usize / 32).map(|tile| tile.iter().map(|word| word.count_ones()).sum()).collect()
}

/// The instances whose bits are set, in order, and the run of each batch.
pub fn scatter(mask: &[u32], ranges: &[Range]) -> Compacted {
    let is_set = |instance: &u32| mask[*instance as usize / 32] >> (instance % 32) & 1 != 0;
    let list: Vec<u32> = (0..mask.len() as u32 * 32).filter(is_set).collect();
    let before = |instance: u32| list.partition_point(|listed| *listed < instance) as u32;
    let starts: Vec<u32> = ranges.iter().map(|range| before(range.first)).collect();
    let counts = ranges.iter().zip(&starts).map(|(range, start)| before(range.end()) - start).collect();
    Compacted { list, starts, counts }
}

/// What one pass makes of flags: the same as two passes do by way of the mask.
pub fn lookback(flags: &[u32], ranges: &[Range]) -> Compacted {
    scatter(&mask(flags), ranges)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::batch::ranges;
    use super::super::compact;
    use super::*;

    #[test]
    fn the_tile_is_the_shaders() {
        let text = include_str!("../../shaders/lib/tile_size.wgsl");
        assert!(text.contains(&format!("const TILE: u32 = {TILE}u;")));
        assert!(text.contains(&format!("const TILE_WIDTH: u32 = {}u;", TILE / 32)));
    }

    #[test]
    fn bits_stand_in_order() {
        let mut flags = vec![0; 40];
        (flags[0], flags[31], flags[33]) = (7, 1, u32::MAX);
        assert_eq!(mask(&flags), [0x8000_0001, 2]);
        assert_eq!(tile_counts(&mask(&flags)), [3]);
        assert_eq!(mask(&[]), [0; 0]);
    }

    proptest! {
        #[test]
        fn it_is_the_scan_by_another_road(flags in prop::collection::vec(0..3u32, 0..20_000), batches in 1..9u32) {
            let ranges = ranges(flags.len() as u32, batches);
            let expected = compact::scan(&flags, &ranges);
            prop_assert_eq!(&lookback(&flags, &ranges), &expected);
            prop_assert_eq!(tile_counts(&mask(&flags)).iter().sum::<u32>() as usize, expected.list.len());
        }
    }
}
