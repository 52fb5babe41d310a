// Draws the stones of a list in the glow of their places.
//   in   mosaic  size of the target, pixels
//   in   list    array<u32>, n elements, n stones in all
//   in   glow    array<vec4f>, one a place in the list
//   draw indexed, indirect, first_instance zero

#import "color.wgsl"
#import "mosaic.wgsl"

struct Mosaic {
    size: vec2f,
}

@group(0) @binding(0) var<uniform> mosaic: Mosaic;
@group(0) @binding(1) var<storage, read> list: array<u32>;
@group(0) @binding(2) var<storage, read> glow: array<vec4f>;

struct Varyings {
    @builtin(position) position: vec4f,
    @location(0) normal: vec3f,
    @location(1) @interpolate(flat) color: vec3f,
}

@vertex
fn vertex(
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @builtin(instance_index) instance: u32,
) -> Varyings {
    let stone = list[instance];
    let stones = arrayLength(&list);
    let spot = stone_spot(stone, stones) + 1.7 / f32(stones_a_row(stones)) * position.xy;
    let fit = min(1.0, mosaic.size.y / mosaic.size.x * (16.0 / 9.0));
    let at = fit * spot * vec2f(1.0, -mosaic.size.x / mosaic.size.y);
    return Varyings(vec4f(at, 0.5 - 0.25 * position.z, 1.0), normal, glow[instance].rgb);
}

@fragment
fn fragment(in: Varyings) -> @location(0) vec4f {
    let light = 0.55 + 0.6 * max(dot(normalize(in.normal), vec3f(-0.43, -0.52, 0.74)), 0.0);
    return vec4f(tonemap(1.6 * light * in.color), 1.0);
}
