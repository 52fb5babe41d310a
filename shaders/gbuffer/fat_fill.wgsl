// Fills the fat G-buffer: three targets of half floats, 24 bytes a texel, with linear depth in the third.
//   in   view       view_proj
//   in   objects    array<vec4f>, n elements: centre and scale
//   in   words      array<u32>, n elements: material and flags of each object
//   in   materials  array<vec4f>, two a material: albedo and roughness; metal and occlusion
//   in   normals    array<u32>: a word a vertex (snorm8x4), or the bits of three floats
//   in   packed_normals
//   out  albedo; normal; roughness, metal, occlusion and linear depth
//   draw indexed, an instance an object

#import "hash.wgsl"
#import "material_word.wgsl"

override packed_normals: bool;

struct View {
    view_proj: mat4x4f,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<storage, read> objects: array<vec4f>;
@group(0) @binding(2) var<storage, read> words: array<u32>;
@group(0) @binding(3) var<storage, read> materials: array<vec4f>;
@group(0) @binding(4) var<storage, read> normals: array<u32>;

struct Varyings {
    @builtin(position) position: vec4f,
    @location(0) normal: vec3f,
    @location(1) @interpolate(flat) word: u32,
}

@vertex
fn vertex(
    @location(0) position: vec3f,
    @builtin(vertex_index) index: u32,
    @builtin(instance_index) instance: u32,
) -> Varyings {
    let object = objects[instance];
    let seed = hash(instance);
    let axis = normalize(vec3f(random(seed, 10u), random(seed, 11u), random(seed, 12u)) - 0.5 + 1e-4);
    let angle = 6.2831853 * random(seed, 13u);
    let world = object.xyz + object.w * turn(position, axis, angle);
    return Varyings(view.view_proj * vec4f(world, 1.0), turn(normal_of(index), axis, angle), words[instance]);
}

fn normal_of(index: u32) -> vec3f {
    if packed_normals {
        return normalize(unpack4x8snorm(normals[index]).xyz);
    }
    let first = 3u * index;
    return bitcast<vec3f>(vec3u(normals[first], normals[first + 1u], normals[first + 2u]));
}

// Rodrigues' rotation.
fn turn(v: vec3f, axis: vec3f, angle: f32) -> vec3f {
    let c = cos(angle);
    return v * c + cross(axis, v) * sin(angle) + axis * dot(axis, v) * (1.0 - c);
}

// What is transparent covers every second texel.
fn is_open(word: u32, place: vec4f) -> bool {
    let texel = vec2u(place.xy);
    return (material_flags(word) & MATERIAL_TRANSPARENT) != 0u && ((texel.x ^ texel.y) & 1u) != 0u;
}

fn albedo_of(word: u32) -> vec3f {
    let albedo = materials[2u * material_index(word)].rgb;
    return select(albedo, vec3f(1.0, 0.86, 0.5), (material_flags(word) & MATERIAL_GLOWING) != 0u);
}

struct Targets {
    @location(0) albedo: vec4f,
    @location(1) normal: vec4f,
    @location(2) about: vec4f,
}

@fragment
fn fragment(in: Varyings) -> Targets {
    if is_open(in.word, in.position) {
        discard;
    }
    let material = 2u * material_index(in.word);
    let about = vec3f(materials[material].a, materials[material + 1u].xy);
    return Targets(
        vec4f(albedo_of(in.word), 1.0),
        vec4f(normalize(in.normal), 0.0),
        vec4f(about, 1.0 / in.position.w),
    );
}
