// Writes the bits of a span of tiles and how many are set.
//   out  mask         array<u32>, ceil(n / 32) elements: one bit an instance
//   out  tile_starts  array<u32>, ceil(n / 8,192) elements: bits set in the tiles of its span before each tile
//   out  span_counts  array<u32>, up to 2,048 elements: bits set in each span
//   out  counts       array<u32>, one a batch: zero, as `tile_list.wgsl` wants them
//
// The importing shader declares the four and `fn seen_word(tile: u32, seat: Seat, team: Team) -> u32`, and imports `tile_seat.wgsl` or
// `tile_seat_subgroup.wgsl`. Sums of integers are the same in any order, so the bytes are the same on every run.

// By place in the span: enough for 2^30 instances.
var<workgroup> sh_counts: array<atomic<u32>, 64>;

// Called by all in uniform control flow, once.
fn mask_span(span: u32, seat: Seat, team: Team) {
    let all = arrayLength(&tile_starts);
    let size = span_tiles(all);
    let first = min(span * size, all);
    let tiles = min(size, all - first);
    for (var i = 0u; i < tiles; i++) {
        let at = (first + i) * TILE_WIDTH + seat.place;
        let word = seen_word(first + i, seat, team);
        if at < arrayLength(&mask) {
            mask[at] = word;
        }
        let count = seat_sum(seat, team, countOneBits(word));
        if count != 0u {
            atomicAdd(&sh_counts[i], count);
        }
    }
    workgroupBarrier();
    if seat.place < tiles {
        var before = 0u;
        for (var i = 0u; i < seat.place; i++) {
            before += atomicLoad(&sh_counts[i]);
        }
        tile_starts[first + seat.place] = before;
        if seat.place + 1u == tiles {
            span_counts[span] = before + atomicLoad(&sh_counts[seat.place]);
        }
    }
    if span == 0u {
        for (var batch = seat.place; batch < arrayLength(&counts); batch += TILE_WIDTH) {
            counts[batch] = 0u;
        }
    }
}
