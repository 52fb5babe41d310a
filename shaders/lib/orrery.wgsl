// Rings around a star at the origin: where they are, how they turn, what colour they have.

#import "hash.wgsl"
#import "color.wgsl"

const STAR_RADIUS: f32 = 0.62;

// Of a ring: radius, and the angles of its tilt at this time.
struct Ring {
    radius: f32,
    pitch: f32,
    roll: f32,
    seed: u32,
}

fn orrery_ring(ring: u32, rings: u32, angle: f32) -> Ring {
    let seed = hash(ring + 71u);
    let share = (f32(ring) + 0.5) / f32(rings);
    let speed = 0.5 + random(seed, 0u);
    let pitch = 0.9 * (random(seed, 1u) - 0.5) + 0.25 * sin(angle * speed);
    let roll = 0.9 * (random(seed, 2u) - 0.5) + 0.25 * cos(angle * speed);
    return Ring(mix(1.15, 4.4, pow(share, 1.2)), pitch, roll, seed);
}

// From the ring's own plane, y up, into the world.
fn orrery_turn(ring: Ring, v: vec3f) -> vec3f {
    let cp = cos(ring.pitch);
    let sp = sin(ring.pitch);
    let cr = cos(ring.roll);
    let sr = sin(ring.roll);
    let pitched = vec3f(v.x, cp * v.y - sp * v.z, sp * v.y + cp * v.z);
    return vec3f(cr * pitched.x - sr * pitched.y, sr * pitched.x + cr * pitched.y, pitched.z);
}

// One in three shines by itself.
fn orrery_shines(seed: u32) -> bool {
    return hash(seed) % 3u == 0u;
}

fn orrery_color(ring: Ring) -> vec3f {
    let tint = palette(0.55 * saturate((ring.radius - 1.0) / 3.4) + 0.03, vec3f(0.0, 0.14, 0.30));
    return tint * tint;
}

// Light of the star on a surface there, as matte things throw it back.
fn orrery_lit(world: vec3f, normal: vec3f, color: vec3f) -> vec3f {
    let away = max(length(world), 1e-3);
    let facing = max(dot(normal, -world / away), 0.0);
    return color * (0.06 + vec3f(1.0, 0.72, 0.45) * 14.0 * facing / (away * away));
}
