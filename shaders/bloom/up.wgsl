// A smaller mip spread over a larger one by a tent of nine taps; the blender mixes them.
//   in   src    a mip of the bloom
//   in   mix_   spread, how much of the result is `src`, from the param of its name
//   draw 3 vertices onto the larger mip, blend Alpha

#import "cover.wgsl"

struct Mix {
    spread: f32,
}

@group(0) @binding(0) var<uniform> mix_: Mix;
@group(0) @binding(1) var smooth_: sampler;
@group(0) @binding(2) var src: texture_2d<f32>;

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Cover {
    return cover(index);
}

@fragment
fn fragment(in: Cover) -> @location(0) vec4f {
    let texel = 1.0 / vec2f(textureDimensions(src));
    var light = vec3f(0.0);
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let weight = f32((2 - abs(x)) * (2 - abs(y))) / 16.0;
            light += weight * textureSampleLevel(src, smooth_, in.uv + vec2f(vec2i(x, y)) * texel, 0.0).rgb;
        }
    }
    return vec4f(light, mix_.spread);
}
