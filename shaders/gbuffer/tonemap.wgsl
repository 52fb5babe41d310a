// From light to the screen: one triangle over the target.
//   in   tone  exposure, from the param of its name
//   in   lit   light, linear
//   draw 3 vertices, no buffers

#import "color.wgsl"
#import "cover.wgsl"

struct Tone {
    exposure: f32,
}

@group(0) @binding(0) var<uniform> tone: Tone;
@group(0) @binding(1) var lit: texture_2d<f32>;

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    return cover(index).position;
}

@fragment
fn fragment(@builtin(position) position: vec4f) -> @location(0) vec4f {
    return vec4f(tonemap(tone.exposure * textureLoad(lit, vec2u(position.xy), 0).rgb), 1.0);
}
