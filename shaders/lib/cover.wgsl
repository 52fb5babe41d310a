// One triangle over the whole target: draw 3 vertices.

struct Cover {
    @builtin(position) position: vec4f,
    // From the upper left corner, 0 to 1.
    @location(0) uv: vec2f,
}

fn cover(index: u32) -> Cover {
    let corner = vec2f(f32(index & 1u), f32(index >> 1u)) * 2.0;
    return Cover(vec4f(corner * 2.0 - 1.0, 0.0, 1.0), vec2f(corner.x, 1.0 - corner.y));
}
