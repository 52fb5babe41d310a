// Scan, coming down: each tile of 1,024 elements gets the sum of all tiles before it, modulo 2^32.
//   io   output   array<u32>, m elements: prefix sums within each tile on the way in, over everything on the way out
//   in   offsets  array<u32>, ceil(m / 1024) elements: the exclusive prefix sum of the tiles' sums
//   dispatch      groups ceil(m / 1024), folded

#import "index.wgsl"
#import "scan.wgsl"

@group(0) @binding(0) var<storage, read_write> output: array<u32>;
@group(0) @binding(1) var<storage, read> offsets: array<u32>;

@compute @workgroup_size(SCAN_WIDTH)
fn add(
    @builtin(workgroup_id) workgroup_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
    @builtin(local_invocation_index) local_invocation_index: u32,
) {
    let tile = linear_group(workgroup_id, num_workgroups);
    if tile >= arrayLength(&offsets) {
        return;
    }
    let offset = offsets[tile];
    for (var item = 0u; item < SCAN_ITEMS; item++) {
        let index = tile * SCAN_TILE + item * SCAN_WIDTH + local_invocation_index;
        if index < arrayLength(&output) {
            output[index] += offset;
        }
    }
}
