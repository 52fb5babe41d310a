//! `shaders/scan/*.wgsl`: exclusive prefix sums.

/// Elements that one workgroup takes: `SCAN_TILE` of `shaders/lib/scan.wgsl`.
pub const TILE: u32 = 1024;

/// The exclusive prefix sum of `input`, modulo 2³², in an output of `len` elements.
///
/// Element i is the sum of all inputs before i; behind the end of the input they count as zeros. So elements from
/// `input.len()` on are the total.
///
/// # Law
/// Addition modulo 2³² is associative with the identity 0: a scan of tiles and a scan of their sums give the same.
pub fn exclusive(input: &[u32], len: usize) -> Vec<u32> {
    let mut sum = 0_u32;
    let mut next = |index: usize| {
        let before = sum;
        sum = sum.wrapping_add(input.get(index).copied().unwrap_or(0));
        before
    };
    (0..len).map(&mut next).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_seeds_example() {
        let flags = [1, 0, 0, 1, 1, 0, 1, 0, 0, 1];
        assert_eq!(exclusive(&flags, 11), [0, 1, 1, 1, 2, 3, 3, 4, 4, 4, 5]);
        assert_eq!(exclusive(&flags, 2), [0, 1]);
        assert_eq!(exclusive(&[], 2), [0, 0]);
        assert_eq!(exclusive(&[u32::MAX, 2, 7], 4), [0, u32::MAX, 1, 8]);
    }

    #[test]
    fn the_tile_is_the_shaders() {
        let text = include_str!("../../shaders/lib/scan.wgsl");
        assert!(text.contains(&format!("const SCAN_TILE: u32 = {TILE}u;")));
    }

    proptest! {
        /// Two halves scanned apart, the second raised by the sum of the first, are the scan of the whole.
        #[test]
        fn tiles_join(input in prop::collection::vec(any::<u32>(), 0..300), cut in 0..300usize) {
            let cut = cut.min(input.len());
            let (low, high) = input.split_at(cut);
            let mut joined = exclusive(low, low.len());
            let offset = low.iter().fold(0_u32, |sum, v| sum.wrapping_add(*v));
            joined.extend(exclusive(high, high.len() + 1).iter().map(|v| v.wrapping_add(offset)));
            prop_assert_eq!(joined, exclusive(&input, input.len() + 1));
        }
    }
}
