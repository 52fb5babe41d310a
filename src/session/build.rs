//! A program, built aside in pieces.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;

use super::asked::{Asked, Closure};
use super::fault::{Finding, findings};
use super::outside::Job;
use super::params::{self, Moved};
use crate::diagnostic::{Level, has_errors};
use crate::gpu::{Error, Gpu, Past, Program, ProgramOptions};
use crate::graph::camera::CameraState;
use crate::graph::{Graph, Library, ResourceKind, Settings};
use crate::lint::{Examined, examine};
use crate::plan::{self, Plan};
use crate::source::{Door, FileId, Files};

/// Rules whose fault may be half a file.
const TORN: [&str; 6] = ["syntax", "wgsl-syntax", "import-syntax", "missing-import", "missing-file", "unreadable-file"];

/// Settings that are kept, so that going back to one is quick.
const KEPT_PLANS: usize = 32;

/// Texts that were read together, and what was planned of them.
#[derive(Debug)]
pub(super) struct Read {
    asked: Asked,
    pub(super) library: Library,
    top: FileId,
    plans: Vec<(Settings, Arc<Graph>, Arc<Plan>)>,
}

/// What is to be built.
#[derive(Debug)]
pub(super) struct Order {
    pub(super) gpu: Gpu,
    pub(super) door: Arc<dyn Door>,
    pub(super) top: String,
    /// The texts; absent where they are to be read anew.
    pub(super) read: Option<Read>,
    /// Without params.
    pub(super) settings: Settings,
    pub(super) moved: Moved,
    /// What compute passes take for the camera.
    pub(super) frozen: Option<CameraState>,
    pub(super) options: plan::Options,
    pub(super) max_memory: u64,
    pub(super) timeout: Duration,
    /// What the present program leaves; absent where everything begins anew.
    pub(super) past: Option<Past>,
    pub(super) inputs: Arc<BTreeMap<String, Vec<u8>>>,
}

/// What came of it.
#[derive(Debug)]
pub(super) struct Outcome {
    /// The texts, where there is a top file.
    pub(super) read: Option<Read>,
    pub(super) closure: Closure,
    pub(super) made: Result<Box<Program>, Vec<Finding>>,
    pub(super) warnings: Vec<Finding>,
    /// The texts look like half of what they will be.
    pub(super) torn: bool,
    /// They were read anew.
    pub(super) fresh: bool,
}

#[derive(Debug)]
enum Stage {
    Examine,
    Make(Arc<Graph>, Arc<Plan>),
    Warm(Box<Program>),
}

/// The pieces: read and plan; make; warm up one pipeline after another.
#[derive(Debug)]
pub(super) struct Build {
    order: Order,
    asked: Asked,
    fresh: bool,
    stage: Option<Stage>,
    warnings: Vec<Finding>,
    torn: bool,
    done: Sender<Outcome>,
}

impl Build {
    pub(super) fn new(order: Order, done: Sender<Outcome>) -> Self {
        let asked = order.read.as_ref().map_or_else(|| Asked::new(Arc::clone(&order.door)), |read| read.asked.clone());
        let fresh = order.read.is_none();
        Self { order, asked, fresh, stage: Some(Stage::Examine), warnings: Vec::new(), torn: false, done }
    }

    /// The next stage; nothing where the program is finished.
    fn advance(&mut self, stage: Stage) -> Result<Stage, Result<Box<Program>, Vec<Finding>>> {
        match stage {
            Stage::Examine => self.examine().map(|(graph, plan)| Stage::Make(graph, plan)).map_err(Err),
            Stage::Make(graph, plan) => match self.make(graph, plan) {
                Ok(made) => Ok(Stage::Warm(Box::new(made))),
                Err(why) => Err(Err(vec![self.device(&why)])),
            },
            Stage::Warm(mut program) => match self.warm(&mut program) {
                Ok(true) => Ok(Stage::Warm(program)),
                Ok(false) => Err(Ok(program)),
                Err(why) => Err(Err(vec![self.device(&why)])),
            },
        }
    }

