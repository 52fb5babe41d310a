//! The camera in a hand: orbit, pan, zoom, fly.

use glam::{Mat3, Vec3};

use crate::graph::camera::Camera;
use crate::syntax::document::ProjectionDecl;

/// Radians a point of the pointer's way.
const TURN: f32 = 0.008;
/// The part of the distance that one notch of the wheel goes.
const ZOOM: f32 = 0.12;

/// An eye never comes nearer to its target, world units.
const NEAREST: f32 = 1e-4;

/// A camera that follows the file's until somebody moves it.
#[derive(Debug, Clone, Default)]
pub(super) struct Control {
    home: Camera,
    moved: Option<Camera>,
}

impl Control {
    pub(super) fn camera(&self) -> Camera {
        self.moved.unwrap_or(self.home)
    }

    /// The file's camera.
    pub(super) fn follow(&mut self, home: Camera) {
        self.home = home;
    }

    pub(super) fn put(&mut self, camera: Camera) {
        self.moved = Some(camera);
    }

    pub(super) fn go_home(&mut self) {
        self.moved = None;
    }

    /// Looks at what the file's camera looks at, from where it is.
    pub(super) fn focus(&mut self) {
        let target = self.home.target;
        self.change(|camera| camera.target = target);
    }

    fn change(&mut self, change: impl FnOnce(&mut Camera)) {
        let mut camera = self.camera();
        change(&mut camera);
        let finite = camera.eye.iter().chain(&camera.target).all(|it| it.is_finite());
        let apart = Vec3::from(camera.eye).distance(Vec3::from(camera.target)) > NEAREST;
        if finite && apart {
            self.moved = Some(camera);
        }
    }

    /// Turns around the target; points of the pointer's way.
    pub(super) fn orbit(&mut self, x: f32, y: f32) {
        self.change(|camera| {
            let offset = Vec3::from(camera.eye) - Vec3::from(camera.target);
            let turned = turned(camera, offset, -x * TURN, -y * TURN);
            camera.eye = (Vec3::from(camera.target) + turned).into();
        });
    }

    /// Turns where it stands.
    pub(super) fn look(&mut self, x: f32, y: f32) {
        self.change(|camera| {
            let ahead = Vec3::from(camera.target) - Vec3::from(camera.eye);
            let turned = turned(camera, ahead, -x * TURN * 0.5, y * TURN * -0.5);
            camera.target = (Vec3::from(camera.eye) + turned).into();
        });
    }

    /// Moves with what is looked at under the pointer; `height` of the picture in points.
    pub(super) fn pan(&mut self, x: f32, y: f32, height: f32) {
        self.change(|camera| {
            let (right, up, distance) = frame(camera);
            let seen = match camera.projection {
                ProjectionDecl::Orthographic(height) => height as f32,
                _ => 2.0 * distance * (camera.fov_y_degrees.to_radians() * 0.5).tan(),
            };
            shift(camera, (up * y - right * x) * (seen / height.max(1.0)));
        });
    }

    /// Goes towards the target; notches of the wheel.
    pub(super) fn zoom(&mut self, notches: f32) {
        let factor = (1.0 - ZOOM).powf(notches.clamp(-20.0, 20.0));
        self.change(|camera| {
            if let ProjectionDecl::Orthographic(height) = &mut camera.projection {
                *height *= f64::from(factor);
            }
            let offset = Vec3::from(camera.eye) - Vec3::from(camera.target);
            camera.eye = (Vec3::from(camera.target) + offset * factor).into();
        });
    }

    /// Flies right, up and ahead; `step` in parts of the distance to the target.
    pub(super) fn fly(&mut self, way: Vec3, step: f32) {
        if way == Vec3::ZERO {
            return;
        }
        self.change(|camera| {
            let (right, up, distance) = frame(camera);
            let ahead = (Vec3::from(camera.target) - Vec3::from(camera.eye)).normalize_or_zero();
            shift(camera, (right * way.x + up * way.y + ahead * way.z).normalize_or_zero() * distance * step);
        });
    }

