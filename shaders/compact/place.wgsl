// Compaction by scan, 2 of 3: a visible instance takes the slot that is the number of visible ones before it.
//   in   flags   array<u32>, n elements: visible where not zero
//   in   prefix  array<u32>, n + 1 elements: visible instances before each, and all
//   out  list    array<u32>, n elements: visible instances in order
//   dispatch     items n, folded

#import "index.wgsl"

const WG_SIZE: u32 = 256u;

@group(0) @binding(0) var<storage, read> flags: array<u32>;
@group(0) @binding(1) var<storage, read> prefix: array<u32>;
@group(0) @binding(2) var<storage, read_write> list: array<u32>;

@compute @workgroup_size(WG_SIZE)
fn place(
    @builtin(global_invocation_id) global_invocation_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
) {
    let index = linear_index(global_invocation_id, num_workgroups, WG_SIZE);
    if index < arrayLength(&flags) && flags[index] != 0u {
        list[prefix[index]] = index;
    }
}
