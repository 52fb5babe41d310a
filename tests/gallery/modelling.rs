//! The models that `graphs/models.ron` shows, and where they stand: made here, so that they are free to ship.
//!
//! Coordinates are rounded to 1/4096, so that the files do not hang on the last bit of a sine.

#![allow(clippy::many_single_char_names, reason = "coordinates")]

use std::f64::consts::{PI, TAU};
use std::fmt::Write as _;

/// The files below `assets`, by name.
pub(super) fn models() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("vase.glb", vase()),
        ("knot.obj", knot().into_bytes()),
        ("vases.csv", vases().into_bytes()),
        ("knots.npy", knots()),
    ]
}

type Point = [f64; 3];

fn rounded(point: Point) -> [f32; 3] {
    point.map(|c| ((c * 4096.0).round() / 4096.0) as f32)
}

/// Positions, normals, indices.
#[derive(Default)]
struct Surface {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    indices: Vec<u16>,
}

/// A grid of vertices, `wide` a row, joined by triangles.
fn grid(rows: usize, wide: usize, at: impl Fn(usize, usize) -> (Point, Point)) -> Surface {
    let mut surface = Surface::default();
    for (row, column) in (0..rows).flat_map(|row| (0..wide).map(move |column| (row, column))) {
        let (position, normal) = at(row, column);
        surface.positions.push(rounded(position));
        surface.normals.push(rounded(normal));
    }
    for (row, column) in (0..rows - 1).flat_map(|row| (0..wide - 1).map(move |column| (row, column))) {
        let [a, b] = [row * wide + column, (row + 1) * wide + column].map(|at| at as u16);
        surface.indices.extend([a, b, b + 1, a, b + 1, a + 1]);
    }
    surface
}

/// Radius and height of the vase from its foot, over the lip, to the ground inside.
const PROFILE: [[f64; 2]; 15] = [
    [0.00, 0.00],
    [0.19, 0.00],
    [0.22, 0.02],
    [0.19, 0.07],
    [0.30, 0.24],
    [0.38, 0.45],
    [0.34, 0.66],
    [0.19, 0.83],
    [0.15, 0.91],
    [0.20, 0.99],
    [0.19, 1.00],
    [0.13, 0.91],
    [0.16, 0.82],
    [0.30, 0.62],
    [0.00, 0.40],
];

/// A point of the profile, its direction with it (Catmull and Rom's spline).
fn profile(at: f64) -> ([f64; 2], [f64; 2]) {
    let segment = (at as usize).min(PROFILE.len() - 2);
    let t = at - segment as f64;
    let of = |offset: isize| PROFILE[segment.saturating_add_signed(offset).min(PROFILE.len() - 1)];
    let [a, b, c, d] = [of(-1), of(0), of(1), of(2)];
    let place = |i: usize| {
        let (m, n) = ((c[i] - a[i]) / 2.0, (d[i] - b[i]) / 2.0);
        let (p, q) = (2.0 * (b[i] - c[i]) + m + n, 3.0 * (c[i] - b[i]) - 2.0 * m - n);
        (b[i] + t * (m + t * (q + t * p)), m + t * (2.0 * q + t * 3.0 * p))
    };
    let (radius, height) = (place(0), place(1));
    ([radius.0.max(0.0), height.0], [radius.1, height.1])
}

fn body() -> Surface {
    const ROWS: usize = 43;
    const WIDE: usize = 21;
    grid(ROWS, WIDE, |row, column| {
        let ([radius, height], [out, up]) = profile(row as f64 / 3.0);
        let (sin, cos) = (TAU * column as f64 / (WIDE - 1) as f64).sin_cos();
        let length = out.hypot(up).max(1e-6);
        let normal = [up / length * cos, -out / length, up / length * sin];
        ([radius * cos, height, radius * sin], normal)
    })
}

/// Half a ring beside the y axis.
fn handle() -> Surface {
    const WIDE: usize = 9;
    grid(15, WIDE, |row, column| {
        let (across, along) = (PI * row as f64 / 14.0).sin_cos();
        let (sin, cos) = (TAU * column as f64 / (WIDE - 1) as f64).sin_cos();
        let normal = [cos * across, cos * along, -sin];
        let thick = 0.028;
        let center = [0.17 * across, 0.17 * along, 0.0];
        (std::array::from_fn(|i| center[i] + thick * normal[i]), normal)
    })
}

