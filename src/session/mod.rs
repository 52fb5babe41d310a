//! A graph file's program, kept alive while the file is edited.
//!
//! A [`Session`] shows a graph and never loses the picture. Texts are read and planned, objects made and pipelines warmed up
//! *aside*, by an [`Executor`]; the new program takes the old one's place between two frames, and only if all of it is good.
//! Otherwise the last good one goes on and the faults are there as [`Finding`]s. Contents, frame count, time and moved
//! params live on; a param that nobody moved follows its default.
//!
//! Clock, files and executor come from outside, so that the same session works on a thread, in slices of a browser's frames,
//! and in tests with time and files of their own. Nothing here waits, except the executor's jobs, and those with a limit.
//!
//! ```text
//! changed ─▶ build aside ─▶ good? swap at the next frame ─▶ on probation for a few frames ─▶ the old one is dropped
//!                  │ torn? once more, silently                       │ wgpu complains?
//!                  └ faults, last good frame                         └ faults, back to the old one
//! ```

mod asked;
mod build;
mod draw;
mod fault;
mod freeze;
mod outside;
mod params;
mod port;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::Duration;

pub use asked::Closure;
pub use build::Spent;
pub use draw::Drawn;
pub use fault::{Finding, Place};
pub use outside::{Clock, Executor, Job, Slices, SystemClock, Thread};
pub use params::{Moved, default as default_value, fit};
pub use port::sizes as port_sizes;

use crate::gpu::{Error, Gpu, Program};
use crate::graph::camera::CameraState;
use crate::graph::{Graph, ParamValue, Settings};
use crate::plan;
use crate::source::Door;
use build::{Build, Lacking, Order, Outcome, Read};
use draw::Flight;

/// A file that cannot be read this soon after it changed may be half written: it is looked at once more.
pub const TORN: Duration = Duration::from_millis(100);

/// Where everything comes from.
pub struct Outside {
    /// The files.
    pub door: Arc<dyn Door>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Who builds.
    pub executor: Box<dyn Executor>,
    /// A device in the place of one that was lost.
    pub device: Box<dyn FnMut() -> Result<Gpu, Error>>,
}

impl std::fmt::Debug for Outside {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Outside").field("clock", &self.clock).field("executor", &self.executor).finish_non_exhaustive()
    }
}

/// What is shown, and how.
#[derive(Debug, Clone)]
pub struct Options {
    /// The graph, below the door's root.
    pub top: String,
    /// Surface, and what is asked for besides the outputs. Params are moved by [`Session::set`]; limits are the device's.
    pub settings: Settings,
    /// Params that are moved from the start.
    pub moved: Moved,
    /// Contents of ports.
    pub inputs: BTreeMap<String, Vec<u8>>,
    /// The planner's switches.
    pub plan: plan::Options,
    /// Bytes that a program may take.
    pub max_memory: u64,
    /// The longest that a frame may take.
    pub timeout: Duration,
}

impl Options {
    /// A graph as it is.
    pub fn new(top: impl Into<String>) -> Self {
        Self {
            top: top.into(),
            settings: Settings::default(),
            moved: Moved::new(),
            inputs: BTreeMap::new(),
            plan: plan::Options::default(),
            max_memory: 4 << 30,
            timeout: Duration::from_secs(10),
        }
    }
}

/// What happened since the last look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A new program draws from the next frame on.
    Swapped,
    /// A build failed, or a device complained. Told once.
    Faulty(Vec<Finding>),
    /// The files that take part are others, or were read anew.
    Closure(Closure),
    /// There is another device: everything made on the old one is void.
    Device,
}

/// What a build is for.
#[derive(Debug)]
struct Running {
    done: Receiver<Outcome>,
    /// The change that it is about, if it is about one.
    change: Option<Duration>,
    started: Duration,
}

/// One graph, shown.
#[derive(Debug)]
pub struct Session {
    gpu: Gpu,
    outside: Outside,
    options: Options,
    inputs: Arc<BTreeMap<String, Vec<u8>>>,
    /// The texts of the program that draws.
    read: Option<Read>,
    running: Option<Running>,
    /// A change that no build has seen.
    changed: Option<Duration>,
    /// Look again at what seemed torn, and when.
    retry: Option<(Duration, Duration)>,
    /// Another setting is wanted.
    dirty: bool,
    /// What compute passes take for the camera.
    frozen: Option<CameraState>,
    /// The next build begins with empty memory.
    reset: bool,
    /// Built, and waiting for a frame to begin.
    ready: Option<Box<Program>>,
    flight: Flight,
    faults: Faults,
    warnings: Vec<Finding>,
    closure: Closure,
    events: Vec<Event>,
    builds: u64,
    spent: Spent,
    lacking: Lacking,
    others: Option<Receiver<Lacking>>,
}

