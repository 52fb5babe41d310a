//! What holds a mesh: a box along the axes, and a sphere around the box's middle.

use super::Vertex;

/// A box and a sphere that hold a mesh, 32 bytes, in WGSL
/// `struct MeshBounds { center: vec3f, radius: f32, half_extents: vec3f }`.
#[derive(Debug, Clone, Copy, PartialEq, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Bounds {
    /// The middle of the box and of the sphere.
    pub center: [f32; 3],
    /// Of the smallest sphere around `center`, rounded up.
    pub radius: f32,
    /// From `center` to the sides of the box, rounded up.
    pub half_extents: [f32; 3],
    padding: f32,
}

impl Bounds {
    /// The bounds of some vertices, all finite.
    pub fn of(vertices: &[Vertex]) -> Self {
        let Some(first) = vertices.first() else { return Self::default() };
        let fold = |pick: fn(f32, f32) -> f32| {
            vertices.iter().fold(first.position, |all, v| std::array::from_fn(|i| pick(all[i], v.position[i])))
        };
        let (low, high) = (fold(f32::min), fold(f32::max));
        let center: [f32; 3] = std::array::from_fn(|i| f64::midpoint(low[i].into(), high[i].into()) as f32);
        let away = |at: [f32; 3], i: usize| (f64::from(at[i]) - f64::from(center[i])).abs();
        let half_extents = std::array::from_fn(|i| rounded_up(away(low, i).max(away(high, i))));
        let square = |v: &Vertex| (0..3).map(|i| away(v.position, i).powi(2)).sum::<f64>();
        let radius = rounded_up(vertices.iter().map(square).fold(0.0, f64::max).sqrt());
        Self { center, radius, half_extents, padding: 0.0 }
    }
}

/// The nearest f32 that is not smaller.
pub(super) fn rounded_up(exact: f64) -> f32 {
    let rounded = exact as f32;
    if f64::from(rounded) < exact { rounded.next_up() } else { rounded }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn bounds_hold_every_vertex(places in prop::collection::vec(prop::array::uniform3(-1e3..1e3f32), 1..40)) {
            let vertex = |position: &[f32; 3]| Vertex { position: *position, normal: [0.0, 1.0, 0.0], uv: [0.0; 2] };
            let vertices: Vec<Vertex> = places.iter().map(vertex).collect();
            let bounds = Bounds::of(&vertices);
            let mut touches = false;
            for place in places {
                let away: [f64; 3] = std::array::from_fn(|i| (f64::from(place[i]) - f64::from(bounds.center[i])).abs());
                prop_assert!((0..3).all(|i| away[i] <= bounds.half_extents[i].into()));
                let distance = away.iter().map(|c| c * c).sum::<f64>().sqrt();
                prop_assert!(distance <= bounds.radius.into());
                touches |= distance >= f64::from(bounds.radius) * (1.0 - 1e-6);
            }
            prop_assert!(touches, "the sphere is no larger than needed");
        }
    }
}
