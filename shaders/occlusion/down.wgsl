// The next mip of the depth pyramid: the farthest of two by two.
//   in   src  a mip
//   out  dst  the next one
//   dispatch  items (width, height) of dst

#import "depth_order.wgsl"

@group(0) @binding(0) var src: texture_2d<f32>;
@group(0) @binding(1) var dst: texture_storage_2d<r32float, write>;

@compute @workgroup_size(8, 8)
fn down(@builtin(global_invocation_id) id: vec3u) {
    if any(id.xy >= textureDimensions(dst)) {
        return;
    }
    // A mip that is one texel wide stays so while the other side still halves.
    let last = textureDimensions(src) - 1u;
    let a = min(id.xy * 2u, last);
    let b = min(id.xy * 2u + 1u, last);
    let upper = depth_farther(textureLoad(src, a, 0).x, textureLoad(src, vec2u(b.x, a.y), 0).x);
    let lower = depth_farther(textureLoad(src, vec2u(a.x, b.y), 0).x, textureLoad(src, b, 0).x);
    textureStore(dst, id.xy, vec4f(depth_farther(upper, lower)));
}
