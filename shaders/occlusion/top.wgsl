// The top of the depth pyramid: the farthest depth below each texel. Its sides are powers of two, at most the depth buffer's, so
// that all further mips halve exactly; a texel here covers up to three by three there, none left out.
//   in   src  depth
//   out  dst  mip 0 of the pyramid
//   dispatch  items (width, height) of dst

#import "depth_order.wgsl"

@group(0) @binding(0) var src: texture_depth_2d;
@group(0) @binding(1) var dst: texture_storage_2d<r32float, write>;

@compute @workgroup_size(8, 8)
fn top(@builtin(global_invocation_id) id: vec3u) {
    let size = textureDimensions(dst);
    if any(id.xy >= size) {
        return;
    }
    let from_size = textureDimensions(src);
    let low = id.xy * from_size / size;
    let high = ((id.xy + 1u) * from_size + size - 1u) / size;
    var farthest = textureLoad(src, low, 0);
    for (var y = low.y; y < high.y; y++) {
        for (var x = low.x; x < high.x; x++) {
            farthest = depth_farther(farthest, textureLoad(src, vec2u(x, y), 0));
        }
    }
    textureStore(dst, id.xy, vec4f(farthest));
}
