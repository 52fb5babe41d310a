// Thin rings around the star; one in three shines, the others are lit.
//   in   view   view_proj of the camera; angle, radians that the rings have turned
//   in   call   rings, how many there are
//   draw indexed, an instance a ring, a torus around the y axis

#import "orrery.wgsl"

const THICKNESS: f32 = 0.02;

struct View {
    view_proj: mat4x4f,
    angle: f32,
}

struct Call {
    rings: u32,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<uniform> call: Call;

struct Varyings {
    @builtin(position) position: vec4f,
    @location(0) world: vec3f,
    @location(1) normal: vec3f,
    @location(2) @interpolate(flat) color: vec3f,
    @location(3) @interpolate(flat) shines: u32,
}

@vertex
fn vertex(
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @builtin(instance_index) instance: u32,
) -> Varyings {
    let ring = orrery_ring(instance, call.rings, view.angle);
    // All rings are equally thick, however large.
    let spine = ring.radius * normalize(vec3f(position.x, 0.0, position.z));
    let world = orrery_turn(ring, spine + THICKNESS * normal);
    let shines = u32(orrery_shines(ring.seed));
    return Varyings(view.view_proj * vec4f(world, 1.0), world, orrery_turn(ring, normal), orrery_color(ring), shines);
}

@fragment
fn fragment(in: Varyings) -> @location(0) vec4f {
    let lit = orrery_lit(in.world, normalize(in.normal), in.color);
    return vec4f(select(lit, 5.0 * in.color, in.shines == 1u), 1.0);
}
