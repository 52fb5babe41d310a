// All bits set: every object counts as seen.
//   out  seen  array<u32>
//   dispatch   items one a word, folded

#import "index.wgsl"

const WG_SIZE: u32 = 64u;

@group(0) @binding(0) var<storage, read_write> seen: array<u32>;

@compute @workgroup_size(WG_SIZE)
fn all_seen(
    @builtin(global_invocation_id) global_invocation_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
) {
    let word = linear_index(global_invocation_id, num_workgroups, WG_SIZE);
    if word < arrayLength(&seen) {
        seen[word] = 0xffffffffu;
    }
}
