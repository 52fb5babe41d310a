// Lights the packed G-buffer.
//   in   view  inverse_view_proj and eye of the camera
//   in   packed, see packed_fill; zero where nothing was drawn
//   out  lit   light, linear
//   dispatch   items (width, height) of lit

#import "gbuffer_surface.wgsl"
#import "octahedral.wgsl"

// The share of light that is left after a world unit.
const HAZE: f32 = 0.993;

struct View {
    inverse_view_proj: mat4x4f,
    eye: vec3f,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var packed: texture_2d<u32>;
@group(0) @binding(2) var lit: texture_storage_2d<rgba16float, write>;

@compute @workgroup_size(8, 8)
fn light(@builtin(global_invocation_id) id: vec3u) {
    let size = textureDimensions(lit);
    if any(id.xy >= size) {
        return;
    }
    let ray = direction((vec2f(id.xy) + 0.5) / vec2f(size));
    let words = textureLoad(packed, id.xy, 0);
    let depth = bitcast<f32>(words.w);
    let about = unpack4x8unorm(words.z);
    let normal = octahedral_to(unpack2x16snorm(words.y));
    let surface = GSurface(unpack4x8unorm(words.x).rgb, normal, about.x, about.y, about.z);
    if depth == 0.0 {
        textureStore(lit, id.xy, vec4f(weather_air(ray), 1.0));
        return;
    }
    let light = mix(weather_air(ray), g_light(surface, -ray), pow(HAZE, depth));
    textureStore(lit, id.xy, vec4f(light, 1.0));
}

fn direction(uv: vec2f) -> vec3f {
    let seen = view.inverse_view_proj * vec4f(uv.x * 2.0 - 1.0, 1.0 - uv.y * 2.0, 0.5, 1.0);
    return normalize(seen.xyz / seen.w - view.eye);
}
