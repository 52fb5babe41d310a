// Writes the bits of a tile and how many are set.
//   out  mask         array<u32>, ceil(n / 32) elements: one bit an instance
//   out  tile_counts  array<u32>, ceil(n / 8,192) elements: bits set in each tile
//   io   row_counts   array<u32>, zero on the way in: bits set in each row of 256 tiles but the last
//
// The importing shader declares the three and imports `tile_seat.wgsl` or `tile_seat_subgroup.wgsl`. Sums of integers are the same
// in any order, so the bytes are the same on every run.

var<workgroup> sh_count: atomic<u32>;

// Called by all in uniform control flow, once.
fn mask_tile(tile: u32, seat: Seat, team: Team, word: u32) {
    let at = tile * TILE_WIDTH + seat.place;
    if at < arrayLength(&mask) {
        mask[at] = word;
    }
    let count = seat_sum(seat, team, countOneBits(word));
    if count != 0u {
        atomicAdd(&sh_count, count);
    }
    workgroupBarrier();
    if seat.place == 0u && tile < arrayLength(&tile_counts) {
        let all = atomicLoad(&sh_count);
        tile_counts[tile] = all;
        if tile / ROW < arrayLength(&row_counts) {
            atomicAdd(&row_counts[tile / ROW], all);
        }
    }
}
