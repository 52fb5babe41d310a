// Draws one mesh of a model, once for each thing, standing on the floor.
//   in   view    view_proj and eye of the camera; turn, radians that everything is turned further
//   in   things  array<Thing>: place, turn around y, colour, scale
//   in   bounds  array<MeshBounds>: box and sphere of each mesh of the model; its lowest side stands on the floor
//   draw indexed, an instance a thing

#import "color.wgsl"
#import "studio.wgsl"

struct View {
    view_proj: mat4x4f,
    eye: vec3f,
    turn: f32,
}

struct Thing {
    place: vec3f,
    yaw: f32,
    color: vec3f,
    scale: f32,
}

struct MeshBounds {
    center: vec3f,
    radius: f32,
    half_extents: vec3f,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<storage, read> things: array<Thing>;
@group(0) @binding(2) var<storage, read> bounds: array<MeshBounds>;

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
    let thing = things[instance];
    let yaw = thing.yaw + view.turn;
    let stood = position - vec3f(0.0, lowest(), 0.0);
    let world = thing.place + thing.scale * turn(stood, yaw);
    return Varyings(view.view_proj * vec4f(world, 1.0), world, turn(normal, yaw), thing.color);
}

fn lowest() -> f32 {
    var low = 1e9;
    for (var mesh = 0u; mesh < arrayLength(&bounds); mesh++) {
        low = min(low, bounds[mesh].center.y - bounds[mesh].half_extents.y);
    }
    return low;
}

fn turn(v: vec3f, angle: f32) -> vec3f {
    let c = cos(angle);
    let s = sin(angle);
    return vec3f(c * v.x + s * v.z, v.y, c * v.z - s * v.x);
}

@fragment
fn fragment(in: Varyings) -> @location(0) vec4f {
    let direction = normalize(in.world - view.eye);
    // Near the floor less of the sky is seen.
    let open = 0.35 + 0.65 * smoothstep(0.0, 0.5, in.world.y);
    return vec4f(tonemap(studio_lit(normalize(in.normal), direction, in.color, open, 1.0)), 1.0);
}
