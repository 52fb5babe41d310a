// Frustum cull by sphere, and by box where the sphere does not decide: it lies wholly inside for most of what is visible.
//   in   view     planes of the camera, inward, normals of length 1
//   in   spheres  array<vec4f>, n elements: centre and radius
//   in   halves   array<vec4f>, n elements: half extents along the world's axes
//   out  flags    array<u32>, n elements: 1 where visible, else 0
//   dispatch      items n, folded
// What is not a number is culled.

#import "index.wgsl"
#import "frustum.wgsl"
#import "frustum_box.wgsl"

const WG_SIZE: u32 = 64u;

struct View {
    planes: array<vec4f, 6>,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<storage, read> spheres: array<vec4f>;
@group(0) @binding(2) var<storage, read> halves: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> flags: array<u32>;

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
    var cuts = false;
    for (var plane = 0u; plane < 6u; plane++) {
        out |= sphere_outside(view.planes[plane], sphere.xyz, sphere.w);
        cuts |= sphere_outside(view.planes[plane], sphere.xyz, -sphere.w);
    }
    if out || !cuts {
        return !out;
    }
    // Only now are the half extents read.
    let half = halves[index].xyz;
    out = !box_sound(sphere.xyz, half);
    for (var plane = 0u; plane < 6u; plane++) {
        out |= box_outside(view.planes[plane], sphere.xyz, half);
    }
    return !out;
}
