//! One frame of the panel: what stands where, and what the pointer does.

use std::time::SystemTime;

use egui::{Panel, PointerButton, Rect, RichText, Ui};
use glam::Vec3;

use super::graph::Picture;
use super::inspect::Inspector;
use super::keys::Action;
use super::picture::Mode;
use super::stage::Stage;
use super::{overlay, panel, style};
use crate::session::Place;

/// What is open, and what somebody asked for.
pub(super) struct Face {
    pub(super) help: bool,
    pub(super) panel: bool,
    pub(super) graph: bool,
    pub(super) picture: Picture,
    inspector: Inspector,
    /// Where the graph's picture goes, points.
    pub(super) area: Rect,
    pub(super) asked: Vec<Action>,
    pub(super) opened: Option<Place>,
    /// A line for a while.
    pub(super) notice: Option<(String, std::time::Instant)>,
}

impl Face {
    pub(super) fn new() -> Self {
        Self {
            help: false,
            panel: true,
            graph: false,
            picture: Picture::default(),
            inspector: Inspector::default(),
            area: Rect::ZERO,
            asked: Vec::new(),
            opened: None,
            notice: None,
        }
    }

    pub(super) fn notice(&mut self, text: impl Into<String>) {
        self.notice = Some((text.into(), std::time::Instant::now()));
    }

    /// Shows everything.
    pub(super) fn show(&mut self, ui: &mut Ui, stage: &mut Stage, since: Option<SystemTime>) {
        if self.panel {
            let most = (ui.available_width() * 0.6).clamp(120.0, 700.0);
            let panel = Panel::left("panel").default_size(340.0f32.min(most)).size_range(most.min(220.0)..=most);
            panel.show(ui, |ui| panel::show(ui, stage));
        }
        let most = ui.available_height() * 0.3;
        Panel::top("strategies").show(ui, |ui| {
            egui::ScrollArea::vertical().max_height(most).show(ui, |ui| self.bar(ui, stage));
        });
        egui::CentralPanel::no_frame().show(ui, |ui| {
            self.area = ui.available_rect_before_wrap();
            let response = overlay::surface(ui);
            self.pointer(ui, stage, &response);
            if let Some(frozen) = &stage.frozen {
                let camera = stage.control.camera().state(stage.size);
                overlay::frustum(ui, frozen, &camera, stage.size, self.area);
            }
            if let Some((text, _)) = self.notice.as_ref().filter(|(_, at)| at.elapsed().as_secs() < 5) {
                let at = self.area.center_top() + egui::vec2(0.0, 14.0);
                let font = egui::FontId::proportional(14.0);
                ui.painter().text(at, egui::Align2::CENTER_TOP, text, font, style::ACCENT);
            }
            if let Some(what) = stage.nothing_to_show() {
                let font = egui::FontId::proportional(15.0);
                ui.painter().text(self.area.center(), egui::Align2::CENTER_CENTER, what, font, style::DIM);
            }
            self.opened = overlay::faults(ui, stage, self.area, since).or(self.opened.take());
        });
        self.graph_window(ui, stage);
        self.inspector.show(ui.ctx(), stage);
        overlay::help(ui, &mut self.help);
    }

    /// Strategies as buttons, and what else one would look for.
    fn bar(&mut self, ui: &mut Ui, stage: &mut Stage) {
        ui.horizontal_wrapped(|ui| {
            if let Some((name, of, now)) = stage.strategy() {
                ui.label(RichText::new(&name).color(style::DIM));
                for (at, choice) in of.iter().enumerate() {
                    let text = RichText::new(format!("{} {choice}", at + 1));
                    let lacking = stage.lacking(&name, choice);
                    let response = ui.add_enabled(lacking.is_none(), egui::Button::selectable(at == now, text));
                    if response.on_disabled_hover_text(lacking.unwrap_or_default()).clicked() {
                        self.asked.extend(u8::try_from(at).map(Action::Choose));
                    }
                }
                ui.separator();
            }
            let mut button = |on: bool, text: &str, action: Action| {
                if ui.selectable_label(on, text).clicked() {
                    self.asked.push(action);
                }
            };
            button(self.graph, "Graph (G)", Action::Graph);
            button(stage.b.is_some(), "Compare (B)", Action::Both);
            button(stage.frozen.is_some(), "Freeze (F)", Action::Freeze);
            button(stage.paused, "Pause (Space)", Action::Pause);
            button(false, "Reset (R)", Action::Reset);
            button(self.help, "Keys (F1)", Action::Help);
        });
    }

    fn graph_window(&mut self, ui: &Ui, stage: &mut Stage) {
        if !self.graph {
            return;
        }
        let Some(graph) = stage.graph().cloned() else { return };
        let mut open = self.graph;
        let window =
            egui::Window::new(format!("{} as a picture", graph.name)).id(egui::Id::unique("graph")).open(&mut open);
        let size = self.area.size() * 0.86;
        let chosen = window
            .default_size(size)
            .default_pos(self.area.min + egui::vec2(30.0, 30.0))
            .show(ui.ctx(), |ui| self.picture.show(ui, &graph, stage.selected));
        self.graph = open;
        if let Some(selected) = chosen.and_then(|it| it.inner).flatten() {
            stage.select(selected);
        }
    }

    fn pointer(&mut self, ui: &Ui, stage: &mut Stage, response: &egui::Response) {
        let (shift, wheel, delta) =
            ui.input(|input| (input.modifiers.shift, input.smooth_scroll_delta().y, input.stable_dt.min(0.1)));
        let drag = response.drag_delta();
        let before = stage.control.camera();
        if response.dragged_by(PointerButton::Middle) || (shift && response.dragged_by(PointerButton::Primary)) {
            stage.control.pan(drag.x, drag.y, self.area.height());
        } else if response.dragged_by(PointerButton::Primary) {
            if let Mode::Split(at) = &mut stage.mode
                && ui.input(|input| input.modifiers.alt)
            {
                *at = (*at + drag.x / self.area.width()).clamp(0.0, 1.0);
            } else {
                stage.control.orbit(drag.x, drag.y);
            }
        } else if response.dragged_by(PointerButton::Secondary) {
            stage.control.look(drag.x, drag.y);
        }
        if response.hovered() && wheel != 0.0 {
            stage.control.zoom(wheel / 40.0);
        }
        if ui.input(|input| input.pointer.secondary_down()) && response.contains_pointer() {
            stage.control.fly(way(ui), delta * if shift { 3.0 } else { 0.8 });
            ui.ctx().request_repaint();
        }
        if before != stage.control.camera() {
            stage.due = stage.due.max(1);
        }
    }
}

/// Where the flying keys point.
fn way(ui: &Ui) -> Vec3 {
    use egui::Key;
    let axis = |more: Key, less: Key| {
        ui.input(|input| f32::from(u8::from(input.key_down(more))) - f32::from(u8::from(input.key_down(less))))
    };
    Vec3::new(axis(Key::D, Key::A), axis(Key::E, Key::Q), axis(Key::W, Key::S))
}
