//! `shaders/cull/volume/*.wgsl`, `shaders/lib/frustum_box.wgsl` and `shaders/lib/placed.wgsl`: volumes around objects that are turned,
//! stretched, mirrored or flat, and which of them a camera sees.

use glam::{Mat3, Vec3, Vec4, Vec4Swizzles as _};

use super::cull::{sphere_outside, sphere_sound};

/// Half extents along the world's axes of what has half extents `half` before `turn` (which may stretch and mirror).
pub fn world_half(turn: Mat3, half: Vec3) -> Vec3 {
    turn.x_axis.abs() * half.x + turn.y_axis.abs() * half.y + turn.z_axis.abs() * half.z
}

/// Whether a box (centre, half extents) has a place and a size.
pub fn box_sound(center: Vec3, half: Vec3) -> bool {
    center.is_finite() && !half.is_nan()
}

/// Whether a box lies wholly on the outer side of a plane with its normal inward.
pub fn box_outside(plane: Vec4, center: Vec3, half: Vec3) -> bool {
    plane.xyz().dot(center) + plane.xyz().abs().dot(half) + plane.w < 0.0
}

/// Whether a sphere (centre, radius) is seen.
pub fn sees_sphere(planes: &[Vec4; 6], sphere: Vec4) -> bool {
    sphere_sound(sphere) && !planes.iter().any(|plane| sphere_outside(*plane, sphere.xyz(), sphere.w))
}

/// Whether a box is seen.
pub fn sees_box(planes: &[Vec4; 6], center: Vec3, half: Vec3) -> bool {
    box_sound(center, half) && !planes.iter().any(|plane| box_outside(*plane, center, half))
}

/// Whether an object is seen: its sphere decides where it lies wholly inside or outside, else its box does.
pub fn sees_sphere_then_box(planes: &[Vec4; 6], sphere: Vec4, half: Vec3) -> bool {
    let cuts = planes.iter().any(|plane| sphere_outside(*plane, sphere.xyz(), -sphere.w));
    sees_sphere(planes, sphere) && (!cuts || sees_box(planes, sphere.xyz(), half))
}

/// 30 bits of a place whose coordinates go from 0 to 1, in the order of Morton's curve; `shaders/lib/morton.wgsl`.
pub fn morton_code(place: Vec3) -> u32 {
    let cell = (place * 1024.0).clamp(Vec3::ZERO, Vec3::splat(1023.0)).as_uvec3();
    let spread = |value: u32| (0..10).fold(0, |bits, at| bits | (value >> at & 1) << (3 * at));
    spread(cell.x) | spread(cell.y) << 1 | spread(cell.z) << 2
}

#[cfg(test)]
mod tests {
    use glam::{EulerRot, Quat};
    use proptest::prelude::*;

    use super::*;

    fn vec3(range: std::ops::Range<f32>) -> impl Strategy<Value = Vec3> {
        [range.clone(), range.clone(), range].prop_map(Vec3::from)
    }

    proptest! {
        /// Stretched, mirrored and flat ones, however they are turned: every corner is inside the box, and one touches each side.
        #[test]
        fn a_box_holds_all_corners_and_no_more(angles in vec3(-4.0..4.0), scale in vec3(-3.0..3.0), flat in 0_usize..8) {
            let mut scale = scale;
            for axis in 0..3 {
                if flat >> axis & 1 == 1 {
                    scale[axis] = 0.0;
                }
            }
            let turn = Mat3::from_quat(Quat::from_euler(EulerRot::XYZ, angles.x, angles.y, angles.z)) * Mat3::from_diagonal(scale);
            let half = world_half(turn, Vec3::splat(0.5));
            let corners = (0..8).map(|at| {
                turn * (Vec3::new((at & 1) as f32, (at >> 1 & 1) as f32, (at >> 2) as f32) - 0.5)
            });
            let reach = corners.fold(Vec3::ZERO, |reach, corner| reach.max(corner.abs()));
            prop_assert!((reach - half).abs().max_element() < 1e-5, "{reach} {half}");
        }

        /// A point of the box that is on the inner side of all planes makes the box seen.
        #[test]
        fn no_box_with_a_visible_point_is_culled(
            center in vec3(-5.0..5.0),
            half in vec3(0.0..3.0),
            within in vec3(-1.0..1.0),
            normals in prop::array::uniform6([-1.0_f32..1.0, -1.0..1.0, -1.0..1.0, -4.0..4.0]),
        ) {
            let planes = normals.map(|it| Vec4::from(it) / Vec3::new(it[0], it[1], it[2]).length().max(1e-3));
            let point = center + half * within;
            let inside = planes.iter().all(|plane| plane.xyz().dot(point) + plane.w > 1e-4);
            let sphere = center.extend(half.length());
            prop_assert!(!inside || sees_box(&planes, center, half));
            prop_assert!(!inside || sees_sphere_then_box(&planes, sphere, half));
            prop_assert!(!sees_sphere_then_box(&planes, sphere, half) || sees_sphere(&planes, sphere));
        }
    }

    #[test]
    fn what_is_not_a_number_is_not_seen() {
        let planes = [Vec4::W; 6];
        assert!(sees_box(&planes, Vec3::ZERO, Vec3::splat(f32::INFINITY)));
        assert!(!sees_box(&planes, Vec3::ZERO, Vec3::new(0.0, f32::NAN, 0.0)));
        assert!(!sees_box(&planes, Vec3::new(f32::INFINITY, 0.0, 0.0), Vec3::ONE));
    }

    #[test]
    fn the_curve_goes_through_each_cell_of_a_cube_before_the_next() {
        assert_eq!(morton_code(Vec3::ZERO), 0);
        assert_eq!(morton_code(Vec3::ONE), (1 << 30) - 1);
        assert_eq!(morton_code(Vec3::new(-1.0, 2.0, f32::NAN)), 0o2_222_222_222);
        let cell = |x: u32, y: u32, z: u32| morton_code(Vec3::new(x as f32, y as f32, z as f32) / 1024.0);
        assert_eq!([cell(1, 0, 0), cell(0, 1, 0), cell(0, 0, 1), cell(3, 0, 0)], [1, 2, 4, 9]);
    }
}
