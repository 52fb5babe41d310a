// From counts to draw arguments, one invocation a batch.
//   in   meshes  array<DrawIndexedArgs>, one a mesh, zero instances
//   in   counts  array<u32>, one a batch: its visible instances
//   out  args    array<DrawIndexedArgs>, one a batch: batch b draws mesh b modulo the number of meshes
//   dispatch     items one a batch, folded

#import "index.wgsl"
#import "draw_args.wgsl"

const WG_SIZE: u32 = 64u;

@group(0) @binding(0) var<storage, read> meshes: array<DrawIndexedArgs>;
@group(0) @binding(1) var<storage, read> counts: array<u32>;
@group(0) @binding(2) var<storage, read_write> args: array<DrawIndexedArgs>;

@compute @workgroup_size(WG_SIZE)
fn arguments(
    @builtin(global_invocation_id) global_invocation_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
) {
    let batch = linear_index(global_invocation_id, num_workgroups, WG_SIZE);
    if batch >= arrayLength(&args) {
        return;
    }
    var record = meshes[batch % arrayLength(&meshes)];
    record.instance_count = counts[batch];
    record.first_instance = 0u;
    args[batch] = record;
}
