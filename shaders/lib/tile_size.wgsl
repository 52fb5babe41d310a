// Tiles: what one workgroup of the strategies `mask` and `lookback` takes. `reference::mask` has the same numbers.

// Invocations of a workgroup, and words of a tile: each invocation ends up with one word.
const TILE_WIDTH: u32 = 256u;
// Instances of a tile, one bit each.
const TILE: u32 = 8192u;
// Tiles of a row: as many counts as a workgroup adds up at once.
const ROW: u32 = 256u;
