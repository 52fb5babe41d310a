//! A script in the place of a person.

use std::path::Path;
use std::time::{Duration, Instant};

use super::super::graph::Selected;
use super::super::history::quantile;
use super::super::keys;
use super::super::script::Step;
use super::super::stage::Stage;
use super::{App, ViewError};
use crate::graph::{Graph, ParamValue};
use crate::session::fit;
use crate::syntax::document::ParamKind;

/// The longest that a script waits for one step.
const PATIENCE: Duration = Duration::from_mins(1);

impl App {
    /// Does what is due of the script.
    pub(super) fn follow_script(&mut self) {
        while let Some(step) = self.steps.front().cloned() {
            if self.step_since.elapsed() > PATIENCE {
                return self.give_up(format!("`{step:?}` took too long"));
            }
            // A picture is of what stands there now: what follows waits for the next frame.
            let ends = matches!(step, Step::Screenshot(_));
            let shows =
                !matches!(step, Step::Wait(_) | Step::Sleep(_) | Step::Settle | Step::Reloaded | Step::Write { .. });
            match self.do_step(step) {
                Err(why) => return self.give_up(why),
                Ok(Some(rest)) => {
                    self.steps[0] = rest;
                    return;
                }
                Ok(None) => self.steps.pop_front(),
            };
            self.step_since = Instant::now();
            if shows {
                self.refresh();
            }
            if ends {
                return;
            }
        }
    }

    pub(super) fn give_up(&mut self, why: String) {
        self.steps.clear();
        self.ended = Err(ViewError::System { what: "the script", why });
        self.quit = true;
    }

    /// What is left of a step; nothing once it is done.
    fn do_step(&mut self, step: Step) -> Result<Option<Step>, String> {
        let Some(live) = &mut self.live else { return Ok(Some(step)) };
        let stage = &mut live.stage;
        let session = &stage.a.session;
        match step {
            Step::Wait(0) => {}
            Step::Wait(frames) => return Ok(Some(Step::Wait(frames - 1))),
            Step::Sleep(seconds) if self.step_since.elapsed().as_secs_f32() < seconds => return Ok(Some(step)),
            Step::Sleep(_) => {}
            Step::Settle if session.is_building() => return Ok(Some(step)),
            Step::Reloaded if session.is_building() || session.builds() == self.builds => return Ok(Some(step)),
            Step::Settle => self.builds = session.builds(),
            Step::Reloaded => {}
            Step::Set(name, value) => {
                let value = parsed(stage.graph().ok_or("nothing is drawn yet")?, &name, &value)?;
                stage.set(&name, Some(value));
            }
            Step::Key(key) => {
                if let Some(action) = keys::action(key) {
                    self.do_one(action, false);
                }
            }
            Step::Orbit(x, y) => stage.control.orbit(x, y),
            Step::Zoom(notches) => stage.control.zoom(notches),
            Step::Select(name) => {
                let selected = find(stage, &name)?;
                stage.select(selected);
            }
            Step::Pass(name, on) => {
                // A pass that is off is in no graph.
                if !on {
                    find(stage, &name)?;
                }
                stage.switch(&name, on);
            }
            Step::Apart => stage.toggle_apart(),
            Step::Resize(width, height) => {
                // Whether it is granted is the window manager's matter.
                let _ = live.screen.window.request_inner_size(winit::dpi::PhysicalSize::new(width, height));
            }
            Step::Write { to, from } => {
                self.builds = session.builds();
                let to = stage.root().join(to);
                let bytes =
                    std::fs::read(&from).map_err(|why| format!("{} could not be read: {why}", from.display()))?;
                crate::source::write_whole(&to, &bytes)
                    .map_err(|why| format!("{} could not be written: {why}", to.display()))?;
            }
            Step::Screenshot(path) => self.shoot.push(path),
            Step::Report(path) => report(stage, &path)?,
            Step::Quit => self.quit = true,
        }
        Ok(None)
    }
}

/// A pass or resource of a name.
fn find(stage: &Stage, name: &str) -> Result<Selected, String> {
    let graph = stage.graph().ok_or("nothing is drawn yet")?;
    let resource = graph.resources.entries().find(|(_, it)| it.name == name).map(|(id, _)| Selected::Resource(id));
    let pass = graph.passes.entries().find(|(_, it)| it.name == name).map(|(id, _)| Selected::Pass(id));
    pass.or(resource).ok_or_else(|| format!("`{}` has no pass or resource `{name}`", graph.name))
}

/// A value as `--set` takes it.
fn parsed(graph: &Graph, name: &str, text: &str) -> Result<ParamValue, String> {
    let param = graph.params.iter().find(|param| param.name == name);
    let param = param.ok_or_else(|| format!("`{}` has no param `{name}`", graph.name))?;
    let value = match param.kind {
        ParamKind::Int { .. } => text.parse().ok().map(ParamValue::Int),
        ParamKind::Float { .. } => text.parse().ok().map(ParamValue::Float),
        ParamKind::Bool { .. } => text.parse().ok().map(ParamValue::Bool),
        _ => Some(ParamValue::Choice(text.to_owned())),
    };
    let value = value.filter(|value| fit(&param.kind, value).as_ref() == Some(value));
    value.ok_or_else(|| format!("`{text}` is no value of param `{name}`"))
}

/// What was measured so far, milliseconds.
fn report(stage: &Stage, path: &Path) -> Result<(), String> {
    let history = &stage.a.history;
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let reloads = stage.reloads.list.iter().map(|reload| {
        let spent = reload.spent;
        serde_json::json!({
            "saved_to_presented": ms(reload.took),
            "examine": ms(spent.examine), "make": ms(spent.make), "pipelines": ms(spent.warm),
        })
    });
    let frames = |of: &std::collections::VecDeque<f32>| {
        let at = |part| quantile(of.iter().copied(), part);
        serde_json::json!({ "count": of.len(), "median": at(0.5), "p99": at(0.99) })
    };
    let verdicts = stage.versus.verdicts.iter();
    let versus = verdicts.map(|it| {
        let difference = it.difference.map(|difference| difference.to_string());
        serde_json::json!({ "output": it.name, "difference": difference })
    });
    let report = serde_json::json!({
        "frames_steady": frames(&history.steady),
        "frames_while_building": frames(&history.building),
        "panel": { "average": history.panel.mean(), "worst": history.panel.worst },
        "gpu_frame": history.gpu_frame.average,
        "passes": history.rows().map(|(name, stat)| (name.to_owned(), stat.average.into())).collect::<serde_json::Map<_, _>>(),
        "reloads": reloads.collect::<Vec<_>>(),
        "versus": versus.collect::<Vec<_>>(),
    });
    let text = serde_json::to_string_pretty(&report).map_err(|why| why.to_string())?;
    crate::source::write_whole(path, text.as_bytes())
        .map_err(|why| format!("{} could not be written: {why}", path.display()))
}
