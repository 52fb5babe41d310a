// Draw arguments without instances.
//   in   meshes  array<DrawIndexedArgs>, one a mesh, zero instances
//   out  args    array<DrawIndexedArgs>, one
//   dispatch     items 1

#import "draw_args.wgsl"

@group(0) @binding(0) var<storage, read> meshes: array<DrawIndexedArgs>;
@group(0) @binding(1) var<storage, read_write> args: array<DrawIndexedArgs>;

@compute @workgroup_size(1)
fn reset() {
    args[0] = meshes[0];
}
