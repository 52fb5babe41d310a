// Packed bounding spheres, one an object, as `tile_bits.wgsl` asks for them. The importing shader declares `bounds: array<vec2u>`,
// `cube` with `extent` and `radius`, and what `frustum_sees.wgsl` wants.

#import "frustum_sees.wgsl"
#import "packed_sphere.wgsl"

fn is_visible(index: u32) -> bool {
    let last = arrayLength(&bounds) - 1u;
    let sphere = unpack_sphere(bounds[min(index, last)], cube.extent, cube.radius);
    let seen = reaches(sphere.center, sphere.radius) | (sphere.code == PACKED_ALWAYS);
    return seen & (sphere.code != PACKED_NEVER) & (index <= last);
}
