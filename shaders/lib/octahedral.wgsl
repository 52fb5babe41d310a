// Unit vectors as two numbers from -1 to 1: the sphere unfolded from an octahedron (Cigolle et al., JCGT 3(2), 2014).
// `reference::packing` is the same on the CPU.

fn octahedral_fold(v: vec2f) -> vec2f {
    return (1.0 - abs(v.yx)) * select(vec2f(-1.0), vec2f(1.0), v >= vec2f(0.0));
}

fn octahedral_from(n: vec3f) -> vec2f {
    let square = n.xy / (abs(n.x) + abs(n.y) + abs(n.z));
    return select(octahedral_fold(square), square, n.z >= 0.0);
}

fn octahedral_to(e: vec2f) -> vec3f {
    let z = 1.0 - abs(e.x) - abs(e.y);
    return normalize(vec3f(select(octahedral_fold(e), e, z >= 0.0), z));
}
