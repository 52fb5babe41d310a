// Events hit cells whose state is four words, each with atomics of its own.
//   in   now    frame, its number
//   in   events how many
//   io   counts, born, busy, late  array<u32>, n elements
//   dispatch    items events, folded

#import "index.wgsl"
#import "packed_state.wgsl"

const WG_SIZE: u32 = 64u;

override events: u32;

struct Now {
    frame: u32,
}

@group(0) @binding(0) var<uniform> now: Now;
@group(0) @binding(1) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read_write> born: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> busy: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> late: array<atomic<u32>>;

@compute @workgroup_size(WG_SIZE)
fn hit(
    @builtin(global_invocation_id) global_invocation_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
) {
    let event = linear_index(global_invocation_id, num_workgroups, WG_SIZE);
    if event >= events {
        return;
    }
    let cell = state_cell(event, now.frame, arrayLength(&counts));
    let flags = state_flags(atomicAdd(&counts[cell], 1u) & 0xffffffu, now.frame);
    if (flags & STATE_BORN) != 0u {
        atomicOr(&born[cell], 1u);
    }
    if (flags & STATE_BUSY) != 0u {
        atomicOr(&busy[cell], 1u);
    }
    if (flags & STATE_LATE) != 0u {
        atomicOr(&late[cell], 1u);
    }
}
