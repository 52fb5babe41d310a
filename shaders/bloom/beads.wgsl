// Beads that travel along the rings.
//   in   view   view_proj of the camera; angle, radians that the rings have turned
//   in   call   rings, how many there are: bead b is on ring b % rings
//   draw indexed, an instance a bead, a ball of radius 0.5

#import "orrery.wgsl"

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
    let ring = orrery_ring(instance % call.rings, call.rings, view.angle);
    let seed = hash(instance + 9000u);
    let along = 6.2831853 * random(seed, 1u) + 2.0 * view.angle / sqrt(ring.radius);
    let size = mix(0.05, 0.26, pow(random(seed, 2u), 3.0));
    let center = ring.radius * vec3f(cos(along), 0.0, sin(along));
    let world = orrery_turn(ring, center) + size * position;
    let shines = u32(hash(seed) % 5u == 0u);
    let color = mix(vec3f(0.62, 0.60, 0.58), orrery_color(ring), 0.35);
    return Varyings(view.view_proj * vec4f(world, 1.0), world, normal, color, shines);
}

@fragment
fn fragment(in: Varyings) -> @location(0) vec4f {
    let lit = orrery_lit(in.world, normalize(in.normal), in.color);
    return vec4f(select(lit, 14.0 * in.color, in.shines == 1u), 1.0);
}
