//! Whether two results are equal, and how far they are not.

use std::collections::HashMap;
use std::fmt;

/// How bytes are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Elements {
    /// Bytes of one element.
    pub stride: usize,
    /// Which elements there are counts, and not where.
    pub any_order: bool,
}

/// How two results differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Difference {
    /// Elements that differ; where order means nothing, those that only the first result has.
    pub count: usize,
    /// Elements of the longer result.
    pub of: usize,
    /// The first element that differs, where order means something.
    pub first: Option<usize>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} differ", self.count, self.of)?;
        self.first.map_or(Ok(()), |first| write!(f, ", the first at {first}"))
    }
}

/// Compares two results; nothing where they are equal.
pub fn compare(a: &[u8], b: &[u8], elements: Elements) -> Option<Difference> {
    if a == b {
        return None;
    }
    let stride = elements.stride.max(1);
    let of = a.len().max(b.len()).div_ceil(stride);
    if elements.any_order {
        let count = only_in(a, b, stride).max(only_in(b, a, stride));
        return (count > 0).then_some(Difference { count, of, first: None });
    }
    let differs = |at: &usize| part(a, *at, stride) != part(b, *at, stride);
    let count = (0..of).filter(differs).count();
    Some(Difference { count, of, first: (0..of).find(differs) })
}

fn part(bytes: &[u8], at: usize, stride: usize) -> &[u8] {
    let start = (at * stride).min(bytes.len());
    &bytes[start..(start + stride).min(bytes.len())]
}

/// Elements of `a` that `b` has not, each as often as it is missing.
fn only_in(a: &[u8], b: &[u8], stride: usize) -> usize {
    let mut known: HashMap<&[u8], isize> = HashMap::new();
    b.chunks(stride).for_each(|element| *known.entry(element).or_default() += 1);
    a.chunks(stride).for_each(|element| *known.entry(element).or_default() -= 1);
    known.values().filter(|count| **count < 0).map(|count| count.unsigned_abs()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_counts_or_does_not() {
        let [kept, any] = [false, true].map(|any_order| Elements { stride: 2, any_order });
        let (a, b) = ([1, 1, 2, 2, 3, 3], [2, 2, 1, 1, 3, 3]);
        assert_eq!(compare(&a, &a, kept), None);
        assert_eq!(compare(&a, &b, any), None);
        let difference = compare(&a, &b, kept).unwrap();
        assert_eq!(difference, Difference { count: 2, of: 3, first: Some(0) });
        assert_eq!(difference.to_string(), "2 of 3 differ, the first at 0");
    }

    #[test]
    fn elements_count_as_often_as_they_are_there() {
        let any = Elements { stride: 1, any_order: true };
        assert_eq!(compare(&[1, 1, 2], &[1, 2, 2], any).unwrap().count, 1);
        assert_eq!(compare(&[1, 2], &[1, 2, 3], any).unwrap().count, 1);
        let kept = Elements { stride: 4, any_order: false };
        assert_eq!(compare(&[0; 8], &[0; 4], kept).unwrap().first, Some(1));
    }
}
