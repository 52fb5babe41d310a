//! Meshes that rondag generates, and those from files.
//!
//! The generated are centred on the origin and fit into the unit cube, wind counter-clockwise seen from outside, and have
//! normals of length 1. All but the plane are closed: vertices at one place have the same bits there, on both sides of a seam.
//! Those from files ([`load`]) stand where their file puts them.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::syntax::document::Shape;

mod bounds;
mod buffers;
mod file;
mod gltf;
mod normals;
mod obj;
mod shapes;

pub use bounds::Bounds;
pub use file::{FileError, load};

/// The most indices that the meshes of one pack have together: 64 MiB of them.
pub const MAX_INDICES: u64 = 1 << 24;

/// The most vertices that one file may have: 128 MiB of them.
pub const MAX_VERTICES: u64 = 1 << 22;

/// One mesh: triangles.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mesh {
    /// Its vertices.
    pub vertices: Vec<Vertex>,
    /// Three a triangle, counter-clockwise from outside.
    pub indices: Vec<u32>,
}

/// The meshes of files that were read, by path.
pub type Loaded = BTreeMap<String, Arc<[Mesh]>>;

/// Vertices, indices and draw arguments of several meshes, one after another.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pack {
    /// All vertices.
    pub vertices: Vec<Vertex>,
    /// All indices, counted from the first vertex of their mesh.
    pub indices: Vec<u32>,
    /// One a mesh.
    pub draws: Vec<DrawIndexedArgs>,
    /// One a mesh: radius of the smallest sphere around the origin that holds it, rounded up.
    pub radii: Vec<f32>,
    /// One a mesh.
    pub bounds: Vec<Bounds>,
}

/// A vertex with everything that shaders may ask for by name.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Vertex {
    /// `position`
    pub position: [f32; 3],
    /// `normal`, length 1.
    pub normal: [f32; 3],
    /// `uv`, 0 to 1.
    pub uv: [f32; 2],
}

/// The 20 bytes of an indexed indirect draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
#[allow(missing_docs, reason = "named as in WebGPU")]
pub struct DrawIndexedArgs {
    pub index_count: u32,
    pub instance_count: u32,
    pub first_index: u32,
    pub base_vertex: i32,
    pub first_instance: u32,
}

/// Why a shape cannot be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// A count below what closes the shape, or above what its indices can hold.
    #[error("`{shape}` has {value} {what}, it needs {needs}")]
    Degenerate {
        /// `Sphere`
        shape: &'static str,
        /// `rings`
        what: &'static str,
        /// What was asked for.
        value: String,
        /// `at least 2`
        needs: &'static str,
    },
    /// More indices than [`MAX_INDICES`], together with the shapes before it.
    #[error("the meshes up to here have {indices} indices, a pack holds at most {MAX_INDICES}")]
    TooLarge {
        /// All indices up to here.
        indices: u64,
    },
    /// A file that was not read before.
    #[error("mesh file `{path}` was not read")]
    File {
        /// Its path.
        path: String,
    },
}

/// Puts meshes one after another: generated ones, and all of a file in its order.
///
/// # Errors
/// Every shape that cannot be made, with its position in `shapes`. Nothing is generated then, and nothing large before
/// all shapes are known to fit.
pub fn pack(shapes: &[Shape], loaded: &Loaded) -> Result<Pack, Vec<(usize, Error)>> {
    let errors = faults(shapes, loaded);
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut pack = Pack::default();
    for shape in shapes {
        match shape {
            Shape::File(path) => {
                for mesh in loaded.get(path).into_iter().flat_map(|all| all.iter()) {
                    pack.push(mesh);
                }
            }
            shape => pack.push(&shapes::generate(shape)),
        }
    }
    Ok(pack)
}

fn faults(shapes: &[Shape], loaded: &Loaded) -> Vec<(usize, Error)> {
    let mut total = 0;
    let mut errors = Vec::new();
    for (position, shape) in shapes.iter().enumerate() {
        match index_count(shape, loaded) {
            // What is too large is left out of the sum, so that each culprit is named once.
            Ok(indices) => match indices.saturating_add(total) {
                indices if indices > MAX_INDICES => errors.push((position, Error::TooLarge { indices })),
                indices => total = indices,
            },
            Err(error) => errors.push((position, error)),
        }
    }
    errors
}

