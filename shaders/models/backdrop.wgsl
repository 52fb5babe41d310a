// The studio behind everything: one triangle at infinity, which is depth 0.
//   in   view  inverse_view_proj and eye of the camera
//   draw 3 vertices, no buffers; depth compare GreaterEqual, no depth write

#import "color.wgsl"
#import "cover.wgsl"
#import "studio.wgsl"

struct View {
    inverse_view_proj: mat4x4f,
    eye: vec3f,
}

@group(0) @binding(0) var<uniform> view: View;

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Cover {
    return cover(index);
}

@fragment
fn fragment(in: Cover) -> @location(0) vec4f {
    let clip = vec2f(2.0 * in.uv.x - 1.0, 1.0 - 2.0 * in.uv.y);
    let seen = view.inverse_view_proj * vec4f(clip, 0.5, 1.0);
    return vec4f(tonemap(studio_sky(normalize(seen.xyz / seen.w - view.eye))), 1.0);
}
