// Frustum cull by packed bounding sphere straight to bits and counts: there are no flags.
//   in   view         planes (inward, normals of length 1) and eye of the camera
//   in   bounds       array<vec2u>, n elements: spheres of 8 bytes, see `packed_sphere.wgsl`
//   in   enabled      array<u32>, ceil(n / 32) elements: one bit an object, 0 hides it
//   in   max_distance, world units: what begins farther from the eye is culled
//   in   cube         extent and radius that the spheres were packed for
//   out  mask         array<u32>, ceil(n / 32) elements: one bit an object, those behind n are zero
//   out  tile_starts  array<u32>, ceil(n / 8,192) elements: bits set in the tiles of its span before each tile
//   out  span_counts  array<u32>, up to 2,048 elements: bits set in each span, see `tile_size.wgsl`
//   out  counts       array<u32>, one a batch: zero, as the scatter wants them
//   dispatch          a workgroup a span
// What is near a border may be seen though its sphere is not, never the other way round.

#import "index.wgsl"
#import "tile_seat.wgsl"
#import "tile_bits.wgsl"
#import "tile_cull.wgsl"
#import "tile_packed.wgsl"

struct View {
    planes: array<vec4f, 6>,
    eye: vec3f,
}

struct Reach {
    max_distance: f32,
}

struct Cube {
    extent: f32,
    radius: f32,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<uniform> reach: Reach;
@group(0) @binding(2) var<storage, read> bounds: array<vec2u>;
@group(0) @binding(3) var<storage, read> enabled: array<u32>;
@group(0) @binding(4) var<storage, read_write> mask: array<u32>;
@group(0) @binding(5) var<storage, read_write> tile_starts: array<u32>;
@group(0) @binding(6) var<storage, read_write> span_counts: array<u32>;
@group(0) @binding(7) var<uniform> cube: Cube;
@group(0) @binding(8) var<storage, read_write> counts: array<u32>;

@compute @workgroup_size(TILE_WIDTH)
fn cull_packed(
    @builtin(workgroup_id) workgroup_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
    @builtin(local_invocation_index) local_invocation_index: u32,
) {
    let team = Team(TILE_WIDTH);
    let seat = Seat(local_invocation_index);
    mask_span(linear_group(workgroup_id, num_workgroups), seat, team);
}
