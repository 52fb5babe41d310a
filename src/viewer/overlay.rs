//! What stands over the picture: faults, the frozen frustum, the help.

use std::time::SystemTime;

use egui::{Align2, Color32, Frame, Margin, Rect, RichText, Sense, Stroke, Ui, pos2};
use glam::{Vec3, Vec4};

use super::keys::{KEYS, MOUSE};
use super::stage::Stage;
use super::style;
use crate::diagnostic::Level;
use crate::graph::camera::{Camera, CameraState};
use crate::session::{Finding, Place};

/// Faults over the last good picture. The place that was clicked.
pub(super) fn faults(ui: &Ui, stage: &Stage, area: Rect, since: Option<SystemTime>) -> Option<Place> {
    let faults: Vec<&Finding> = stage.a.session.faults().collect();
    if faults.is_empty() {
        return None;
    }
    let mut clicked = None;
    let fill = Color32::from_rgba_unmultiplied(38, 16, 18, 242);
    let frame = Frame::new().fill(fill).inner_margin(Margin::same(12)).corner_radius(6.0);
    egui::Area::new(egui::Id::unique("faults"))
        .order(egui::Order::Foreground)
        .pivot(Align2::LEFT_BOTTOM)
        .fixed_pos(area.left_bottom() + egui::vec2(12.0, -12.0))
        .show(ui.ctx(), |ui| {
            frame.stroke(Stroke::new(1.0, style::BAD)).show(ui, |ui| {
                ui.set_width((area.width() - 50.0).clamp(200.0, 860.0));
                let showing = since.map(|at| format!("showing the frame of {}", clock(at)));
                let showing = showing.unwrap_or_else(|| "nothing to show yet".to_owned());
                ui.label(RichText::new(showing).color(style::WARN));
                egui::ScrollArea::vertical().max_height(area.height() * 0.6).show(ui, |ui| {
                    for fault in faults {
                        clicked = one(ui, fault).or(clicked.take());
                    }
                });
            });
        });
    clicked
}

fn one(ui: &mut Ui, fault: &Finding) -> Option<Place> {
    ui.separator();
    let color = if fault.level == Level::Error { style::BAD } else { style::WARN };
    let mut clicked = None;
    ui.horizontal_wrapped(|ui| {
        if let Some(place) = &fault.place {
            let link = ui.link(RichText::new(place.to_string()).monospace());
            if link.on_hover_text("click: copy, and open in $VISUAL or $EDITOR").clicked() {
                clicked = Some(place.clone());
            }
        }
        ui.label(RichText::new(&fault.message).color(color).strong());
    });
    // A fault without a place says no more than its message.
    if fault.place.is_some() {
        ui.add(egui::Label::new(RichText::new(fault.text.trim_end()).monospace().size(11.5)).selectable(true));
    }
    clicked
}

/// Hours, minutes and seconds where the viewer runs.
pub(super) fn clock(at: SystemTime) -> String {
    jiff::ZonedDateTime::try_from(at).map_or_else(|_| "?".to_owned(), |at| at.strftime("%H:%M:%S").to_string())
}

/// Every key.
pub(super) fn help(ui: &Ui, open: &mut bool) {
    let window = egui::Window::new("Keys").open(open).collapsible(false).resizable(false);
    window.anchor(Align2::CENTER_CENTER, [0.0, 0.0]).show(ui.ctx(), |ui| {
        egui::Grid::new("keys").num_columns(2).spacing([24.0, 6.0]).show(ui, |ui| {
            let keys = KEYS.iter().map(|(_, key, what, _)| (*key, *what));
            for (key, what) in MOUSE.into_iter().chain(keys) {
                ui.label(RichText::new(key).monospace().color(style::ACCENT));
                ui.label(what);
                ui.end_row();
            }
        });
    });
}

/// The edges of what a frozen camera sees, as another camera sees them.
pub(super) fn frustum(ui: &Ui, frozen: &Camera, camera: &CameraState, size: [u32; 2], area: Rect) {
    let from = frozen.state(size);
    let corner = |x: f32, y: f32, z: f32| from.inverse_view_proj.project_point3(Vec3::new(x, y, z));
    let (near, far) = if from.planes[5] == crate::graph::camera::NO_PLANE { (1.0, 0.001) } else { (0.0, 1.0) };
    let ring = |z: f32| [corner(-1.0, -1.0, z), corner(1.0, -1.0, z), corner(1.0, 1.0, z), corner(-1.0, 1.0, z)];
    let (near, far) = (ring(near), ring(far));
    let painter = ui.painter_at(area);
    let edge = |a: Vec3, b: Vec3| {
        if let Some([a, b]) = clipped(camera.view_proj * a.extend(1.0), camera.view_proj * b.extend(1.0)) {
            let at = |p: Vec4| {
                let ndc = p / p.w;
                pos2(area.left() + area.width() * (ndc.x * 0.5 + 0.5), area.top() + area.height() * (0.5 - ndc.y * 0.5))
            };
            painter.line_segment([at(a), at(b)], Stroke::new(1.6, style::ACCENT));
        }
    };
    for at in 0..4 {
        edge(near[at], near[(at + 1) % 4]);
        edge(far[at], far[(at + 1) % 4]);
        edge(near[at], far[at]);
    }
}

/// The part of an edge before the eye.
fn clipped(a: Vec4, b: Vec4) -> Option<[Vec4; 2]> {
    const LEAST: f32 = 1e-3;
    match (a.w > LEAST, b.w > LEAST) {
        (true, true) => Some([a, b]),
        (false, false) => None,
        (true, false) => Some([a, a + (b - a) * ((a.w - LEAST) / (a.w - b.w))]),
        (false, true) => Some([b + (a - b) * ((b.w - LEAST) / (b.w - a.w)), b]),
    }
}

/// What a click on the picture's part of the window is about.
pub(super) fn surface(ui: &mut Ui) -> egui::Response {
    ui.allocate_rect(ui.available_rect_before_wrap(), Sense::click_and_drag())
}
