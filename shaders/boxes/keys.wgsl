// The order in which the reeds stand in memory: as they were dealt, or along Morton's curve once the keys are sorted.
//   in   how    morton: whether the key is the place on the curve
//   out  pairs0 array<vec2u>, n elements: key, number of the reed
//   dispatch    items n, folded

#import "index.wgsl"
#import "morton.wgsl"
#import "reed.wgsl"

const WG_SIZE: u32 = 64u;

override morton: bool;

@group(0) @binding(0) var<storage, read_write> pairs0: array<vec2u>;

@compute @workgroup_size(WG_SIZE)
fn keys(
    @builtin(global_invocation_id) global_invocation_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
) {
    let index = linear_index(global_invocation_id, num_workgroups, WG_SIZE);
    if index < arrayLength(&pairs0) {
        let place = vec3f(reed_spot(index) / (2.0 * REED_FIELD) + 0.5, 0.0);
        pairs0[index] = vec2u(select(index, morton_code(place), morton), index);
    }
}
