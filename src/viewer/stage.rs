//! What is shown: a session, perhaps a second one beside it, and all that is measured about them.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::capture::{Capture, Got, Wanted};
use super::control::Control;
use super::graph::Selected;
use super::history::History;
use super::picture::{Mode, Picture};
use super::reload::Reloads;
use super::versus::{Side, Versus};
use crate::gpu::{Counts, Error, Gpu, Visible, visible_names};
use crate::graph::camera::{Camera, CameraState};
use crate::graph::{Graph, ParamValue};
use crate::plan;
use crate::session::{Drawn, Event, Options, Outside, Session, SystemClock, Thread};
use crate::source::Door;
use crate::syntax::document::ParamKind;

/// How often an inspector looks again.
const LOOK: Duration = Duration::from_millis(250);

/// A session and the last of its pictures.
pub(super) struct Show {
    pub(super) session: Session,
    pub(super) picture: Option<Picture>,
    pub(super) history: History,
    visible: Option<Visible>,
    pub(super) counts: Vec<Counts>,
}

/// What sessions are made of.
pub(super) struct Source {
    pub(super) door: Arc<dyn Door>,
    pub(super) root: PathBuf,
    pub(super) options: Options,
    pub(super) device: Arc<dyn Fn() -> Result<Gpu, Error>>,
}

impl Show {
    fn new(source: &Source, gpu: Gpu, options: Options) -> std::io::Result<Self> {
        let device = Arc::clone(&source.device);
        let outside = Outside {
            door: Arc::clone(&source.door),
            clock: Arc::new(SystemClock::new()),
            executor: Box::new(Thread::new()?),
            device: Box::new(move || device()),
        };
        let session = Session::new(gpu, outside, options);
        Ok(Self { session, picture: None, history: History::default(), visible: None, counts: Vec::new() })
    }

    fn tick(&mut self) -> Vec<Event> {
        let events = self.session.tick();
        if events.contains(&Event::Device) {
            (self.picture, self.visible) = (None, None);
        }
        events
    }

    /// Draws, and takes what came back.
    fn draw(
        &mut self,
        camera: &CameraState,
        more: impl FnOnce(&crate::gpu::Program, &mut wgpu::CommandEncoder),
    ) -> Drawn {
        let Self { session, picture, visible, .. } = self;
        let index = session.position().0;
        let drawn = session.draw(camera, |program, encoder| {
            Picture::copy(program, encoder, picture);
            if let Some(visible) = visible {
                visible.copy(program, encoder, index);
            }
            more(program, encoder);
        });
        if let Some(visible) = visible {
            visible.submitted();
            visible.arrived();
            self.counts = visible.counts();
        }
        if let Some(times) = session.program_mut().and_then(crate::gpu::Program::times) {
            self.history.times(times);
        }
        drawn
    }

    /// A new program: its arguments may be others.
    fn swapped(&mut self) {
        self.history.forget();
        self.visible = self.session.program().and_then(|program| Visible::new(program).ok());
        self.counts.clear();
    }
}

/// All that is shown.
pub(super) struct Stage {
    pub(super) a: Show,
    pub(super) b: Option<Show>,
    pub(super) mode: Mode,
    pub(super) control: Control,
    /// The camera that compute passes see.
    pub(super) frozen: Option<Camera>,
    pub(super) paused: bool,
    /// Frames that are still to be drawn although time stands still.
    pub(super) due: u32,
    pub(super) selected: Option<Selected>,
    pub(super) size: [u32; 2],
    pub(super) wanted: Option<Wanted>,
    pub(super) got: Option<Got>,
    capture: Option<Capture>,
    looked: Option<Instant>,
    drawn: Option<Instant>,
    source: Source,
    asked: Vec<String>,
    /// A name that is looked at besides.
    pub(super) inspected: Option<String>,
    pub(super) versus: Versus,
    pub(super) reloads: Reloads,
}

