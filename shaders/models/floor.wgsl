// The floor, darker where things stand, and far away the colour of the sky.
//   in   view          view_proj and eye of the camera
//   in   vases, knots  array<Thing>: what stands on it
//   draw indexed, a plane

#import "color.wgsl"
#import "studio.wgsl"

const SIDE: f32 = 60.0;

struct View {
    view_proj: mat4x4f,
    eye: vec3f,
}

struct Thing {
    place: vec3f,
    yaw: f32,
    color: vec3f,
    scale: f32,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<storage, read> vases: array<Thing>;
@group(0) @binding(2) var<storage, read> knots: array<Thing>;

struct Varyings {
    @builtin(position) position: vec4f,
    @location(0) world: vec3f,
}

@vertex
fn vertex(@location(0) position: vec3f) -> Varyings {
    let world = SIDE * position;
    return Varyings(view.view_proj * vec4f(world, 1.0), world);
}

@fragment
fn fragment(in: Varyings) -> @location(0) vec4f {
    let offset = in.world - view.eye;
    var open = 1.0;
    for (var at = 0u; at < arrayLength(&vases); at++) {
        open *= shade(in.world, vases[at], 0.30, 1.0);
    }
    for (var at = 0u; at < arrayLength(&knots); at++) {
        open *= shade(in.world, knots[at], 0.42, 0.8);
    }
    let direction = normalize(offset);
    let stone = vec3f(0.34, 0.31, 0.29);
    let light = open * studio_lit(vec3f(0.0, 1.0, 0.0), direction, stone, open, 0.25);
    let far = 1.0 - exp(-0.0022 * dot(offset, offset));
    return vec4f(tonemap(mix(light, studio_sky(direction), far)), 1.0);
}

// What a thing leaves of the light: dark below it, and a soft shadow away from the key light.
fn shade(world: vec3f, thing: Thing, radius: f32, height: f32) -> f32 {
    let wide = radius * thing.scale;
    let away = world.xz - thing.place.xz;
    let below = 1.0 - 0.75 * exp(-2.0 * dot(away, away) / (wide * wide));
    let cast_ = -STUDIO_KEY.xz / STUDIO_KEY.y * height * thing.scale;
    let along = saturate(dot(away, cast_) / dot(cast_, cast_));
    let aside = away - along * cast_;
    let soft = wide * (0.8 + 0.5 * along);
    let shadow = 1.0 - 0.5 * (1.0 - 0.6 * along) * exp(-1.6 * dot(aside, aside) / (soft * soft));
    return below * shadow;
}
