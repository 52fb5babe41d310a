//! Normals where a file has none.

use glam::DVec3;

use super::Vertex;

/// Gives the marked vertices the mean of their triangles' normals, each weighted by its area: what few large triangles say counts
/// more than what many slivers say. A vertex without area faces up.
pub(super) fn fill(vertices: &mut [Vertex], indices: &[u32], missing: &[bool]) {
    let mut sums = vec![DVec3::ZERO; vertices.len()];
    let place = |vertices: &[Vertex], index: u32| DVec3::from_array(vertices[index as usize].position.map(f64::from));
    for triangle in indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|corner| place(vertices, triangle[corner]));
        let area = (b - a).cross(c - a);
        for index in triangle {
            sums[*index as usize] += area;
        }
    }
    for ((vertex, sum), _) in vertices.iter_mut().zip(sums).zip(missing).filter(|(_, missing)| **missing) {
        vertex.normal = sum.try_normalize().unwrap_or(DVec3::Y).to_array().map(|c| c as f32);
    }
}

/// A normal at length 1, unless it has no direction.
pub(super) fn unit(normal: [f64; 3]) -> Option<[f32; 3]> {
    let unit = DVec3::from_array(normal).try_normalize()?;
    Some(unit.to_array().map(|c| c as f32))
}
