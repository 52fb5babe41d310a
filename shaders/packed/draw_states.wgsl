// Cells as squares: brighter the more often they were hit, warm where busy, blue where late.
//   in   board   size of the target, texels
//   in   states  array<u32>, n elements; see packed_state.wgsl
//   draw 3 vertices, no buffers

#import "color.wgsl"
#import "cover.wgsl"
#import "packed_state.wgsl"

struct Board {
    size: vec2f,
}

@group(0) @binding(0) var<uniform> board: Board;
@group(0) @binding(1) var<storage, read> states: array<u32>;

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    return cover(index).position;
}

@fragment
fn fragment(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let count = f32(arrayLength(&states));
    let columns = max(floor(sqrt(count * board.size.x / board.size.y)), 1.0);
    let side = board.size.x / columns;
    let place = floor(position.xy / side);
    let cell = u32(place.y * columns + place.x);
    let within = abs(fract(position.xy / side) - 0.5);
    if place.y * columns + place.x >= count || max(within.x, within.y) > 0.44 {
        return vec4f(0.004, 0.005, 0.008, 1.0);
    }
    let state = states[cell];
    let heat = 1.0 - exp(-0.18 * f32(state_count(state)));
    let busy = f32((state & STATE_BUSY) != 0u);
    let late = f32((state & STATE_LATE) != 0u);
    let born = f32((state & STATE_BORN) != 0u);
    let tint = mix(vec3f(0.10, 0.22, 0.16), vec3f(0.95, 0.42, 0.10), busy) + late * vec3f(0.0, 0.12, 0.75);
    return vec4f(tonemap(0.02 + born * (0.15 + 1.6 * heat) * tint), 1.0);
}
