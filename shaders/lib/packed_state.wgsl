// A cell's state in one word: bits 0 to 2 are flags, bits 8 to 31 a count. What the count grows beyond is lost at the top and never
// reaches a flag. `reference::packing` is the same on the CPU.

#import "hash.wgsl"

const STATE_BORN: u32 = 1u;
const STATE_BUSY: u32 = 2u;
const STATE_LATE: u32 = 4u;
const STATE_COUNT_FROM: u32 = 8u;
// Adds one to the count.
const STATE_ONE: u32 = 256u;

fn state_count(word: u32) -> u32 {
    return word >> STATE_COUNT_FROM;
}

// The cell that an event hits: blots that move on after four frames, each of 255 cells, one for 352 cells of the board.
fn state_cell(event: u32, frame: u32, cells: u32) -> u32 {
    let blots = max(cells / 352u, 1u);
    let blot = hash(event % blots + blots * (frame / 4u));
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
