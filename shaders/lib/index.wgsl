// Linear indices of one-dimensional work.
//
// A dispatch takes at most 65,535 workgroups in one dimension. Up to there rondag dispatches `items` as (groups, 1, 1);
// above it folds them into rows: (65,535, ceil(groups / 65,535), 1). These helpers give the same number either way.
// The last row may reach past the end, and so does the last workgroup: compare with the number of items before use.
// The workgroup is one-dimensional: @workgroup_size(width).

// The index of an invocation. `width` is the workgroup's size.
fn linear_index(global_invocation_id: vec3u, num_workgroups: vec3u, width: u32) -> u32 {
    return global_invocation_id.x + global_invocation_id.y * (num_workgroups.x * width);
}

// The index of a workgroup. Alike for all of its invocations.
fn linear_group(workgroup_id: vec3u, num_workgroups: vec3u) -> u32 {
    return workgroup_id.x + workgroup_id.y * num_workgroups.x;
}
