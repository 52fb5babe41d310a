// Places the objects of the scene: a spiral galaxy of small things, its batches cut like a cake.
//   in   hidden   share of the objects that are switched off, 0 to 1
//   out  spheres  array<vec4f>, n elements: centre and radius
//   out  enabled  array<u32>, ceil(n / 32) elements: one bit an object
//   out  ranges   array<Range>, one a batch
//   dispatch      items n, folded; n is at least the number of batches, or there is one workgroup for them

#import "index.wgsl"
#import "hash.wgsl"
#import "batches.wgsl"

const WG_SIZE: u32 = 64u;
const TAU: f32 = 6.2831853;

// World units.
const DISC: f32 = 110.0;
const BULGE: f32 = 14.0;
// Radius of a typical object where there are 100,000.
const SIZE: f32 = 0.34;
const ARMS: f32 = 2.0;
// Radians that an arm turns while its distance from the middle grows by a factor of e.
const TWIST: f32 = 2.9;

struct Scene {
    hidden: f32,
}

@group(0) @binding(0) var<uniform> scene: Scene;
@group(0) @binding(1) var<storage, read_write> spheres: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> enabled: array<u32>;
@group(0) @binding(3) var<storage, read_write> ranges: array<Range>;

@compute @workgroup_size(WG_SIZE)
fn scatter(
    @builtin(global_invocation_id) global_invocation_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
) {
    let index = linear_index(global_invocation_id, num_workgroups, WG_SIZE);
    let instances = arrayLength(&spheres);
    let batches = arrayLength(&ranges);
    if index < batches {
        ranges[index] = deal(index, instances, batches);
    }
    if index < arrayLength(&enabled) {
        enabled[index] = switches(index);
    }
    if index < instances {
        let range = deal(index / (blocks_a_batch(instances, batches) * BLOCK), instances, batches);
        let share = f32(index - range.first) / f32(range.count);
        spheres[index] = place(hash(index), share, f32(instances));
    }
}

// The bits of 32 objects.
fn switches(word: u32) -> u32 {
    var bits = 0u;
    for (var bit = 0u; bit < 32u; bit++) {
        bits |= u32(random(hash(word * 32u + bit), 99u) >= scene.hidden) << bit;
    }
    return bits;
}

// `share` goes from 0 to 1 through the batch and once around the disc, so that neighbours in memory are neighbours in space.
fn place(seed: u32, share: f32, instances: f32) -> vec4f {
    let distance = DISC * mix(pow(random(seed, 0u), 0.62), pow(random(seed, 1u), 2.2), 0.32) + 1.5;
    let thickness = 0.8 + 0.014 * distance + BULGE * 0.55 * exp(-distance * distance / (BULGE * BULGE));
    let spread = random(seed, 2u) + random(seed, 3u) + random(seed, 4u) - 1.5;
    let along = TAU * share;
    let arm = ARMS * (along - TWIST * log(distance));
    let strength = 0.92 * smoothstep(2.0, 30.0, distance);
    // Twice warped: most gather in the arms, some stay between.
    let warped = along - strength * sin(arm) / ARMS;
    let around = mix(warped, warped - 0.7 * strength * sin(ARMS * (warped - TWIST * log(distance))) / ARMS, 0.8);
    let crowd = pow(100000.0 / instances, 0.5);
    let big = random(seed, 5u);
    let radius = SIZE * min(crowd, 20.0) * (0.45 + 0.5 * big + 2.6 * pow(big, 24.0));
    return vec4f(distance * cos(around), thickness * spread * 1.6, distance * sin(around), radius);
}
