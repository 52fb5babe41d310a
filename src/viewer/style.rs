//! Colours and fonts of the panel.

use egui::{Color32, CornerRadius, Stroke, Visuals};

pub(super) const ACCENT: Color32 = Color32::from_rgb(255, 176, 64);
pub(super) const GOOD: Color32 = Color32::from_rgb(110, 200, 140);
pub(super) const BAD: Color32 = Color32::from_rgb(255, 105, 97);
pub(super) const WARN: Color32 = Color32::from_rgb(240, 200, 90);
pub(super) const DIM: Color32 = Color32::from_gray(140);
pub(super) const COMPUTE: Color32 = Color32::from_rgb(44, 90, 150);
pub(super) const RENDER: Color32 = Color32::from_rgb(140, 66, 92);
pub(super) const COPY: Color32 = Color32::from_rgb(84, 84, 92);
pub(super) const RESOURCE: Color32 = Color32::from_rgb(38, 106, 88);
pub(super) const EDGE: Color32 = Color32::from_gray(105);
pub(super) const BAR_BACK: Color32 = Color32::from_gray(38);

/// Bars of slots, by slot.
pub(super) const SLOTS: [Color32; 6] = [
    Color32::from_rgb(86, 156, 214),
    Color32::from_rgb(78, 180, 150),
    Color32::from_rgb(206, 145, 90),
    Color32::from_rgb(180, 130, 200),
    Color32::from_rgb(200, 110, 120),
    Color32::from_rgb(160, 170, 90),
];

/// Dark, quiet, with one accent; without animations where a script takes pictures.
pub(super) fn apply(context: &egui::Context, is_still: bool) {
    context.set_theme(egui::ThemePreference::Dark);
    let mut visuals = Visuals::dark();
    visuals.panel_fill = Color32::from_rgb(22, 23, 26);
    visuals.window_fill = Color32::from_rgb(26, 27, 31);
    visuals.extreme_bg_color = Color32::from_rgb(14, 15, 17);
    visuals.window_corner_radius = CornerRadius::same(6);
    visuals.selection.bg_fill = Color32::from_rgb(120, 82, 28);
    visuals.selection.stroke = Stroke::new(1.0, ACCENT);
    visuals.hyperlink_color = ACCENT;
    context.set_visuals_of(egui::Theme::Dark, visuals);
    context.all_styles_mut(|style| {
        if is_still {
            style.animation_time = 0.0;
        }
        style.spacing.item_spacing = egui::vec2(6.0, 4.0);
        style.spacing.slider_width = 130.0;
    });
}
