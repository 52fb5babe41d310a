// First half: what last frame saw and the frustum holds is drawn at once.
//   in   view     planes of the camera, inward, normals of length 1
//   in   spheres  array<vec4f>, n elements: centre and radius
//   in   halves   array<vec4f>, n elements: half extents
//   in   seen     array<u32>, ceil(n / 32) elements: last frame's verdicts, one bit an object
//   out  list     array<u32>, n elements: as many as `args` counts, in no order
//   io   args     array<TalliedArgs>, one: zero instances on the way in
//   dispatch      items n, folded

#import "index.wgsl"
#import "frustum_box.wgsl"
#import "tallied_args.wgsl"

const WG_SIZE: u32 = 64u;

struct View {
    planes: array<vec4f, 6>,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<storage, read> spheres: array<vec4f>;
@group(0) @binding(2) var<storage, read> halves: array<vec4f>;
@group(0) @binding(3) var<storage, read> seen: array<u32>;
@group(0) @binding(4) var<storage, read_write> list: array<u32>;
@group(0) @binding(5) var<storage, read_write> args: array<TalliedArgs>;

@compute @workgroup_size(WG_SIZE)
fn early(
    @builtin(global_invocation_id) global_invocation_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
) {
    let index = linear_index(global_invocation_id, num_workgroups, WG_SIZE);
    if index >= arrayLength(&list) || extractBits(seen[index / 32u], index % 32u, 1u) == 0u {
        return;
    }
    var out = false;
    for (var plane = 0u; plane < 6u; plane++) {
        out |= box_outside(view.planes[plane], spheres[index].xyz, halves[index].xyz);
    }
    if !out {
        list[atomicAdd(&args[0].instance_count, 1u)] = index;
    }
}
