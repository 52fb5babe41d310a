//! The side panel: frame, params, passes, resources.

use std::sync::Arc;

use egui::{Align2, Color32, FontId, Rect, RichText, Sense, Stroke, Ui, pos2, vec2};

use super::graph::Selected;
use super::picture::Mode;
use super::stage::Stage;
use super::style;
use super::versus::Verdict;
use crate::gpu::Program;
use crate::graph::{Call, Draft, Graph, Groups, ParamValue, PassId, PassKind, ResourceId, ResourceKind};
use crate::plan::{Plan, human_bytes, why_after, why_dead};
use crate::session::default_value;
use crate::syntax::document::ParamKind;

/// All of it.
pub(super) fn show(ui: &mut Ui, stage: &mut Stage) {
    let Some(program) = stage.a.session.program() else {
        ui.add_space(8.0);
        ui.label(RichText::new("nothing is drawn yet").color(style::DIM));
        return;
    };
    let (graph, plan) = (Arc::clone(program.graph()), Arc::clone(program.plan()));
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        head(ui, stage, &graph);
        section(ui, "Params", |ui| params(ui, stage, &graph));
        section(ui, "Passes", |ui| passes(ui, stage, &graph, &plan));
        section(ui, "Resources", |ui| resources(ui, stage, &graph, &plan));
    });
}

fn section(ui: &mut Ui, title: &str, add: impl FnOnce(&mut Ui)) {
    egui::CollapsingHeader::new(RichText::new(title).strong()).default_open(true).show(ui, add);
}

fn head(ui: &mut Ui, stage: &Stage, graph: &Graph) {
    ui.horizontal(|ui| {
        ui.label(RichText::new(&graph.name).heading().color(style::ACCENT));
        let [width, height] = graph.surface;
        ui.label(RichText::new(format!("{width} × {height}")).color(style::DIM));
        if stage.paused {
            ui.label(RichText::new("paused").color(style::WARN));
        }
        if stage.frozen.is_some() {
            ui.label(RichText::new("frozen").color(style::WARN));
        }
        if stage.a.session.is_building() {
            ui.spinner();
        }
    });
    let history = &stage.a.history;
    let median = history.median();
    let gpu = history.gpu_frame;
    ui.horizontal(|ui| {
        ui.label(format!("{median:.1} ms a frame"));
        ui.label(RichText::new(format!("GPU {:.2} ms, worst {:.2}", gpu.average, gpu.worst)).color(style::DIM));
    });
    plot(ui, stage);
    if let Some(reload) = stage.reloads.list.back() {
        let ms = |time: std::time::Duration| format!("{:.0} ms", time.as_secs_f64() * 1e3);
        let spent = reload.spent;
        ui.label(RichText::new(format!("saved to shown in {}", ms(reload.took))).color(style::DIM)).on_hover_text(
            format!(
                "read, checked and planned in {}\nmade in {}\nfirst use of new pipelines {}",
                ms(spent.examine),
                ms(spent.make),
                ms(spent.warm)
            ),
        );
    }
    for counts in &stage.a.counts {
        let all = instances(stage.a.session.program());
        let of = all.map_or(String::new(), |all| format!(" of {}", grouped(all)));
        ui.label(format!("{} visible{of}", grouped(counts.total)))
            .on_hover_text(format!("`{}` of frame {}: {:?}", counts.arguments, counts.frame, counts.instances));
    }
    compared(ui, stage);
}

/// How many instances there are: the param of that name, which is how shipped graphs call it.
fn instances(program: Option<&Program>) -> Option<u64> {
    let graph = program?.graph();
    let param = graph.params.iter().find(|param| param.name == "instances")?;
    match param.value {
        crate::graph::Value::Int(all) => u64::try_from(all).ok(),
        _ => None,
    }
}

/// Both settings and their times, side by side.
fn compared(ui: &mut Ui, stage: &Stage) {
    let Some(b) = &stage.b else { return };
    let (a, b_time) = (stage.a.history.gpu_frame.average, b.history.gpu_frame.average);
    let line = |moved: &crate::session::Moved| {
        let set: Vec<String> = moved.iter().map(|(name, value)| format!("{name}={}", value_text(value))).collect();
        if set.is_empty() { "defaults".to_owned() } else { set.join(" ") }
    };
    egui::Frame::group(ui.style()).show(ui, |ui| {
        let mode = match stage.mode {
            Mode::A => "A",
            Mode::B => "B",
            Mode::Split(_) => "A | B",
            Mode::Difference(_) => "difference × 8",
        };
        ui.label(RichText::new(format!("shown: {mode}  (X flips)")).color(style::ACCENT));
        ui.label(format!("A  {a:.2} ms   {}", line(stage.a.session.moved())));
        ui.label(format!("B  {b_time:.2} ms   {}", line(b.session.moved())));
        let (a, b) = (total(stage), b.counts.iter().map(|counts| counts.total).sum::<u64>());
        if a == b {
            ui.label(RichText::new(format!("both draw {} instances", grouped(a))).color(style::GOOD));
        } else {
            ui.label(RichText::new(format!("A draws {}, B draws {}", grouped(a), grouped(b))).color(style::BAD));
        }
        stage.versus.verdicts.iter().for_each(|verdict| equal(ui, verdict));
    });
}

