// A town: towers on a grid, and crates in the streets, most of which something hides.
//   out  objects  array<Placed>, n elements
//   out  colors   array<u32>, n elements: linear RGB as unorm8x4
//   out  spheres  array<vec4f>, n elements: centre and radius
//   out  halves   array<vec4f>, n elements: half extents along the world's axes
//   dispatch      items n, folded

#import "index.wgsl"
#import "hash.wgsl"
#import "placed.wgsl"

const WG_SIZE: u32 = 64u;
const CUBE_RADIUS: f32 = 0.8660255;
// Lots along one side, and the width of a lot with its street, world units.
const LOTS: u32 = 24u;
const LOT: f32 = 14.0;
const STREET: f32 = 4.0;

@group(0) @binding(0) var<storage, read_write> objects: array<Placed>;
@group(0) @binding(1) var<storage, read_write> colors: array<u32>;
@group(0) @binding(2) var<storage, read_write> spheres: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> halves: array<vec4f>;

@compute @workgroup_size(WG_SIZE)
fn scatter(
    @builtin(global_invocation_id) global_invocation_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
) {
    let index = linear_index(global_invocation_id, num_workgroups, WG_SIZE);
    if index >= arrayLength(&objects) {
        return;
    }
    let seed = hash(index);
    let is_tower = index < LOTS * LOTS;
    var object: Placed;
    if is_tower {
        object = tower(index, seed);
    } else {
        object = chest(seed);
    }
    objects[index] = object;
    colors[index] = pack4x8unorm(vec4f(color(seed, is_tower), 0.0));
    spheres[index] = vec4f(placed_center(object), placed_radius(object, CUBE_RADIUS));
    halves[index] = vec4f(placed_half(object, vec3f(0.5)), 0.0);
}

fn lot_center(lot: u32) -> vec2f {
    return (vec2f(vec2u(lot % LOTS, lot / LOTS)) + 0.5 - 0.5 * f32(LOTS)) * LOT;
}

fn tower(lot: u32, seed: u32) -> Placed {
    let spot = lot_center(lot);
    let height = 6.0 + 20.0 * pow(random(seed, 0u), 3.0);
    let width = LOT - STREET - 2.0 * vec2f(random(seed, 1u), random(seed, 2u));
    return placed_at(vec3f(spot.x, 0.5 * height, spot.y), vec3f(width.x, height, width.y), 0.0, 0.0);
}

// On the ground or on another one.
fn chest(seed: u32) -> Placed {
    let spot = (vec2f(random(seed, 0u), random(seed, 1u)) - 0.5) * LOT * f32(LOTS);
    let size = 0.25 + 0.5 * vec3f(random(seed, 2u), random(seed, 3u), random(seed, 4u));
    let level = 0.6 * floor(3.0 * pow(random(seed, 5u), 4.0));
    return placed_at(vec3f(spot.x, level + 0.5 * size.y, spot.y), size, 0.0, 6.2831853 * random(seed, 6u));
}

fn color(seed: u32, is_tower: bool) -> vec3f {
    let shade = 0.7 + 0.3 * random(seed, 7u);
    if is_tower {
        return shade * mix(vec3f(0.46, 0.40, 0.34), vec3f(0.34, 0.38, 0.44), random(seed, 8u));
    }
    let warm = mix(vec3f(0.55, 0.22, 0.08), vec3f(0.75, 0.55, 0.16), random(seed, 8u));
    return shade * mix(warm, vec3f(0.10, 0.32, 0.36), step(0.75, random(seed, 9u)));
}
