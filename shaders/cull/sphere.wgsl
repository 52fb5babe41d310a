// Frustum cull by bounding sphere, one invocation an object.
//   in   view     planes (inward, normals of length 1) and eye of the camera
//   in   spheres  array<vec4f>, n elements: centre and radius; a negative radius counts as its absolute value
//   in   enabled  array<u32>, ceil(n / 32) elements: one bit an object, 0 hides it
//   in   max_distance, world units: what begins farther from the eye is culled
//   out  flags    array<u32>, n elements: 1 where visible, else 0
//   dispatch      items n, folded
// What is not a number is culled: a NaN anywhere, or a centre infinitely far. An infinite radius reaches everywhere.

#import "index.wgsl"
#import "frustum.wgsl"

const WG_SIZE: u32 = 64u;

struct View {
    planes: array<vec4f, 6>,
    eye: vec3f,
}

struct Reach {
    max_distance: f32,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<uniform> reach: Reach;
@group(0) @binding(2) var<storage, read> spheres: array<vec4f>;
@group(0) @binding(3) var<storage, read> enabled: array<u32>;
@group(0) @binding(4) var<storage, read_write> flags: array<u32>;

@compute @workgroup_size(WG_SIZE)
fn cull(
    @builtin(global_invocation_id) global_invocation_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
) {
    let index = linear_index(global_invocation_id, num_workgroups, WG_SIZE);
    if index >= arrayLength(&spheres) {
        return;
    }
    let on = ((enabled[index / 32u] >> (index % 32u)) & 1u) != 0u;
    flags[index] = u32(on && sees(spheres[index]));
}

fn sees(sphere: vec4f) -> bool {
    let radius = abs(sphere.w);
    if !sphere_sound(sphere) || sphere_beyond(view.eye, reach.max_distance, sphere.xyz, radius) {
        return false;
    }
    for (var plane = 0u; plane < 6u; plane++) {
        if sphere_outside(view.planes[plane], sphere.xyz, radius) {
            return false;
        }
    }
    return true;
}
