// Objects that stand somewhere: turned, stretched along their axes, mirrored or flattened.

// The rows of the matrix from a mesh's space to the world, 48 bytes.
struct Placed {
    x: vec4f,
    y: vec4f,
    z: vec4f,
}

fn placed_center(object: Placed) -> vec3f {
    return vec3f(object.x.w, object.y.w, object.z.w);
}

fn placed_point(object: Placed, point: vec3f) -> vec3f {
    let it = vec4f(point, 1.0);
    return vec3f(dot(object.x, it), dot(object.y, it), dot(object.z, it));
}

// A direction that is perpendicular to what was perpendicular to `normal`: by cofactors, which hold for flat objects as well,
// and outward for mirrored ones. Its length is not 1.
fn placed_normal(object: Placed, normal: vec3f) -> vec3f {
    let a = vec3f(object.x.x, object.y.x, object.z.x);
    let b = vec3f(object.x.y, object.y.y, object.z.y);
    let c = vec3f(object.x.z, object.y.z, object.z.z);
    let turned = cross(b, c) * normal.x + cross(c, a) * normal.y + cross(a, b) * normal.z;
    return select(turned, -turned, dot(a, cross(b, c)) < 0.0);
}

// Half extents along the world's axes of what has half extents `half` along its own.
fn placed_half(object: Placed, half: vec3f) -> vec3f {
    return vec3f(dot(abs(object.x.xyz), half), dot(abs(object.y.xyz), half), dot(abs(object.z.xyz), half));
}

// The radius around the centre of what has radius `radius` before: the longest axis counts.
fn placed_radius(object: Placed, radius: f32) -> f32 {
    let squares = object.x.xyz * object.x.xyz + object.y.xyz * object.y.xyz + object.z.xyz * object.z.xyz;
    return radius * sqrt(max(max(squares.x, squares.y), squares.z));
}

// Stretched by `scale`, leaned by `lean` radians around the x axis, turned by `turn` radians around the y axis, moved to `center`.
fn placed_at(center: vec3f, scale: vec3f, lean: f32, turn: f32) -> Placed {
    let x = vec2f(cos(lean), sin(lean));
    let y = vec2f(cos(turn), sin(turn));
    return Placed(
        vec4f(vec3f(y.x, y.y * x.y, y.y * x.x) * scale, center.x),
        vec4f(vec3f(0.0, x.x, -x.y) * scale, center.y),
        vec4f(vec3f(-y.y, y.x * x.y, y.x * x.x) * scale, center.z),
    );
}
