// A smaller mip by area: each texel is the mean of exactly the texels that it covers, those at its edge in part. So the mean of
// the picture stays, at odd sizes too, where four bilinear taps would miss a row (after D. Guthe and P. Heckbert,
// "Non-power-of-two mipmapping", NVIDIA 2005).
//   in   src  light
//   out  dst  light, smaller by any factor
//   dispatch  items (width, height) of dst

@group(0) @binding(0) var src: texture_2d<f32>;
@group(0) @binding(1) var dst: texture_storage_2d<rgba16float, write>;

@compute @workgroup_size(8, 8)
fn down(@builtin(global_invocation_id) id: vec3u) {
    let small = textureDimensions(dst);
    let large = textureDimensions(src);
    if any(id.xy >= small) {
        return;
    }
    // In units of which a texel of the source has `small` and one of the target `large`.
    let low = id.xy * large;
    let high = low + large;
    let first = low / small;
    let last = (high - 1u) / small;
    var light = vec3f(0.0);
    for (var y = first.y; y <= last.y; y++) {
        for (var x = first.x; x <= last.x; x++) {
            let texel = vec2u(x, y);
            let covered = min(high, (texel + 1u) * small) - max(low, texel * small);
            light += f32(covered.x) * f32(covered.y) * textureLoad(src, texel, 0).rgb;
        }
    }
    textureStore(dst, id.xy, vec4f(light / (f32(large.x) * f32(large.y)), 1.0));
}