/// Whether an output is the same in both settings, of the same frame.
fn equal(ui: &mut Ui, verdict: &Verdict) {
    let Verdict { name, difference, unit } = verdict;
    let (text, color) = match difference {
        None => (format!("`{name}` is the same, byte for byte"), style::GOOD),
        Some(it) => {
            let (count, of) = (grouped(it.count as u64), grouped(it.of as u64));
            (format!("`{name}`: {count} of {of} {unit} differ"), style::BAD)
        }
    };
    let label = ui.label(RichText::new(text).color(color));
    if let Some(first) = difference.and_then(|it| it.first) {
        label.on_hover_text(format!("the first of these {unit} at {first}; X shows the difference"));
    }
}

fn total(stage: &Stage) -> u64 {
    stage.a.counts.iter().map(|counts| counts.total).sum()
}

/// Frame times, newest at the right.
fn plot(ui: &mut Ui, stage: &Stage) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 54.0), Sense::hover());
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 3.0, style::BAR_BACK);
    let history = &stage.a.history;
    let top = history.frames.iter().copied().fold(18.0f32, f32::max).min(200.0);
    let y = |ms: f32| rect.bottom() - rect.height() * (ms / top).min(1.0);
    painter.hline(rect.x_range(), y(1000.0 / 60.0), Stroke::new(1.0, Color32::from_gray(80)));
    for (list, color) in [(&history.frames, style::DIM), (&history.gpu, style::ACCENT)] {
        let step = rect.width() / 239.0;
        let first = rect.right() - step * list.len().saturating_sub(1) as f32;
        let points = list.iter().enumerate().map(|(at, ms)| pos2(first + step * at as f32, y(*ms))).collect();
        painter.line(points, Stroke::new(1.2, color));
    }
    let font = FontId::proportional(10.0);
    painter.text(rect.left_top() + vec2(4.0, 2.0), Align2::LEFT_TOP, format!("{top:.0} ms"), font, style::DIM);
    response.on_hover_text("grey: from frame to frame; orange: the GPU's work; line: 60 frames a second");
}

fn params(ui: &mut Ui, stage: &mut Stage, graph: &Graph) {
    let mut set = None;
    let moved = stage.a.session.moved().clone();
    egui::Grid::new("params").num_columns(3).striped(true).show(ui, |ui| {
        for param in &graph.params {
            let Some(value) = stage.a.session.value(&param.name) else { continue };
            let is_moved = moved.contains_key(&param.name);
            let name = RichText::new(&param.name).color(if is_moved { style::ACCENT } else { Color32::from_gray(200) });
            let kind = if param.structural { "changing it makes another plan" } else { "changing it is an upload" };
            let default = default_value(&param.kind).map_or(String::new(), |value| value_text(&value));
            ui.label(name).on_hover_text(format!("{kind}\ndefault: {default}"));
            if let Some(value) = widget(ui, stage, &param.name, &param.kind, value) {
                set = Some((param.name.clone(), Some(value)));
            }
            if is_moved && ui.small_button("reset").on_hover_text(format!("default: {default}")).clicked() {
                set = Some((param.name.clone(), None));
            }
            ui.end_row();
        }
    });
    if graph.params.is_empty() {
        ui.label(RichText::new("none").color(style::DIM));
    }
    if !moved.is_empty() && ui.small_button("copy as --set").clicked() {
        let typed = moved.iter().map(|(name, value)| format!("--set {name}={}", value_text(value)));
        ui.copy_text(typed.collect::<Vec<_>>().join(" "));
    }
    if let Some((name, value)) = set {
        stage.set(&name, value);
    }
}

