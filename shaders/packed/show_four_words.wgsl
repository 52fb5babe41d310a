// States as one word each, put together from four.
//   in   counts, born, busy, late  array<u32>, n elements
//   out  states  array<u32>, n elements
//   dispatch     items n, folded

#import "index.wgsl"
#import "packed_state.wgsl"

const WG_SIZE: u32 = 64u;

@group(0) @binding(0) var<storage, read> counts: array<u32>;
@group(0) @binding(1) var<storage, read> born: array<u32>;
@group(0) @binding(2) var<storage, read> busy: array<u32>;
@group(0) @binding(3) var<storage, read> late: array<u32>;
@group(0) @binding(4) var<storage, read_write> states: array<u32>;

@compute @workgroup_size(WG_SIZE)
fn show(
    @builtin(global_invocation_id) global_invocation_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
) {
    let cell = linear_index(global_invocation_id, num_workgroups, WG_SIZE);
    if cell < arrayLength(&states) {
        let flags = born[cell] | (busy[cell] << 1u) | (late[cell] << 2u);
        states[cell] = insertBits(flags, counts[cell], STATE_COUNT_FROM, 24u);
    }
}
