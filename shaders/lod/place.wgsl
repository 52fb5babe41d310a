// Visible objects to the runs of their batches, in no order within a run.
//   in   batches  array<u32>, n elements: batch of a visible object, else NO_BATCH
//   io   cursors  array<u32>, one a batch: where its run begins on the way in, where it ends on the way out
//   out  list     array<u32>, n elements
//   dispatch      items n, folded

#import "index.wgsl"
#import "lod_batch.wgsl"

const WG_SIZE: u32 = 256u;

@group(0) @binding(0) var<storage, read> batches: array<u32>;
@group(0) @binding(1) var<storage, read_write> cursors: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read_write> list: array<u32>;

@compute @workgroup_size(WG_SIZE)
fn place(
    @builtin(global_invocation_id) global_invocation_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
) {
    let index = linear_index(global_invocation_id, num_workgroups, WG_SIZE);
    if index < arrayLength(&batches) {
        let batch = batches[index];
        if batch != NO_BATCH {
            list[atomicAdd(&cursors[batch], 1u)] = index;
        }
    }
}
