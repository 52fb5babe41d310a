// From the bits of all tiles to the list.
//   in   mask         array<u32>: one bit an instance
//   in   tile_counts  array<u32>: bits set in each tile
//   in   row_counts   array<u32>: bits set in each row of 256 tiles but the last
//   and what `tile_list.wgsl` wants
//
// There is no pass for the sum over tiles: a workgroup adds up the rows before its own and the tiles before it in its row,
// one number an invocation. With rows of 256 tiles of 8,192 instances that is enough for 536 million of them in one step.

#import "tile_list.wgsl"

var<workgroup> sh_base: atomic<u32>;

// Called by all in uniform control flow, once.
fn scatter_tile(tile: u32, seat: Seat, team: Team) {
    let tiles = arrayLength(&tile_counts);
    if tile >= tiles {
        return;
    }
    let at = tile * TILE_WIDTH + seat.place;
    var word = 0u;
    if at < arrayLength(&mask) {
        word = mask[at];
    }
    let row = tile / ROW;
    var earlier = 0u;
    if seat.place < tile % ROW {
        earlier = tile_counts[row * ROW + seat.place];
    }
    for (var other = seat.place; other < row; other += TILE_WIDTH) {
        earlier += row_counts[other];
    }
    earlier = seat_sum(seat, team, earlier);
    if earlier != 0u {
        atomicAdd(&sh_base, earlier);
    }
    // Its barrier stands between these additions and their sum.
    let ranked = seat_scan(seat, team, countOneBits(word));
    list_tile(tile, tiles, seat.place, word, ranked, atomicLoad(&sh_base));
}
