// The star: a ball far brighter than a screen can show, darker toward its edge as stars are.
//   in   view  view_proj and eye of the camera
//   draw indexed, a mesh of radius 0.5

#import "orrery.wgsl"

struct View {
    view_proj: mat4x4f,
    eye: vec3f,
}

@group(0) @binding(0) var<uniform> view: View;

struct Varyings {
    @builtin(position) position: vec4f,
    @location(0) world: vec3f,
    @location(1) normal: vec3f,
}

@vertex
fn vertex(@location(0) position: vec3f, @location(1) normal: vec3f) -> Varyings {
    let world = 2.0 * STAR_RADIUS * position;
    return Varyings(view.view_proj * vec4f(world, 1.0), world, normal);
}

@fragment
fn fragment(in: Varyings) -> @location(0) vec4f {
    let facing = saturate(dot(normalize(in.normal), normalize(view.eye - in.world)));
    return vec4f(22.0 * mix(vec3f(0.55, 0.20, 0.06), vec3f(1.0, 0.74, 0.46), facing), 1.0);
}
