// Exponential smoothing: the glow of each place in the list moves toward the colour of the stone that stands there. It is the
// stone's own glow only while the stone keeps its place.
//   in   speed   share of the way that is made in a frame
//   in   list    array<u32>, n elements: as many as `counts` says
//   in   counts  array<u32>, one
//   io   glow    array<vec4f>, n elements, one a place in the list: linear RGB
//   dispatch     items n, folded

#import "index.wgsl"
#import "mosaic.wgsl"

const WG_SIZE: u32 = 64u;

struct Smoothing {
    speed: f32,
}

@group(0) @binding(0) var<uniform> smoothing: Smoothing;
@group(0) @binding(1) var<storage, read> list: array<u32>;
@group(0) @binding(2) var<storage, read> counts: array<u32>;
@group(0) @binding(3) var<storage, read_write> glow: array<vec4f>;

@compute @workgroup_size(WG_SIZE)
fn smooth_glow(
    @builtin(global_invocation_id) global_invocation_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
) {
    let place = linear_index(global_invocation_id, num_workgroups, WG_SIZE);
    if place < min(counts[0], arrayLength(&list)) {
        let color = vec4f(stone_color(list[place], arrayLength(&list)), 1.0);
        glow[place] = mix(glow[place], color, smoothing.speed);
    }
}