impl Stage {
    pub(super) fn new(source: Source, gpu: Gpu) -> std::io::Result<Self> {
        let options = source.options.clone();
        let size = options.settings.surface;
        Ok(Self {
            a: Show::new(&source, gpu, options)?,
            b: None,
            mode: Mode::A,
            control: Control::default(),
            frozen: None,
            paused: false,
            due: 0,
            selected: None,
            size,
            wanted: None,
            got: None,
            capture: None,
            looked: None,
            drawn: None,
            source,
            asked: Vec::new(),
            inspected: None,
            versus: Versus::default(),
            reloads: Reloads::default(),
        })
    }

    pub(super) fn graph(&self) -> Option<&Arc<Graph>> {
        self.a.session.graph()
    }

    /// Looks after both sessions. What happened to the first.
    pub(super) fn tick(&mut self) -> Vec<Event> {
        let events = self.a.tick();
        if events.contains(&Event::Swapped) {
            self.swapped();
        }
        if events.contains(&Event::Device) {
            (self.capture, self.b, self.versus) = (None, None, Versus::default());
        }
        self.reloads.happened(&events, &self.source.root);
        self.versus.arrived();
        if let Some(b) = &mut self.b {
            let events = b.tick();
            if events.contains(&Event::Swapped) {
                b.swapped();
                self.versus = Versus::default();
                self.due = self.due.max(2);
            }
        }
        if self.capture.as_ref().is_some_and(Capture::has_failed) {
            self.capture = None;
        }
        if let Some(got) = self.capture.as_ref().and_then(Capture::take) {
            (self.got, self.capture) = (Some(got), None);
        }
        events
    }

    fn swapped(&mut self) {
        self.a.swapped();
        (self.got, self.capture, self.versus) = (None, None, Versus::default());
        self.due = self.due.max(2);
        if let Some(graph) = self.a.session.graph().cloned() {
            self.control.follow(graph.camera);
            self.ask(&graph);
        }
    }

    /// Asks to see the arguments of indirect draws, and what is inspected.
    fn ask(&mut self, graph: &Graph) {
        let known = |name: &String| graph.resources.iter().any(|it| it.name == name.as_str());
        let mut asked: Vec<String> = visible_names(graph).collect();
        asked.extend(self.inspected.clone().filter(known));
        asked.sort_unstable();
        asked.dedup();
        if asked != self.asked {
            self.asked.clone_from(&asked);
            self.a.session.ask(asked);
        }
    }

    /// Another resource is looked at.
    pub(super) fn inspect(&mut self, name: Option<String>) {
        if self.inspected != name {
            self.inspected = name;
            (self.wanted, self.got) = (None, None);
            if let Some(graph) = self.graph().cloned() {
                self.ask(&graph);
            }
        }
    }

    /// Selects a pass or resource; a resource is inspected.
    pub(super) fn select(&mut self, selected: Selected) {
        self.selected = Some(selected);
        if let (Selected::Resource(id), Some(graph)) = (selected, self.graph()) {
            let name = graph.resources[id].name.to_string();
            self.inspect(Some(name));
        }
    }

    pub(super) fn resize(&mut self, size: [u32; 2]) {
        if self.size != size {
            self.size = size;
            self.sessions().for_each(|session| session.resize(size));
            self.due = self.due.max(2);
        }
    }

    pub(super) fn changed(&mut self) {
        self.sessions().for_each(Session::changed);
    }

    /// Whether there is a frame to draw.
    pub(super) fn is_moving(&self) -> bool {
        !self.paused || self.due > 0
    }

    /// Whether a save is not presented yet.
    pub(super) fn is_reloading(&self) -> bool {
        self.a.session.is_building() || self.reloads.is_pending()
    }

    /// Whether something that was asked for is still to come.
    pub(super) fn is_waiting(&self) -> bool {
        self.capture.is_some() || self.versus.is_waiting()
    }

