// What both G-buffers hold of a surface, and how it is lit.

#import "weather.wgsl"

struct GSurface {
    albedo: vec3f,
    normal: vec3f,
    roughness: f32,
    metal: f32,
    occlusion: f32,
}

// The light that a surface sends toward `to_eye`.
fn g_light(surface: GSurface, to_eye: vec3f) -> vec3f {
    let facing = max(dot(surface.normal, WEATHER_SUN), 0.0);
    let middle = max(dot(surface.normal, normalize(WEATHER_SUN + to_eye)), 0.0);
    let gloss = (1.0 - surface.roughness) * pow(middle, mix(128.0, 8.0, surface.roughness));
    let sky = surface.occlusion * mix(vec3f(0.16, 0.14, 0.12), vec3f(0.30, 0.40, 0.58), 0.5 + 0.5 * surface.normal.y);
    let diffuse = surface.albedo * (1.0 - 0.8 * surface.metal) * (1.8 * facing + sky);
    let mirror = weather_air(reflect(-to_eye, surface.normal));
    let tint = mix(vec3f(0.04), surface.albedo, surface.metal);
    return diffuse + tint * (gloss * 8.0 * facing + (1.0 - surface.roughness) * mirror * surface.occlusion);
}
