// Compaction, ordered within blocks: a workgroup ranks its visible instances and asks the counter of its batch once.
//   in   flags   array<u32>, n elements: visible where not zero
//   in   ranges  array<Range>, one a batch: first and count of its instances, blocks of 256
//   out  list    array<u32>, n elements: visible instances; those of a batch begin at its `starts`, and those of a block
//                stand side by side and in order
//   out  starts  array<u32>, one a batch
//   io   counts  array<u32>, one a batch: zero on the way in, its visible instances on the way out
//   dispatch     items n, folded

#import "index.wgsl"
#import "scan.wgsl"
#import "batch_search.wgsl"

@group(0) @binding(0) var<storage, read> flags: array<u32>;
@group(0) @binding(1) var<storage, read> ranges: array<Range>;
@group(0) @binding(2) var<storage, read_write> list: array<u32>;
@group(0) @binding(3) var<storage, read_write> starts: array<u32>;
@group(0) @binding(4) var<storage, read_write> counts: array<atomic<u32>>;

var<workgroup> sh_first: u32;

@compute @workgroup_size(BLOCK)
fn append_blocks(
    @builtin(global_invocation_id) global_invocation_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
    @builtin(local_invocation_index) local_invocation_index: u32,
) {
    let index = linear_index(global_invocation_id, num_workgroups, BLOCK);
    let visible = index < arrayLength(&flags) && flags[index] != 0u;
    let ranked = workgroup_scan(local_invocation_index, u32(visible));
    if local_invocation_index == 0u && ranked.total > 0u {
        let batch = batch_of(index);
        sh_first = ranges[batch].first + atomicAdd(&counts[batch], ranked.total);
    }
    let first = workgroupUniformLoad(&sh_first);
    if visible {
        list[first + ranked.before] = index;
    }
    let invocations = num_workgroups.x * num_workgroups.y * BLOCK;
    for (var b = index; b < arrayLength(&ranges); b += invocations) {
        starts[b] = ranges[b].first;
    }
}
