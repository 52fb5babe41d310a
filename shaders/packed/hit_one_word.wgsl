// Events hit cells whose whole state is one word: a count and three flags, one or two atomics an event.
//   in   now    frame, its number
//   in   events how many
//   io   cells  array<u32>, n elements; see packed_state.wgsl
//   dispatch    items events, folded

#import "index.wgsl"
#import "packed_state.wgsl"

const WG_SIZE: u32 = 64u;

override events: u32;

struct Now {
    frame: u32,
}

@group(0) @binding(0) var<uniform> now: Now;
@group(0) @binding(1) var<storage, read_write> cells: array<atomic<u32>>;

@compute @workgroup_size(WG_SIZE)
fn hit(
    @builtin(global_invocation_id) global_invocation_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
) {
    let event = linear_index(global_invocation_id, num_workgroups, WG_SIZE);
    if event >= events {
        return;
    }
    let cell = state_cell(event, now.frame, arrayLength(&cells));
    // The count lies highest, so that adding to it leaves the flags alone. What comes back says which flags are set already.
    let before = atomicAdd(&cells[cell], STATE_ONE);
    let flags = state_flags(state_count(before), now.frame) & ~before;
    if flags != 0u {
        atomicOr(&cells[cell], flags);
    }
}
