// Rings in a cube of space, and what each is made of.
//   out  objects    array<vec4f>, n elements: centre and scale
//   out  words      array<u32>, n elements: material and flags of each object
//   out  materials  array<vec4f>, two a material: albedo and roughness; metal and occlusion
//   dispatch        items n, folded

#import "index.wgsl"
#import "hash.wgsl"
#import "color.wgsl"
#import "material_word.wgsl"

const WG_SIZE: u32 = 64u;

@group(0) @binding(0) var<storage, read_write> objects: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> words: array<u32>;
@group(0) @binding(2) var<storage, read_write> materials: array<vec4f>;

@compute @workgroup_size(WG_SIZE)
fn scatter(
    @builtin(global_invocation_id) global_invocation_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
) {
    let index = linear_index(global_invocation_id, num_workgroups, WG_SIZE);
    let count = arrayLength(&materials) / 2u;
    let invocations = num_workgroups.x * num_workgroups.y * WG_SIZE;
    for (var material = index; material < count; material += invocations) {
        let seed = hash(material + 77u);
        let albedo = palette(0.13 * f32(material), vec3f(0.0, 0.15, 0.35));
        materials[2u * material] = vec4f(0.1 + 0.8 * albedo * albedo, 0.1 + 0.8 * random(seed, 1u));
        materials[2u * material + 1u] = vec4f(step(0.6, random(seed, 2u)), 0.7 + 0.3 * random(seed, 3u), 0.0, 0.0);
    }
    if index < arrayLength(&objects) {
        let seed = hash(index);
        let place = 60.0 * (vec3f(random(seed, 0u), random(seed, 1u), random(seed, 2u)) - 0.5);
        objects[index] = vec4f(place, 2.0 + 6.0 * random(seed, 3u));
        let transparent = select(0u, MATERIAL_TRANSPARENT, random(seed, 4u) < 0.12);
        let glowing = select(0u, MATERIAL_GLOWING, random(seed, 5u) < 0.06);
        words[index] = material_word(hash(index + 5u) % count, transparent | glowing);
    }
}
