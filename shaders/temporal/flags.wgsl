// Which stones lie in the mosaic: some are missing, and in which cell follows from the number alone.
//   in   missing  share of the stones that are missing, 0 to 1
//   out  flags    array<u32>, n elements
//   out  ranges   array<Range>, one
//   dispatch      items n, folded

#import "index.wgsl"
#import "hash.wgsl"
#import "batches.wgsl"

const WG_SIZE: u32 = 64u;

override missing: f32;

@group(0) @binding(0) var<storage, read_write> flags: array<u32>;
@group(0) @binding(1) var<storage, read_write> ranges: array<Range>;

@compute @workgroup_size(WG_SIZE)
fn lie(
    @builtin(global_invocation_id) global_invocation_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
) {
    let index = linear_index(global_invocation_id, num_workgroups, WG_SIZE);
    if index == 0u {
        ranges[0] = Range(0u, arrayLength(&flags));
    }
    if index < arrayLength(&flags) {
        flags[index] = u32(random(hash(index), 1u) >= missing);
    }
}
