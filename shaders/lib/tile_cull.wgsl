// Culls a tile and writes its bits: those of objects that are seen and not hidden. The importing shader declares
// `enabled: array<u32>`, one bit an object, imports what `tile_bits.wgsl` wants, and declares what `tile_mask.wgsl` wants.

#import "tile_mask.wgsl"

// Called by all in uniform control flow, once.
fn cull_tile(tile: u32, seat: Seat, team: Team) {
    let seen = tile_word(tile, seat, team);
    let at = min(tile * TILE_WIDTH + seat.place, arrayLength(&enabled) - 1u);
    mask_tile(tile, seat, team, seen & enabled[at]);
}
