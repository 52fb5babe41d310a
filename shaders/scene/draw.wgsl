// Draws one batch: a mesh in one material, an instance for each entry of its run in the list.
//   in   view     view_proj and eye of the camera; angle, radians that a typical object has turned
//   in   call     batch of this draw; meshes, how many there are: batch b has mesh b % meshes and material b / meshes
//   in   spheres  array<vec4f>: centre and radius of every object
//   in   list     array<u32>: visible objects, the run of each batch side by side
//   in   starts   array<u32>: where the run of each batch begins
//   draw indexed, indirect, first_instance zero
// An object turns around its centre, so its sphere stays true. All else about it comes from a hash of its number.

#import "hash.wgsl"
#import "color.wgsl"
#import "space.wgsl"

const MATTE: u32 = 0u;
const GLOSSY: u32 = 1u;
const GLOWING: u32 = 2u;

// Bounding radii of the meshes: cube, icosphere, torus. `graph::mesh` measures them.
const MESH_RADIUS: array<f32, 3> = array(0.8660255, 0.5000001, 0.5000001);
const SUN: vec3f = vec3f(-0.48, 0.62, 0.62);

struct View {
    view_proj: mat4x4f,
    eye: vec3f,
    angle: f32,
}

struct Call {
    batch: u32,
    meshes: u32,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<uniform> call: Call;
@group(0) @binding(2) var<storage, read> spheres: array<vec4f>;
@group(0) @binding(3) var<storage, read> list: array<u32>;
@group(0) @binding(4) var<storage, read> starts: array<u32>;

struct Varyings {
    @builtin(position) position: vec4f,
    @location(0) world: vec3f,
    @location(1) normal: vec3f,
    @location(2) @interpolate(flat) color: vec3f,
    @location(3) @interpolate(flat) material: u32,
}

@vertex
fn vertex(
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @builtin(instance_index) instance: u32,
) -> Varyings {
    let object = list[starts[call.batch] + instance];
    let sphere = spheres[object];
    let mesh = call.batch % call.meshes;
    let material = call.batch / call.meshes;
    let seed = hash(object);
    let axis = normalize(vec3f(random(seed, 10u), random(seed, 11u), random(seed, 12u)) - 0.5 + 1e-4);
    let angle = 6.2831853 * random(seed, 13u) + view.angle * (0.4 + 1.2 * random(seed, 14u));
    let scale = abs(sphere.w) / MESH_RADIUS[min(mesh, 2u)];
    let world = sphere.xyz + scale * turn(position, axis, angle);
    var out: Varyings;
    out.position = view.view_proj * vec4f(world, 1.0);
    out.world = world;
    out.normal = turn(normal, axis, angle);
    out.color = color_of(seed, sphere.xyz, material);
    out.material = material;
    return out;
}

// Rodrigues' rotation.
fn turn(v: vec3f, axis: vec3f, angle: f32) -> vec3f {
    let c = cos(angle);
    return v * c + cross(axis, v) * sin(angle) + axis * dot(axis, v) * (1.0 - c);
}

// Warm in the middle, blue and violet outside, the more saturated the glossier.
fn color_of(seed: u32, center: vec3f, material: u32) -> vec3f {
    let outward = saturate(length(center.xz) / 110.0);
    let tint = palette(0.05 + 0.60 * outward + 0.16 * (random(seed, 20u) - 0.5), vec3f(0.0, 0.11, 0.28));
    let shade = 0.45 + 0.55 * random(seed, 21u);
    switch material {
        case MATTE: {
            return shade * mix(vec3f(0.30, 0.26, 0.25), tint, 0.7);
        }
        case GLOSSY: {
            return shade * tint * tint;
        }
        default: {
            return tint + 0.05;
        }
    }
}

@fragment
fn fragment(in: Varyings) -> @location(0) vec4f {
    let n = normalize(in.normal);
    let offset = in.world - view.eye;
    let away = length(offset);
    let direction = offset / away;
    var light = vec3f(0.0);
    if in.material == GLOWING {
        light = in.color * (0.5 + 3.0 * pow(saturate(-dot(n, direction)), 2.0));
    } else {
        light = reflected(n, direction, in.world, in.color, in.material == GLOSSY);
    }
    let seen = exp(-away * 0.003);
    return vec4f(tonemap(light * seen + 0.45 * haze(view.eye, direction, away)), 1.0);
}

// Sun, core and sky, on clay or on lacquer.
fn reflected(n: vec3f, direction: vec3f, world: vec3f, color: vec3f, glossy: bool) -> vec3f {
    let to_core = -world / max(length(world), 1e-3);
    let core = CORE_COLOR * 900.0 / (dot(world, world) + 220.0);
    let sky = mix(vec3f(0.03, 0.025, 0.05), vec3f(0.14, 0.17, 0.26), 0.5 + 0.5 * n.y);
    let sun = vec3f(1.9, 1.8, 1.65);
    var light = color * (sky + sun * max(dot(n, SUN), 0.0) + core * max(dot(n, to_core) * 0.8 + 0.2, 0.0));
    if glossy {
        let mirror = reflect(direction, n);
        let edge = 0.05 + 0.95 * pow(1.0 - saturate(-dot(n, direction)), 5.0);
        light += sun * (2.2 * pow(max(dot(mirror, SUN), 0.0), 60.0)) + core * pow(max(dot(mirror, to_core), 0.0), 12.0);
        light += edge * mix(vec3f(0.05, 0.04, 0.08), vec3f(0.30, 0.38, 0.55), 0.5 + 0.5 * mirror.y);
    }
    return light;
}
