// Adds one wherever a fragment passes the depth test, which is what has to be shaded.
//   in   view     view_proj of the camera
//   in   objects  array<Placed>
//   in   list     array<u32>
//   draw indexed, indirect, first_instance zero; blend Add

#import "placed.wgsl"

struct View {
    view_proj: mat4x4f,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<storage, read> objects: array<Placed>;
@group(0) @binding(2) var<storage, read> list: array<u32>;

@vertex
fn vertex(@location(0) position: vec3f, @builtin(instance_index) instance: u32) -> @builtin(position) vec4f {
    return view.view_proj * vec4f(placed_point(objects[list[instance]], position), 1.0);
}

@fragment
fn fragment() -> @location(0) vec4f {
    return vec4f(1.0, 0.0, 0.0, 1.0);
}
