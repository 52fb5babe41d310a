// Fills the fat G-buffer: three targets of half floats, 24 bytes a texel, with linear depth in the third.
//   in   view       view_proj
//   in   objects    array<vec4f>, n elements: centre and scale
//   in   words      array<u32>, n elements: material and flags of each object
//   in   materials  array<vec4f>, two a material: albedo and roughness; metal and occlusion
//   in   normals    array<u32>: a word a vertex (snorm8x4), or the bits of three floats
//   in   packed_normals
//   out  albedo; normal; roughness, metal, occlusion and linear depth
//   draw indexed, an instance an object

#import "gbuffer_ring.wgsl"

struct View {
    view_proj: mat4x4f,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<storage, read> objects: array<vec4f>;
@group(0) @binding(2) var<storage, read> words: array<u32>;
@group(0) @binding(3) var<storage, read> materials: array<vec4f>;
@group(0) @binding(4) var<storage, read> normals: array<u32>;

@vertex
fn vertex(
    @location(0) position: vec3f,
    @builtin(vertex_index) index: u32,
    @builtin(instance_index) instance: u32,
) -> RingVaryings {
    return ring_vertex(position, index, instance);
}

struct Targets {
    @location(0) albedo: vec4f,
    @location(1) normal: vec4f,
    @location(2) about: vec4f,
}

@fragment
fn fragment(in: RingVaryings) -> Targets {
    if ring_is_open(in.word, in.position) {
        discard;
    }
    let about = ring_about(in.word);
    return Targets(
        vec4f(ring_albedo(in.word), 1.0),
        vec4f(normalize(in.normal), 0.0),
        vec4f(about, 1.0 / in.position.w),
    );
}
