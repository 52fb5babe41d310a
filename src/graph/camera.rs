//! Camera matrices and frustum planes for clip space 0 ≤ z ≤ w.
//!
//! Right-handed, y up, the view along −z; vectors are columns, so clip = projection · view · world. All of it is computed
//! in f64 and rounded once, so that planes and inverses keep their digits far from the origin.
//!
//! The planes come from the rows r0 … r3 of world-to-clip (Gribb and Hartmann, 2001): each of the inequalities −w ≤ x ≤ w,
//! −w ≤ y ≤ w, 0 ≤ z ≤ w is a half-space. With depth from 0 the plane z ≥ 0 is r2 *alone*; the textbook's r3 + r2 belongs to
//! depth from −1 and would put the near plane behind the camera, where it cuts nothing.

use glam::dcamera::rh::{proj::directx, view::look_to_mat4};
use glam::{DMat4, DVec3, DVec4, Mat4, Vec3, Vec4};

use crate::syntax::document::{CameraDecl, ProjectionDecl};

/// A camera as the file or the viewer sets it. Angles in degrees, lengths in world units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// Position.
    pub eye: [f32; 3],
    /// The point looked at.
    pub target: [f32; 3],
    /// Up.
    pub up: [f32; 3],
    /// Vertical field of view.
    pub fov_y_degrees: f32,
    /// Distance of the near plane.
    pub near: f32,
    /// Distance of the far plane.
    pub far: f32,
    /// Which projection.
    pub projection: ProjectionDecl,
}

impl Default for Camera {
    fn default() -> Self {
        Self {
            eye: [0.0, 0.0, 5.0],
            target: [0.0; 3],
            up: [0.0, 1.0, 0.0],
            fov_y_degrees: 60.0,
            near: 0.1,
            far: 1000.0,
            projection: ProjectionDecl::Perspective,
        }
    }
}

impl From<&CameraDecl> for Camera {
    fn from(decl: &CameraDecl) -> Self {
        let vector = |v: [f64; 3]| v.map(|c| c as f32);
        Self {
            eye: vector(decl.eye.value),
            target: vector(decl.target.value),
            up: vector(decl.up.value),
            fov_y_degrees: decl.fov_y_degrees.value as f32,
            near: decl.near.value as f32,
            far: decl.far.value as f32,
            projection: decl.projection.value,
        }
    }
}

/// Everything that `camera.*` names, for one camera and surface. Every number is finite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CameraState {
    /// World to view.
    pub view: Mat4,
    /// View to clip.
    pub projection: Mat4,
    /// World to clip.
    pub view_proj: Mat4,
    /// View to world.
    pub inverse_view: Mat4,
    /// Clip to view.
    pub inverse_projection: Mat4,
    /// Clip to world.
    pub inverse_view_proj: Mat4,
    /// Left, right, bottom, top, near, far; normals point inward and have length 1; (0, 0, 0, 1) where there is none.
    pub planes: [Vec4; 6],
    /// Position.
    pub eye: Vec3,
    /// Distance of the near plane.
    pub near: f32,
    /// Distance of the far plane.
    pub far: f32,
}

/// Stands for a plane that a projection lacks: every finite sphere is inside of it.
pub const NO_PLANE: Vec4 = Vec4::new(0.0, 0.0, 0.0, 1.0);

/// The longest length that a camera works with, world units.
const LONGEST: f64 = 1e12;

impl Camera {
    /// Matrices and planes for a surface of `surface` texels.
    ///
    /// Nonsense has a defined outcome, never a NaN. A surface without texels has the aspect 1. An eye on its target looks
    /// along −z. An up that is zero or parallel to the view gives way to +y, or to −z if that is parallel too. A number
    /// that is not finite takes its default; lengths end at 10¹², the field of view keeps between 0.01 and 179 degrees,
    /// `near` is at least 10⁻⁶ except in an orthographic camera, and a `far` that is not beyond `near` is moved there.
    pub fn state(&self, surface: [u32; 2]) -> CameraState {
        let eye = vector(self.eye).clamp(DVec3::splat(-LONGEST), DVec3::splat(LONGEST));
        let forward = (vector(self.target) - eye).try_normalize().unwrap_or(DVec3::NEG_Z);
        let view = look_to_mat4(eye, forward, upright(vector(self.up), forward));
        let (near, far) = self.range();
        let projection = self.project(surface, near, far);
        let view_proj = projection * view;
        let (inverse_view, inverse_projection) = (view.inverse(), projection.inverse());
        CameraState {
            view: view.as_mat4(),
            projection: projection.as_mat4(),
            view_proj: view_proj.as_mat4(),
            inverse_view: inverse_view.as_mat4(),
            inverse_projection: inverse_projection.as_mat4(),
            inverse_view_proj: (inverse_view * inverse_projection).as_mat4(),
            planes: planes(view_proj, self.projection == ProjectionDecl::InfiniteReversed),
            eye: eye.as_vec3(),
            near: near as f32,
            far: far as f32,
        }
    }

