//! Meshes from files: glTF (`.glb`, `.gltf`) and OBJ.
//!
//! Each primitive of each node is one mesh of the pack, in the order in which the file's scene names them; each group of an OBJ
//! file is one. Files come through [`Files`], those that a glTF file names too.

use std::sync::Arc;

use super::{MAX_INDICES, MAX_VERTICES, Mesh, Vertex, gltf, normals, obj};
use crate::source::{Files, LoadError};

/// Why there is no mesh. One line each, naming the file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// It could not be had.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// It is no mesh file, or a broken one.
    #[error("mesh file `{path}` {why}")]
    Bad {
        /// Below the root, as the graph has it.
        path: String,
        /// `has no triangles`
        why: String,
    },
}

/// Reads a mesh file.
///
/// # Errors
/// See [`FileError`]. Nothing of a faulty file is returned.
pub fn load(files: &Files, path: &str) -> Result<Arc<[Mesh]>, FileError> {
    let bad = |why: String| FileError::Bad { path: path.to_owned(), why };
    let extension = path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase()).unwrap_or_default();
    if !matches!(extension.as_str(), "glb" | "gltf" | "obj") {
        return Err(bad("is of no known kind: its name has to end in `.glb`, `.gltf` or `.obj`".to_owned()));
    }
    let bytes = files.data(path)?;
    let meshes = match extension.as_str() {
        "obj" => obj::read(&bytes),
        _ => gltf::read(&bytes, path, files),
    };
    let meshes = meshes.map_err(bad)?;
    if meshes.is_empty() { Err(bad("has no triangles".to_owned())) } else { Ok(meshes.into()) }
}

/// What of a file's share is left.
#[derive(Debug)]
pub(super) struct Room {
    vertices: u64,
    indices: u64,
}

impl Room {
    pub(super) const fn new() -> Self {
        Self { vertices: MAX_VERTICES, indices: MAX_INDICES }
    }

    /// Takes a mesh's share before the mesh is made.
    pub(super) fn take(&mut self, vertices: usize, indices: usize) -> Result<(), String> {
        let left = |left: u64, taken: usize| left.checked_sub(taken as u64);
        self.vertices = left(self.vertices, vertices)
            .ok_or_else(|| format!("has more than {MAX_VERTICES} vertices, counted once a node"))?;
        self.indices = left(self.indices, indices)
            .ok_or_else(|| format!("has more than {MAX_INDICES} indices, counted once a node"))?;
        Ok(())
    }
}

/// A mesh from what its file says: checked, with normals where it has none. `what` is the mesh, for messages.
pub(super) fn finish(
    what: &str,
    mut vertices: Vec<Vertex>,
    indices: Vec<u32>,
    missing: &[bool],
) -> Result<Mesh, String> {
    if let Some(at) = vertices.iter().position(|v| !v.position.iter().all(|c| c.is_finite())) {
        return Err(format!("has a position that is not finite: vertex {at} of {what}"));
    }
    if let Some(index) = indices.iter().find(|index| **index as usize >= vertices.len()) {
        return Err(format!("names vertex {index} in {what}, which has {}", vertices.len()));
    }
    if missing.contains(&true) {
        normals::fill(&mut vertices, &indices, missing);
    }
    Ok(Mesh { vertices, indices })
}
