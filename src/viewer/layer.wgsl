// A texture over all of the window, texel by texel.

@group(0) @binding(0) var layer: texture_2d<f32>;

@vertex fn cover(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    return vec4f(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

@fragment fn lay(@builtin(position) place: vec4f) -> @location(0) vec4f {
    return textureLoad(layer, vec2u(place.xy), 0);
}
