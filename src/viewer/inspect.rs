//! Inspectors: a texture as a picture, a buffer as a table.

use std::sync::Arc;

use egui::{Color32, ColorImage, RichText, Sense, TextureHandle, TextureOptions, Ui, pos2, vec2};

use super::capture::{Got, Wanted};
use super::panel::grouped;
use super::stage::Stage;
use super::style;
use super::texel::{self, Channel, Range};
use crate::graph::table::Layout;
use crate::graph::{Graph, ResourceId, ResourceKind};

/// Elements on one page of a table.
const PAGE: u64 = 64;

/// Texels that a picture shows at most.
const MOST: [usize; 2] = [640, 400];

/// What an inspector remembers.
#[derive(Default)]
pub(super) struct Inspector {
    channel: Channel,
    /// Found by itself while nothing is set.
    range: Option<Range>,
    found: Option<Range>,
    mip: u32,
    layer: u32,
    page: u64,
    jump: String,
    handle: Option<TextureHandle>,
    /// What the picture was made of.
    made: Option<(usize, Channel, Option<Range>)>,
}

impl Inspector {
    /// The window of what is inspected.
    pub(super) fn show(&mut self, context: &egui::Context, stage: &mut Stage) {
        let Some(name) = stage.inspected.clone() else { return };
        let Some(graph) = stage.graph().cloned() else { return };
        let Some((id, resource)) = graph.resources.entries().find(|(_, it)| it.name == name.as_str()) else { return };
        let mut open = true;
        let window =
            egui::Window::new(&name).id(egui::Id::unique("inspector")).open(&mut open).default_size([520.0, 420.0]);
        window.default_pos([380.0, 80.0]).show(context, |ui| match &resource.kind {
            ResourceKind::Texture(texture) => {
                let (mips, layers) = (texture.mips, texture.layers);
                self.texture(ui, stage, id, (mips, layers));
            }
            ResourceKind::Buffer(_) => self.buffer(ui, stage, &graph, id),
            _ => {}
        });
        if !open {
            stage.inspect(None);
            *self = Self::default();
        }
    }

    fn texture(&mut self, ui: &mut Ui, stage: &mut Stage, id: ResourceId, (mips, layers): (u32, u32)) {
        ui.horizontal(|ui| {
            for (channel, name) in Channel::ALL {
                ui.selectable_value(&mut self.channel, channel, name);
            }
            if mips > 1 {
                ui.add(egui::DragValue::new(&mut self.mip).range(0..=mips - 1).prefix("mip "));
            }
            if layers > 1 {
                ui.add(egui::DragValue::new(&mut self.layer).range(0..=layers - 1).prefix("layer "));
            }
            self.range_widget(ui);
        });
        let wanted = Wanted::Texture { resource: id, mip: self.mip, layer: self.layer };
        let got = stage.got.take();
        stage.wanted = Some(wanted.clone());
        if let Some(got) = got.as_ref().filter(|got| got.wanted == wanted) {
            self.paint(ui, got);
        } else {
            ui.label(RichText::new("waiting for a frame that can be read back").color(style::DIM));
        }
        stage.got = got;
    }

    fn range_widget(&mut self, ui: &mut Ui) {
        let mut is_auto = self.range.is_none();
        if ui.checkbox(&mut is_auto, "range by itself").changed() {
            self.range = if is_auto { None } else { Some(self.found.unwrap_or(Range { low: 0.0, high: 1.0 })) };
        }
        if let Some(range) = &mut self.range {
            ui.add(egui::DragValue::new(&mut range.low).speed(0.005));
            ui.label("to");
            ui.add(egui::DragValue::new(&mut range.high).speed(0.005));
        } else if let Some(Range { low, high }) = self.found {
            ui.label(RichText::new(format!("{low:.4} to {high:.4}")).color(style::DIM));
        }
    }