    /// Reads what is not read yet, and plans the setting unless it is known.
    fn examine(&mut self) -> Result<(Arc<Graph>, Arc<Plan>), Vec<Finding>> {
        let mut found = Vec::new();
        if self.order.read.is_none() {
            let mut library = Library::new(Files::new(self.asked.clone()));
            let top = library.files.load(&self.order.top).map_err(|why| {
                self.torn = true;
                vec![Finding::plain(why.to_string())]
            })?;
            self.order.read = Some(Read { asked: self.asked.clone(), library, top, plans: Vec::new() });
        }
        let Order { read, settings, moved, gpu, options, max_memory, inputs, .. } = &mut self.order;
        let Some(Read { library, top, plans, .. }) = read else { return Err(Vec::new()) };
        let known =
            |(of, graph, _): &&(Settings, Arc<Graph>, Arc<Plan>)| of == settings && params::is_made_for(graph, moved);
        if let Some((_, graph, plan)) = plans.iter().find(known) {
            return Ok((Arc::clone(graph), Arc::clone(plan)));
        }
        let document = library.document(*top, &mut found);
        let mut setting = settings.clone();
        setting.params = params::fitting(&document, moved);
        setting.ports.extend(super::port::sizes(&document, inputs, setting.surface, setting.surface_format));
        let profile = gpu.profile(*max_memory);
        let Examined { draft, plan, found: more } = examine(library, *top, &setting, &profile, *options);
        found.extend(more);
        let files = &library.files;
        self.torn |= found.iter().any(|it| TORN.contains(&it.rule.code)) || self.asked.has_empty();
        if has_errors(&found) {
            return Err(findings(files, found, Level::Error));
        }
        if let Some((feature, span)) = draft.lacking(profile.features) {
            let (place, name) = (files.place(span), &profile.name);
            return Err(vec![Finding::plain(format!("adapter `{name}` lacks {feature:?}, required at {place}"))]);
        }
        self.warnings = findings(files, found, Level::Warning);
        let Some(graph) = Graph::new(draft) else { return Err(Vec::new()) };
        let (graph, plan) = (Arc::new(graph), Arc::new(plan));
        if plans.len() >= KEPT_PLANS {
            plans.remove(0);
        }
        plans.push((settings.clone(), Arc::clone(&graph), Arc::clone(&plan)));
        Ok((graph, plan))
    }

    fn make(&self, graph: Arc<Graph>, plan: Arc<Plan>) -> Result<Program, Error> {
        let Order { gpu, past, max_memory, inputs, frozen, .. } = &self.order;
        let graph = frozen.as_ref().and_then(|camera| super::freeze::freeze(&graph, camera)).map_or(graph, Arc::new);
        let options = ProgramOptions {
            max_memory: *max_memory,
            own_ports: true,
            from: past.as_ref(),
            ..ProgramOptions::default()
        };
        let mut program = Program::new(gpu, graph, plan, options)?;
        for (name, bytes) in inputs.iter() {
            let port = program.find(name).filter(|id| is_buffer(program.graph(), *id));
            if let Some(port) = port {
                program.write(port, bytes)?;
            }
        }
        Ok(program)
    }

    /// Uses one pipeline for nothing and waits for it; drivers compile at first use. Whether one was left.
    fn warm(&self, program: &mut Program) -> Result<bool, Error> {
        let gpu = &self.order.gpu;
        let what = format!("a pipeline of `{}`", program.graph().name);
        let submission = gpu.scope(
            || what,
            || {
                let descriptor = wgpu::CommandEncoderDescriptor { label: Some("warm-up") };
                let mut encoder = gpu.device.create_command_encoder(&descriptor);
                program.warm_up(&mut encoder).then(|| gpu.queue.submit([encoder.finish()]))
            },
        )?;
        match submission {
            Some(submission) => gpu.wait(Some(submission), self.order.timeout).map(|()| true),
            None => Ok(false),
        }
    }

    fn device(&self, why: &Error) -> Finding {
        Finding::device(self.order.read.as_ref().map(|read| &read.library.files), why)
    }

    fn finish(&mut self, made: Result<Box<Program>, Vec<Finding>>) {
        let outcome = Outcome {
            read: self.order.read.take(),
            closure: self.asked.closure(),
            made,
            warnings: std::mem::take(&mut self.warnings),
            torn: self.torn,
            fresh: self.fresh,
        };
        // The session may be gone.
        let _ = self.done.send(outcome);
    }
}

impl Job for Build {
    fn step(&mut self) -> bool {
        let Some(stage) = self.stage.take() else { return false };
        match self.advance(stage) {
            Ok(next) => self.stage = Some(next),
            Err(end) => self.finish(end),
        }
        self.stage.is_some()
    }
}

fn is_buffer(graph: &Graph, id: crate::graph::ResourceId) -> bool {
    matches!(graph.resources[id].kind, ResourceKind::Buffer(_) | ResourceKind::HostUniform { .. })
}
