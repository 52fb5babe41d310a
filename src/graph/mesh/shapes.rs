//! How each shape is made.

use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};

use super::{Mesh, Vertex};
use crate::syntax::document::Shape;

/// Makes a shape whose counts were found sound; a file is empty.
pub(super) fn generate(shape: &Shape) -> Mesh {
    match *shape {
        Shape::Cube => cube(),
        Shape::Plane => plane(),
        Shape::Sphere { rings, segments } => sphere(rings, segments),
        Shape::Icosphere { subdivisions } => icosphere(subdivisions),
        Shape::Torus { rings, segments, thickness } => torus(rings, segments, thickness),
        Shape::Cylinder { segments } => cylinder(segments),
        Shape::File(_) => Mesh::default(),
    }
}

impl Mesh {
    fn vertex(&mut self, position: [f64; 3], normal: [f64; 3], uv: [f64; 2]) -> u32 {
        let narrow = |v: [f64; 3]| v.map(|c| c as f32);
        self.vertices.push(Vertex { position: narrow(position), normal: narrow(normal), uv: uv.map(|c| c as f32) });
        self.vertices.len() as u32 - 1
    }

    /// Two triangles; corners counter-clockwise.
    fn quad(&mut self, [a, b, c, d]: [u32; 4]) {
        self.indices.extend([a, b, c, a, c, d]);
    }

    /// A square of side 1 around `center`, spanned by `u` and `v`, facing along their cross product.
    fn square(&mut self, center: [f64; 3], u: [f64; 3], v: [f64; 3]) {
        let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|[s, t]| {
            let position = std::array::from_fn(|i| center[i] + (s - 0.5) * u[i] + (t - 0.5) * v[i]);
            self.vertex(position, normal, [s, 1.0 - t])
        });
        self.quad(corners);
    }
}

fn cube() -> Mesh {
    let (x, y, z) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
    let minus = |v: [f64; 3]| v.map(|c| -c);
    let half = |v: [f64; 3]| v.map(|c| 0.5 * c);
    let mut mesh = Mesh::default();
    for (facing, u, v) in
        [(x, minus(z), y), (minus(x), z, y), (y, x, minus(z)), (minus(y), x, z), (z, x, y), (minus(z), minus(x), y)]
    {
        mesh.square(half(facing), u, v);
    }
    mesh
}

fn plane() -> Mesh {
    let mut mesh = Mesh::default();
    mesh.square([0.0; 3], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]);
    mesh
}

/// Cosine and sine of the `step`-th of `steps` equal parts of a circle; the last has the bits of the first.
fn around(step: u32, steps: u32) -> (f64, f64) {
    let (sin, cos) = (TAU * f64::from(step % steps) / f64::from(steps)).sin_cos();
    (cos, sin)
}

/// Bands from the north pole (+y) down; `u` runs around, `v` from pole to pole.
fn sphere(rings: u32, segments: u32) -> Mesh {
    let mut mesh = Mesh::default();
    for ring in 0..=rings {
        let polar = f64::from(ring) / f64::from(rings);
        // The poles are points: the sine of pi is not zero in floating point.
        let radius = if ring == 0 || ring == rings { 0.0 } else { (PI * polar).sin() };
        for segment in 0..=segments {
            let (cos, sin) = around(segment, segments);
            let normal = [radius * cos, (PI * polar).cos(), -radius * sin];
            mesh.vertex(normal.map(|c| 0.5 * c), normal, [f64::from(segment) / f64::from(segments), polar]);
        }
    }
    for (ring, segment) in grid(rings, segments) {
        let [a, b, c, d] = cell(ring, segment, segments + 1);
        if ring > 0 {
            mesh.indices.extend([a, b, d]);
        }
        if ring + 1 < rings {
            mesh.indices.extend([b, c, d]);
        }
    }
    mesh
}

/// A ring in the x-z plane; `u` runs around the axis, `v` around the tube.
fn torus(rings: u32, segments: u32, thickness: f64) -> Mesh {
    let tube = 0.5 * thickness;
    let mut mesh = Mesh::default();
    for ring in 0..=rings {
        let (cos, sin) = around(ring, rings);
        for segment in 0..=segments {
            let (out, up) = around(segment, segments);
            let radius = 0.5 - tube + tube * out;
            let uv = [f64::from(ring) / f64::from(rings), f64::from(segment) / f64::from(segments)];
            mesh.vertex([radius * cos, tube * up, -radius * sin], [out * cos, up, -out * sin], uv);
        }
    }
    for (ring, segment) in grid(rings, segments) {
        let [a, b, c, d] = cell(ring, segment, segments + 1);
        mesh.quad([a, b, c, d]);
    }
    mesh
}

