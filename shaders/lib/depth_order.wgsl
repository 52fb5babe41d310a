// Depth in either direction: reversed (1 near, 0 far), or not.

override depth_reversed: bool = true;

// What lies at infinity.
override DEPTH_FAR: f32 = select(1.0, 0.0, depth_reversed);

fn depth_nearer(a: f32, b: f32) -> f32 {
    return select(min(a, b), max(a, b), depth_reversed);
}

fn depth_farther(a: f32, b: f32) -> f32 {
    return select(max(a, b), min(a, b), depth_reversed);
}

// Whether `a` lies behind `b`.
fn depth_behind(a: f32, b: f32) -> bool {
    return select(a > b, a < b, depth_reversed);
}
