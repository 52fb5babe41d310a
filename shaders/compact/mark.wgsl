// Compaction by scan, 1 of 3: flags become 0 or 1, so that their prefix sum counts.
//   in   flags  array<u32>, n elements: visible where not zero
//   out  marks  array<u32>, n elements
//   dispatch    items n, folded

#import "index.wgsl"

const WG_SIZE: u32 = 256u;

@group(0) @binding(0) var<storage, read> flags: array<u32>;
@group(0) @binding(1) var<storage, read_write> marks: array<u32>;

@compute @workgroup_size(WG_SIZE)
fn mark(
    @builtin(global_invocation_id) global_invocation_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
) {
    let index = linear_index(global_invocation_id, num_workgroups, WG_SIZE);
    if index < arrayLength(&flags) {
        marks[index] = select(0u, 1u, flags[index] != 0u);
    }
}