/// A lathed body, and one handle that two nodes place; the second mirrors it.
fn vase() -> Vec<u8> {
    let mut binary = Vec::new();
    let (mut views, mut accessors) = (Vec::new(), Vec::new());
    let mut add = |bytes: &[u8], accessor: String| {
        views.push(format!(r#"{{"buffer":0,"byteOffset":{},"byteLength":{}}}"#, binary.len(), bytes.len()));
        accessors.push(format!(r#"{{"bufferView":{},{accessor}}}"#, accessors.len()));
        binary.extend(bytes);
        binary.resize(binary.len().next_multiple_of(4), 0);
    };
    let mut meshes = Vec::new();
    for (name, surface) in [("body", body()), ("handle", handle())] {
        let first = 3 * meshes.len();
        let fold = |pick: fn(f32, f32) -> f32| {
            let all = surface.positions.iter().copied().reduce(|a, b| std::array::from_fn(|i| pick(a[i], b[i])));
            all.expect("it has vertices")
        };
        let count = surface.positions.len();
        let limits = format!(r#""min":{:?},"max":{:?}"#, fold(f32::min), fold(f32::max));
        let vectors = format!(r#""componentType":5126,"count":{count},"type":"VEC3""#);
        add(bytemuck::cast_slice(&surface.positions), format!("{vectors},{limits}"));
        add(bytemuck::cast_slice(&surface.normals), vectors);
        let count = surface.indices.len();
        add(bytemuck::cast_slice(&surface.indices), format!(r#""componentType":5123,"count":{count},"type":"SCALAR""#));
        let attributes = format!(r#"{{"POSITION":{first},"NORMAL":{}}}"#, first + 1);
        meshes.push(format!(
            r#"{{"name":"{name}","primitives":[{{"attributes":{attributes},"indices":{}}}]}}"#,
            first + 2
        ));
    }
    let nodes = r#"{"mesh":0,"children":[1,2]},
{"mesh":1,"translation":[0.26,0.68,0]},
{"mesh":1,"translation":[-0.26,0.68,0],"scale":[-1,1,1]}"#;
    let text = format!(
        "{{\"asset\":{{\"version\":\"2.0\",\"generator\":\"rondag tests/gallery/modelling.rs\"}},\"scene\":0,\n\"scenes\":[{{\"nodes\":[0]}}],\n\"nodes\":[{nodes}],\n\"meshes\":[{}],\n\"accessors\":[{}],\n\"bufferViews\":[{}],\n\"buffers\":[{{\"byteLength\":{}}}]}}",
        meshes.join(",\n"),
        accessors.join(",\n"),
        views.join(",\n"),
        binary.len()
    );
    glb(&text, &binary)
}

/// The binary form of glTF.
pub(super) fn glb(text: &str, binary: &[u8]) -> Vec<u8> {
    let mut json = text.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut bytes = Vec::new();
    bytes.extend(b"glTF");
    bytes.extend(2u32.to_le_bytes());
    bytes.extend((28 + json.len() as u32 + binary.len() as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", &json[..]), (b"BIN\0", binary)] {
        bytes.extend((chunk.len() as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(chunk);
    }
    bytes
}

/// A trefoil as a tube of quads without normals, upright.
fn knot() -> String {
    const AROUND: usize = 96;
    const ACROSS: usize = 8;
    let spine = |at: f64| {
        let radius = 2.0 + (3.0 * at).cos();
        [radius * (2.0 * at).cos(), radius * (2.0 * at).sin(), (3.0 * at).sin()].map(|c| c / 6.0)
    };
    let mut text = String::from("# A trefoil knot, made by rondag's tests/gallery/modelling.rs.\no trefoil\n");
    for at in 0..AROUND {
        let t = TAU * at as f64 / AROUND as f64;
        let (here, next) = (spine(t), spine(t + 1e-4));
        let ahead = unit(std::array::from_fn(|i| next[i] - here[i]));
        let side = unit(cross(ahead, [0.0, 0.0, 1.0]));
        let up = cross(side, ahead);
        for around in 0..ACROSS {
            let (sin, cos) = (TAU * around as f64 / ACROSS as f64).sin_cos();
            let [x, y, z] = rounded(std::array::from_fn(|i| here[i] + 0.1 * (cos * side[i] + sin * up[i])));
            let _ = writeln!(text, "v {x:.4} {y:.4} {z:.4}");
        }
    }
    for (at, around) in (0..AROUND).flat_map(|at| (0..ACROSS).map(move |around| (at, around))) {
        let vertex = |at: usize, around: usize| 1 + at % AROUND * ACROSS + around % ACROSS;
        let corners = [(at, around), (at, around + 1), (at + 1, around + 1), (at + 1, around)];
        let [a, b, c, d] = corners.map(|(at, around)| vertex(at, around));
        let _ = writeln!(text, "f {a} {b} {c} {d}");
    }
    text
}

fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn unit(v: Point) -> Point {
    let length = v.iter().map(|c| c * c).sum::<f64>().sqrt();
    v.map(|c| c / length)
}

/// Vases in two arcs.
fn vases() -> String {
    let mut text = String::from("name,place.x,place.y,place.z,yaw,color.x,color.y,color.z,scale\n");
    let glazes = [[0.62, 0.16, 0.10], [0.10, 0.30, 0.46], [0.76, 0.62, 0.38], [0.16, 0.38, 0.26], [0.80, 0.76, 0.68]];
    for at in 0..16usize {
        let (row, seat) = (at % 2, at / 2);
        let angle = (-0.62 + 0.1771 * (seat as f64 + 0.5 * row as f64)) * 1.6;
        let radius = 2.6 + 1.5 * row as f64;
        let [r, g, b] = glazes[(3 * at + row) % 5];
        let (x, z, scale) = (radius * angle.sin(), 1.4 - radius * angle.cos(), 0.95 + 0.28 * (at * 7 % 5) as f64 / 4.0);
        let yaw = 0.9 * at as f64;
        let _ = writeln!(text, "vase {at},{x:.3},0,{z:.3},{yaw:.2},{r},{g},{b},{scale:.3}");
    }
    text
}

/// Knots before and among them: rows of place, yaw, colour, scale.
fn knots() -> Vec<u8> {
    let rows: [[f32; 8]; 6] = [
        [0.0, 0.0, 0.45, 0.35, 0.92, 0.58, 0.16, 1.0],
        [-1.25, 0.0, 0.85, 1.2, 0.22, 0.24, 0.27, 0.62],
        [1.3, 0.0, 0.75, -0.9, 0.55, 0.12, 0.22, 0.62],
        [0.55, 0.0, 1.5, 2.2, 0.12, 0.42, 0.44, 0.36],
        [-0.5, 0.0, 1.45, 0.2, 0.80, 0.78, 0.74, 0.36],
        [2.1, 0.0, 1.3, 0.8, 0.78, 0.66, 0.20, 0.42],
    ];
    let mut header = String::from("{'descr': '<f4', 'fortran_order': False, 'shape': (6, 8), }");
    header += &" ".repeat(128 - 10 - 1 - header.len());
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(bytemuck::cast_slice::<_, u8>(&rows));
    bytes
}
