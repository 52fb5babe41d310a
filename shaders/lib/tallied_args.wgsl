// Draw arguments whose instances are counted by atomics.

struct TalliedArgs {
    index_count: u32,
    instance_count: atomic<u32>,
    first_index: u32,
    base_vertex: i32,
    first_instance: u32,
}
