// Compaction by mask, 1 of 2: flags become bits, and tiles are counted, by subgroups.
//   in   flags        array<u32>, n elements: visible where not zero
//   out  mask         array<u32>, ceil(n / 32) elements: one bit an instance, those behind n are zero
//   out  tile_starts  array<u32>, ceil(n / 8,192) elements: bits set in the tiles of its span before each tile
//   out  span_counts  array<u32>, up to 2,048 elements: bits set in each span, see `tile_size.wgsl`
//   out  counts       array<u32>, one a batch: zero, as the scatter wants them
//   dispatch          a workgroup a span

#import "index.wgsl"
#import "tile_seat_subgroup.wgsl"
#import "tile_bits_subgroup.wgsl"
#import "tile_flags.wgsl"
#import "tile_mask.wgsl"

@group(0) @binding(0) var<storage, read> flags: array<u32>;
@group(0) @binding(1) var<storage, read_write> mask: array<u32>;
@group(0) @binding(2) var<storage, read_write> tile_starts: array<u32>;
@group(0) @binding(3) var<storage, read_write> span_counts: array<u32>;
@group(0) @binding(4) var<storage, read_write> counts: array<u32>;

@compute @workgroup_size(TILE_WIDTH)
fn mask_flags(
    @builtin(workgroup_id) workgroup_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
    @builtin(local_invocation_index) local_invocation_index: u32,
    @builtin(subgroup_invocation_id) lane: u32,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(subgroup_size) subgroup_size: u32,
    @builtin(num_subgroups) num_subgroups: u32,
) {
    let team = take_team(subgroup_size, num_subgroups);
    let seat = take_seat(local_invocation_index, lane, subgroup, team);
    mask_span(linear_group(workgroup_id, num_workgroups), seat, team);
}
