// From places in the drawing order to the objects that stand there.
//   in   places  array<u32>, n elements: as many as `counts` says
//   in   counts  array<u32>, one
//   in   pairs0  array<vec2u>, n elements: key, number of the object
//   out  list    array<u32>, n elements
//   dispatch     items n, folded

#import "index.wgsl"

const WG_SIZE: u32 = 64u;

@group(0) @binding(0) var<storage, read> places: array<u32>;
@group(0) @binding(1) var<storage, read> counts: array<u32>;
@group(0) @binding(2) var<storage, read> pairs0: array<vec2u>;
@group(0) @binding(3) var<storage, read_write> list: array<u32>;

@compute @workgroup_size(WG_SIZE)
fn look_up(
    @builtin(global_invocation_id) global_invocation_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
) {
    let at = linear_index(global_invocation_id, num_workgroups, WG_SIZE);
    if at < min(counts[0], arrayLength(&list)) {
        list[at] = pairs0[places[at]].y;
    }
}