    /// Draws a frame of both.
    pub(super) fn draw(&mut self) {
        if !self.is_moving() || self.size.contains(&0) {
            return;
        }
        let still = self.paused.then_some(0.0);
        let camera = self.control.camera().state(self.size);
        self.a.session.pace(still);
        let look = self.capture.is_none() && self.looked.is_none_or(|last| last.elapsed() > LOOK);
        let wanted = self.wanted.clone().filter(|_| look);
        let is_compared = self.b.is_some() && self.versus.is_due();
        let (mut capture, mut ours) = (None, Side::new());
        let before = self.a.session.position();
        let drawn = self.a.draw(&camera, |program, encoder| {
            capture = wanted.and_then(|wanted| Capture::record(program, encoder, wanted));
            if is_compared {
                ours = Versus::record(program, encoder);
            }
        });
        let Drawn::Frame(_) = drawn else { return };
        if let Some(capture) = capture {
            capture.submitted();
            self.looked = Some(Instant::now());
            self.capture = Some(capture);
        }
        self.draw_b(&camera, before, ours);
        self.due = self.due.saturating_sub(1);
        if let Some(last) = self.drawn.replace(Instant::now()) {
            let is_building = self.a.session.is_building();
            self.a.history.frame(last.elapsed().as_secs_f32() * 1e3, is_building);
        }
    }

    /// The same moment in the other setting.
    fn draw_b(&mut self, camera: &CameraState, (index, time): (u64, f64), ours: Side) {
        let Some(b) = &mut self.b else { return };
        b.session.seek(index, time);
        b.session.pace(Some(self.a.session.position().1 - time));
        let mut theirs = Side::new();
        let drawn = b.draw(camera, |program, encoder| {
            if !ours.is_empty() {
                theirs = Versus::record(program, encoder);
            }
        });
        if let Drawn::Frame(_) = drawn {
            self.versus.submitted(ours, theirs);
        }
    }

    /// Holds the present setting as B, or lets go of it.
    pub(super) fn toggle_b(&mut self) {
        self.versus = Versus::default();
        if self.b.take().is_some() {
            self.mode = Mode::A;
            return;
        }
        let mut options = self.source.options.clone();
        options.moved.clone_from(self.a.session.moved());
        options.settings.surface = self.size;
        options.settings.outputs.clone_from(&self.asked);
        if let Ok(show) = Show::new(&self.source, self.a.session.gpu().clone(), options) {
            let mut show = show;
            show.session.freeze(self.frozen.map(|camera| camera.state(self.size)));
            show.session.plan_by(self.a.session.plan_options());
            self.b = Some(show);
            self.mode = Mode::Split(0.5);
        }
    }

    pub(super) fn flip(&mut self) {
        self.mode = match self.mode {
            Mode::A if self.b.is_none() => Mode::A,
            Mode::A => Mode::B,
            Mode::B => Mode::Split(0.5),
            Mode::Split(_) => Mode::Difference(8.0),
            Mode::Difference(_) => Mode::A,
        };
    }

    pub(super) fn toggle_frozen(&mut self) {
        self.frozen = if self.frozen.is_some() { None } else { Some(self.control.camera()) };
        let state = self.frozen.map(|camera| camera.state(self.size));
        self.sessions().for_each(|session| session.freeze(state));
        self.due = self.due.max(2);
    }

    fn sessions(&mut self) -> impl Iterator<Item = &mut Session> {
        std::iter::once(&mut self.a).chain(&mut self.b).map(|show| &mut show.session)
    }

