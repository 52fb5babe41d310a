// Batches of kinds and levels of detail.

// As many as a workgroup of 256 can scan.
const MOST_BATCHES: u32 = 256u;
// Of an object that is not drawn.
const NO_BATCH: u32 = 0xffffffffu;

// A draw: where its run begins in the list, and its batch.
struct LodRun {
    first: u32,
    batch: u32,
}
