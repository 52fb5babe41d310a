//! The graph as a picture: passes and resources from top to bottom, and what flows between them.

use egui::epaint::CubicBezierShape;
use egui::{Align2, Color32, FontId, Pos2, Rect, Sense, Stroke, StrokeKind, Ui, Vec2, pos2, vec2};

use super::style;
use crate::graph::{Draft, PassId, PassKind, ResourceId, ResourceKind};
use crate::id::Id as _;
use crate::plan::Plan;

/// What somebody pointed at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Selected {
    Pass(PassId),
    Resource(ResourceId),
}

#[derive(Debug, Clone)]
struct Node {
    what: Selected,
    name: String,
    layer: usize,
    row: f32,
}

/// Where everything stands.
#[derive(Debug, Default)]
pub(super) struct Picture {
    nodes: Vec<Node>,
    /// From, to, and whether it is what the frame before left.
    edges: Vec<(usize, usize, bool)>,
    offset: Vec2,
    scale: f32,
}

const STEP: Vec2 = vec2(172.0, 54.0);
const SIZE: Vec2 = vec2(150.0, 28.0);

impl Picture {
    /// Lays a graph out.
    pub(super) fn lay_out(&mut self, draft: &Draft, plan: &Plan) {
        self.nodes.clear();
        self.edges.clear();
        let passes: Vec<PassId> = plan.once.iter().chain(&plan.order).copied().collect();
        let depths = depths(&passes, plan);
        for (pass, depth) in passes.iter().zip(&depths) {
            let name = draft.passes[*pass].name.to_string();
            self.nodes.push(Node { what: Selected::Pass(*pass), name, layer: 2 * depth + 1, row: 0.0 });
        }
        for (id, resource) in draft.resources.entries() {
            if !matches!(resource.kind, ResourceKind::Buffer(_) | ResourceKind::Texture(_)) {
                continue;
            }
            self.resource(draft, &passes, &depths, (id, resource.name.as_str()));
        }
        self.arrange();
    }

    fn resource(&mut self, draft: &Draft, passes: &[PassId], depths: &[usize], (id, name): (ResourceId, &str)) {
        let uses: Vec<(usize, bool, bool)> = passes
            .iter()
            .enumerate()
            .flat_map(|(at, pass)| draft.passes[*pass].accesses.iter().map(move |access| (at, access)))
            .filter(|(_, access)| access.resource == id)
            .map(|(at, access)| (at, access.effect.writes(), access.previous))
            .collect();
        if uses.is_empty() {
            return;
        }
        let written = uses.iter().filter(|(_, writes, _)| *writes).map(|(at, ..)| 2 * depths[*at] + 2).min();
        let node = self.nodes.len();
        let layer = written.unwrap_or(0);
        self.nodes.push(Node { what: Selected::Resource(id), name: name.to_owned(), layer, row: 0.0 });
        for (at, writes, previous) in uses {
            let edge = if writes { (at, node, false) } else { (node, at, previous || self.nodes[at].layer < layer) };
            if !self.edges.contains(&edge) {
                self.edges.push(edge);
            }
        }
    }

    /// Rows: each node near the middle of those it hangs on.
    fn arrange(&mut self) {
        let layers = self.nodes.iter().map(|node| node.layer).max().unwrap_or(0);
        for sweep in 0..6 {
            for layer in 0..=layers {
                let mut of: Vec<usize> = (0..self.nodes.len()).filter(|at| self.nodes[*at].layer == layer).collect();
                let mut wish: Vec<(f32, usize)> = of.drain(..).map(|at| (self.middle(at, sweep), at)).collect();
                wish.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                let mean = wish.iter().map(|(row, _)| row).sum::<f32>() / wish.len().max(1) as f32;
                let start = if sweep == 0 { 0.0 } else { mean - (wish.len() as f32 - 1.0) / 2.0 };
                for (place, (_, at)) in wish.into_iter().enumerate() {
                    self.nodes[at].row = start + place as f32;
                }
            }
        }
    }

    fn middle(&self, node: usize, sweep: usize) -> f32 {
        let rows = self.edges.iter().filter_map(|(from, to, _)| match (*from == node, *to == node) {
            (true, _) if sweep > 0 => Some(self.nodes[*to].row),
            (_, true) => Some(self.nodes[*from].row),
            _ => None,
        });
        let rows: Vec<f32> = rows.collect();
        if rows.is_empty() { self.nodes[node].row } else { rows.iter().sum::<f32>() / rows.len() as f32 }
    }