/// Along y, with caps.
fn cylinder(segments: u32) -> Mesh {
    let mut mesh = Mesh::default();
    for segment in 0..=segments {
        let (cos, sin) = around(segment, segments);
        let u = f64::from(segment) / f64::from(segments);
        for (y, v) in [(0.5, 0.0), (-0.5, 1.0)] {
            mesh.vertex([0.5 * cos, y, -0.5 * sin], [cos, 0.0, -sin], [u, v]);
        }
    }
    for segment in 0..segments {
        let top = 2 * segment;
        mesh.quad([top, top + 1, top + 3, top + 2]);
    }
    for y in [0.5, -0.5] {
        cap(&mut mesh, segments, y);
    }
    mesh
}

/// A fan in the plane at height `y`, facing away from the origin.
fn cap(mesh: &mut Mesh, segments: u32, y: f64) {
    let normal = [0.0, 2.0 * y, 0.0];
    let center = mesh.vertex([0.0, y, 0.0], normal, [0.5, 0.5]);
    for segment in 0..segments {
        let (cos, sin) = around(segment, segments);
        mesh.vertex([0.5 * cos, y, -0.5 * sin], normal, [0.5 + 0.5 * cos, 0.5 + 0.5 * sin]);
    }
    for segment in 0..segments {
        let (this, next) = (center + 1 + segment, center + 1 + (segment + 1) % segments);
        mesh.indices.extend(if y > 0.0 { [center, this, next] } else { [center, next, this] });
    }
}

fn grid(rows: u32, columns: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..rows).flat_map(move |row| (0..columns).map(move |column| (row, column)))
}

/// Corners of a cell of a grid of vertices: this row, next row, next row and column, next column.
fn cell(row: u32, column: u32, width: u32) -> [u32; 4] {
    let (here, below) = (row * width + column, (row + 1) * width + column);
    [here, below, below + 1, here + 1]
}

/// An icosahedron whose triangles are split in four. Vertices are shared, so `uv` has a seam one triangle wide.
fn icosphere(subdivisions: u32) -> Mesh {
    let mut points: Vec<[f64; 3]> = ICOSAHEDRON.iter().map(|p| unit(*p)).collect();
    let mut triangles: Vec<[u32; 3]> = ICOSAHEDRON_FACES.to_vec();
    for _ in 0..subdivisions {
        let mut middles = BTreeMap::new();
        let mut middle = |a: u32, b: u32| {
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                let (p, q) = (points[a as usize], points[b as usize]);
                points.push(unit(std::array::from_fn(|i| p[i] + q[i])));
                points.len() as u32 - 1
            })
        };
        let split = |[a, b, c]: [u32; 3]| {
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        };
        triangles = triangles.into_iter().flat_map(split).collect();
    }
    let mut mesh = Mesh::default();
    for p in points {
        mesh.vertex(p.map(|c| 0.5 * c), p, [0.5 + p[2].atan2(-p[0]) / TAU, p[1].clamp(-1.0, 1.0).acos() / PI]);
    }
    mesh.indices = triangles.into_iter().flatten().collect();
    mesh
}

fn unit(p: [f64; 3]) -> [f64; 3] {
    let length = p.iter().map(|c| c * c).sum::<f64>().sqrt();
    p.map(|c| c / length)
}

/// Half the golden ratio's rectangle, three times: x-y, y-z, z-x.
const ICOSAHEDRON: [[f64; 3]; 12] = {
    const G: f64 = 1.618_033_988_749_895;
    [
        [-1.0, G, 0.0],
        [1.0, G, 0.0],
        [-1.0, -G, 0.0],
        [1.0, -G, 0.0],
        [0.0, -1.0, G],
        [0.0, 1.0, G],
        [0.0, -1.0, -G],
        [0.0, 1.0, -G],
        [G, 0.0, -1.0],
        [G, 0.0, 1.0],
        [-G, 0.0, -1.0],
        [-G, 0.0, 1.0],
    ]
};

/// Counter-clockwise seen from outside.
const ICOSAHEDRON_FACES: [[u32; 3]; 20] = [
    [0, 11, 5],
    [0, 5, 1],
    [0, 1, 7],
    [0, 7, 10],
    [0, 10, 11],
    [1, 5, 9],
    [5, 11, 4],
    [11, 10, 2],
    [10, 7, 6],
    [7, 1, 8],
    [3, 9, 4],
    [3, 4, 2],
    [3, 2, 6],
    [3, 6, 8],
    [3, 8, 9],
    [4, 9, 5],
    [2, 4, 11],
    [6, 2, 10],
    [8, 6, 7],
    [9, 8, 1],
];
