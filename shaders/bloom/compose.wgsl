// The light that passed straight and the light that scattered, as a screen shows them.
//   in   mix_   strength, share of the light that scatters; exposure; from the params of their names
//   in   hdr    light
//   in   bloom  mip 0 of the bloom
//   draw 3 vertices

#import "color.wgsl"
#import "cover.wgsl"

struct Mix {
    strength: f32,
    exposure: f32,
}

@group(0) @binding(0) var<uniform> mix_: Mix;
@group(0) @binding(1) var smooth_: sampler;
@group(0) @binding(2) var hdr: texture_2d<f32>;
@group(0) @binding(3) var bloom: texture_2d<f32>;

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Cover {
    return cover(index);
}

@fragment
fn fragment(in: Cover) -> @location(0) vec4f {
    let straight = textureLoad(hdr, vec2u(in.position.xy), 0).rgb;
    let scattered = textureSampleLevel(bloom, smooth_, in.uv, 0.0).rgb;
    return vec4f(tonemap(mix_.exposure * mix(straight, scattered, mix_.strength)), 1.0);
}