/// A param's widget; its new value if it was moved.
fn widget(ui: &mut Ui, stage: &Stage, name: &str, kind: &ParamKind, value: ParamValue) -> Option<ParamValue> {
    match (kind, value) {
        (ParamKind::Int { min, max, .. }, ParamValue::Int(mut it)) => {
            let wide = max.value.saturating_sub(min.value) > 1000 && min.value >= 0;
            let slider = egui::Slider::new(&mut it, min.value..=max.value).logarithmic(wide);
            ui.add(slider).changed().then_some(ParamValue::Int(it))
        }
        (ParamKind::Float { min, max, .. }, ParamValue::Float(mut it)) => {
            let slider = egui::Slider::new(&mut it, min.value..=max.value);
            ui.add(slider).changed().then_some(ParamValue::Float(it))
        }
        (ParamKind::Bool { .. }, ParamValue::Bool(mut it)) => {
            ui.checkbox(&mut it, "").changed().then_some(ParamValue::Bool(it))
        }
        (ParamKind::Choice { of, .. }, ParamValue::Choice(now)) => {
            let mut picked = None;
            egui::ComboBox::from_id_salt(name).selected_text(&now).show_ui(ui, |ui| {
                for (at, choice) in of.iter().enumerate() {
                    let key = if at < 9 { format!("{}   {}", choice.value, at + 1) } else { choice.value.to_string() };
                    let lacking = stage.lacking(name, choice.value.as_str());
                    let label = egui::Button::selectable(choice.value == now.as_str(), key);
                    let response = ui.add_enabled(lacking.is_none(), label);
                    if response.on_disabled_hover_text(lacking.unwrap_or_default()).clicked() {
                        picked = Some(ParamValue::Choice(choice.value.to_string()));
                    }
                }
            });
            picked
        }
        _ => None,
    }
}

/// As `--set` takes it.
pub(super) fn value_text(value: &ParamValue) -> String {
    match value {
        ParamValue::Int(it) => it.to_string(),
        ParamValue::Float(it) => it.to_string(),
        ParamValue::Bool(it) => it.to_string(),
        ParamValue::Choice(it) => it.clone(),
    }
}

fn passes(ui: &mut Ui, stage: &mut Stage, graph: &Graph, plan: &Plan) {
    let mut apart = stage.is_apart();
    let why = "records each pass by itself, so that each has a time of its own; together they take longer than merged";
    if ui.checkbox(&mut apart, "a time for each").on_hover_text(why).changed() {
        stage.toggle_apart();
    }
    let Some(program) = stage.a.session.program() else { return };
    let steps: Vec<(String, Vec<PassId>)> = program
        .script()
        .steps
        .iter()
        .map(|step| (program.script().labels[step.label].clone(), step.members.clone()))
        .collect();
    for pass in &plan.once {
        row(ui, stage, graph, plan, *pass, "once");
    }
    for (label, members) in steps {
        if members.len() > 1 || stage.a.history.row(&label).is_some() {
            ui.horizontal(|ui| {
                let time = stage.a.history.row(&label);
                let text = time.map_or_else(|| "—".to_owned(), |it| format!("{:.3} ms", it.average));
                ui.label(RichText::new(text).monospace().color(style::ACCENT)).on_hover_text(time.map_or_else(
                    || "this device does not time passes".to_owned(),
                    |it| format!("{label}\nworst {:.3} ms", it.worst),
                ));
                let what =
                    if members.len() > 1 { format!("{} passes recorded as one", members.len()) } else { String::new() };
                ui.label(RichText::new(what).color(style::DIM).small());
            });
        }
        for pass in members {
            row(ui, stage, graph, plan, pass, "");
        }
    }
    for (pass, reason) in &plan.dead {
        let why = why_dead(graph, plan, *pass, *reason);
        ui.horizontal(|ui| {
            switch(ui, stage, graph.passes[*pass].name.as_str());
            ui.label(RichText::new(graph.passes[*pass].name.as_str()).color(style::DIM).strikethrough())
                .on_hover_text(format!("not recorded: {why}"));
        });
    }
}

fn row(ui: &mut Ui, stage: &mut Stage, graph: &Graph, plan: &Plan, pass: PassId, note: &str) {
    let it = &graph.passes[pass];
    ui.horizontal(|ui| {
        switch(ui, stage, it.name.as_str());
        let chosen = stage.selected == Some(Selected::Pass(pass));
        let response = ui.selectable_label(chosen, it.name.as_str());
        let reasons: Vec<String> = plan
            .edges
            .iter()
            .filter(|edge| edge.after == pass)
            .map(|edge| format!("after `{}`: {}", graph.passes[edge.before].name, why_after(graph, edge)))
            .collect();
        let reasons = if reasons.is_empty() { "waits for nothing".to_owned() } else { reasons.join("\n") };
        if response.on_hover_text(reasons).clicked() {
            stage.selected = Some(Selected::Pass(pass));
        }
        ui.label(RichText::new(work(graph, &it.kind)).color(style::DIM).small());
        ui.label(RichText::new(note).color(style::DIM).small());
    });
}

/// Turns a pass off or on.
fn switch(ui: &mut Ui, stage: &mut Stage, name: &str) {
    let mut on = !stage.a.session.settings().off.iter().any(|it| it == name);
    if ui.checkbox(&mut on, "").on_hover_text("leave this pass out").changed() {
        stage.switch(name, on);
    }
}

