// Compaction by mask, 1 of 2: flags become bits, and each tile and row of tiles is counted.
//   in   flags        array<u32>, n elements: visible where not zero
//   out  mask         array<u32>, ceil(n / 32) elements: one bit an instance, those behind n are zero
//   out  tile_counts  array<u32>, ceil(n / 8,192) elements: bits set in each tile
//   io   row_counts   array<u32>: bits set in each row of 256 tiles but the last; zero on the way in
//   dispatch          items ceil(n / 32), folded

#import "index.wgsl"
#import "tile_seat.wgsl"
#import "tile_bits.wgsl"
#import "tile_flags.wgsl"
#import "tile_mask.wgsl"

@group(0) @binding(0) var<storage, read> flags: array<u32>;
@group(0) @binding(1) var<storage, read_write> mask: array<u32>;
@group(0) @binding(2) var<storage, read_write> tile_counts: array<u32>;
@group(0) @binding(3) var<storage, read_write> row_counts: array<atomic<u32>>;

@compute @workgroup_size(TILE_WIDTH)
fn mask_flags(
    @builtin(workgroup_id) workgroup_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
    @builtin(local_invocation_index) local_invocation_index: u32,
) {
    let team = Team(TILE_WIDTH);
    let seat = Seat(local_invocation_index);
    let tile = linear_group(workgroup_id, num_workgroups);
    mask_tile(tile, seat, team, tile_word(tile, seat, team));
}
