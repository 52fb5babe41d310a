// Compaction by scan, 3 of 3: where the run of each batch begins in the list and how long it is.
//   in   prefix  array<u32>, n + 1 elements: visible instances before each, and all
//   in   ranges  array<Range>, one a batch: first and count of its instances
//   out  starts  array<u32>, one a batch
//   out  counts  array<u32>, one a batch
//   dispatch     items one a batch, folded

#import "index.wgsl"
#import "batches.wgsl"

const WG_SIZE: u32 = 64u;

@group(0) @binding(0) var<storage, read> prefix: array<u32>;
@group(0) @binding(1) var<storage, read> ranges: array<Range>;
@group(0) @binding(2) var<storage, read_write> starts: array<u32>;
@group(0) @binding(3) var<storage, read_write> counts: array<u32>;

@compute @workgroup_size(WG_SIZE)
fn close(
    @builtin(global_invocation_id) global_invocation_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
) {
    let batch = linear_index(global_invocation_id, num_workgroups, WG_SIZE);
    if batch >= arrayLength(&ranges) {
        return;
    }
    let range = ranges[batch];
    starts[batch] = prefix[range.first];
    counts[batch] = prefix[range.first + range.count] - prefix[range.first];
}
