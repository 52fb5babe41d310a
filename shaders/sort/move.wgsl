// Every pair to its place. A thread has sixteen pairs side by side and learns, for each digit, how many of the block come before
// them, so that equal digits keep their order. Two digits share a word: a block's counts fit in 16 bits.
//   in   digit    shift of its lowest bit
//   in   from_    array<vec2u>, n elements: key, value
//   in   offsets  array<u32>, digit-major: where each digit of each block begins
//   out  to       array<vec2u>, n elements
//   dispatch      groups ceil(n / 4096), folded

#import "index.wgsl"
#import "scan.wgsl"
#import "radix_digit.wgsl"

const WG_SIZE: u32 = RADIX_WIDTH;

@group(0) @binding(0) var<uniform> digit: RadixDigit;
@group(0) @binding(1) var<storage, read> from_: array<vec2u>;
@group(0) @binding(2) var<storage, read> offsets: array<u32>;
@group(0) @binding(3) var<storage, read_write> to: array<vec2u>;

@compute @workgroup_size(WG_SIZE)
fn move_pairs(
    @builtin(workgroup_id) workgroup_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
    @builtin(local_invocation_index) local_invocation_index: u32,
) {
    let block = linear_group(workgroup_id, num_workgroups);
    let blocks = arrayLength(&offsets) / RADIX_DIGITS;
    let first = block * RADIX_BLOCK + local_invocation_index * RADIX_PAIRS;
    let end = min(first + RADIX_PAIRS, arrayLength(&from_));
    var before: array<u32, 8>;
    for (var index = first; index < end; index++) {
        let d = radix_digit(from_[index], digit.shift);
        before[d / 2u] += 1u << (16u * (d % 2u));
    }
    for (var both = 0u; both < 8u; both++) {
        before[both] = workgroup_scan(local_invocation_index, before[both]).before;
    }
    for (var index = first; index < end; index++) {
        let pair = from_[index];
        let d = radix_digit(pair, digit.shift);
        let rank = extractBits(before[d / 2u], 16u * (d % 2u), 16u);
        before[d / 2u] += 1u << (16u * (d % 2u));
        to[offsets[d * blocks + block] + rank] = pair;
    }
}
