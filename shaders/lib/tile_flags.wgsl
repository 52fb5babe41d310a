// Flags, one an instance, as `tile_bits.wgsl` asks for them. The importing shader declares `flags: array<u32>`.

// Any number but zero is visible. No branch: reads that do not hang on each other are under way together.
fn is_visible(index: u32) -> bool {
    let last = arrayLength(&flags) - 1u;
    return (flags[min(index, last)] != 0u) & (index <= last);
}

// What `tile_mask.wgsl` asks for.
fn seen_word(tile: u32, seat: Seat, team: Team) -> u32 {
    return tile_word(tile, seat, team);
}
