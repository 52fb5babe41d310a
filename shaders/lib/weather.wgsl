// A low sun under a clear sky, linear light.

const WEATHER_SUN: vec3f = vec3f(-0.57, 0.47, -0.67);

// What falls on a surface.
fn weather_light(normal: vec3f) -> vec3f {
    let sky = mix(vec3f(0.16, 0.14, 0.12), vec3f(0.30, 0.40, 0.58), 0.5 + 0.5 * normal.y);
    return sky + vec3f(2.4, 1.9, 1.3) * max(dot(normal, WEATHER_SUN), 0.0);
}

// The sky in a direction, and what distant things pale to.
fn weather_air(direction: vec3f) -> vec3f {
    let up = saturate(direction.y);
    let glow = pow(saturate(dot(direction, WEATHER_SUN)), 6.0);
    return mix(vec3f(0.62, 0.56, 0.50), vec3f(0.16, 0.30, 0.60), sqrt(up)) + vec3f(0.5, 0.32, 0.14) * glow;
}