/// Faults by what they are about: each goes when that is mended.
#[derive(Debug, Default)]
struct Faults {
    text: Vec<Finding>,
    setting: Vec<Finding>,
    device: Vec<Finding>,
}

impl Session {
    /// Opens a graph. It is built aside; there are no frames until then.
    pub fn new(gpu: Gpu, outside: Outside, options: Options) -> Self {
        let now = outside.clock.now();
        Self {
            gpu,
            inputs: Arc::new(options.inputs.clone()),
            outside,
            options,
            read: None,
            running: None,
            changed: Some(now),
            retry: None,
            dirty: false,
            frozen: None,
            reset: false,
            ready: None,
            flight: Flight::default(),
            faults: Faults::default(),
            warnings: Vec::new(),
            closure: Closure::new(),
            events: Vec::new(),
            builds: 0,
            spent: Spent::default(),
            lacking: Lacking::default(),
            others: None,
        }
    }

    /// The device.
    pub const fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// The program that draws.
    pub fn program(&self) -> Option<&Program> {
        self.flight.current.as_deref()
    }

    /// The program that draws, for its times.
    pub fn program_mut(&mut self) -> Option<&mut Program> {
        self.flight.current.as_deref_mut()
    }

    /// Its graph.
    pub fn graph(&self) -> Option<&Arc<Graph>> {
        self.program().map(Program::graph)
    }

    /// All that is wrong now, while the last good program goes on.
    pub fn faults(&self) -> impl Iterator<Item = &Finding> {
        self.faults.text.iter().chain(&self.faults.setting).chain(&self.faults.device)
    }

    /// What is suspicious about the graph that is shown.
    pub fn warnings(&self) -> &[Finding] {
        &self.warnings
    }

    /// When the program that draws took its place, by the session's clock.
    pub const fn shown_since(&self) -> Option<Duration> {
        self.flight.since
    }

    /// The files that took part in the last build, broken ones included.
    pub const fn closure(&self) -> &Closure {
        &self.closure
    }

    /// Whether something is being built or waits for it.
    pub const fn is_building(&self) -> bool {
        let is_due = self.changed.is_some() || self.retry.is_some() || self.dirty || self.ready.is_some();
        self.running.is_some() || is_due && !self.flight.is_stopped()
    }

    /// Builds that were finished, good and bad.
    pub const fn builds(&self) -> u64 {
        self.builds
    }

    /// How long the last good build took.
    pub const fn spent(&self) -> Spent {
        self.spent
    }

    /// What a value of a Choice needs and this device lacks, as `requires` says.
    pub fn lacking(&self, param: &str, choice: &str) -> Option<&str> {
        self.lacking.get(param)?.get(choice).map(String::as_str)
    }

    /// Moved params.
    pub const fn moved(&self) -> &Moved {
        &self.options.moved
    }

    /// How the graph is resolved.
    pub const fn settings(&self) -> &Settings {
        &self.options.settings
    }

    /// The present value of a param.
    pub fn value(&self, name: &str) -> Option<ParamValue> {
        let graph = self.graph()?;
        let param = graph.params.iter().find(|param| param.name == name)?;
        params::wanted(param, &self.options.moved)
    }

    /// Some file changed: all are read anew, also after a stop.
    pub fn changed(&mut self) {
        self.go_on();
        self.changed = Some(self.outside.clock.now());
    }

    /// Moves a param; `None` lets it follow its default again. A live one is an upload, a structural one another program.
    pub fn set(&mut self, name: &str, value: Option<ParamValue>) {
        match value {
            Some(value) => self.options.moved.insert(name.to_owned(), value),
            None => self.options.moved.remove(name),
        };
        self.adjust();
    }

    /// Another surface, texels. One without texels draws nothing.
    pub fn resize(&mut self, surface: [u32; 2]) {
        if self.options.settings.surface != surface {
            self.options.settings.surface = surface;
            self.dirty |= !surface.contains(&0);
        }
    }

    /// What is shown besides the outputs, by name.
    pub fn ask(&mut self, outputs: Vec<String>) {
        if self.options.settings.outputs != outputs {
            self.options.settings.outputs = outputs;
            self.dirty = true;
        }
    }

    /// Changes how the graph is resolved.
    pub fn configure(&mut self, change: impl FnOnce(&mut Settings)) {
        let before = self.options.settings.clone();
        change(&mut self.options.settings);
        self.dirty |= self.options.settings != before;
    }

    /// The planner's switches.
    pub const fn plan_options(&self) -> plan::Options {
        self.options.plan
    }

    /// Plans by other switches.
    pub fn plan_by(&mut self, options: plan::Options) {
        self.dirty |= self.options.plan != options;
        self.options.plan = options;
    }

