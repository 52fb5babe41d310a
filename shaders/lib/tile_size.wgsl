// Tiles: what one workgroup of the strategies `mask` and `lookback` takes. `reference::mask` has the same numbers.

// Invocations of a workgroup, and words of a tile: each invocation ends up with one word.
const TILE_WIDTH: u32 = 256u;
// Instances of a tile, one bit each.
const TILE: u32 = 8192u;
// The most spans: as many counts as a workgroup adds up by itself.
const SPANS: u32 = 2048u;

// Tiles of a span: what one workgroup of `mask` takes, one after another. One, unless there are very many tiles.
fn span_tiles(tiles: u32) -> u32 {
    return (tiles + SPANS - 1u) / SPANS;
}
