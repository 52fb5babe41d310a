// Bounding spheres, one an object, as `tile_bits.wgsl` asks for them. The importing shader declares `spheres: array<vec4f>` and what
// `frustum_sees.wgsl` wants.

#import "frustum_sees.wgsl"

fn is_visible(index: u32) -> bool {
    let last = arrayLength(&spheres) - 1u;
    return sees(spheres[min(index, last)]) & (index <= last);
}
