// Frustum cull of objects in a given order.
//   in   view     planes of the camera, inward, normals of length 1
//   in   pairs0   array<vec2u>, n elements: key, number of the object
//   in   spheres  array<vec4f>, n elements: centre and radius
//   in   halves   array<vec4f>, n elements: half extents
//   out  flags    array<u32>, n elements: 1 where the object of a place is visible, else 0
//   dispatch      items n, folded

#import "index.wgsl"
#import "frustum_box.wgsl"

const WG_SIZE: u32 = 64u;

struct View {
    planes: array<vec4f, 6>,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<storage, read> pairs0: array<vec2u>;
@group(0) @binding(2) var<storage, read> spheres: array<vec4f>;
@group(0) @binding(3) var<storage, read> halves: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> flags: array<u32>;

@compute @workgroup_size(WG_SIZE)
fn cull(
    @builtin(global_invocation_id) global_invocation_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
) {
    let place = linear_index(global_invocation_id, num_workgroups, WG_SIZE);
    if place >= arrayLength(&flags) {
        return;
    }
    let object = pairs0[place].y;
    let center = spheres[object].xyz;
    let half = halves[object].xyz;
    var out = !box_sound(center, half);
    for (var plane = 0u; plane < 6u; plane++) {
        out |= box_outside(view.planes[plane], center, half);
    }
    flags[place] = u32(!out);
}
