// Draws the placed objects of a list, lit by a sun and the sky, paler with distance.
//   in   view     view_proj and eye of the camera; haze, the share of light that is left after a hundred world units
//   in   objects  array<Placed>
//   in   colors   array<u32>: linear RGB as unorm8x4
//   in   list     array<u32>: as many as the call draws
//   draw indexed, indirect, first_instance zero

#import "color.wgsl"
#import "placed.wgsl"
#import "weather.wgsl"

struct View {
    view_proj: mat4x4f,
    eye: vec3f,
    haze: f32,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<storage, read> objects: array<Placed>;
@group(0) @binding(2) var<storage, read> colors: array<u32>;
@group(0) @binding(3) var<storage, read> list: array<u32>;

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
    let number = list[instance];
    let object = objects[number];
    let world = placed_point(object, position);
    let color = unpack4x8unorm(colors[number]).rgb;
    return Varyings(view.view_proj * vec4f(world, 1.0), world, placed_normal(object, normal), color);
}

@fragment
fn fragment(in: Varyings) -> @location(0) vec4f {
    let size = max(length(in.normal), 1e-20);
    let offset = in.world - view.eye;
    let toward = select(1.0, -1.0, dot(in.normal, offset) > 0.0);
    let light = in.color * weather_light(toward * in.normal / size);
    let left = pow(view.haze, 0.01 * length(offset));
    return vec4f(tonemap(mix(weather_air(normalize(offset)), light, left)), 1.0);
}
