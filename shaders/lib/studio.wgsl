// A studio: warm key light, cool sky, a bright horizon.

const STUDIO_KEY: vec3f = vec3f(0.48, 0.74, 0.47);

fn studio_sky(direction: vec3f) -> vec3f {
    let up = saturate(0.5 + 0.5 * direction.y);
    let horizon = exp(-12.0 * direction.y * direction.y);
    return mix(vec3f(0.07, 0.065, 0.075), vec3f(0.16, 0.22, 0.33), up) + 0.22 * horizon * vec3f(1.0, 0.86, 0.70);
}

// Glazed clay: light of the key and of the sky, and a mirror that is stronger at the edge. `open` is how much of the sky is seen.
fn studio_lit(normal: vec3f, direction: vec3f, color: vec3f, open: f32, gloss: f32) -> vec3f {
    let key = max(dot(normal, STUDIO_KEY), 0.0);
    let mirror = reflect(direction, normal);
    let edge = 0.04 + 0.96 * pow(1.0 - saturate(-dot(normal, direction)), 5.0);
    let glint = pow(max(dot(mirror, STUDIO_KEY), 0.0), 90.0);
    let light = color * (vec3f(1.25, 1.12, 0.92) * key + 0.8 * open * studio_sky(normal));
    return light + gloss * open * (edge * studio_sky(mirror) + vec3f(3.0, 2.8, 2.4) * glint);
}
