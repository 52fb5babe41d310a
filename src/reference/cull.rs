//! `shaders/cull/sphere.wgsl` and `shaders/lib/frustum.wgsl`: which spheres a camera sees.
//!
//! A sphere that is not a number is culled, in every test alike: a NaN in the centre or the radius, or a centre that is
//! infinitely far. A negative radius counts as its absolute value; an infinite one reaches everywhere.

use glam::{Vec3, Vec4, Vec4Swizzles as _};

/// What the cull pass is told about the frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// Inward, with normals of length 1.
    pub planes: [Vec4; 6],
    /// The camera's position.
    pub eye: Vec3,
    /// Spheres that begin farther from the eye are culled, world units.
    pub max_distance: f32,
}

/// Whether a sphere (centre, radius) has a place and a size.
pub fn sphere_sound(sphere: Vec4) -> bool {
    sphere.xyz().is_finite() && !sphere.w.is_nan()
}

/// Whether a sphere lies wholly on the outer side of a plane.
pub fn sphere_outside(plane: Vec4, center: Vec3, radius: f32) -> bool {
    plane_distance(plane, center) < -radius
}

/// Whether a sphere begins farther from `eye` than `max_distance`.
pub fn sphere_beyond(eye: Vec3, max_distance: f32, center: Vec3, radius: f32) -> bool {
    let (offset, reach) = (center - eye, max_distance + radius);
    offset.x * offset.x + offset.y * offset.y + offset.z * offset.z > reach * reach
}

/// The radius of a sphere that was scaled along its axes: by the largest absolute scale.
pub fn world_radius(radius: f32, scale: Vec3) -> f32 {
    radius * scale.abs().max_element()
}

/// The bit of an object in a mask of 32 objects a word.
pub fn bit(mask: &[u32], index: usize) -> bool {
    mask[index / 32] >> (index % 32) & 1 != 0
}

/// 1 for each sphere that is enabled, sound, near enough and not outside of any plane, else 0.
pub fn cull(view: &View, spheres: &[Vec4], enabled: &[u32]) -> Vec<u32> {
    let visible = |(index, sphere): (usize, &Vec4)| u32::from(bit(enabled, index) && sees(view, *sphere));
    spheres.iter().enumerate().map(visible).collect()
}

/// The geometric part of [`cull`].
pub fn sees(view: &View, sphere: Vec4) -> bool {
    let (center, radius) = (sphere.xyz(), sphere.w.abs());
    sphere_sound(sphere)
        && !sphere_beyond(view.eye, view.max_distance, center, radius)
        && !view.planes.iter().any(|plane| sphere_outside(*plane, center, radius))
}

/// How far a sphere is from where a test changes its mind, world units. Rounding may decide where this is tiny.
pub fn margin(view: &View, sphere: Vec4) -> f32 {
    let (center, radius) = (sphere.xyz(), sphere.w.abs());
    let planes = view.planes.iter().map(|plane| plane_distance(*plane, center) + radius);
    let distance = (center - view.eye).length() - view.max_distance - radius;
    planes.chain([distance]).map(f32::abs).fold(f32::INFINITY, f32::min)
}

fn plane_distance(plane: Vec4, point: Vec3) -> f32 {
    plane.x * point.x + plane.y * point.y + plane.z * point.z + plane.w
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::graph::camera::Camera;
    use crate::syntax::document::ProjectionDecl;

    fn view(camera: &Camera) -> View {
        let state = camera.state([1280, 720]);
        View { planes: state.planes, eye: state.eye, max_distance: 1e9 }
    }

    #[test]
    fn spheres_touch_planes_from_both_sides() {
        let view = view(&Camera { eye: [0.0; 3], target: [0.0, 0.0, -1.0], ..Camera::default() });
        let sees = |z: f32, radius: f32| sees(&view, Vec4::new(0.0, 0.0, z, radius));
        assert!(sees(-0.1 - 0.01, 0.0), "a centimetre inside of the near plane");
        assert!(!sees(1.0, 0.0) && !sees(1.0, 1.0), "a metre behind, up to the camera");
        assert!(sees(1.0, 1.2), "a metre behind, reaching through the near plane");
        assert!(!sees(-1010.0, 5.0) && sees(-1010.0, 15.0), "at the far plane");
    }

    /// BR-102: without a far plane only the maximum distance culls what is far.
    #[test]
    fn distance_is_a_test_of_its_own() {
        let camera = Camera {
            eye: [0.0; 3],
            target: [0.0, 0.0, -1.0],
            projection: ProjectionDecl::InfiniteReversed,
            ..Camera::default()
        };
        let far = Vec4::new(0.0, 0.0, -1e6, 1.0);
        assert!(sees(&view(&camera), far));
        assert!(!sees(&View { max_distance: 0.5, ..view(&camera) }, far));
        assert!(
            sees(&View { max_distance: 0.5, ..view(&camera) }, Vec4::new(0.0, 0.0, -1.4, 1.0)),
            "its front is near"
        );
    }

    /// BR-114.
    #[test]
    fn what_is_not_a_number_is_culled() {
        let view = view(&Camera::default());
        let good = Vec4::new(0.0, 0.0, 0.0, 1.0);
        for (sphere, expected) in [
            (good, true),
            (good.with_x(f32::NAN), false),
            (good.with_w(f32::NAN), false),
            (good.with_z(f32::NEG_INFINITY), false),
            (good.with_w(f32::INFINITY), true),
            (good.with_w(f32::NEG_INFINITY), true),
            (good.with_w(-1.0), true),
            (Vec4::new(0.0, 0.0, 6.0, -2.0), true),
        ] {
            assert_eq!(sees(&view, sphere), expected, "{sphere}");
        }
    }

    /// BR-104.
    #[test]
    fn mirrored_objects_keep_their_size() {
        assert_eq!(world_radius(0.5, Vec3::splat(-2.0)), 1.0);
        assert_eq!(world_radius(0.5, Vec3::new(-5.0, 1.0, 1.0)), 2.5);
        assert_eq!(world_radius(0.5, Vec3::new(1.0, 1.0, 0.0)), 0.5);
        assert_eq!(world_radius(0.5, Vec3::ZERO), 0.0);
    }

    #[test]
    fn disabled_objects_are_not_seen() {
        let flags = cull(&view(&Camera::default()), &[Vec4::W; 40], &[0xffff_fffd, 0x0000_0080]);
        let unseen: Vec<usize> = (0..40).filter(|i| flags[*i] == 0).collect();
        assert_eq!(unseen, [1, 32, 33, 34, 35, 36, 37, 38]);
    }

    proptest! {
        /// No sphere with a visible point is culled.
        #[test]
        fn culling_is_conservative(
            center in [-60.0..60.0f32, -60.0..60.0f32, -60.0..60.0f32],
            radius in 0.0..10.0f32,
            toward in [-1.0..1.0f32, -1.0..1.0f32, -1.0..1.0f32],
        ) {
            let view = view(&Camera::default());
            let center = Vec3::from_array(center);
            let point = center + radius * Vec3::from_array(toward).clamp_length_max(1.0);
            let visible = view.planes.iter().all(|plane| plane_distance(*plane, point) > 1e-3);
            prop_assert!(!visible || sees(&view, center.extend(radius)));
        }
    }
}
