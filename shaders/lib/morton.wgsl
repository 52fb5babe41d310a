// Places in the order of Morton's curve: neighbours on it are neighbours in space. `reference::morton` is the same on the CPU.

// The lowest ten bits of `value`, two zeros behind each.
fn morton_spread(value: u32) -> u32 {
    var bits = value & 0x3ffu;
    bits = (bits | (bits << 16u)) & 0x030000ffu;
    bits = (bits | (bits << 8u)) & 0x0300f00fu;
    bits = (bits | (bits << 4u)) & 0x030c30c3u;
    return (bits | (bits << 2u)) & 0x09249249u;
}

// 30 bits of a place whose coordinates go from 0 to 1; what is outside counts as on the edge.
fn morton_code(place: vec3f) -> u32 {
    let cell = vec3u(clamp(place * 1024.0, vec3f(0.0), vec3f(1023.0)));
    return morton_spread(cell.x) | (morton_spread(cell.y) << 1u) | (morton_spread(cell.z) << 2u);
}
