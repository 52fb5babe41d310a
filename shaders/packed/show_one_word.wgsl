// States as one word each.
//   in   cells   array<u32>, n elements
//   out  states  array<u32>, n elements
//   dispatch     items n, folded

#import "index.wgsl"

const WG_SIZE: u32 = 64u;

@group(0) @binding(0) var<storage, read> cells: array<u32>;
@group(0) @binding(1) var<storage, read_write> states: array<u32>;

@compute @workgroup_size(WG_SIZE)
fn show(
    @builtin(global_invocation_id) global_invocation_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
) {
    let cell = linear_index(global_invocation_id, num_workgroups, WG_SIZE);
    if cell < arrayLength(&states) {
        states[cell] = cells[cell];
    }
}
