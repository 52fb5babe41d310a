// A cell's state in one word: bits 0 to 23 count, bits 24 to 26 are flags. `reference::packing` is the same on the CPU.

#import "hash.wgsl"

const STATE_COUNT_BITS: u32 = 24u;
const STATE_BORN: u32 = 0x1000000u;
const STATE_BUSY: u32 = 0x2000000u;
const STATE_LATE: u32 = 0x4000000u;

fn state_count(word: u32) -> u32 {
    return extractBits(word, 0u, STATE_COUNT_BITS);
}

// The cell that an event hits: a drift of blots, the same whichever way states are kept.
fn state_cell(event: u32, frame: u32, cells: u32) -> u32 {
    let blot = hash(event % 23u + 977u * (frame / 4u));
    let around = hash(hash(event) + frame);
    let spread = (around & 255u) * (around >> 8u & 255u) >> 8u;
    let row = max(u32(sqrt(f32(cells) * 16.0 / 9.0)), 1u);
    return (blot % cells + spread % 17u + row * (spread / 17u)) % cells;
}

// The flags that a hit sets which found `before` hits.
fn state_flags(before: u32, frame: u32) -> u32 {
    let born = select(0u, STATE_BORN, before == 0u);
    let busy = select(0u, STATE_BUSY, before >= 7u);
    return born | busy | select(0u, STATE_LATE, frame >= 6u && before < 3u);
}
