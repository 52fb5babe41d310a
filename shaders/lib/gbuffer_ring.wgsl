// What both fills of a G-buffer share: where a ring's vertex lies, and what a texel of it is made of. The importing shader declares `view`
// with `view_proj`, `objects`, `words`, `materials` and `normals`.

#import "hash.wgsl"
#import "material_word.wgsl"

override packed_normals: bool;

struct RingVaryings {
    @builtin(position) position: vec4f,
    @location(0) normal: vec3f,
    @location(1) @interpolate(flat) word: u32,
}

fn ring_vertex(position: vec3f, index: u32, instance: u32) -> RingVaryings {
    let object = objects[instance];
    let seed = hash(instance);
    let axis = normalize(vec3f(random(seed, 10u), random(seed, 11u), random(seed, 12u)) - 0.5 + 1e-4);
    let angle = 6.2831853 * random(seed, 13u);
    let world = object.xyz + object.w * ring_turn(position, axis, angle);
    return RingVaryings(view.view_proj * vec4f(world, 1.0), ring_turn(ring_normal(index), axis, angle), words[instance]);
}

fn ring_normal(index: u32) -> vec3f {
    if packed_normals {
        return normalize(unpack4x8snorm(normals[index]).xyz);
    }
    let first = 3u * index;
    return bitcast<vec3f>(vec3u(normals[first], normals[first + 1u], normals[first + 2u]));
}

// Rodrigues' rotation.
fn ring_turn(v: vec3f, axis: vec3f, angle: f32) -> vec3f {
    let c = cos(angle);
    return v * c + cross(axis, v) * sin(angle) + axis * dot(axis, v) * (1.0 - c);
}

// What is transparent covers every second texel.
fn ring_is_open(word: u32, place: vec4f) -> bool {
    let texel = vec2u(place.xy);
    return (material_flags(word) & MATERIAL_TRANSPARENT) != 0u && ((texel.x ^ texel.y) & 1u) != 0u;
}

fn ring_albedo(word: u32) -> vec3f {
    let albedo = materials[2u * material_index(word)].rgb;
    return select(albedo, vec3f(1.0, 0.86, 0.5), (material_flags(word) & MATERIAL_GLOWING) != 0u);
}

// Roughness, metal, occlusion.
fn ring_about(word: u32) -> vec3f {
    let material = 2u * material_index(word);
    return vec3f(materials[material].a, materials[material + 1u].xy);
}
