// The space around the scene: a bright core at the origin, haze that it lights, stars.

#import "hash.wgsl"

const CORE_COLOR: vec3f = vec3f(1.0, 0.66, 0.38);

// Light that haze scatters toward the eye along a ray of this length, from a point light at the origin: the integral of one
// over the squared distance (M. Macklin, "In-scattering", 2010).
fn haze(eye: vec3f, direction: vec3f, length_: f32) -> vec3f {
    let along = dot(eye, direction);
    let across = sqrt(max(dot(eye, eye) - along * along, 0.0) + 1.5);
    let light = (atan((length_ + along) / across) - atan(along / across)) / across;
    return CORE_COLOR * light;
}

fn stars(direction: vec3f) -> vec3f {
    let cell = vec3i(floor(direction * 90.0));
    let seed = hash(bitcast<u32>(cell.x) + hash(bitcast<u32>(cell.y) + hash(bitcast<u32>(cell.z))));
    let middle = (vec3f(cell) + 0.25 + 0.5 * vec3f(random(seed, 1u), random(seed, 2u), random(seed, 3u))) / 90.0;
    let off = distance(normalize(middle), direction) * 900.0;
    let light = step(0.93, random(seed, 0u)) * pow(random(seed, 4u), 4.0) * saturate(1.0 - off);
    return light * mix(vec3f(1.0, 0.8, 0.6), vec3f(0.6, 0.8, 1.0), random(seed, 5u)) * 2.0;
}

// What is seen in a direction where there is nothing.
fn space(eye: vec3f, direction: vec3f) -> vec3f {
    let band = exp(-9.0 * direction.y * direction.y);
    let base = mix(vec3f(0.003, 0.006, 0.016), vec3f(0.014, 0.014, 0.040), band);
    return base + stars(direction) + 0.45 * haze(eye, direction, 2000.0);
}
