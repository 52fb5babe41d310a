// A smaller mip by thirteen bilinear taps over five half-covering boxes: wider than the texel, so that what moves does not
// flicker (J. Jimenez, "Next generation post processing in Call of Duty: Advanced Warfare", SIGGRAPH 2014).
//   in   src  light
//   out  dst  light, half the size
//   dispatch  items (width, height) of dst

@group(0) @binding(0) var smooth_: sampler;
@group(0) @binding(1) var src: texture_2d<f32>;
@group(0) @binding(2) var dst: texture_storage_2d<rgba16float, write>;

@compute @workgroup_size(8, 8)
fn down(@builtin(global_invocation_id) id: vec3u) {
    let size = textureDimensions(dst);
    if any(id.xy >= size) {
        return;
    }
    let uv = (vec2f(id.xy) + 0.5) / vec2f(size);
    var light = vec3f(0.0);
    for (var y = -2; y <= 2; y++) {
        for (var x = -2; x <= 2; x++) {
            let side = vec2i(x, y);
            if (x + y) % 2 == 0 {
                light += weight_of(abs(side)) * tap(uv, side);
            }
        }
    }
    textureStore(dst, id.xy, vec4f(light, 1.0));
}

// The inner box has half of all, the four around it share the rest and each other's corners.
fn weight_of(side: vec2i) -> f32 {
    if side.x == 1 {
        return 0.125;
    }
    return 0.125 / f32(1 << u32((side.x + side.y) / 2));
}

fn tap(uv: vec2f, side: vec2i) -> vec3f {
    return textureSampleLevel(src, smooth_, uv + vec2f(side) / vec2f(textureDimensions(src)), 0.0).rgb;
}
