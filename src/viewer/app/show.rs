//! One frame of the window: the picture as often as there is one, the panel when it changed.

use std::time::{Duration, Instant};

use super::super::picture::Shown;
use super::super::screen::{Presented, Screen, Sight};
use super::super::stage::Stage;
use super::App;
use crate::gpu::encode_png;

/// What the window shows besides the picture.
#[derive(Default)]
pub(super) struct Panel {
    shapes: Vec<egui::ClippedPrimitive>,
    /// What of its textures is not on the device yet.
    textures: egui::TexturesDelta,
    points: f32,
}

/// How often the panel's numbers move where nobody touches it: it costs as much as a small scene. What moves by itself in it
/// does so three times as often on a software adapter, where painting it takes 25 ms.
const PACE: Duration = Duration::from_millis(100);

impl App {
    /// The panel and the last picture, in the window.
    pub(super) fn show(&mut self) {
        let is_new = self.is_stale() || !self.shoot.is_empty();
        if is_new {
            self.show_panel();
        }
        let Some(live) = &mut self.live else { return };
        if !is_new {
            live.stage.a.history.panel(0.0);
        }
        let area = egui::emath::GuiRounding::round_to_pixels(self.face.area * live.panel.points, 1.0);
        let most = live.screen.most();
        live.stage.resize([area.width(), area.height()].map(|side| (side.max(0.0) as u32).min(most)));
        let shown = shown(&live.stage, area);
        let Panel { shapes, textures, points } = &live.panel;
        let sight = Sight { shown: shown.as_ref(), shapes, textures, points: *points, is_new };
        let presented = live.screen.present(&sight);
        if presented == Presented::Yes {
            live.stage.reloads.presented(&live.stage.a.session);
        }
        let taken: Vec<_> = self.shoot.drain(..).map(|path| (save(&mut live.screen, &sight, &path), path)).collect();
        live.panel.textures.clear();
        for (saved, path) in taken {
            if let Err(why) = &saved
                && self.is_scripted
            {
                return self.give_up(why.clone());
            }
            let line = saved.map_or_else(|why| why, |()| format!("saved {}", path.display()));
            if self.steps.is_empty() {
                self.notice(&line);
            } else {
                (self.say)(&line);
            }
        }
        if is_new && presented == Presented::Later {
            // It was not painted.
            self.is_asked = true;
        }
        self.plan_next(presented);
        if is_new {
            self.act();
        }
    }

    /// Whether the panel is to be shown anew. While a save is under way its picture comes first, for a moment.
    fn is_stale(&self) -> bool {
        let now = Instant::now();
        let is_reloading = self.live.as_ref().is_some_and(|live| live.stage.is_reloading());
        self.is_asked || now >= self.stale + if is_reloading { 3 * PACE } else { Duration::ZERO }
    }

    /// Lays the panel out, and takes what was done to it.
    fn show_panel(&mut self) {
        let Some(live) = &mut self.live else { return };
        self.is_asked = false;
        let input = live.state.take_egui_input(&live.screen.window);
        let began = Instant::now();
        let Self { face, since, .. } = self;
        let output = live.egui.run_ui(input, |ui| face.show(ui, &mut live.stage, *since));
        let shapes = live.egui.tessellate(output.shapes, output.pixels_per_point);
        live.stage.a.history.panel(began.elapsed().as_secs_f64() * 1e3);
        live.state.handle_platform_output(&live.screen.window, output.platform_output);
        live.panel.textures.append(output.textures_delta);
        (live.panel.shapes, live.panel.points) = (shapes, output.pixels_per_point);
        let delay = output.viewport_output.values().map(|it| it.repaint_delay).min().unwrap_or(Duration::MAX);
        // Somebody who holds a button or a key wants to see what it does, frame by frame.
        let is_held = live.egui.input(|input| input.pointer.any_down() || !input.keys_down.is_empty());
        let most = if live.stage.is_moving() || live.stage.is_waiting() { PACE } else { Duration::from_hours(1) };
        let least = if live.screen.is_software() { PACE / 3 } else { Duration::ZERO };
        self.stale = Instant::now() + if is_held { Duration::ZERO } else { delay.clamp(least, most) };
    }

    /// When the next frame of the window is due.
    fn plan_next(&mut self, presented: Presented) {
        let Some(live) = &self.live else { return };
        let busy = live.stage.is_moving() || live.stage.a.session.is_building() || !self.steps.is_empty();
        let wait = match (presented, busy) {
            (Presented::Later, _) => Duration::from_millis(50),
            (Presented::Yes, true) => Duration::from_millis(1),
            (Presented::Yes, false) => self.stale.saturating_duration_since(Instant::now()),
        };
        self.again = Instant::now() + wait;
    }

    /// The panel has something else to show.
    pub(super) fn refresh(&mut self) {
        (self.again, self.is_asked) = (Instant::now(), true);
    }
}

fn shown(stage: &Stage, area: egui::Rect) -> Option<Shown> {
    let a = stage.a.picture.clone()?;
    let b = stage.b.as_ref().and_then(|b| b.picture.clone());
    let area = [area.left(), area.top(), area.width(), area.height()];
    Some(Shown { a, b, mode: stage.mode, area })
}

fn save(screen: &mut Screen, sight: &Sight<'_>, path: &std::path::Path) -> Result<(), String> {
    let image = screen.shoot(sight, Duration::from_secs(10)).map_err(|why| why.to_string())?;
    let png = encode_png("the window", &image).map_err(|why| why.to_string())?;
    crate::source::write_whole(path, &png).map_err(|why| format!("{} could not be written: {why}", path.display()))
}
