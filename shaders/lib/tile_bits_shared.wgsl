// The bits of a tile, through workgroup memory.
//
// The importing shader declares `fn is_visible(index: u32) -> bool`, false behind the last instance.

#import "tile_size.wgsl"

var<workgroup> sh_bits: array<atomic<u32>, 256>;

// Word `place` of a tile: the bits of 32 instances, the first one lowest. `place` is another one for each invocation, 0 to 255.
// Called by all in uniform control flow; may be called again.
fn shared_word(tile: u32, place: u32) -> u32 {
    atomicStore(&sh_bits[place], 0u);
    workgroupBarrier();
    for (var round = 0u; round < TILE; round += 4u * TILE_WIDTH) {
        let at = round + 4u * place;
        let index = tile * TILE + at;
        let seen = vec4<bool>(is_visible(index), is_visible(index + 1u), is_visible(index + 2u), is_visible(index + 3u));
        let bits = vec4u(seen) << vec4u(0u, 1u, 2u, 3u);
        atomicOr(&sh_bits[at / 32u], (bits.x | bits.y | bits.z | bits.w) << (at % 32u));
    }
    workgroupBarrier();
    return atomicLoad(&sh_bits[place]);
}
