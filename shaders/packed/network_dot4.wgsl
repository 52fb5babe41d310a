// A picture that a small network of 8-bit numbers dreams up, texel by texel.
//   in   weights  array<u32>, 96 elements: four signed bytes each
//   out  dream    RGBA8
//   dispatch      items (width, height) of dream

#import "byte_network.wgsl"

@group(0) @binding(0) var<storage, read> weights: array<u32>;
@group(0) @binding(1) var dream: texture_storage_2d<rgba8unorm, write>;

fn product(a: u32, b: u32) -> i32 {
    return dot4I8Packed(a, b);
}

@compute @workgroup_size(8, 8)
fn dream_up(@builtin(global_invocation_id) id: vec3u) {
    let size = textureDimensions(dream);
    if any(id.xy >= size) || arrayLength(&weights) < NETWORK_WORDS {
        return;
    }
    let place = (vec2i(id.xy) * 2 - vec2i(size)) * 127 / i32(max(size.x, size.y));
    let away = (place.x * place.x + place.y * place.y) / 127 - 64;
    let out = network(vec4i(place, away, 96));
    textureStore(dream, id.xy, vec4f(vec4i(out.xyz + 128, 255)) / 255.0);
}
