// Exclusive prefix sum over the 256 invocations of a workgroup, modulo 2^32.
//
// Sixteen invocations each sum a row of sixteen values, then everyone adds up the rows before its own: two barriers, where
// a sum in eight doubling steps needs nine. Software adapters pay most for barriers.

// Invocations of the workgroup.
const SCAN_WIDTH: u32 = 256u;
// Elements that one invocation of `scan/blocks.wgsl` and `scan/add.wgsl` takes.
const SCAN_ITEMS: u32 = 4u;
// Elements that one of their workgroups takes. `reference::scan::TILE` is the same number.
const SCAN_TILE: u32 = 1024u;

// Values of a row, and rows.
const SCAN_ROW: u32 = 16u;
// From one row to the next: odd, so that rows walked side by side stay in different memory banks.
const SCAN_PITCH: u32 = 17u;

var<workgroup> sh_values: array<u32, 272>;
var<workgroup> sh_rows: array<u32, 16>;

struct Ranked {
    // The sum over the invocations before this one.
    before: u32,
    // The sum over all.
    total: u32,
}

// Called by all SCAN_WIDTH invocations in uniform control flow; may be called again without a barrier between.
fn workgroup_scan(local_invocation_index: u32, value: u32) -> Ranked {
    let row = local_invocation_index / SCAN_ROW;
    let place = row * SCAN_PITCH + local_invocation_index % SCAN_ROW;
    sh_values[place] = value;
    workgroupBarrier();
    if local_invocation_index < SCAN_ROW {
        let first = local_invocation_index * SCAN_PITCH;
        var sum = 0u;
        for (var i = first; i < first + SCAN_ROW; i++) {
            let own = sh_values[i];
            sh_values[i] = sum;
            sum += own;
        }
        sh_rows[local_invocation_index] = sum;
    }
    workgroupBarrier();
    var ranked = Ranked(sh_values[place], 0u);
    for (var r = 0u; r < SCAN_ROW; r++) {
        ranked.before += select(0u, sh_rows[r], r < row);
        ranked.total += sh_rows[r];
    }
    return ranked;
}
