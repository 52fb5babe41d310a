//! glTF 2.0, text and binary. The `gltf` crate reads and checks the JSON; all bytes are looked up by [`Buffers`].
//!
//! Taken are positions, normals, the first texture coordinates, indices, and the nodes that place them. Skins, morph targets,
//! materials, cameras and animations are passed over: a skinned mesh stands as it was modelled.

use ::gltf::mesh::{Mode, Primitive};
use ::gltf::{Document, Gltf, Semantic};
use glam::{DMat4, DVec3};

use super::buffers::Buffers;
use super::file::{Room, finish};
use super::{Mesh, Vertex, normals};
use crate::source::Files;

/// What a file may require: it changes how things look, not where they are.
const HARMLESS: [&str; 3] = ["KHR_materials_", "KHR_texture_", "KHR_lights_punctual"];

/// All triangles of a file.
pub(super) fn read(bytes: &[u8], path: &str, files: &Files) -> Result<Vec<Mesh>, String> {
    let Gltf { document, blob } = Gltf::from_slice_without_validation(bytes).map_err(|why| unreadable(&why))?;
    let root = document.into_json();
    accessors_exist(&root)?;
    let document = Document::from_json(root).map_err(|why| unreadable(&why))?;
    let unknown = document.extensions_required().find(|name| !HARMLESS.iter().any(|known| name.starts_with(known)));
    if let Some(name) = unknown {
        return Err(format!("requires the extension `{name}`, which rondag lacks"));
    }
    let mut reader = Reader {
        buffers: Buffers::new(files, path, blob, document.buffers().len()),
        room: Room::new(),
        meshes: Vec::new(),
    };
    match document.default_scene().or_else(|| document.scenes().next()) {
        Some(scene) => reader.scene(&scene, document.nodes().len())?,
        None => document.meshes().try_for_each(|mesh| reader.mesh(&mesh, DMat4::IDENTITY))?,
    }
    Ok(reader.meshes)
}

/// The crate's validation looks positions up before it knows that they are there.
fn accessors_exist(root: &::gltf::json::Root) -> Result<(), String> {
    let attributes = root.meshes.iter().flat_map(|mesh| &mesh.primitives).flat_map(|primitive| &primitive.attributes);
    match attributes.map(|(_, accessor)| accessor.value()).find(|at| *at >= root.accessors.len()) {
        Some(at) => Err(format!("names accessor {at}, but has {}", root.accessors.len())),
        None => Ok(()),
    }
}

fn unreadable(why: &::gltf::Error) -> String {
    match why {
        ::gltf::Error::Validation(faults) => match faults.first() {
            Some((place, fault)) => format!("is not valid: {place}: {fault}"),
            None => "is not valid".to_owned(),
        },
        why => format!("cannot be read: {why}"),
    }
}

struct Reader<'a> {
    buffers: Buffers<'a>,
    room: Room,
    meshes: Vec<Mesh>,
}