    /// As a graph writes it.
    pub(super) fn ron(&self) -> String {
        let Camera { eye, target, up, fov_y_degrees, near, far, projection } = self.camera();
        let vector = |v: [f32; 3]| format!("({:?}, {:?}, {:?})", v[0], v[1], v[2]);
        let up = if up == [0.0, 1.0, 0.0] { String::new() } else { format!(", up: {}", vector(up)) };
        let projection = match projection {
            ProjectionDecl::Perspective => String::new(),
            ProjectionDecl::InfiniteReversed => ", projection: InfiniteReversed".to_owned(),
            ProjectionDecl::Orthographic(height) => format!(", projection: Orthographic({height:?})"),
        };
        let (eye, target) = (vector(eye), vector(target));
        format!(
            "camera: (eye: {eye}, target: {target}{up}, fov_y_degrees: {fov_y_degrees:?}, near: {near:?}, far: {far:?}{projection}),"
        )
    }
}

fn shift(camera: &mut Camera, by: Vec3) {
    camera.eye = (Vec3::from(camera.eye) + by).into();
    camera.target = (Vec3::from(camera.target) + by).into();
}

/// Right, up and the distance to the target.
fn frame(camera: &Camera) -> (Vec3, Vec3, f32) {
    let ahead = Vec3::from(camera.target) - Vec3::from(camera.eye);
    let right = ahead.cross(upright(camera)).normalize_or(Vec3::X);
    (right, right.cross(ahead).normalize_or(Vec3::Y), ahead.length())
}

fn upright(camera: &Camera) -> Vec3 {
    Vec3::from(camera.up).normalize_or(Vec3::Y)
}

/// A direction turned around up, then towards it, but never over it.
fn turned(camera: &Camera, way: Vec3, around: f32, over: f32) -> Vec3 {
    let up = upright(camera);
    let way = Mat3::from_axis_angle(up, around) * way;
    let side = up.cross(way).normalize_or(Vec3::X);
    let angle = way.angle_between(up);
    let over = (angle + over).clamp(0.02, std::f32::consts::PI - 0.02) - angle;
    Mat3::from_axis_angle(side, over) * way
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control() -> Control {
        Control { home: Camera::default(), moved: None }
    }

    fn distance(control: &Control) -> f32 {
        let camera = control.camera();
        Vec3::from(camera.eye).distance(Vec3::from(camera.target))
    }

    #[test]
    fn an_orbit_keeps_its_distance_and_never_tips_over() {
        let mut control = control();
        for way in [[30.0, 9000.0], [-700.0, -9000.0], [3.0, 40.0]] {
            control.orbit(way[0], way[1]);
            assert!((distance(&control) - 5.0).abs() < 1e-3);
            assert!(control.camera().state([100, 100]).view.is_finite());
        }
    }

    #[test]
    fn a_pan_keeps_what_is_under_the_pointer() {
        let mut control = control();
        let height = 500.0;
        let before = control.camera().state([500, 500]).view_proj.project_point3(Vec3::ZERO);
        control.pan(50.0, 25.0, height);
        let after = control.camera().state([500, 500]).view_proj.project_point3(Vec3::ZERO);
        assert!((after.x - before.x - 0.2).abs() < 1e-3 && (after.y - before.y + 0.1).abs() < 1e-3, "{after}");
    }

    #[test]
    fn zoom_never_arrives_and_home_is_the_files() {
        let mut control = control();
        (0..1000).for_each(|_| control.zoom(20.0));
        assert!(distance(&control) > 0.0);
        control.fly(Vec3::Z, 1.0);
        control.go_home();
        control.follow(Camera { eye: [1.0, 2.0, 3.0], ..Camera::default() });
        assert_eq!(control.camera().eye, [1.0, 2.0, 3.0]);
        assert!(
            control.ron().starts_with("camera: (eye: (1.0, 2.0, 3.0), target: (0.0, 0.0, 0.0), fov_y_degrees: 60.0")
        );
    }
}