/// Groups or draws.
fn work(graph: &Draft, kind: &PassKind) -> String {
    match kind {
        PassKind::Dispatch(dispatch) => match dispatch.groups {
            Groups::Fixed([x, 1, 1]) => format!("{} groups", grouped(x.into())),
            Groups::Fixed([x, y, z]) => format!("{x} × {y} × {z} groups"),
            Groups::Indirect { resource, .. } => format!("groups from `{}`", graph.resources[resource].name),
            Groups::Unknown => "groups unknown".to_owned(),
        },
        PassKind::Render(render) => {
            let draws: usize = render.draws.iter().map(|draw| records(&draw.call)).sum();
            format!("{draws} draw{}", if draws == 1 { "" } else { "s" })
        }
        PassKind::ClearBuffer { target, .. } => format!("clears `{}`", graph.resources[*target].name),
        PassKind::CopyBuffer { .. } | PassKind::CopyTexture { .. } => "copy".to_owned(),
    }
}

const fn records(call: &Call) -> usize {
    match call {
        Call::Indirect { count, .. } => *count as usize,
        _ => 1,
    }
}

fn resources(ui: &mut Ui, stage: &mut Stage, graph: &Graph, plan: &Plan) {
    let bytes = plan.bytes;
    let [shared, bound, unshared] = [bytes.shared, bytes.bound, bytes.unshared].map(human_bytes);
    ui.label(format!("transients {shared}; at least {bound}, unshared {unshared}"))
        .on_hover_text("at least: the most bytes alive at once, below which no sharing gets");
    let rest = format!("outputs {}, kept {}", human_bytes(bytes.own), human_bytes(bytes.kept));
    ui.label(RichText::new(rest).color(style::DIM));
    ui.label(RichText::new("click one to see what it holds").color(style::DIM).small());
    for (id, resource) in graph.resources.entries() {
        if !matches!(resource.kind, ResourceKind::Buffer(_) | ResourceKind::Texture(_)) {
            continue;
        }
        ui.horizontal(|ui| {
            bar(ui, plan, id);
            let chosen = stage.selected == Some(Selected::Resource(id));
            let response = ui.selectable_label(chosen, resource.name.as_str()).on_hover_text(usages(graph, plan, id));
            if response.clicked() {
                stage.selected = Some(Selected::Resource(id));
                stage.inspect(Some(resource.name.to_string()));
            }
            ui.label(RichText::new(size(&resource.kind)).color(style::DIM).small());
        });
    }
}

/// When a resource is alive, over the passes of a frame; coloured by slot.
fn bar(ui: &mut Ui, plan: &Plan, id: ResourceId) {
    let (rect, response) = ui.allocate_exact_size(vec2(84.0, 11.0), Sense::hover());
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 2.0, style::BAR_BACK);
    let count = plan.order.len().max(1) as f32;
    let Some(life) = plan.lifetimes[id] else { return };
    let slot = plan.placement[id];
    let color =
        slot.map_or(Color32::from_gray(120), |slot| style::SLOTS[crate::id::Id::index(slot) % style::SLOTS.len()]);
    let x = |at: f32| rect.left() + rect.width() * at / count;
    let right = x(life.last as f32 + 1.0).min(rect.right()).max(x(life.first as f32) + 2.0);
    painter.rect_filled(Rect::from_x_y_ranges(x(life.first as f32)..=right, rect.y_range()), 2.0, color);
    let place = slot.map_or("memory of its own".to_owned(), |slot| format!("slot {}", crate::id::Id::index(slot)));
    response.on_hover_text(format!("{place}; alive from pass {} to {} of {count}", life.first + 1, life.last + 1));
}

fn usages(graph: &Graph, plan: &Plan, id: ResourceId) -> String {
    let resource = &graph.resources[id];
    let mut flags: Vec<String> = plan.usages[id].iter().map(|reason| format!("{:?}", reason.flag)).collect();
    flags.dedup();
    format!("{:?}\n{}\nclick to inspect", resource.lifetime, flags.join(" | "))
}

fn size(kind: &ResourceKind) -> String {
    match kind {
        ResourceKind::Buffer(buffer) => buffer.size.map_or_else(|| "size unknown".to_owned(), human_bytes),
        ResourceKind::Texture(texture) => {
            let size = texture.size.map_or_else(|| "?".to_owned(), |[width, height]| format!("{width} × {height}"));
            let format = texture.format.map_or_else(|| "?".to_owned(), |format| format!("{format:?}"));
            let mips = if texture.mips > 1 { format!(", {} mips", texture.mips) } else { String::new() };
            format!("{size} {format}{mips}")
        }
        _ => String::new(),
    }
}

/// `1 234 567`.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push('\u{2009}');
        }
        text.push(digit);
    }
    text
}
