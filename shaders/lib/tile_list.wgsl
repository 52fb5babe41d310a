// Writes the visible instances of a tile to their places in the list, and closes batches.
//   in   ranges  array<Range>, one a batch: first and count of its instances
//   out  list    array<u32>: visible instances in order
//   out  starts  array<u32>, one a batch: where its run begins in the list
//   io   counts  array<u32>, one a batch: zero on the way in, the length of its run on the way out
//
// The importing shader declares the four and imports `tile_seat.wgsl` or `tile_seat_subgroup.wgsl`. Instances are gathered in workgroup
// memory first, so that neighbours write to neighbours however few are visible.

#import "batches.wgsl"

// Slots that are gathered at a time.
const WINDOW: u32 = 2048u;
// Elements of a line of memory: writes begin where lines do.
const LINE: u32 = 32u;

var<workgroup> sh_words: array<u32, 256>;
var<workgroup> sh_before: array<u32, 256>;
var<workgroup> sh_total: u32;
// One slot in 33 is left free, so that runs of 32 begin in different memory banks.
var<workgroup> sh_slots: array<u32, 2112>;

fn bank(slot: u32) -> u32 {
    return slot + slot / 32u;
}

// `word`: the bits of this invocation's place; `ranked`: how many are set before it and in all; `base`: how many in all tiles
// before. `tiles`: how many there are. Called by all in uniform control flow, once.
fn list_tile(tile: u32, tiles: u32, place: u32, word: u32, ranked: Ranked, base: u32) {
    sh_words[place] = word;
    sh_before[place] = ranked.before;
    if place == 0u {
        sh_total = ranked.total;
    }
    let total = workgroupUniformLoad(&sh_total);
    close_batches(tile, tile + 1u == tiles, place, base);
    let first = tile * TILE + place * 32u;
    var bits = word;
    var rank = ranked.before;
    for (var begin = 0u; begin < total; begin += WINDOW) {
        let end = min(total, begin + WINDOW);
        while bits != 0u && rank < end {
            sh_slots[bank(rank - begin)] = first + firstTrailingBit(bits);
            bits &= bits - 1u;
            rank++;
        }
        workgroupBarrier();
        let lead = (base + begin) % LINE;
        for (var at = place; at < lead + end - begin; at += TILE_WIDTH) {
            if at >= lead {
                list[base + begin + at - lead] = sh_slots[bank(at - lead)];
            }
        }
        workgroupBarrier();
    }
}

// A batch begins in one tile and ends in one tile. What is before its end less what is before its start is its count, in
// whichever order the two come. Each tile looks at all batches: fine up to some thousands.
fn close_batches(tile: u32, is_last: bool, place: u32, base: u32) {
    for (var batch = place; batch < arrayLength(&ranges); batch += TILE_WIDTH) {
        let range = ranges[batch];
        let end = range.first + range.count;
        if holds(tile, is_last, range.first) {
            let before = base + bits_before(range.first - tile * TILE);
            starts[batch] = before;
            atomicSub(&counts[batch], before);
        }
        if holds(tile, is_last, end) {
            atomicAdd(&counts[batch], base + bits_before(end - tile * TILE));
        }
    }
}

// The place behind the last instance is the last tile's.
fn holds(tile: u32, is_last: bool, instance: u32) -> bool {
    return instance / TILE == tile || (is_last && instance / TILE > tile);
}

// Visible instances among the first `bits` of the tile.
fn bits_before(bits: u32) -> u32 {
    if bits >= TILE {
        return sh_total;
    }
    return sh_before[bits / 32u] + countOneBits(sh_words[bits / 32u] & ((1u << (bits % 32u)) - 1u));
}
