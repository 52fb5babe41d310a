// Batches: instances that are drawn by one call, standing side by side.
//
// Instances are dealt to batches in whole blocks of 256, so that a workgroup of 256 never straddles two batches. Every
// batch but the last that is not empty has as many blocks as each other; the last takes what is left, and nothing is padded.
// Batches behind it are empty and begin at the end. `reference::batch` is the same on the CPU.

// Instances of a block.
const BLOCK: u32 = 256u;

struct Range {
    // The first instance of the batch.
    first: u32,
    // How many it has.
    count: u32,
}

// Blocks of every batch but the last that is not empty.
fn blocks_a_batch(instances: u32, batches: u32) -> u32 {
    let blocks = (instances + BLOCK - 1u) / BLOCK;
    return (blocks + batches - 1u) / batches;
}

// The instances of a batch.
fn deal(batch: u32, instances: u32, batches: u32) -> Range {
    let size = blocks_a_batch(instances, batches) * BLOCK;
    let first = min(batch * size, instances);
    return Range(first, min(size, instances - first));
}
