// The bits of a tile, for any device. `tile_bits_subgroup.wgsl` has the same function for devices with subgroups.
//
// The importing shader imports `tile_seat.wgsl` and declares `fn is_visible(index: u32) -> bool`, false behind the last instance.

#import "tile_bits_shared.wgsl"

// The bits of this invocation's word. Called by all in uniform control flow; may be called again.
fn tile_word(tile: u32, seat: Seat, team: Team) -> u32 {
    return shared_word(tile, seat.place);
}