/// Indices of a shape, before it is made.
fn index_count(shape: &Shape, loaded: &Loaded) -> Result<u64, Error> {
    let product = |triangles: u64, a: u32, b: u32| (3 * triangles).saturating_mul(u64::from(a) * u64::from(b));
    match *shape {
        Shape::Cube => Ok(36),
        Shape::Plane => Ok(6),
        Shape::Sphere { rings, segments } => {
            at_least(2, rings, "Sphere", "rings")?;
            at_least(3, segments, "Sphere", "segments")?;
            Ok(product(2, rings - 1, segments))
        }
        Shape::Icosphere { subdivisions } => {
            if subdivisions > 7 {
                return Err(degenerate("Icosphere", "subdivisions", &subdivisions, "at most 7"));
            }
            Ok(60 << (2 * subdivisions))
        }
        Shape::Torus { rings, segments, thickness } => {
            at_least(3, rings, "Torus", "rings")?;
            at_least(3, segments, "Torus", "segments")?;
            if !(thickness > 0.0 && thickness < 0.5) {
                return Err(degenerate("Torus", "as thickness", &thickness, "more than 0 and less than 0.5"));
            }
            Ok(product(2, rings, segments))
        }
        Shape::Cylinder { segments } => {
            at_least(3, segments, "Cylinder", "segments")?;
            Ok(product(4, segments, 1))
        }
        Shape::File(ref path) => match loaded.get(path) {
            Some(meshes) => Ok(meshes.iter().map(|mesh| mesh.indices.len() as u64).sum()),
            None => Err(Error::File { path: path.clone() }),
        },
    }
}

fn at_least(least: u32, value: u32, shape: &'static str, what: &'static str) -> Result<(), Error> {
    let needs = if least == 2 { "at least 2" } else { "at least 3" };
    if value < least { Err(degenerate(shape, what, &value, needs)) } else { Ok(()) }
}

fn degenerate(shape: &'static str, what: &'static str, value: &dyn ToString, needs: &'static str) -> Error {
    Error::Degenerate { shape, what, value: value.to_string(), needs }
}

impl Pack {
    fn push(&mut self, mesh: &Mesh) {
        self.draws.push(DrawIndexedArgs {
            index_count: mesh.indices.len() as u32,
            instance_count: 0,
            first_index: self.indices.len() as u32,
            base_vertex: self.vertices.len() as i32,
            first_instance: 0,
        });
        self.radii.push(radius(&mesh.vertices));
        self.bounds.push(Bounds::of(&mesh.vertices));
        self.vertices.extend(&mesh.vertices);
        self.indices.extend(&mesh.indices);
    }
}