    /// Gives compute passes this camera, whatever draws see; `None` gives them that of the frame again.
    pub fn freeze(&mut self, camera: Option<CameraState>) {
        if self.frozen != camera {
            self.frozen = camera;
            self.dirty = true;
        }
    }

    /// Empties everything that lasts.
    pub fn reset(&mut self) {
        (self.reset, self.dirty) = (true, true);
    }

    /// Gives live params to the program that draws; a structural one that differs asks for another program.
    fn adjust(&mut self) {
        let moved = &self.options.moved;
        let Some(program) = &mut self.flight.current else {
            self.dirty = true;
            return;
        };
        let graph = Arc::clone(program.graph());
        for (id, param) in graph.params.entries() {
            let Some(wanted) = params::wanted(param, moved) else { continue };
            self.dirty |= !program.set(id, params::value(&graph, &wanted));
        }
    }

    /// Looks after everything between two frames. Never waits.
    pub fn tick(&mut self) -> Vec<Event> {
        self.outside.executor.tick();
        self.look_after_device();
        self.receive();
        let now = self.outside.clock.now();
        if self.retry.is_some_and(|(at, _)| now >= at) && self.running.is_none() {
            self.retry = None;
            self.start(None);
        }
        if self.running.is_none() && self.ready.is_none() && !self.flight.is_stopped() {
            if let Some(change) = self.changed.take() {
                self.retry = None;
                self.start(Some(change));
            } else if self.dirty && self.retry.is_none() {
                self.dirty = false;
                let read = self.read.take();
                self.order(read, None);
            }
        }
        std::mem::take(&mut self.events)
    }

    /// Reads everything anew.
    fn start(&mut self, change: Option<Duration>) {
        self.dirty = false;
        self.order(None, change);
    }

    fn order(&mut self, read: Option<Read>, change: Option<Duration>) {
        let reset = std::mem::take(&mut self.reset);
        let order = Order {
            gpu: self.gpu.clone(),
            door: Arc::clone(&self.outside.door),
            top: self.options.top.clone(),
            read,
            settings: self.options.settings.clone(),
            moved: self.options.moved.clone(),
            frozen: self.frozen,
            options: self.options.plan,
            max_memory: self.options.max_memory,
            timeout: self.options.timeout,
            clock: Arc::clone(&self.outside.clock),
            past: self.flight.current.as_ref().filter(|_| !reset).map(|program| program.past()),
            inputs: Arc::clone(&self.inputs),
        };
        self.flight.fresh_memory = reset;
        let ((sender, done), (send_others, others)) = (channel(), channel());
        self.running = Some(Running { done, change, started: self.outside.clock.now() });
        if order.read.is_none() {
            self.others = Some(others);
        }
        self.outside.executor.start(Box::new(Build::new(order, sender, send_others)));
    }

    fn receive(&mut self) {
        if let Some(lacking) = self.others.as_ref().and_then(|others| others.try_recv().ok()) {
            (self.lacking, self.others) = (lacking, None);
        }
        let Some(running) = &self.running else { return };
        let outcome = match running.done.try_recv() {
            Ok(outcome) => outcome,
            Err(TryRecvError::Empty) => return,
            Err(TryRecvError::Disconnected) => {
                self.running = None;
                self.builds += 1;
                let why = "building it failed inside of rondag or a driver; this is not your fault";
                return self.fail(true, vec![Finding::plain(why)]);
            }
        };
        let Some(Running { change, started, .. }) = self.running.take() else { return };
        let Outcome { read, closure, made, warnings, spent, torn, fresh } = outcome;
        if closure != self.closure {
            self.closure.clone_from(&closure);
            self.events.push(Event::Closure(closure));
        }
        if let Some(change) = change.filter(|change| made.is_err() && torn && started < *change + TORN) {
            self.retry = Some((change + TORN, change));
            return;
        }
        self.builds += 1;
        if fresh && made.is_err() && self.read.is_some() {
            // The texts of what draws stay, so that its params can still be moved.
        } else {
            self.read = read;
        }
        match made {
            Ok(program) => {
                if fresh {
                    self.faults.text.clear();
                }
                self.faults.setting.clear();
                self.faults.device.clear();
                (self.warnings, self.spent) = (warnings, spent);
                self.ready = Some(program);
            }
            Err(found) => self.fail(fresh, found),
        }
    }

    /// Keeps faults, and tells those that are new.
    fn fail(&mut self, fresh: bool, found: Vec<Finding>) {
        if !fresh && found == self.faults.text {
            // The text that was broken in one setting is so in another.
            return;
        }
        let known = if fresh { &mut self.faults.text } else { &mut self.faults.setting };
        if *known != found {
            known.clone_from(&found);
            self.events.push(Event::Faulty(found));
        }
    }
}
