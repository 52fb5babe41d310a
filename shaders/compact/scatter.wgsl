// Compaction by mask, 2 of 2: set bits become a list in order.
//   in   mask         array<u32>, ceil(n / 32) elements: one bit an instance, those behind n are zero
//   in   tile_starts  array<u32>, ceil(n / 8,192) elements: bits set in the tiles of its span before each tile
//   in   span_counts  array<u32>, up to 2,048 elements: bits set in each span, see `tile_size.wgsl`
//   in   ranges       array<Range>, one a batch: first and count of its instances
//   out  list         array<u32>, n elements: visible instances in order
//   out  starts       array<u32>, one a batch: where its run begins in the list
//   io   counts       array<u32>, one a batch: zero on the way in, the length of its run on the way out
//   dispatch          a workgroup a tile

#import "index.wgsl"
#import "tile_seat.wgsl"
#import "tile_scatter.wgsl"

@group(0) @binding(0) var<storage, read> mask: array<u32>;
@group(0) @binding(1) var<storage, read> tile_starts: array<u32>;
@group(0) @binding(2) var<storage, read> span_counts: array<u32>;
@group(0) @binding(3) var<storage, read> ranges: array<Range>;
@group(0) @binding(4) var<storage, read_write> list: array<u32>;
@group(0) @binding(5) var<storage, read_write> starts: array<u32>;
@group(0) @binding(6) var<storage, read_write> counts: array<atomic<u32>>;

@compute @workgroup_size(TILE_WIDTH)
fn scatter(
    @builtin(workgroup_id) workgroup_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
    @builtin(local_invocation_index) local_invocation_index: u32,
) {
    let team = Team(TILE_WIDTH);
    let seat = Seat(local_invocation_index);
    scatter_tile(linear_group(workgroup_id, num_workgroups), seat, team);
}
