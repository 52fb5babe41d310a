// A triangle around the middle of the picture.
//   in  view  the angle in radians, the surface in texels

struct View {
    angle: f32,
    size: vec2<f32>,
}

@group(0) @binding(0) var<uniform> view: View;

struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) color: vec3<f32>,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Corner {
    let turn = view.angle + 2.0943951 * f32(index);
    let at = 0.7 * vec2<f32>(sin(turn), cos(turn));
    var corner: Corner;
    corner.position = vec4<f32>(at.x * view.size.y / view.size.x, at.y, 0.0, 1.0);
    corner.color = vec3<f32>(f32(index == 0u), f32(index == 1u), f32(index == 2u));
    return corner;
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4<f32> {
    return vec4<f32>(corner.color, 1.0);
}
