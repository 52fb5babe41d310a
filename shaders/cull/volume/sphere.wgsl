// Frustum cull by bounding sphere: one dot product a plane, right for every turn of the object, generous to long ones.
//   in   view     planes of the camera, inward, normals of length 1
//   in   spheres  array<vec4f>, n elements: centre and radius
//   out  flags    array<u32>, n elements: 1 where visible, else 0
//   dispatch      items n, folded
// What is not a number is culled.

#import "index.wgsl"
#import "frustum.wgsl"

const WG_SIZE: u32 = 64u;

struct View {
    planes: array<vec4f, 6>,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<storage, read> spheres: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> flags: array<u32>;

@compute @workgroup_size(WG_SIZE)
fn cull(
    @builtin(global_invocation_id) global_invocation_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
) {
    let index = linear_index(global_invocation_id, num_workgroups, WG_SIZE);
    if index < arrayLength(&flags) {
        flags[index] = u32(sees(index));
    }
}

fn sees(index: u32) -> bool {
    let sphere = spheres[index];
    var out = !sphere_sound(sphere);
    for (var plane = 0u; plane < 6u; plane++) {
        out |= sphere_outside(view.planes[plane], sphere.xyz, sphere.w);
    }
    return !out;
}
