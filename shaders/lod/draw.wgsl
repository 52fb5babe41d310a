// Draws one run of pearls.
//   in   view     view_proj and eye of the camera; haze, the share of light that is left after a hundred world units
//   in   call     draw, its number among the draws; levels, how many meshes there are; tint, whether levels have colours
//   in   spheres  array<vec4f>: centre and radius
//   in   runs     array<LodRun>, one a draw
//   in   list     array<u32>
//   draw indexed, indirect, first_instance zero

#import "color.wgsl"
#import "weather.wgsl"
#import "lod_batch.wgsl"

// Of an icosphere of the unit cube.
const MESH_RADIUS: f32 = 0.5;

struct View {
    view_proj: mat4x4f,
    eye: vec3f,
    haze: f32,
}

struct Call {
    draw: u32,
    levels: u32,
    kinds: u32,
    tint: u32,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<uniform> call: Call;
@group(0) @binding(2) var<storage, read> spheres: array<vec4f>;
@group(0) @binding(3) var<storage, read> runs: array<LodRun>;
@group(0) @binding(4) var<storage, read> list: array<u32>;

struct Varyings {
    @builtin(position) position: vec4f,
    @location(0) world: vec3f,
    @location(1) normal: vec3f,
    @location(2) @interpolate(flat) color: vec3f,
}

@vertex
fn vertex(
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @builtin(instance_index) instance: u32,
) -> Varyings {
    let run = runs[call.draw];
    let sphere = spheres[list[run.first + instance]];
    let world = sphere.xyz + sphere.w / MESH_RADIUS * position;
    let kind = f32(run.batch / call.levels) / f32(call.kinds);
    let level = f32(run.batch % call.levels) / f32(call.levels);
    let glaze = palette(0.62 + 0.5 * kind, vec3f(0.0, 0.12, 0.3));
    let pearl = mix(vec3f(0.5, 0.45, 0.42), glaze * glaze, 0.9);
    let color = select(pearl, palette(level, vec3f(0.0, 0.33, 0.67)), call.tint != 0u);
    return Varyings(view.view_proj * vec4f(world, 1.0), world, normal, color);
}

@fragment
fn fragment(in: Varyings) -> @location(0) vec4f {
    let normal = normalize(in.normal);
    let offset = in.world - view.eye;
    let direction = normalize(offset);
    let mirror = reflect(direction, normal);
    let edge = 0.04 + 0.6 * pow(1.0 - saturate(-dot(normal, direction)), 4.0);
    let shine = pow(saturate(dot(mirror, WEATHER_SUN)), 80.0);
    let light = in.color * weather_light(normal) * 0.55 + 0.7 * edge * weather_air(mirror) + vec3f(2.0, 1.8, 1.5) * shine;
    let left = pow(view.haze, 0.01 * length(offset));
    return vec4f(tonemap(mix(weather_air(direction), light, left)), 1.0);
}
