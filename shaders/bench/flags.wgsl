// Flags for a bench: a share of them is not zero, at random, with values that are not all 1.
//   in   share    density, 0 to 1
//   out  flags    array<u32>, n elements
//   out  ranges   array<Range>, one a batch
//   dispatch      items n, folded

#import "index.wgsl"
#import "hash.wgsl"
#import "batches.wgsl"

const WG_SIZE: u32 = 256u;

struct Share {
    density: f32,
}

@group(0) @binding(0) var<uniform> share: Share;
@group(0) @binding(1) var<storage, read_write> flags: array<u32>;
@group(0) @binding(2) var<storage, read_write> ranges: array<Range>;

@compute @workgroup_size(WG_SIZE)
fn fill(
    @builtin(global_invocation_id) global_invocation_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
) {
    let index = linear_index(global_invocation_id, num_workgroups, WG_SIZE);
    let invocations = num_workgroups.x * num_workgroups.y * WG_SIZE;
    for (var batch = index; batch < arrayLength(&ranges); batch += invocations) {
        ranges[batch] = deal(batch, arrayLength(&flags), arrayLength(&ranges));
    }
    if index < arrayLength(&flags) {
        let seed = hash(index);
        flags[index] = select(0u, 1u + (seed & 7u), random(seed, 1u) < share.density);
    }
}
