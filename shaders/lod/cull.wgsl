// Frustum cull that chooses the level of detail as well: each level down halves the triangles along an edge, so each halving of
// the radius on the screen goes one level down. Counts are gathered a workgroup at a time.
//   in   view     planes, eye and projection of the camera; height of the surface, pixels
//   in   detail   finest: radius in pixels from which the finest mesh is drawn; 0 draws it always
//   in   spheres  array<vec4f>, n elements: centre and radius
//   in   props    array<DrawIndexedArgs>, one a level, finest first
//   out  batches  array<u32>, n elements: batch of a visible object, else NO_BATCH
//   io   counts   array<u32>, one a batch (kind times levels, plus level): zero on the way in
//   dispatch      items n, folded

#import "index.wgsl"
#import "frustum.wgsl"
#import "draw_args.wgsl"
#import "lod_batch.wgsl"

const WG_SIZE: u32 = 256u;

struct View {
    projection: mat4x4f,
    planes: array<vec4f, 6>,
    eye: vec3f,
    height: f32,
}

struct Detail {
    finest: f32,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<uniform> detail: Detail;
@group(0) @binding(2) var<storage, read> spheres: array<vec4f>;
@group(0) @binding(3) var<storage, read> props: array<DrawIndexedArgs>;
@group(0) @binding(4) var<storage, read_write> batches: array<u32>;
@group(0) @binding(5) var<storage, read_write> counts: array<atomic<u32>>;

var<workgroup> sh_counts: array<atomic<u32>, MOST_BATCHES>;

@compute @workgroup_size(WG_SIZE)
fn cull(
    @builtin(global_invocation_id) global_invocation_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
    @builtin(local_invocation_index) local_invocation_index: u32,
) {
    let index = linear_index(global_invocation_id, num_workgroups, WG_SIZE);
    let levels = arrayLength(&props);
    let kinds = arrayLength(&counts) / levels;
    atomicStore(&sh_counts[local_invocation_index], 0u);
    workgroupBarrier();
    if index < arrayLength(&spheres) {
        var batch = NO_BATCH;
        if sees(spheres[index]) {
            batch = (index % kinds) * levels + level(spheres[index], levels);
            atomicAdd(&sh_counts[batch], 1u);
        }
        batches[index] = batch;
    }
    workgroupBarrier();
    if local_invocation_index < arrayLength(&counts) {
        let count = atomicLoad(&sh_counts[local_invocation_index]);
        if count != 0u {
            atomicAdd(&counts[local_invocation_index], count);
        }
    }
}

fn sees(sphere: vec4f) -> bool {
    var out = !sphere_sound(sphere);
    for (var plane = 0u; plane < 6u; plane++) {
        out |= sphere_outside(view.planes[plane], sphere.xyz, sphere.w);
    }
    return !out;
}

// 0 is the finest.
fn level(sphere: vec4f, levels: u32) -> u32 {
    let away = max(length(sphere.xyz - view.eye), sphere.w);
    let pixels = max(0.5 * view.height * view.projection[1].y * sphere.w / away, 1e-6);
    let down = u32(clamp(ceil(log2(detail.finest / pixels)), 0.0, 31.0));
    return min(down, levels - 1u);
}