    /// All of it inside a rectangle.
    fn fit(&mut self, within: Rect) {
        let bounds = self.nodes.iter().fold(Rect::NOTHING, |all, node| all.union(place(node)));
        if !bounds.is_positive() {
            return;
        }
        let scale = (within.width() / (bounds.width() + 40.0)).min(within.height() / (bounds.height() + 40.0));
        self.scale = scale.clamp(0.15, 1.3);
        self.offset = within.center().to_vec2() - bounds.center().to_vec2() * self.scale;
    }

    /// Forgets how it was zoomed.
    pub(super) fn refit(&mut self) {
        self.scale = 0.0;
    }

    /// Draws it; what was clicked.
    pub(super) fn show(&mut self, ui: &mut Ui, draft: &Draft, selected: Option<Selected>) -> Option<Selected> {
        let (response, painter) = ui.allocate_painter(ui.available_size(), Sense::click_and_drag());
        if self.scale == 0.0 {
            self.fit(response.rect);
        }
        self.offset += response.drag_delta();
        if let Some(pointer) = response.hover_pos() {
            let wheel = ui.input(|input| input.smooth_scroll_delta().y);
            let scale = (self.scale * (wheel * 0.004).exp()).clamp(0.1, 4.0);
            self.offset = pointer.to_vec2() - (pointer.to_vec2() - self.offset) * (scale / self.scale);
            self.scale = scale;
        }
        let (scale, offset) = (self.scale, self.offset);
        let screen =
            |rect: Rect| Rect::from_min_max(to_screen(rect.min, scale, offset), to_screen(rect.max, scale, offset));
        let focus = |at: usize| selected == Some(self.nodes[at].what);
        for (from, to, back) in &self.edges {
            let (from_rect, to_rect) = (screen(place(&self.nodes[*from])), screen(place(&self.nodes[*to])));
            let color = if focus(*from) || focus(*to) { style::ACCENT } else { style::EDGE };
            painter.add(curve(
                from_rect.center_bottom(),
                to_rect.center_top(),
                scale,
                if *back { color.gamma_multiply(0.45) } else { color },
            ));
        }
        let mut clicked = None;
        for (at, node) in self.nodes.iter().enumerate() {
            let rect = screen(place(node));
            if !rect.intersects(response.rect) {
                continue;
            }
            let (fill, radius) = match node.what {
                Selected::Pass(id) => (pass_color(&draft.passes[id].kind), 5.0),
                Selected::Resource(_) => (style::RESOURCE, 14.0),
            };
            painter.rect_filled(rect, radius * scale, fill);
            if focus(at) {
                painter.rect_stroke(rect, radius * scale, Stroke::new(2.0, style::ACCENT), StrokeKind::Outside);
            }
            let font = FontId::proportional(12.5 * scale);
            let clip = painter.with_clip_rect(rect.shrink(2.0).intersect(response.rect));
            clip.text(rect.center(), Align2::CENTER_CENTER, &node.name, font, Color32::from_gray(235));
            if response.clicked() && response.interact_pointer_pos().is_some_and(|pointer| rect.contains(pointer)) {
                clicked = Some(node.what);
            }
        }
        clicked
    }
}

fn to_screen(at: Pos2, scale: f32, offset: Vec2) -> Pos2 {
    (at.to_vec2() * scale + offset).to_pos2()
}

fn place(node: &Node) -> Rect {
    Rect::from_center_size(pos2(node.row * STEP.x, node.layer as f32 * STEP.y), SIZE)
}

fn curve(from: Pos2, to: Pos2, scale: f32, color: Color32) -> CubicBezierShape {
    let reach = vec2(0.0, ((to.y - from.y).abs() * 0.5).max(18.0 * scale));
    CubicBezierShape::from_points_stroke(
        [from, from + reach, to - reach, to],
        false,
        Color32::TRANSPARENT,
        Stroke::new((1.6 * scale).max(0.8), color),
    )
}

fn pass_color(kind: &PassKind) -> Color32 {
    match kind {
        PassKind::Dispatch(_) => style::COMPUTE,
        PassKind::Render(_) => style::RENDER,
        _ => style::COPY,
    }
}

/// The longest way to each pass.
fn depths(passes: &[PassId], plan: &Plan) -> Vec<usize> {
    let most = passes.iter().map(|pass| pass.index() + 1).max().unwrap_or(0);
    let mut at = vec![None; most];
    passes.iter().enumerate().for_each(|(place, pass)| at[pass.index()] = Some(place));
    let mut depths = vec![0; passes.len()];
    for (place, pass) in passes.iter().enumerate() {
        let before = plan.edges.iter().filter(|edge| edge.after == *pass);
        let before = before.filter_map(|edge| at.get(edge.before.index()).copied().flatten());
        depths[place] = before.filter(|it| *it < place).map(|it| depths[it] + 1).max().unwrap_or(0);
    }
    depths
}
