// The sky and the ground behind everything: one triangle over the whole target at infinity, which is depth 0.
//   in   view  inverse_view_proj and eye of the camera; haze, the share of light that is left after a hundred world units
//   draw 3 vertices, no buffers; depth compare GreaterEqual, no depth write

#import "color.wgsl"
#import "weather.wgsl"

struct View {
    inverse_view_proj: mat4x4f,
    eye: vec3f,
    haze: f32,
}

const EARTH: vec3f = vec3f(0.055, 0.06, 0.035);

@group(0) @binding(0) var<uniform> view: View;

struct Varyings {
    @builtin(position) position: vec4f,
    @location(0) clip: vec2f,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Varyings {
    let clip = vec2f(f32(index & 1u), f32(index >> 1u)) * 4.0 - 1.0;
    return Varyings(vec4f(clip, 0.0, 1.0), clip);
}

@fragment
fn fragment(in: Varyings) -> @location(0) vec4f {
    let seen = view.inverse_view_proj * vec4f(in.clip, 0.5, 1.0);
    let direction = normalize(seen.xyz / seen.w - view.eye);
    let air = weather_air(direction);
    // The plane y = 0.
    let away = max(view.eye.y, 0.0) / max(-direction.y, 1e-6);
    let left = select(0.0, pow(view.haze, 0.01 * away), direction.y < 0.0);
    return vec4f(tonemap(mix(air, EARTH * weather_light(vec3f(0.0, 1.0, 0.0)), left)), 1.0);
}
