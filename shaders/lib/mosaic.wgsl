// A mosaic: where its stones lie and which colour each shall have.

#import "hash.wgsl"
#import "color.wgsl"

// Stones of a row; rows follow from their number.
fn stones_a_row(stones: u32) -> u32 {
    return max(u32(ceil(sqrt(f32(stones) * 16.0 / 9.0))), 1u);
}

// From -1 to 1 along the longer side.
fn stone_spot(stone: u32, stones: u32) -> vec2f {
    let row = stones_a_row(stones);
    let place = vec2f(vec2u(stone % row, stone / row)) + 0.5;
    return 2.0 * place / f32(row) - vec2f(1.0, 9.0 / 16.0);
}

// Rings around a sun over hills, linear light.
fn stone_color(stone: u32, stones: u32) -> vec3f {
    let spot = stone_spot(stone, stones);
    let away = length(spot - vec2f(0.25, -0.12));
    let shade = 0.8 + 0.2 * random(hash(stone), 0u);
    if spot.y > 0.22 + 0.10 * sin(5.0 * spot.x) {
        return shade * mix(vec3f(0.03, 0.10, 0.09), vec3f(0.10, 0.22, 0.06), 0.5 + 0.5 * sin(17.0 * spot.x + 30.0 * spot.y));
    }
    let ring = 0.5 + 0.5 * cos(34.0 * away);
    let sky = mix(vec3f(0.02, 0.07, 0.22), vec3f(0.10, 0.30, 0.50), ring);
    let sun = mix(vec3f(0.95, 0.55, 0.10), vec3f(0.75, 0.16, 0.04), ring);
    return shade * mix(sun, sky, smoothstep(0.28, 0.34, away));
}
