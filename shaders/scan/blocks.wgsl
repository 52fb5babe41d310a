// Scan, going up: each tile of 1,024 elements becomes its exclusive prefix sum, modulo 2^32.
//   in   input   array<u32>, n elements; behind its end it counts as zeros
//   out  output  array<u32>, m elements: all are written, so output[n ..] are the total where there is room
//   out  sums    array<u32>, ceil(m / 1024) elements: the sum of each tile (entry `blocks` only)
//   dispatch     blocks: groups ceil(m / 1024), folded; last: one group, for m <= 1024
// A scan of m elements is `last` where one tile holds them. Otherwise it is `blocks`, the scan of `sums` into `offsets`
// (as many elements as `sums`) by the same rule, and `scan/add.wgsl`. No atomics: the same bytes on every run.

#import "index.wgsl"
#import "scan.wgsl"

@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
@group(0) @binding(2) var<storage, read_write> sums: array<u32>;

@compute @workgroup_size(SCAN_WIDTH)
fn blocks(
    @builtin(workgroup_id) workgroup_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
    @builtin(local_invocation_index) local_invocation_index: u32,
) {
    let tile = linear_group(workgroup_id, num_workgroups);
    let total = scan_tile(tile, local_invocation_index);
    if local_invocation_index == 0u && tile < arrayLength(&sums) {
        sums[tile] = total;
    }
}

@compute @workgroup_size(SCAN_WIDTH)
fn last(@builtin(local_invocation_index) local_invocation_index: u32) {
    scan_tile(0u, local_invocation_index);
}

fn scan_tile(tile: u32, local_invocation_index: u32) -> u32 {
    let first = tile * SCAN_TILE + local_invocation_index * SCAN_ITEMS;
    let values = vec4u(element(first), element(first + 1u), element(first + 2u), element(first + 3u));
    let ranked = workgroup_scan(local_invocation_index, values.x + values.y + values.z + values.w);
    put(first, ranked.before);
    put(first + 1u, ranked.before + values.x);
    put(first + 2u, ranked.before + values.x + values.y);
    put(first + 3u, ranked.before + values.x + values.y + values.z);
    return ranked.total;
}

fn element(index: u32) -> u32 {
    if index < arrayLength(&input) {
        return input[index];
    }
    return 0u;
}

fn put(index: u32, value: u32) {
    if index < arrayLength(&output) {
        output[index] = value;
    }
}
