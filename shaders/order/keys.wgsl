// The order in which objects are drawn: by their distance from the eye, or as they were dealt.
//   in   sorted, backward  whether the key is the distance, and whether the farthest comes first
//   in   view     eye of the camera
//   in   spheres  array<vec4f>, n elements: centre and radius
//   out  pairs0   array<vec2u>, n elements: key, number of the object
//   out  ranges   array<Range>, one
//   dispatch      items n, folded

#import "index.wgsl"
#import "batches.wgsl"

const WG_SIZE: u32 = 64u;

override sorted: bool;
override backward: bool;

struct View {
    eye: vec3f,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<storage, read> spheres: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> pairs0: array<vec2u>;
@group(0) @binding(3) var<storage, read_write> ranges: array<Range>;

@compute @workgroup_size(WG_SIZE)
fn keys(
    @builtin(global_invocation_id) global_invocation_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
) {
    let index = linear_index(global_invocation_id, num_workgroups, WG_SIZE);
    if index >= arrayLength(&pairs0) {
        return;
    }
    if index == 0u {
        ranges[0] = Range(0u, arrayLength(&pairs0));
    }
    // Floats that are not negative stand in the order of their bits.
    let away = bitcast<u32>(length(spheres[index].xyz - view.eye));
    let key = select(away, ~away, backward);
    pairs0[index] = vec2u(select(index, key, sorted), index);
}
