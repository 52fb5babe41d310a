// Bounding spheres of 8 bytes that hold the spheres they were made from. `reference::packed` is the same on the CPU.
//
// Sixteen bits each for x, y, z (of a cube around the origin) and the radius, rounded up by more than the centre moved. A radius of 0
// stands for what is not a number and is never seen, the largest one for what the format cannot hold and is always seen.

const PACKED_NEVER: u32 = 0u;
const PACKED_ALWAYS: u32 = 65535u;
// Steps of the grid from the origin to a face of the cube.
const PACKED_HALF: f32 = 32768.0;
// Steps of the radius.
const PACKED_RADII: f32 = 65534.0;
// The farthest that a centre moves, in steps of the grid: half a space diagonal, 0.867, and some for rounding.
const PACKED_MOVED: f32 = 0.9;

struct Unpacked {
    center: vec3f,
    radius: f32,
    // The radius as it is stored.
    code: u32,
}

// `extent`: half an edge of the cube; `reach`: the largest radius; both above zero.
fn pack_sphere(sphere: vec4f, extent: f32, reach: f32) -> vec2u {
    if !sphere_sound(sphere) {
        return vec2u(0u, PACKED_NEVER);
    }
    let step = extent / PACKED_HALF;
    let place = round(sphere.xyz / step) + PACKED_HALF;
    let radius = ceil((abs(sphere.w) + PACKED_MOVED * step) / (reach / PACKED_RADII)) + 1.0;
    if any(place < vec3f(0.0)) || any(place > vec3f(65535.0)) || radius > PACKED_RADII {
        return vec2u(0u, PACKED_ALWAYS << 16u);
    }
    let code = vec3u(place);
    return vec2u(code.x | (code.y << 16u), code.z | (u32(radius) << 16u));
}

fn unpack_sphere(packed: vec2u, extent: f32, reach: f32) -> Unpacked {
    let place = vec3f(vec3u(packed.x & 0xffffu, packed.x >> 16u, packed.y & 0xffffu));
    let code = packed.y >> 16u;
    return Unpacked((place - PACKED_HALF) * (extent / PACKED_HALF), f32(code) * (reach / PACKED_RADII), code);
}
