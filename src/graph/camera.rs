//! Camera matrices and frustum planes for clip space 0 ≤ z ≤ w.

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
    pub projection: crate::syntax::document::ProjectionDecl,
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
            projection: crate::syntax::document::ProjectionDecl::Perspective,
        }
    }
}

/// Everything that `camera.*` names, for one camera and surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CameraState {
    /// World to view.
    pub view: glam::Mat4,
    /// View to clip.
    pub projection: glam::Mat4,
    /// World to clip.
    pub view_proj: glam::Mat4,
    /// View to world.
    pub inverse_view: glam::Mat4,
    /// Clip to view.
    pub inverse_projection: glam::Mat4,
    /// Clip to world.
    pub inverse_view_proj: glam::Mat4,
    /// Left, right, bottom, top, near, far; normals point inward and have length 1; (0, 0, 0, 1) where there is none.
    pub planes: [glam::Vec4; 6],
    /// Position.
    pub eye: glam::Vec3,
    /// Distance of the near plane.
    pub near: f32,
    /// Distance of the far plane.
    pub far: f32,
}
