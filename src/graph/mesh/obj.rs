//! OBJ, by way of `tobj`.

use std::collections::HashMap;

use super::file::{Room, finish};
use super::{Mesh, Vertex, normals};

/// All groups that have triangles. Polygons become fans; points, lines and materials are passed over.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<Mesh>, String> {
    let options = tobj::LoadOptions { single_index: true, triangulate: true, ignore_points: true, ignore_lines: true };
    let no_materials = |_: &std::path::Path| Ok((Vec::new(), HashMap::default()));
    let (models, _) =
        tobj::load_obj_buf(&mut &bytes[..], &options, no_materials).map_err(|why| format!("cannot be read: {why}"))?;
    let mut room = Room::new();
    let mut meshes = Vec::new();
    for model in models.iter().filter(|model| !model.mesh.indices.is_empty()) {
        meshes.push(mesh(&model.name, &model.mesh, &mut room)?);
    }
    Ok(meshes)
}

fn mesh(name: &str, from: &tobj::Mesh, room: &mut Room) -> Result<Mesh, String> {
    room.take(from.positions.len() / 3, from.indices.len())?;
    let (places, _) = from.positions.as_chunks::<3>();
    let (facing, _) = from.normals.as_chunks::<3>();
    let (spots, _) = from.texcoords.as_chunks::<2>();
    let mut missing = Vec::with_capacity(places.len());
    let vertices = places.iter().enumerate().map(|(at, position)| {
        let normal = facing.get(at).and_then(|normal| normals::unit(normal.map(f64::from)));
        missing.push(normal.is_none());
        // An OBJ file counts v upwards.
        let uv = spots.get(at).map_or([0.0; 2], |[u, v]| [*u, 1.0 - v]);
        Vertex { position: *position, normal: normal.unwrap_or_default(), uv }
    });
    let vertices = vertices.collect();
    finish(&format!("group `{name}`"), vertices, from.indices.clone(), &missing)
}
