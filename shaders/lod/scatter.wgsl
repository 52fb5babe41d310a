// A sea of pearls, denser and smaller toward the horizon.
//   out  spheres  array<vec4f>, n elements: centre and radius
//   dispatch      items n, folded

#import "index.wgsl"
#import "hash.wgsl"

const WG_SIZE: u32 = 64u;
// Half the side of the sea, world units.
const SEA: f32 = 160.0;

@group(0) @binding(0) var<storage, read_write> spheres: array<vec4f>;

@compute @workgroup_size(WG_SIZE)
fn scatter(
    @builtin(global_invocation_id) global_invocation_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
) {
    let index = linear_index(global_invocation_id, num_workgroups, WG_SIZE);
    if index >= arrayLength(&spheres) {
        return;
    }
    let seed = hash(index);
    let spot = SEA * (2.0 * vec2f(random(seed, 0u), random(seed, 1u)) - 1.0);
    let swell = 3.0 * sin(0.07 * spot.x + 0.6) * sin(0.06 * spot.y) + 1.2 * sin(0.21 * spot.x + 0.17 * spot.y);
    let crowd = clamp(sqrt(30000.0 / f32(arrayLength(&spheres))), 0.02, 3.0);
    let radius = crowd * (0.35 + 1.3 * pow(random(seed, 2u), 5.0));
    spheres[index] = vec4f(spot.x, swell + radius, spot.y, radius);
}
