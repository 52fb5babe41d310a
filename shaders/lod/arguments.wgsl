// From counts to draws: where the run of each batch begins, and draw arguments of those that are not empty, side by side. Records
// behind them draw nothing.
//   in   props    array<DrawIndexedArgs>, one a level, zero instances
//   in   counts   array<u32>, one a batch
//   out  cursors  array<u32>, one a batch: where its run begins in the list
//   out  args     array<DrawIndexedArgs>, one a batch
//   out  runs     array<LodRun>, one a batch: of each draw
//   out  drawn    array<u32>, one: the draws that are not empty
//   dispatch      groups 1

#import "draw_args.wgsl"
#import "scan.wgsl"
#import "lod_batch.wgsl"

@group(0) @binding(0) var<storage, read> props: array<DrawIndexedArgs>;
@group(0) @binding(1) var<storage, read> counts: array<u32>;
@group(0) @binding(2) var<storage, read_write> cursors: array<u32>;
@group(0) @binding(3) var<storage, read_write> args: array<DrawIndexedArgs>;
@group(0) @binding(4) var<storage, read_write> runs: array<LodRun>;
@group(0) @binding(5) var<storage, read_write> drawn: array<u32>;

@compute @workgroup_size(SCAN_WIDTH)
fn arguments(@builtin(local_invocation_index) batch: u32) {
    let is_batch = batch < arrayLength(&counts);
    var count = 0u;
    if is_batch {
        count = counts[batch];
    }
    let first = workgroup_scan(batch, count).before;
    let used = workgroup_scan(batch, u32(count != 0u));
    if batch == 0u {
        drawn[0] = used.total;
    }
    if !is_batch {
        return;
    }
    cursors[batch] = first;
    // The empty ones stand behind, in their order.
    let place = select(used.total + batch - used.before, used.before, count != 0u);
    var record = props[batch % arrayLength(&props)];
    record.instance_count = count;
    record.first_instance = 0u;
    args[place] = record;
    runs[place] = LodRun(first, batch);
}