    /// Why a graph that draws shows no picture.
    pub(super) fn nothing_to_show(&self) -> Option<&'static str> {
        let graph = self.graph().filter(|_| self.a.picture.is_none())?;
        Some(match super::picture::first_output(graph) {
            None => "no texture among the outputs: click a resource at the left to see what it holds",
            Some(_) => "the first texture among the outputs has no colours: click it at the left to see what it holds",
        })
    }

    /// Whether all submitted frames are done.
    pub(super) fn is_idle(&self) -> bool {
        self.a.session.is_idle() && self.b.as_ref().is_none_or(|b| b.session.is_idle())
    }

    /// Whether a device may still work on a frame that did not end.
    pub(super) fn has_hung(&self) -> bool {
        self.a.session.has_hung() || self.b.as_ref().is_some_and(|b| b.session.has_hung())
    }

    /// Whether each pass is recorded by itself, so that each has a time of its own.
    pub(super) fn is_apart(&self) -> bool {
        !self.a.session.plan_options().merge
    }

    /// Records each pass by itself, or merges them again.
    pub(super) fn toggle_apart(&mut self) {
        let merge = self.is_apart();
        self.sessions().for_each(|session| session.plan_by(plan::Options { merge, ..session.plan_options() }));
        self.due = self.due.max(3);
    }

    /// Leaves a pass out, or takes it in again.
    pub(super) fn switch(&mut self, pass: &str, on: bool) {
        self.sessions().for_each(|session| {
            session.configure(|settings| {
                settings.off.retain(|it| it != pass);
                if !on {
                    settings.off.push(pass.to_owned());
                }
            });
        });
        self.due = self.due.max(3);
    }

    /// Why a choice cannot be had on this device.
    pub(super) fn lacking(&self, param: &str, choice: &str) -> Option<String> {
        let lacking = self.a.session.lacking(param, choice)?;
        Some(format!("this device lacks {lacking}, which it requires"))
    }

    /// Moves a param of A.
    pub(super) fn set(&mut self, name: &str, value: Option<ParamValue>) {
        self.a.session.set(name, value);
        self.due = self.due.max(3);
    }

    /// The first Choice of the graph, its values, and which of them is the present one.
    pub(super) fn strategy(&self) -> Option<(String, Vec<String>, usize)> {
        let graph = self.graph()?;
        let (name, of) = graph.params.iter().find_map(|param| match &param.kind {
            ParamKind::Choice { of, .. } => Some((param.name.clone(), of)),
            _ => None,
        })?;
        let of: Vec<String> = of.iter().map(|choice| choice.value.to_string()).collect();
        let now = match self.a.session.value(&name)? {
            ParamValue::Choice(now) => of.iter().position(|it| *it == now)?,
            _ => return None,
        };
        Some((name, of, now))
    }

    /// Another choice of the first strategy; why it cannot be had.
    pub(super) fn choose(&mut self, at: usize) -> Result<(), String> {
        let Some((name, of, _)) = self.strategy() else { return Ok(()) };
        let Some(choice) = of.get(at) else { return Ok(()) };
        match self.lacking(&name, choice) {
            Some(why) => Err(format!("{name}={choice}: {why}")),
            None => {
                self.set(&name, Some(ParamValue::Choice(choice.clone())));
                Ok(())
            }
        }
    }

    /// The next choice of the first strategy that this device can do, or the one before.
    pub(super) fn next_choice(&mut self, forward: bool) {
        let Some((name, of, now)) = self.strategy() else { return };
        let steps =
            (1..of.len()).map(|by| if forward { (now + by) % of.len() } else { (now + of.len() - by) % of.len() });
        let next = steps.map(|at| &of[at]).find(|choice| self.lacking(&name, choice).is_none()).cloned();
        if let Some(choice) = next {
            self.set(&name, Some(ParamValue::Choice(choice)));
        }
    }

    /// The files that take part, with what they held.
    pub(super) fn files(&self) -> Vec<(PathBuf, Option<u64>)> {
        let files = self.a.session.closure().iter();
        files.map(|(path, hash)| (self.source.root.join(path), *hash)).collect()
    }

    pub(super) fn root(&self) -> &std::path::Path {
        &self.source.root
    }
}
