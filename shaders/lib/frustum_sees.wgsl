// The cull test without a branch, so that the reads of several objects are under way together. The importing shader declares
// `view` with `planes` and `eye`, and `reach` with `max_distance`. `reference::cull::sees` is the same on the CPU.

#import "frustum.wgsl"

fn sees(sphere: vec4f) -> bool {
    let radius = abs(sphere.w);
    return sphere_sound(sphere) & reaches(sphere.xyz, radius);
}

// A sphere that is sound.
fn reaches(center: vec3f, radius: f32) -> bool {
    let beyond = sphere_beyond(view.eye, reach.max_distance, center, radius);
    let left = sphere_outside(view.planes[0], center, radius);
    let right = sphere_outside(view.planes[1], center, radius);
    let bottom = sphere_outside(view.planes[2], center, radius);
    let top = sphere_outside(view.planes[3], center, radius);
    let near = sphere_outside(view.planes[4], center, radius);
    let far = sphere_outside(view.planes[5], center, radius);
    return !(beyond | left | right | bottom | top | near | far);
}