    /// Distances of the near and far planes, in order and apart.
    fn range(&self) -> (f64, f64) {
        let [near, far] = [finite(self.near, 0.1), finite(self.far, 1000.0)].map(|d| d.clamp(-LONGEST, LONGEST));
        let near = if matches!(self.projection, ProjectionDecl::Orthographic(_)) { near } else { near.max(1e-6) };
        (near, far.max(near + near.abs().max(1.0) * 1e-5))
    }

    fn project(&self, surface: [u32; 2], near: f64, far: f64) -> DMat4 {
        let [width, height] = surface.map(|texels| f64::from(texels.max(1)));
        let aspect = if surface.contains(&0) { 1.0 } else { width / height };
        let fov_y = finite(self.fov_y_degrees, 60.0).clamp(0.01, 179.0).to_radians();
        match self.projection {
            ProjectionDecl::Perspective => directx::perspective(fov_y, aspect, near, far),
            ProjectionDecl::InfiniteReversed => directx::perspective_infinite_reverse(fov_y, aspect, near),
            ProjectionDecl::Orthographic(height) => {
                let y = 0.5 * if height.is_finite() { height.clamp(1e-6, LONGEST) } else { 1.0 };
                directx::orthographic(-y * aspect, y * aspect, -y, y, near, far)
            }
        }
    }
}

/// The six half-spaces whose common part is what a camera sees: left, right, bottom, top, near, far.
///
/// A point p is inside of a plane where `dot(plane.xyz, p) + plane.w >= 0`; that number is its distance in world units.
/// `reversed` says that depth falls from 1 at the near plane to 0, so that z ≤ w is the near plane and 0 ≤ z the far one.
/// A plane that the projection lacks is [`NO_PLANE`].
pub fn planes(view_proj: DMat4, reversed: bool) -> [Vec4; 6] {
    let [r0, r1, r2, r3] = [0, 1, 2, 3].map(|row| view_proj.row(row));
    let (near, far) = if reversed { (r3 - r2, r2) } else { (r2, r3 - r2) };
    [r3 + r0, r3 - r0, r3 + r1, r3 - r1, near, far].map(normalized)
}

/// A plane with a normal of length 1.
fn normalized(plane: DVec4) -> Vec4 {
    let unit = plane / plane.truncate().length();
    // A plane farther than 10³⁰ is one that only rounding keeps from being infinitely far.
    if unit.is_finite() && unit.w.abs() < 1e30 { unit.as_vec4() } else { NO_PLANE }
}

/// The author's up, or the first axis that is not along the view.
fn upright(up: DVec3, forward: DVec3) -> DVec3 {
    let upright = |up: &DVec3| up.cross(forward).length_squared() > 1e-12;
    let axes = [up.try_normalize().unwrap_or(DVec3::Y), DVec3::Y, DVec3::NEG_Z];
    axes.into_iter().find(upright).unwrap_or(DVec3::X)
}

fn vector(v: [f32; 3]) -> DVec3 {
    DVec3::from_array(v.map(|c| finite(c, 0.0)))
}

