// A field of reeds, with planks between them and slates that lie flat: where each stands and how it is stretched.

#import "hash.wgsl"
#import "placed.wgsl"

// Half the side of the field, world units.
const REED_FIELD: f32 = 120.0;

// Where the `index`-th of them stands.
fn reed_spot(index: u32) -> vec2f {
    let seed = hash(index);
    return REED_FIELD * (2.0 * vec2f(random(seed, 0u), random(seed, 1u)) - 1.0);
}

// Mirrored ones have a negative height, slates have none.
fn reed_placed(index: u32) -> Placed {
    let seed = hash(index);
    let spot = reed_spot(index);
    let kind = random(seed, 2u);
    let size = random(seed, 3u);
    let turn = 6.2831853 * random(seed, 4u);
    if kind < 0.02 {
        return placed_at(vec3f(spot.x, 0.05 + 0.2 * size, spot.y), vec3f(1.5 + size, 0.0, 1.0), 0.12 * size, turn);
    }
    if kind < 0.05 {
        let scale = vec3f(0.35, 5.0 + 4.0 * size, 0.06);
        return placed_at(vec3f(spot.x, 0.3, spot.y), scale, 1.45, turn);
    }
    let height = 3.0 + 8.0 * size * size;
    let wind = 0.10 + 0.25 * sin(0.07 * spot.x + 0.05 * spot.y) + 0.15 * random(seed, 5u);
    let lean = wind + 0.2 * (random(seed, 6u) - 0.5);
    let direction = 0.6 + 0.5 * (random(seed, 7u) - 0.5);
    let upright = select(height, -height, kind > 0.9);
    return placed_at(vec3f(spot.x, 0.45 * height, spot.y), vec3f(0.07, upright, 0.05), lean, direction);
}

// Linear, 0 to 1: straw, green and rust in drifts.
fn reed_color(index: u32) -> vec3f {
    let seed = hash(index);
    let spot = reed_spot(index);
    if random(seed, 2u) < 0.02 {
        return vec3f(0.22, 0.25, 0.30);
    }
    let drift = 0.5 + 0.5 * sin(0.045 * spot.x + 2.0 * sin(0.03 * spot.y));
    let green = mix(vec3f(0.10, 0.26, 0.06), vec3f(0.62, 0.46, 0.16), drift);
    let rust = vec3f(0.48, 0.16, 0.05);
    return mix(green, rust, 0.7 * pow(random(seed, 8u), 3.0)) * (0.6 + 0.4 * random(seed, 9u));
}
