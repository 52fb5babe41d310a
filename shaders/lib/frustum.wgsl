// Spheres against what a camera sees. `reference::cull` is the same on the CPU, in the same order of arithmetic.

// Whether a sphere (centre, radius) has a place and a size. Looks at bits: compilers may take NaN for impossible.
fn sphere_sound(sphere: vec4f) -> bool {
    let bits = bitcast<vec4u>(sphere) & vec4u(0x7fffffffu);
    return all(bits.xyz < vec3u(0x7f800000u)) && bits.w <= 0x7f800000u;
}

// Whether a sphere lies wholly on the outer side of a plane with its normal inward and of length 1.
fn sphere_outside(plane: vec4f, center: vec3f, radius: f32) -> bool {
    return dot(plane.xyz, center) + plane.w < -radius;
}

// Whether a sphere begins farther from `eye` than `max_distance`.
fn sphere_beyond(eye: vec3f, max_distance: f32, center: vec3f, radius: f32) -> bool {
    let offset = center - eye;
    let reach = max_distance + radius;
    return dot(offset, offset) > reach * reach;
}
