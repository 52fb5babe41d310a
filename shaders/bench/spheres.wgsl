// Spheres for a bench: a share of them stands before a camera at the origin that looks along -z, the others behind it.
//   in   share    density, 0 to 1
//   out  spheres  array<vec4f>, n elements: centre and radius
//   out  enabled  array<u32>, ceil(n / 32) elements: all ones
//   out  ranges   array<Range>, one a batch
//   dispatch      items n, folded

#import "index.wgsl"
#import "hash.wgsl"
#import "batches.wgsl"

const WG_SIZE: u32 = 256u;

struct Share {
    density: f32,
}

@group(0) @binding(0) var<uniform> share: Share;
@group(0) @binding(1) var<storage, read_write> spheres: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> enabled: array<u32>;
@group(0) @binding(3) var<storage, read_write> ranges: array<Range>;

@compute @workgroup_size(WG_SIZE)
fn place(
    @builtin(global_invocation_id) global_invocation_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
) {
    let index = linear_index(global_invocation_id, num_workgroups, WG_SIZE);
    let invocations = num_workgroups.x * num_workgroups.y * WG_SIZE;
    let instances = arrayLength(&spheres);
    for (var batch = index; batch < arrayLength(&ranges); batch += invocations) {
        ranges[batch] = deal(batch, instances, arrayLength(&ranges));
    }
    if index < arrayLength(&enabled) {
        enabled[index] = 0xffffffffu;
    }
    if index < instances {
        let seed = hash(index);
        let away = 20.0 + 80.0 * random(seed, 2u);
        let before = random(seed, 1u) < share.density;
        let aside = vec2f(random(seed, 3u), random(seed, 4u)) - 0.5;
        spheres[index] = vec4f(0.5 * away * aside, select(away, -away, before), 0.1 + 0.4 * random(seed, 5u));
    }
}
