// The sum over all texels, and the texels that anything covers.
//   in   cost    texture_2d<f32>
//   io   shaded  zero on the way in
//   dispatch     items (width, height) of cost

struct Shaded {
    fragments: atomic<u32>,
    texels: atomic<u32>,
}

@group(0) @binding(0) var cost: texture_2d<f32>;
@group(0) @binding(1) var<storage, read_write> shaded: Shaded;

var<workgroup> sh_fragments: atomic<u32>;
var<workgroup> sh_texels: atomic<u32>;

@compute @workgroup_size(8, 8)
fn sum(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local_invocation_index: u32) {
    if local_invocation_index == 0u {
        atomicStore(&sh_fragments, 0u);
        atomicStore(&sh_texels, 0u);
    }
    workgroupBarrier();
    if all(id.xy < textureDimensions(cost)) {
        let here = u32(textureLoad(cost, id.xy, 0).x + 0.5);
        atomicAdd(&sh_fragments, here);
        atomicAdd(&sh_texels, u32(here != 0u));
    }
    workgroupBarrier();
    if local_invocation_index == 0u {
        atomicAdd(&shaded.fragments, atomicLoad(&sh_fragments));
        atomicAdd(&shaded.texels, atomicLoad(&sh_texels));
    }
}
