// Exclusive prefix sum over the invocations of a workgroup, modulo 2^32 (Hillis and Steele, 1986; eight steps).

// Invocations of the workgroup.
const SCAN_WIDTH: u32 = 256u;
// Elements that one invocation of `scan/blocks.wgsl` and `scan/add.wgsl` takes.
const SCAN_ITEMS: u32 = 4u;
// Elements that one of their workgroups takes. `reference::scan::TILE` is the same number.
const SCAN_TILE: u32 = 1024u;

// Two copies that change places at every step, so that a step needs one barrier.
var<workgroup> sh_scan: array<u32, 512>;

struct Ranked {
    // The sum over the invocations before this one.
    before: u32,
    // The sum over all.
    total: u32,
}

// Called once by all SCAN_WIDTH invocations, in uniform control flow.
fn workgroup_scan(local_invocation_index: u32, value: u32) -> Ranked {
    var half = 0u;
    sh_scan[local_invocation_index] = value;
    for (var distance = 1u; distance < SCAN_WIDTH; distance <<= 1u) {
        workgroupBarrier();
        var sum = sh_scan[half + local_invocation_index];
        if local_invocation_index >= distance {
            sum += sh_scan[half + local_invocation_index - distance];
        }
        half = SCAN_WIDTH - half;
        sh_scan[half + local_invocation_index] = sum;
    }
    workgroupBarrier();
    return Ranked(sh_scan[half + local_invocation_index] - value, sh_scan[half + SCAN_WIDTH - 1u]);
}
