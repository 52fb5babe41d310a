// The bits of a tile that `tile_mask.wgsl` asks for: those of objects that are seen and not hidden. The importing shader declares
// `enabled: array<u32>`, one bit an object, imports what `tile_bits.wgsl` wants, and declares what `tile_mask.wgsl` wants.

#import "tile_mask.wgsl"

// Called by all in uniform control flow; may be called again.
fn seen_word(tile: u32, seat: Seat, team: Team) -> u32 {
    let seen = tile_word(tile, seat, team);
    let at = min(tile * TILE_WIDTH + seat.place, arrayLength(&enabled) - 1u);
    return seen & enabled[at];
}
