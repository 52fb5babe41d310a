// The batch of an instance, from a sorted table that the importing shader declares as `ranges: array<Range>`.

#import "batches.wgsl"

// The last batch that begins at or before `instance`: a binary search. Empty batches stand at the end.
fn batch_of(instance: u32) -> u32 {
    var low = 0u;
    var high = arrayLength(&ranges);
    while high - low > 1u {
        let middle = (low + high) / 2u;
        if ranges[middle].first <= instance {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}
