// Writes the visible instances of a tile to their places in the list, and closes batches.
//   in   ranges  array<Range>, one a batch: first and count of its instances
//   out  list    array<u32>: visible instances in order
//   out  starts  array<u32>, one a batch: where its run begins in the list
//   io   counts  array<u32>, one a batch: zero on the way in, the length of its run on the way out
//
// The importing shader declares the four and imports `tile_seat.wgsl` or `tile_seat_subgroup.wgsl`. Of a dense tile
// an invocation takes a bit at a time, so that neighbours write to neighbours; of a sparse one its word.

#import "batches.wgsl"

// A tile is dense that has at least so many visible instances.
const DENSE: u32 = 1024u;

struct Tile {
    index: u32,
    // How many there are.
    tiles: u32,
    // Which part of it is listed here, and of how many.
    part: u32,
    parts: u32,
    // Visible instances in all tiles before.
    base: u32,
}

// Of each word its bits, and how many visible instances all words before it have, earlier tiles included.
var<workgroup> sh_words: array<vec2u, 256>;

// `word`: the bits of this invocation's place; `ranked`: how many are set before it in this tile, and in all of it. Called by all in
// uniform control flow; between two calls there is a barrier.
fn list_tile(tile: Tile, place: u32, word: u32, ranked: Ranked) {
    // On its way before the barrier.
    let range = ranges[min(place, arrayLength(&ranges) - 1u)];
    sh_words[place] = vec2u(word, tile.base + ranked.before);
    workgroupBarrier();
    if ranked.total >= DENSE || tile.parts > 1u {
        list_bits(tile, place);
    } else {
        list_word(tile, place, word, ranked.before);
    }
    if tile.part == 0u {
        if place < arrayLength(&ranges) {
            close_batch(tile, place, range);
        }
        for (var batch = place + TILE_WIDTH; batch < arrayLength(&ranges); batch += TILE_WIDTH) {
            close_batch(tile, batch, ranges[batch]);
        }
    }
}

// Of each word, 32 neighbours look at a bit each: those that are set write side by side, and how long it takes hangs on nothing.
fn list_bits(tile: Tile, place: u32) {
    let bit = place % 32u;
    let words = 32u / tile.parts;
    let first = place - bit + tile.part * words;
    for (var at = first; at < first + words; at += 8u) {
        // All are read before one is written.
        let w0 = sh_words[at];
        let w1 = sh_words[at + 1u];
        let w2 = sh_words[at + 2u];
        let w3 = sh_words[at + 3u];
        let w4 = sh_words[at + 4u];
        let w5 = sh_words[at + 5u];
        let w6 = sh_words[at + 6u];
        let w7 = sh_words[at + 7u];
        let item = tile.index * TILE + at * 32u + bit;
        list_bit(w0, item, bit);
        list_bit(w1, item + 32u, bit);
        list_bit(w2, item + 64u, bit);
        list_bit(w3, item + 96u, bit);
        list_bit(w4, item + 128u, bit);
        list_bit(w5, item + 160u, bit);
        list_bit(w6, item + 192u, bit);
        list_bit(w7, item + 224u, bit);
    }
}

fn list_bit(word: vec2u, item: u32, bit: u32) {
    // The bit that is looked at becomes the highest, with those before it below.
    let up_to = word.x << (31u - bit);
    if up_to >= 0x80000000u {
        list[word.y + countOneBits(up_to) - 1u] = item;
    }
}

// Each invocation writes the instances of its word: little to do where there are few, and too far apart where there are many.
fn list_word(tile: Tile, place: u32, word: u32, before: u32) {
    let first = tile.index * TILE + place * 32u;
    var bits = word;
    for (var slot = tile.base + before; bits != 0u; slot++) {
        list[slot] = first + firstTrailingBit(bits);
        bits &= bits - 1u;
    }
}

// A batch begins in one tile and ends in one tile. What is before its end less what is before its start is its count, in
// whichever order the two come. Each tile looks at all batches: fine up to some thousands.
fn close_batch(tile: Tile, batch: u32, range: Range) {
    if holds(tile, range.first) {
        let before = listed_before(range.first - tile.index * TILE);
        starts[batch] = before;
        atomicSub(&counts[batch], before);
    }
    let end = range.first + range.count;
    if holds(tile, end) {
        atomicAdd(&counts[batch], listed_before(end - tile.index * TILE));
    }
}

// The place behind the last instance is the last tile's.
fn holds(tile: Tile, instance: u32) -> bool {
    return min(instance / TILE, tile.tiles - 1u) == tile.index;
}

// Visible instances before bit `bit` of the tile, earlier tiles included.
fn listed_before(bit: u32) -> u32 {
    let word = sh_words[min(bit / 32u, TILE_WIDTH - 1u)];
    if bit >= TILE {
        return word.y + countOneBits(word.x);
    }
    return word.y + countOneBits(word.x & ((1u << (bit % 32u)) - 1u));
}
