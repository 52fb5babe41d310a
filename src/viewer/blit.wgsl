// The picture of a graph, fitted into its part of the window; two of them side by side or compared.

struct How {
    // Part of the window: left, top, width, height, pixels.
    area: vec4f,
    // Where B begins, in parts of the width.
    split: f32,
    // 1: texels are linear and get the sRGB curve; for A and B.
    curve_a: f32,
    curve_b: f32,
    // Above 0: the difference, so many times.
    gain: f32,
}

// One picture that has the size of its part of the window, in texels that are stored as they are shown: nothing is filtered,
// compared or curved. A software adapter would spend most of a frame on that.
override plain: bool = false;

@group(0) @binding(0) var a: texture_2d<f32>;
@group(0) @binding(1) var b: texture_2d<f32>;
@group(0) @binding(2) var<uniform> how: How;

@vertex fn cover(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    return vec4f(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

fn shown(linear: vec3f, curve: f32) -> vec3f {
    let it = clamp(linear, vec3f(0.0), vec3f(1.0));
    let curved = select(1.055 * pow(it, vec3f(1.0 / 2.4)) - 0.055, it * 12.92, it <= vec3f(0.0031308));
    return select(it, curved, curve > 0.5);
}

// Bilinear by hand: not every format can be filtered.
fn texel(image: texture_2d<f32>, at: vec2f) -> vec3f {
    let size = vec2f(textureDimensions(image));
    let place = clamp(at * size - 0.5, vec2f(0.0), size - 1.0);
    let low = vec2u(place);
    let high = min(low + 1u, vec2u(size) - 1u);
    let part = fract(place);
    let top = mix(textureLoad(image, low, 0).rgb, textureLoad(image, vec2u(high.x, low.y), 0).rgb, part.x);
    let bottom = mix(textureLoad(image, vec2u(low.x, high.y), 0).rgb, textureLoad(image, high, 0).rgb, part.x);
    return mix(top, bottom, part.y);
}

@fragment fn present(@builtin(position) place: vec4f) -> @location(0) vec4f {
    if plain {
        return vec4f(textureLoad(a, vec2u(place.xy - how.area.xy), 0).rgb, 1.0);
    }
    let at = (place.xy - how.area.xy) / how.area.zw;
    let left = shown(texel(a, at), how.curve_a);
    let right = shown(texel(b, at), how.curve_b);
    if how.gain > 0.0 {
        return vec4f(abs(left - right) * how.gain, 1.0);
    }
    return vec4f(select(left, right, at.x >= how.split), 1.0);
}
