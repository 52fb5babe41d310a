// Second half: every object against the frustum and the depth pyramid of the first half. What is visible and was not drawn yet is
// drawn now, and the verdict is kept for the next frame. (Two-pass occlusion culling after Haar and Aaltonen, SIGGRAPH 2015.)
//   in   view     view_proj, planes and near of the camera
//   in   spheres  array<vec4f>, n elements: centre and radius
//   in   halves   array<vec4f>, n elements: half extents
//   in   pyramid  the farthest depth below each texel, all mips
//   io   seen     array<u32>, ceil(n / 32) elements: one bit an object; last frame's in, this frame's out
//   out  list     array<u32>, n elements: as many as `args` counts, in no order
//   io   args     array<TalliedArgs>, one: zero instances on the way in
//   io   tally    objects in the frustum, and those of them that something hides; zero on the way in
//   dispatch      items n, folded

#import "index.wgsl"
#import "frustum_box.wgsl"
#import "depth_order.wgsl"
#import "tallied_args.wgsl"

const WG_SIZE: u32 = 64u;

struct View {
    view_proj: mat4x4f,
    planes: array<vec4f, 6>,
    near: f32,
}

struct Tally {
    inside: atomic<u32>,
    hidden: atomic<u32>,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<storage, read> spheres: array<vec4f>;
@group(0) @binding(2) var<storage, read> halves: array<vec4f>;
@group(0) @binding(3) var pyramid: texture_2d<f32>;
@group(0) @binding(4) var<storage, read_write> seen: array<u32>;
@group(0) @binding(5) var<storage, read_write> list: array<u32>;
@group(0) @binding(6) var<storage, read_write> args: array<TalliedArgs>;
@group(0) @binding(7) var<storage, read_write> tally: Tally;

// The verdicts of this workgroup.
var<workgroup> sh_bits: array<atomic<u32>, 2>;

@compute @workgroup_size(WG_SIZE)
fn late(
    @builtin(global_invocation_id) global_invocation_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
    @builtin(local_invocation_index) local_invocation_index: u32,
) {
    let index = linear_index(global_invocation_id, num_workgroups, WG_SIZE);
    if local_invocation_index < 2u {
        atomicStore(&sh_bits[local_invocation_index], 0u);
    }
    workgroupBarrier();
    if index < arrayLength(&list) && judge(index) {
        atomicOr(&sh_bits[local_invocation_index / 32u], 1u << (index % 32u));
        if extractBits(seen[index / 32u], index % 32u, 1u) == 0u {
            list[atomicAdd(&args[0].instance_count, 1u)] = index;
        }
    }
    workgroupBarrier();
    if local_invocation_index % 32u == 0u && index / 32u < arrayLength(&seen) {
        seen[index / 32u] = atomicLoad(&sh_bits[local_invocation_index / 32u]);
    }
}

// Whether an object may be visible; counted.
fn judge(index: u32) -> bool {
    let center = spheres[index].xyz;
    let half = halves[index].xyz;
    var out = !box_sound(center, half);
    for (var plane = 0u; plane < 6u; plane++) {
        out |= box_outside(view.planes[plane], center, half);
    }
    if out {
        return false;
    }
    atomicAdd(&tally.inside, 1u);
    let is_hidden = hidden(center, half);
    if is_hidden {
        atomicAdd(&tally.hidden, 1u);
    }
    return !is_hidden;
}

// Whether a box is behind what was drawn, wherever it covers the screen. A box that reaches behind the near plane is not.
fn hidden(center: vec3f, half: vec3f) -> bool {
    var low = vec2f(1.0);
    var high = vec2f(0.0);
    var nearest = DEPTH_FAR;
    for (var corner = 0u; corner < 8u; corner++) {
        let side = vec3f(f32(corner & 1u), f32((corner >> 1u) & 1u), f32(corner >> 2u)) * 2.0 - 1.0;
        let clip = view.view_proj * vec4f(center + half * side, 1.0);
        if clip.w < view.near {
            return false;
        }
        let at = clip.xyz / clip.w;
        let uv = vec2f(0.5, -0.5) * at.xy + 0.5;
        low = min(low, uv);
        high = max(high, uv);
        nearest = depth_nearer(nearest, at.z);
    }
    return depth_behind(nearest, farthest(saturate(low), saturate(high)));
}

// The farthest depth in a rectangle of the screen, from the mip in which it touches at most two by two texels.
fn farthest(low: vec2f, high: vec2f) -> f32 {
    let texels = (high - low) * vec2f(textureDimensions(pyramid));
    let wanted = u32(ceil(log2(max(max(texels.x, texels.y), 1.0))));
    let mip = min(wanted, textureNumLevels(pyramid) - 1u);
    // Not textureDimensions(pyramid, mip): llvmpipe answers with the first invocation's mip for all.
    let size = max(textureDimensions(pyramid) >> vec2u(mip), vec2u(1u));
    let a = min(vec2u(low * vec2f(size)), size - 1u);
    let b = min(vec2u(high * vec2f(size)), size - 1u);
    let upper = depth_farther(textureLoad(pyramid, a, mip).x, textureLoad(pyramid, vec2u(b.x, a.y), mip).x);
    let lower = depth_farther(textureLoad(pyramid, vec2u(a.x, b.y), mip).x, textureLoad(pyramid, b, mip).x);
    return depth_farther(upper, lower);
}
