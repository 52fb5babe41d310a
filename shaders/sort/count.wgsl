// How often each digit occurs in each block of pairs.
//   in   digit   shift of its lowest bit
//   in   pairs   array<vec2u>, n elements: key, value
//   out  counts  array<u32>, digit-major: all blocks of digit 0, then of digit 1, …
//   dispatch     groups ceil(n / 4096), folded

#import "index.wgsl"
#import "radix_digit.wgsl"

@group(0) @binding(0) var<uniform> digit: RadixDigit;
@group(0) @binding(1) var<storage, read> pairs: array<vec2u>;
@group(0) @binding(2) var<storage, read_write> counts: array<u32>;

var<workgroup> sh_counts: array<atomic<u32>, 16>;

@compute @workgroup_size(RADIX_WIDTH)
fn count(
    @builtin(workgroup_id) workgroup_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
    @builtin(local_invocation_index) local_invocation_index: u32,
) {
    let block = linear_group(workgroup_id, num_workgroups);
    let blocks = arrayLength(&counts) / RADIX_DIGITS;
    if local_invocation_index < RADIX_DIGITS {
        atomicStore(&sh_counts[local_invocation_index], 0u);
    }
    workgroupBarrier();
    for (var k = 0u; k < RADIX_PAIRS; k++) {
        let index = block * RADIX_BLOCK + k * RADIX_WIDTH + local_invocation_index;
        if index < arrayLength(&pairs) {
            atomicAdd(&sh_counts[radix_digit(pairs[index], digit.shift)], 1u);
        }
    }
    workgroupBarrier();
    if local_invocation_index < RADIX_DIGITS && block < blocks {
        counts[local_invocation_index * blocks + block] = atomicLoad(&sh_counts[local_invocation_index]);
    }
}