impl Reader<'_> {
    /// Walks the nodes of a scene, which form trees: a node is met once.
    fn scene(&mut self, scene: &::gltf::Scene<'_>, nodes: usize) -> Result<(), String> {
        let mut met = vec![false; nodes];
        let mut open: Vec<_> = scene.nodes().map(|node| (node, DMat4::IDENTITY)).collect();
        open.reverse();
        while let Some((node, parent)) = open.pop() {
            if std::mem::replace(&mut met[node.index()], true) {
                return Err(format!("has node {} in two places", node.index()));
            }
            let own = DMat4::from_cols_array_2d(&node.transform().matrix().map(|column| column.map(f64::from)));
            let world = parent * own;
            if let Some(mesh) = node.mesh() {
                self.mesh(&mesh, world)?;
            }
            let first = open.len();
            open.extend(node.children().map(|child| (child, world)));
            open[first..].reverse();
        }
        Ok(())
    }

    fn mesh(&mut self, mesh: &::gltf::Mesh<'_>, world: DMat4) -> Result<(), String> {
        for primitive in mesh.primitives() {
            let name = mesh.name().map_or_else(|| format!("mesh {}", mesh.index()), |name| format!("mesh `{name}`"));
            let what = format!("primitive {} of {name}", primitive.index());
            let made = self.primitive(&primitive, world, &what)?;
            self.meshes.push(made);
        }
        Ok(())
    }

    fn primitive(&mut self, primitive: &Primitive<'_>, world: DMat4, what: &str) -> Result<Mesh, String> {
        let places = primitive.get(&Semantic::Positions).ok_or_else(|| format!("has no positions in {what}"))?;
        let corners = primitive.indices().map_or(places.count(), |indices| indices.count());
        // A strip has almost three corners a vertex as a list.
        let strip = matches!(primitive.mode(), Mode::TriangleStrip | Mode::TriangleFan);
        self.room.take(places.count(), if strip { corners.saturating_mul(3) } else { corners })?;
        let positions = self.buffers.vectors::<3>(&places, "positions")?;
        let normals = self.optional::<3>(primitive, &Semantic::Normals, "normals", positions.len(), what)?;
        let uvs =
            self.optional::<2>(primitive, &Semantic::TexCoords(0), "texture coordinates", positions.len(), what)?;
        let order = match primitive.indices() {
            Some(indices) => self.buffers.indices(&indices)?,
            None => (0..positions.len() as u32).collect(),
        };
        let mut indices = triangles(primitive.mode(), order, what)?;
        let (placed, missing) = placed(world, &positions, normals.as_deref(), uvs.as_deref());
        // A mirror turns the winding round.
        if world.determinant() < 0.0 {
            indices.chunks_exact_mut(3).for_each(|triangle| triangle.swap(1, 2));
        }
        finish(what, placed, indices, &missing)
    }

    fn optional<const N: usize>(
        &mut self,
        primitive: &Primitive<'_>,
        semantic: &Semantic,
        name: &str,
        count: usize,
        what: &str,
    ) -> Result<Option<Vec<[f32; N]>>, String> {
        let Some(accessor) = primitive.get(semantic) else { return Ok(None) };
        if accessor.count() != count {
            return Err(format!("has {} {name} for the {count} vertices of {what}", accessor.count()));
        }
        self.buffers.vectors(&accessor, name).map(Some)
    }
}

/// A list of triangles.
fn triangles(mode: Mode, order: Vec<u32>, what: &str) -> Result<Vec<u32>, String> {
    let strip = |third: fn(&[u32], usize) -> [u32; 3]| {
        let all = (0..order.len().saturating_sub(2)).map(|at| third(&order, at));
        all.filter(|[a, b, c]| a != b && b != c && c != a).flatten().collect()
    };
    let indices: Vec<u32> = match mode {
        Mode::Triangles if !order.len().is_multiple_of(3) => {
            return Err(format!("has {} indices in {what}, which are no whole triangles", order.len()));
        }
        Mode::Triangles => order,
        Mode::TriangleStrip => strip(|order, at| match at % 2 {
            0 => [order[at], order[at + 1], order[at + 2]],
            _ => [order[at + 1], order[at], order[at + 2]],
        }),
        Mode::TriangleFan => strip(|order, at| [order[0], order[at + 1], order[at + 2]]),
        Mode::Points | Mode::Lines | Mode::LineLoop | Mode::LineStrip => {
            return Err(format!("has {mode:?} in {what}; a pack of meshes holds triangles"));
        }
    };
    if indices.is_empty() { Err(format!("has no triangles in {what}")) } else { Ok(indices) }
}

/// Vertices where their node puts them, and which of them lack a normal.
fn placed(
    world: DMat4,
    positions: &[[f32; 3]],
    normals: Option<&[[f32; 3]]>,
    uvs: Option<&[[f32; 2]]>,
) -> (Vec<Vertex>, Vec<bool>) {
    let [x, y, z] = [world.x_axis, world.y_axis, world.z_axis].map(glam::DVec4::truncate);
    // The inverse transpose but for a positive factor, for flat scales too.
    let side = if world.determinant() < 0.0 { -1.0 } else { 1.0 };
    let turn = |n: DVec3| side * (y.cross(z) * n.x + z.cross(x) * n.y + x.cross(y) * n.z);
    let mut missing = Vec::with_capacity(positions.len());
    let vertices = positions.iter().enumerate().map(|(at, position)| {
        let place = world.transform_point3(DVec3::from_array(position.map(f64::from)));
        let normal = normals.map(|normals| turn(DVec3::from_array(normals[at].map(f64::from))));
        let normal = normal.and_then(|normal| normals::unit(normal.to_array()));
        missing.push(normal.is_none());
        Vertex {
            position: place.to_array().map(|c| c as f32),
            normal: normal.unwrap_or_default(),
            uv: uvs.map_or([0.0; 2], |uvs| uvs[at]),
        }
    });
    (vertices.collect(), missing)
}
