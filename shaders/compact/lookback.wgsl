// Compaction in one pass, by decoupled look-back with fallback: `tile_look_back.wgsl` says how.
//   in   flags   array<u32>, n elements below 2^30: visible where not zero
//   in   ranges  array<Range>, one a batch: first and count of its instances
//   out  list    array<u32>, n elements: visible instances in order
//   out  starts  array<u32>, one a batch: where its run begins in the list
//   io   counts  array<u32>, one a batch: zero on the way in, the length of its run on the way out
//   io   states  array<u32>, 64 + ceil(n / 8,192) elements: zeros on the way in and on the way out
//   dispatch     items ceil(n / 32), folded

#import "index.wgsl"
#import "tile_seat.wgsl"
#import "tile_bits.wgsl"
#import "tile_flags.wgsl"
#import "tile_look_back.wgsl"

@group(0) @binding(0) var<storage, read> flags: array<u32>;
@group(0) @binding(1) var<storage, read> ranges: array<Range>;
@group(0) @binding(2) var<storage, read_write> list: array<u32>;
@group(0) @binding(3) var<storage, read_write> starts: array<u32>;
@group(0) @binding(4) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> states: array<atomic<u32>>;

@compute @workgroup_size(TILE_WIDTH)
fn look_back_flags(
    @builtin(num_workgroups) num_workgroups: vec3u,
    @builtin(local_invocation_index) local_invocation_index: u32,
) {
    let team = Team(TILE_WIDTH);
    let seat = Seat(local_invocation_index);
    let tiles = (arrayLength(&flags) + TILE - 1u) / TILE;
    look_back_tiles(tiles, num_workgroups.x * num_workgroups.y, seat, team);
}
