// Places the reeds, in the order that the sorted pairs give, with the volumes around them.
//   in   pairs0   array<vec2u>, n elements: key, number of the reed
//   out  objects  array<Placed>, n elements
//   out  colors   array<u32>, n elements: linear RGB as unorm8x4
//   out  spheres  array<vec4f>, n elements: centre and radius
//   out  halves   array<vec4f>, n elements: half extents of the box around the same centre, along the world's axes
//   out  ranges   array<Range>, one
//   dispatch      items n, folded

#import "index.wgsl"
#import "batches.wgsl"
#import "reed.wgsl"

const WG_SIZE: u32 = 64u;
// Of the cube of side 1.
const CUBE_RADIUS: f32 = 0.8660255;

@group(0) @binding(0) var<storage, read> pairs0: array<vec2u>;
@group(0) @binding(1) var<storage, read_write> objects: array<Placed>;
@group(0) @binding(2) var<storage, read_write> colors: array<u32>;
@group(0) @binding(3) var<storage, read_write> spheres: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> halves: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> ranges: array<Range>;

@compute @workgroup_size(WG_SIZE)
fn scatter(
    @builtin(global_invocation_id) global_invocation_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
) {
    let index = linear_index(global_invocation_id, num_workgroups, WG_SIZE);
    if index >= arrayLength(&objects) {
        return;
    }
    if index == 0u {
        ranges[0] = Range(0u, arrayLength(&objects));
    }
    let number = pairs0[index].y;
    let object = reed_placed(number);
    objects[index] = object;
    colors[index] = pack4x8unorm(vec4f(reed_color(number), 0.0));
    spheres[index] = vec4f(placed_center(object), placed_radius(object, CUBE_RADIUS));
    halves[index] = vec4f(placed_half(object, vec3f(0.5)), 0.0);
}
