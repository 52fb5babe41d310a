//! The camera.

use crate::source::Sp;

use super::super::document::{CameraDecl, ProjectionDecl};
use super::super::rules;
use super::super::tree::{Kind, Node};
use super::fields::What;
use super::{Lower, Step};

impl<'n> Lower<'n, '_> {
    /// `camera: (…)`. Fields left out have defaults: from (0, 0, 5) at the origin, 60 degrees, 0.1 to 1000.
    pub(super) fn camera(&mut self, node: &'n Node<'n>) -> Option<CameraDecl> {
        let mut fields = self.unnamed(node, "the camera")?;
        let faults = self.found.faults();
        let span = self.span(node);
        let or = |value: Option<Sp<[f64; 3]>>, default| value.unwrap_or(Sp::new(default, span));
        let or_number = |value: Option<Sp<f64>>, default| value.unwrap_or(Sp::new(default, span));
        let camera = CameraDecl {
            eye: or(self.optional(&mut fields, "eye", Self::float3), [0.0, 0.0, 5.0]),
            target: or(self.optional(&mut fields, "target", Self::float3), [0.0; 3]),
            up: or(self.optional(&mut fields, "up", Self::float3), [0.0, 1.0, 0.0]),
            fov_y_degrees: or_number(self.optional(&mut fields, "fov_y_degrees", Self::float), 60.0),
            near: or_number(self.optional(&mut fields, "near", Self::float), 0.1),
            far: or_number(self.optional(&mut fields, "far", Self::float), 1000.0),
            projection: self
                .optional(&mut fields, "projection", Self::projection)
                .unwrap_or(Sp::new(ProjectionDecl::Perspective, span)),
            span,
        };
        self.finish(&fields);
        self.check_planes(&camera);
        if self.found.faults() == faults {
            self.check_view(&camera);
        }
        Some(camera)
    }

    fn check_planes(&mut self, camera: &CameraDecl) {
        let fov = camera.fov_y_degrees;
        if !(fov.value > 0.0 && fov.value < 180.0) {
            self.out_of_range("fov_y_degrees", fov, "has to be between 0 and 180");
        }
        let is_perspective = !matches!(camera.projection.value, ProjectionDecl::Orthographic(_));
        if is_perspective && camera.near.value <= 0.0 {
            self.out_of_range("near", camera.near, "has to be above 0");
        }
        if camera.far.value <= camera.near.value && camera.projection.value != ProjectionDecl::InfiniteReversed {
            self.out_of_range("far", camera.far, "has to be above `near`");
        }
    }

    fn check_view(&mut self, camera: &CameraDecl) {
        let forward: [f64; 3] = std::array::from_fn(|i| camera.target.value[i] - camera.eye.value[i]);
        if dot(forward, forward) == 0.0 {
            self.bad_view("target", camera.target, "the camera stands where it looks");
        } else if parallel(forward, camera.up.value) {
            self.bad_view("up", camera.up, "`up` points along the view, or nowhere");
        }
    }

    fn bad_view(&mut self, field: &'static str, at: Sp<[f64; 3]>, headline: &str) {
        self.inside(Step::Field(field), |l| {
            l.report(&rules::OUT_OF_RANGE, at.span, headline.to_owned(), "no direction", |d| d);
        });
    }

    /// Reports a written number that its place does not allow.
    pub(super) fn out_of_range(&mut self, field: &'static str, at: Sp<f64>, needs: &str) {
        self.inside(Step::Field(field), |l| {
            l.report(
                &rules::OUT_OF_RANGE,
                at.span,
                format!("`{field}` is {} and {needs}", at.value),
                needs.to_owned(),
                |d| d,
            );
        });
    }

    fn projection(&mut self, node: &'n Node<'n>) -> Option<Sp<ProjectionDecl>> {
        let span = self.span(node);
        let name = node.name;
        let projection = match (name, &node.kind) {
            (Some("Perspective"), Kind::Unit) => ProjectionDecl::Perspective,
            (Some("InfiniteReversed"), Kind::Unit) => ProjectionDecl::InfiniteReversed,
            (Some("Orthographic"), _) => return self.orthographic(node).map(|p| Sp::new(p, span)),
            _ => {
                self.unknown_name(node, "projection", &["Perspective", "Orthographic", "InfiniteReversed"]);
                return None;
            }
        };
        Some(Sp::new(projection, span))
    }

    /// `Orthographic(20)` or `Orthographic(height: 20)`: world units from bottom to top.
    fn orthographic(&mut self, node: &'n Node<'n>) -> Option<ProjectionDecl> {
        let height = match &node.kind {
            Kind::Tuple(items) if items.len() == 1 => self.float(&items[0])?,
            _ => {
                let mut fields = self.fields(node, What::Kind("Orthographic"))?;
                let height = self.required(&mut fields, "height", Self::float);
                self.finish(&fields);
                height?
            }
        };
        if height.value <= 0.0 {
            self.out_of_range("height", height, "has to be above 0");
            return None;
        }
        Some(ProjectionDecl::Orthographic(height.value))
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Whether the directions are too close to one line (or none) to span a plane.
fn parallel(a: [f64; 3], b: [f64; 3]) -> bool {
    let cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    dot(cross, cross) <= 1e-12 * dot(a, a) * dot(b, b)
}
