// Boxes along the world's axes (centre, half extents) against planes with their normals inward. `reference::bounds` is the same
// on the CPU.

// Whether a box has a place and a size. Looks at bits: compilers may take NaN for impossible.
fn box_sound(center: vec3f, half: vec3f) -> bool {
    let place = bitcast<vec3u>(center) & vec3u(0x7fffffffu);
    let size = bitcast<vec3u>(half) & vec3u(0x7fffffffu);
    return all(place < vec3u(0x7f800000u)) && all(size <= vec3u(0x7f800000u));
}

// Whether a box lies wholly on the outer side of a plane: its corner that is farthest along the normal does. That corner is
// where each half extent has the normal's sign, so its distance needs no branch.
fn box_outside(plane: vec4f, center: vec3f, half: vec3f) -> bool {
    return dot(plane.xyz, center) + dot(abs(plane.xyz), half) + plane.w < 0.0;
}