fn finite(number: f32, default: f64) -> f64 {
    if number.is_finite() { f64::from(number) } else { default }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PROJECTIONS: [ProjectionDecl; 3] =
        [ProjectionDecl::Perspective, ProjectionDecl::InfiniteReversed, ProjectionDecl::Orthographic(20.0)];

    fn distances(state: &CameraState, p: Vec3) -> [f32; 6] {
        state.planes.map(|plane| plane.dot(p.extend(1.0)))
    }

    fn finite(s: &CameraState) -> bool {
        [s.view, s.projection, s.view_proj, s.inverse_view, s.inverse_projection, s.inverse_view_proj]
            .iter()
            .all(Mat4::is_finite)
            && s.planes.iter().all(|p| p.is_finite() && (*p == NO_PLANE || (p.truncate().length() - 1.0).abs() < 1e-5))
            && s.eye.is_finite()
            && s.near.is_finite()
            && s.far.is_finite()
            && s.near < s.far
    }

    /// The seed's check, BR-100: with the formula for depth from −1 the near plane would never cut.
    #[test]
    fn the_near_plane_cuts() {
        for projection in PROJECTIONS {
            let camera = Camera { eye: [3.0, 2.0, 5.0], target: [3.0, 2.0, -5.0], projection, ..Camera::default() };
            let state = camera.state([1920, 1080]);
            let at = |ahead: f32| distances(&state, Vec3::new(3.0, 2.0, 5.0 - ahead));
            assert!(at(0.1 + 0.01).iter().all(|d| *d > 0.0), "{projection:?}: a centimetre inside is inside");
            assert!((at(0.1 + 0.01)[4] - 0.01).abs() < 1e-5, "{projection:?}: the distance is in world units");
            assert!(at(0.1 - 0.01)[4] < 0.0, "{projection:?}: a centimetre before the near plane is cut");
            assert!(at(-1.0)[4] < 0.0, "{projection:?}: a metre behind is cut by the near plane");
        }
    }

    #[test]
    fn the_far_plane_cuts_where_there_is_one() {
        for projection in PROJECTIONS {
            let state = Camera { projection, ..Camera::default() }.state([100, 100]);
            let beyond = distances(&state, Vec3::new(0.0, 0.0, 5.0 - 1001.0))[5];
            assert_eq!(beyond > 0.0, projection == ProjectionDecl::InfiniteReversed);
        }
    }

    /// BR-102: normalizing the far plane that is not there must not make a NaN, and nothing is too far.
    #[test]
    fn infinite_reversed_depth_has_no_far_plane() {
        let state = Camera { projection: ProjectionDecl::InfiniteReversed, ..Camera::default() }.state([640, 480]);
        assert_eq!(state.planes[5], NO_PLANE);
        assert!(distances(&state, Vec3::new(0.0, 0.0, -1e6)).iter().all(|d| *d > 0.0));
        let depth = |z: f32| state.view_proj.project_point3(Vec3::new(0.0, 0.0, z)).z;
        assert!((depth(5.0 - 0.1) - 1.0).abs() < 1e-4 && depth(-1e6) < 1e-6, "near is 1, infinity is 0");
    }

    #[test]
    fn odd_cameras_have_defined_outcomes() {
        let down = Camera { eye: [0.0, 9.0, 0.0], ..Camera::default() }.state([8, 8]);
        assert!(down.view.transform_vector3(Vec3::NEG_Z).abs_diff_eq(Vec3::Y, 1e-6), "a map has its north up");
        let here = Camera { eye: [1.0; 3], target: [1.0; 3], ..Camera::default() }.state([8, 8]);
        assert!(here.view.transform_vector3(Vec3::NEG_Z).abs_diff_eq(Vec3::NEG_Z, 1e-6));
        let none = Camera::default().state([0, 7]);
        assert_eq!(none.projection, Camera::default().state([5, 5]).projection);
        let swapped = Camera { near: 9.0, far: 3.0, ..Camera::default() }.state([8, 8]);
        assert!(swapped.near == 9.0 && swapped.far > 9.0);
    }

    fn any_number() -> impl Strategy<Value = f32> {
        prop_oneof![any::<f32>(), -100.0..100.0f32, Just(0.0), Just(f32::NAN), Just(f32::INFINITY), Just(f32::MAX)]
    }

    fn any_camera() -> impl Strategy<Value = Camera> {
        let vector = || [any_number(), any_number(), any_number()];
        let projection = prop_oneof![
            Just(ProjectionDecl::Perspective),
            Just(ProjectionDecl::InfiniteReversed),
            any::<f64>().prop_map(ProjectionDecl::Orthographic),
        ];
        (vector(), vector(), vector(), [any_number(), any_number(), any_number()], projection).prop_map(
            |(eye, target, up, [fov_y_degrees, near, far], projection)| Camera {
                eye,
                target,
                up,
                fov_y_degrees,
                near,
                far,
                projection,
            },
        )
    }

    fn good_camera() -> impl Strategy<Value = Camera> {
        let vector = || [-50.0..50.0f32, -50.0..50.0f32, -50.0..50.0f32];
        (vector(), vector(), 10.0..120.0f32, 0.05..2.0f32, 5.0..200.0f32, 0..3usize).prop_map(
            |(eye, target, fov_y_degrees, near, far, projection)| Camera {
                eye,
                target,
                fov_y_degrees,
                near,
                far,
                projection: PROJECTIONS[projection],
                ..Camera::default()
            },
        )
    }

    proptest! {
        #[test]
        fn no_camera_makes_a_nan(camera in any_camera(), surface in any::<[u32; 2]>()) {
            prop_assert!(finite(&camera.state(surface)), "{:?}", camera.state(surface));
        }

        /// The planes are the clip test, told in world space.
        #[test]
        fn planes_agree_with_clip_space(camera in good_camera(), p in [-80.0..80.0f32, -80.0..80.0f32, -80.0..80.0f32]) {
            let state = camera.state([1280, 720]);
            let p = Vec3::from_array(p);
            let inside = distances(&state, p).into_iter().fold(f32::INFINITY, f32::min);
            let c = state.view_proj * p.extend(1.0);
            let clip = [c.w + c.x, c.w - c.x, c.w + c.y, c.w - c.y, c.z, c.w - c.z].into_iter().fold(f32::INFINITY, f32::min);
            prop_assume!(inside.abs() > 1e-3 && clip.abs() > 1e-5);
            prop_assert_eq!(inside > 0.0, clip > 0.0);
        }

        #[test]
        fn inverses_undo(camera in good_camera(), p in [-1.0..1.0f32, -1.0..1.0f32, -9.0..-1.0f32]) {
            let state = camera.state([1280, 720]);
            let world = state.inverse_view.transform_point3(Vec3::from_array(p));
            let back = state.inverse_view_proj.project_point3(state.view_proj.project_point3(world));
            prop_assert!(back.abs_diff_eq(world, 0.05), "{} is not {}", back, world);
            let view = state.inverse_projection.project_point3(state.projection.project_point3(Vec3::from_array(p)));
            prop_assert!(view.abs_diff_eq(Vec3::from_array(p), 0.05), "{} is not {:?}", view, p);
        }
    }
}