/// The distance of the farthest vertex from the origin, rounded up.
fn radius(vertices: &[Vertex]) -> f32 {
    let squares = vertices.iter().map(|v| v.position.iter().map(|c| f64::from(*c).powi(2)).sum::<f64>());
    bounds::rounded_up(squares.fold(0.0, f64::max).sqrt())
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use glam::Vec3;
    use proptest::prelude::*;

    use super::*;

    /// Vertices, edges and triangles after vertices at one place became one; every edge with its uses per direction.
    fn welded(pack: &Pack) -> (i64, i64, i64, bool) {
        let mut places = BTreeMap::new();
        let mut edges: BTreeMap<(usize, usize), [u32; 2]> = BTreeMap::new();
        // −0 is 0.
        let place = |p: [f32; 3]| p.map(|c| (c + 0.0).to_bits());
        let triangles: Vec<[usize; 3]> = pack
            .indices
            .chunks(3)
            .map(|t| {
                std::array::from_fn(|i| {
                    let next = places.len();
                    *places.entry(place(pack.vertices[t[i] as usize].position)).or_insert(next)
                })
            })
            .collect();
        for t in &triangles {
            for (a, b) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
                assert_ne!(a, b, "a triangle without area");
                edges.entry((a.min(b), a.max(b))).or_default()[usize::from(a > b)] += 1;
            }
        }
        let closed = edges.values().all(|uses| *uses == [1, 1]);
        (places.len() as i64, edges.len() as i64, triangles.len() as i64, closed)
    }

    fn corners(pack: &Pack, triangle: &[u32]) -> [Vec3; 3] {
        std::array::from_fn(|i| Vec3::from_array(pack.vertices[triangle[i] as usize].position))
    }

    fn check(shape: &Shape) -> Pack {
        let pack = pack(std::slice::from_ref(shape), &Loaded::new()).expect("a sound shape");
        assert_eq!(pack.indices.len() as u64, index_count(shape, &Loaded::new()).expect("sound"), "{shape:?}");
        assert_eq!(pack.draws[0].index_count as usize, pack.indices.len());
        assert!(pack.indices.iter().all(|i| (*i as usize) < pack.vertices.len()));
        let used = pack.indices.iter().collect::<BTreeSet<_>>().len();
        assert!(pack.vertices.len() - used <= 2, "{shape:?}: only the seam of a sphere has a spare vertex a pole");
        for v in &pack.vertices {
            assert!((Vec3::from_array(v.normal).length() - 1.0).abs() < 1e-6, "{shape:?}: {v:?}");
            assert!(v.position.iter().all(|c| c.abs() <= 0.5), "{shape:?}: {v:?}");
            assert!(v.uv.iter().all(|c| (0.0..=1.0).contains(c)), "{shape:?}: {v:?}");
            assert!(Vec3::from_array(v.position).length() <= pack.radii[0] * (1.0 + 1e-7));
        }
        for t in pack.indices.chunks(3) {
            let [a, b, c] = corners(&pack, t);
            let facing = (b - a).cross(c - a);
            for i in t {
                let normal = Vec3::from_array(pack.vertices[*i as usize].normal);
                assert!(facing.dot(normal) > 0.0, "{shape:?}: a triangle winds against its normals");
            }
        }
        pack
    }

    fn outward(pack: &Pack) -> bool {
        pack.indices.chunks(3).all(|t| {
            let [a, b, c] = corners(pack, t);
            (b - a).cross(c - a).dot(a + b + c) > 0.0
        })
    }

    #[test]
    fn shapes_are_closed_and_face_outward() {
        for (shape, euler, triangles) in [
            (Shape::Cube, 2, 12),
            (Shape::Sphere { rings: 2, segments: 3 }, 2, 6),
            (Shape::Sphere { rings: 16, segments: 32 }, 2, 960),
            (Shape::Icosphere { subdivisions: 0 }, 2, 20),
            (Shape::Icosphere { subdivisions: 3 }, 2, 1280),
            (Shape::Torus { rings: 24, segments: 12, thickness: 0.25 }, 0, 576),
            (Shape::Torus { rings: 3, segments: 3, thickness: 0.49 }, 0, 18),
            (Shape::Cylinder { segments: 24 }, 2, 96),
            (Shape::Cylinder { segments: 3 }, 2, 12),
        ] {
            let pack = check(&shape);
            let (v, e, f, closed) = welded(&pack);
            assert!(closed, "{shape:?}: every edge has two sides");
            assert_eq!((v - e + f, f), (euler, triangles), "{shape:?}");
            assert!(euler == 0 || outward(&pack), "{shape:?}");
        }
    }

    #[test]
    fn the_plane_faces_up() {
        let pack = check(&Shape::Plane);
        let (v, e, f, closed) = welded(&pack);
        assert_eq!((v, e, f, closed), (4, 5, 2, false));
        assert!(pack.vertices.iter().all(|v| v.normal == [0.0, 1.0, 0.0]));
    }

    #[test]
    fn spheres_around_meshes_are_tight() {
        let shapes = [Shape::Cube, Shape::Sphere { rings: 8, segments: 8 }, Shape::Cylinder { segments: 8 }];
        let radii = pack(&shapes, &Loaded::new()).expect("sound").radii;
        for (radius, expected) in radii.iter().zip([0.75_f32.sqrt(), 0.5, 0.5_f32.sqrt()]) {
            assert!((radius - expected).abs() < 1e-6, "{radius} is not {expected}");
        }
    }

    #[test]
    fn meshes_stand_one_after_another() {
        let pack = pack(&[Shape::Cube, Shape::Plane, Shape::Cube], &Loaded::new()).expect("sound");
        let places: Vec<_> = pack.draws.iter().map(|d| (d.first_index, d.base_vertex, d.index_count)).collect();
        assert_eq!(places, [(0, 0, 36), (36, 24, 6), (42, 28, 36)]);
        assert!(pack.draws.iter().all(|d| d.instance_count == 0 && d.first_instance == 0));
    }

    #[test]
    fn what_cannot_be_made_is_said_all_at_once() {
        let shapes = [
            Shape::Sphere { rings: 1, segments: 8 },
            Shape::Cube,
            Shape::Torus { rings: 3, segments: 3, thickness: f64::NAN },
            Shape::Icosphere { subdivisions: 8 },
            Shape::File("rock.glb".to_owned()),
            Shape::Sphere { rings: u32::MAX, segments: u32::MAX },
            Shape::Cylinder { segments: 2 },
            Shape::Torus { rings: 1000, segments: 2796, thickness: 0.1 },
            Shape::Torus { rings: 1000, segments: 2796, thickness: 0.1 },
        ];
        let errors = pack(&shapes, &Loaded::new()).expect_err("unsound");
        let positions: Vec<_> = errors.iter().map(|(position, _)| *position).collect();
        assert_eq!(positions, [0, 2, 3, 4, 5, 6, 8]);
        assert_eq!(errors[0].1.to_string(), "`Sphere` has 1 rings, it needs at least 2");
        assert!(matches!(errors[6].1, Error::TooLarge { indices: 33_552_036 }), "{:?}", errors[6]);
    }

    proptest! {
        #[test]
        fn any_sound_shape_is_closed(rings in 3..20u32, segments in 3..20u32, thickness in 0.01..0.49) {
            for shape in [
                Shape::Sphere { rings, segments },
                Shape::Torus { rings, segments, thickness },
                Shape::Cylinder { segments },
            ] {
                prop_assert!(welded(&check(&shape)).3, "{:?}", shape);
            }
        }
    }
}
