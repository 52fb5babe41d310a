// Four samples to one, each weighed by how bright a screen shows it: an edge between the star and the dark stays smooth after
// tone mapping, where the plain average is white up to the last texel (B. Karis, "Tone mapping", 2013).
//   in   src  light, four samples a texel
//   out  dst  light
//   dispatch  items (width, height) of dst

@group(0) @binding(0) var src: texture_multisampled_2d<f32>;
@group(0) @binding(1) var dst: texture_storage_2d<rgba16float, write>;

@compute @workgroup_size(8, 8)
fn weigh(@builtin(global_invocation_id) id: vec3u) {
    if any(id.xy >= textureDimensions(dst)) {
        return;
    }
    var light = vec3f(0.0);
    var sum = 0.0;
    for (var i = 0u; i < 4u; i++) {
        let one = textureLoad(src, id.xy, i).rgb;
        let weight = 1.0 / (1.0 + max(one.r, max(one.g, one.b)));
        light += weight * one;
        sum += weight;
    }
    textureStore(dst, id.xy, vec4f(light / sum, 1.0));
}
