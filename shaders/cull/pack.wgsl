// Makes bounding spheres of 8 bytes, one invocation an object.
//   in   cube     extent: half an edge of the cube around the origin that centres are in; radius: the largest one
//   in   spheres  array<vec4f>, n elements: centre and radius
//   out  bounds   array<vec2u>, n elements: see `packed_sphere.wgsl`
//   dispatch      items n, folded

#import "index.wgsl"
#import "frustum.wgsl"
#import "packed_sphere.wgsl"

const WG_SIZE: u32 = 64u;

struct Cube {
    extent: f32,
    radius: f32,
}

@group(0) @binding(0) var<uniform> cube: Cube;
@group(0) @binding(1) var<storage, read> spheres: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> bounds: array<vec2u>;

@compute @workgroup_size(WG_SIZE)
fn pack(
    @builtin(global_invocation_id) global_invocation_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
) {
    let index = linear_index(global_invocation_id, num_workgroups, WG_SIZE);
    if index < arrayLength(&spheres) {
        bounds[index] = pack_sphere(spheres[index], cube.extent, cube.radius);
    }
}