    fn paint(&mut self, ui: &mut Ui, got: &Got) {
        let Some(format) = got.format else { return };
        let [width, height] = got.size.map(|side| side as usize);
        let step = got.bytes.len() / (width * height).max(1);
        if step == 0 || texel::decode(format, &got.bytes[..step]).is_none() {
            ui.label(format!("{format:?} cannot be shown"));
            return;
        }
        let key = (got.bytes.as_ptr() as usize, self.channel, self.range);
        if self.made != Some(key) {
            self.made = Some(key);
            // As many texels as a window shows are looked at, evenly.
            let skip = width.div_ceil(MOST[0]).max(height.div_ceil(MOST[1])).max(1);
            let (columns, rows) = (width.div_ceil(skip), height.div_ceil(skip));
            let at = |index: usize| ((index / columns) * skip * width + (index % columns) * skip) * step;
            let bytes = |index: usize| &got.bytes[at(index)..at(index) + step];
            let texels = || (0..columns * rows).filter_map(|index| texel::decode(format, bytes(index)));
            self.found = Some(found(texels(), format));
            let range = self.range.or(self.found).unwrap_or(Range { low: 0.0, high: 1.0 });
            let pixels = texels().map(|(texel, count)| texel::color(texel, count, self.channel, range)).collect();
            let image = ColorImage::new([columns, rows], pixels);
            match &mut self.handle {
                Some(handle) => handle.set(image, TextureOptions::NEAREST),
                None => self.handle = Some(ui.ctx().load_texture("inspected", image, TextureOptions::NEAREST)),
            }
        }
        let Some(handle) = &self.handle else { return };
        let room = ui.available_size() - vec2(0.0, 22.0);
        let scale = (room.x / width as f32).min(room.y / height as f32).max(0.01);
        let (rect, response) = ui.allocate_exact_size(vec2(width as f32, height as f32) * scale, Sense::hover());
        let all = egui::Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        ui.painter().image(handle.id(), rect, all, Color32::WHITE);
        let under = response.hover_pos().map(|at| (at - rect.min) / scale);
        let line = under.and_then(|at| {
            let (x, y) = ((at.x as usize).min(width - 1), (at.y as usize).min(height - 1));
            let start = (y * width + x) * step;
            let (texel, count) = texel::decode(format, &got.bytes[start..start + step])?;
            let values: Vec<String> = texel[..count].iter().map(|value| format!("{value:.5}")).collect();
            Some(format!("({x}, {y})  {}", values.join("  ")))
        });
        ui.label(RichText::new(line.unwrap_or_else(|| format!("{width} × {height} {format:?}"))).monospace());
    }

    fn buffer(&mut self, ui: &mut Ui, stage: &mut Stage, graph: &Arc<Graph>, id: ResourceId) {
        let layout = Layout::of(graph, id);
        let size = stage.a.session.program().and_then(|program| program.buffer(id)).map_or(0, |(_, size)| size);
        let stride = layout.stride as u64;
        let count = size.saturating_sub(layout.header) / stride;
        let pages = count.div_ceil(PAGE).max(1);
        self.page = self.page.min(pages - 1);
        ui.horizontal(|ui| {
            ui.label(RichText::new(format!("{} × {} ({stride} bytes)", grouped(count), layout.name)).color(style::DIM));
            if ui.small_button("<").clicked() {
                self.page = self.page.saturating_sub(1);
            }
            ui.label(format!("page {} of {pages}", self.page + 1));
            if ui.small_button(">").clicked() {
                self.page = (self.page + 1).min(pages - 1);
            }
            let jump = ui.add(egui::TextEdit::singleline(&mut self.jump).hint_text("index").desired_width(60.0));
            if jump.lost_focus()
                && let Ok(index) = self.jump.trim().parse::<u64>()
            {
                self.page = (index / PAGE).min(pages - 1);
            }
        });
        let start = layout.header + self.page * PAGE * stride;
        let wanted = Wanted::Buffer { resource: id, bytes: start..(start + PAGE * stride).min(size) };
        stage.wanted = Some(wanted.clone());
        let Some(got) = stage.got.as_ref().filter(|got| got.wanted == wanted) else {
            ui.label(RichText::new("waiting for a frame that can be read back").color(style::DIM));
            return;
        };
        // Copies begin at a multiple of four bytes.
        let bytes = got.bytes.get((start % 4) as usize..).unwrap_or_default();
        table(ui, &layout, bytes, self.page * PAGE);
    }
}

fn table(ui: &mut Ui, layout: &Layout, bytes: &[u8], first: u64) {
    egui::ScrollArea::both().auto_shrink(false).show(ui, |ui| {
        egui::Grid::new("elements").striped(true).min_col_width(50.0).show(ui, |ui| {
            ui.label(RichText::new("#").color(style::DIM));
            for column in &layout.columns {
                ui.label(RichText::new(&column.name).color(style::ACCENT));
            }
            ui.end_row();
            for (at, element) in bytes.chunks_exact(layout.stride).enumerate() {
                ui.label(RichText::new((first + at as u64).to_string()).monospace().color(style::DIM));
                for column in &layout.columns {
                    ui.label(RichText::new(column.cell(element)).monospace());
                }
                ui.end_row();
            }
        });
    });
}

/// The range of what is there. Depth is mostly near 1: there it matters most where its numbers begin.
fn found(texels: impl Iterator<Item = ([f32; 4], usize)>, format: wgpu::TextureFormat) -> Range {
    let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
    for (texel, count) in texels {
        for value in texel[..count.min(3)].iter().filter(|value| value.is_finite()) {
            (low, high) = (low.min(*value), high.max(*value));
        }
    }
    if low >= high {
        return Range { low: 0.0, high: 1.0 };
    }
    let small = low >= 0.0 && high <= 1.0 && !format.has_depth_aspect();
    if small { Range { low: 0.0, high: 1.0 } } else { Range { low, high } }
}
