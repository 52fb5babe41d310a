//! A program, built aside in pieces.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;

use super::asked::{Asked, Closure};
use super::fault::{Finding, findings};
use super::outside::{Clock, Job};
use super::params::{self, Moved};
use crate::diagnostic::{Level, has_errors};
use crate::gpu::{Error, Gpu, Past, Program, ProgramOptions};
use crate::graph::camera::CameraState;
use crate::graph::{Graph, Library, ParamValue, ResourceKind, Settings, feature_names, resolve};
use crate::lint::{Examined, examine};
use crate::plan::{self, Plan};
use crate::source::{Door, FileId, Files};
use crate::syntax::document::ParamKind;

/// Rules whose fault may be half a file.
const TORN: [&str; 6] = ["syntax", "wgsl-syntax", "import-syntax", "missing-import", "missing-file", "unreadable-file"];

/// Settings that are kept, so that going back to one is quick.
const KEPT_PLANS: usize = 32;

/// What values of Choices need and the device lacks, by param and value.
pub(super) type Lacking = BTreeMap<String, BTreeMap<String, String>>;

/// A setting that was planned.
type Planned = (Settings, plan::Options, Arc<Graph>, Arc<Plan>);

/// How long the stages of a build took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spent {
    /// Reading, checking and planning.
    pub examine: Duration,
    /// Buffers, textures, modules, bind groups and pipelines, as far as wgpu makes them.
    pub make: Duration,
    /// The first use of each pipeline, when drivers compile.
    pub warm: Duration,
}

/// Texts that were read together, and what was planned of them.
#[derive(Debug)]
pub(super) struct Read {
    asked: Asked,
    pub(super) library: Library,
    top: FileId,
    plans: Vec<Planned>,
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
    pub(super) clock: Arc<dyn Clock>,
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
    pub(super) spent: Spent,
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
    /// The program is delivered; what other choices need is still to be found out.
    Others(Arc<Graph>),
}

/// The pieces: read and plan; make; warm up one pipeline after another.
#[derive(Debug)]
pub(super) struct Build {
    order: Order,
    asked: Asked,
    fresh: bool,
    stage: Option<Stage>,
    warnings: Vec<Finding>,
    spent: Spent,
    torn: bool,
    done: Sender<Outcome>,
    others: Sender<Lacking>,
}

impl Build {
    pub(super) fn new(order: Order, done: Sender<Outcome>, others: Sender<Lacking>) -> Self {
        let asked = order.read.as_ref().map_or_else(|| Asked::new(Arc::clone(&order.door)), |read| read.asked.clone());
        let fresh = order.read.is_none();
        let (stage, warnings, spent) = (Some(Stage::Examine), Vec::new(), Spent::default());
        Self { order, asked, fresh, stage, warnings, spent, torn: false, done, others }
    }

    /// The next stage; nothing where all is done.
    fn advance(&mut self, stage: Stage) -> Result<Option<Stage>, Vec<Finding>> {
        let next = match stage {
            Stage::Examine => self.examine().map(|(graph, plan)| Stage::Make(graph, plan))?,
            Stage::Make(graph, plan) => {
                Stage::Warm(Box::new(self.make(graph, plan).map_err(|why| vec![self.device(&why)])?))
            }
            Stage::Warm(mut program) => {
                if self.warm(&mut program).map_err(|why| vec![self.device(&why)])? {
                    Stage::Warm(program)
                } else {
                    let graph = Arc::clone(program.graph());
                    self.finish(Ok(program));
                    return Ok(self.fresh.then_some(Stage::Others(graph)));
                }
            }
            Stage::Others(graph) => {
                // The session may be gone.
                let _ = self.others.send(self.other_choices(&graph));
                return Ok(None);
            }
        };
        Ok(Some(next))
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
            |(of, by, graph, _): &&Planned| of == settings && by == options && params::is_made_for(graph, moved);
        if let Some((_, _, graph, plan)) = plans.iter().find(known) {
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
            let (place, name, lacks) = (files.place(span), &profile.name, feature_names(feature).join(", "));
            return Err(vec![Finding::plain(format!("adapter `{name}` lacks {lacks}, required at {place}"))]);
        }
        self.warnings = findings(files, found, Level::Warning);
        let Some(graph) = Graph::new(draft) else { return Err(Vec::new()) };
        let (graph, plan) = (Arc::new(graph), Arc::new(plan));
        if plans.len() >= KEPT_PLANS {
            plans.remove(0);
        }
        plans.push((settings.clone(), *options, Arc::clone(&graph), Arc::clone(&plan)));
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

    /// Each value of each Choice, tried with all others as they are. Files that only other choices read are not watched.
    fn other_choices(&self, graph: &Graph) -> Lacking {
        let Order { door, top, settings, moved, gpu, .. } = &self.order;
        let mut library = Library::new(Files::new(Arc::clone(door)));
        let mut lacking = Lacking::new();
        let Ok(top) = library.files.load(top) else { return lacking };
        let features = gpu.device.features();
        let mut setting = settings.clone();
        setting.params = params::fitting(&library.document(top, &mut Vec::new()), moved);
        for param in graph.params.iter().filter(|param| param.structural) {
            let ParamKind::Choice { of, .. } = &param.kind else { continue };
            for choice in of {
                let mut tried = setting.clone();
                tried.params.insert(param.name.clone(), ParamValue::Choice(choice.value.to_string()));
                let (draft, _) = resolve(&mut library, top, &tried);
                if let Some((feature, _)) = draft.lacking(features) {
                    let lacks = feature_names(feature).join(", ");
                    lacking.entry(param.name.clone()).or_default().insert(choice.value.to_string(), lacks);
                }
            }
        }
        lacking
    }

    fn device(&self, why: &Error) -> Finding {
        Finding::device(self.order.read.as_ref().map(|read| &read.library.files), why)
    }

    fn finish(&mut self, made: Result<Box<Program>, Vec<Finding>>) {
        let outcome = Outcome {
            spent: self.spent,
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
        let began = self.order.clock.now();
        let part: Option<fn(&mut Spent) -> &mut Duration> = match stage {
            Stage::Examine => Some(|spent| &mut spent.examine),
            Stage::Make(..) => Some(|spent| &mut spent.make),
            Stage::Warm(_) => Some(|spent| &mut spent.warm),
            Stage::Others(_) => None,
        };
        match self.advance(stage) {
            Ok(next) => self.stage = next,
            Err(found) => self.finish(Err(found)),
        }
        if let Some(part) = part {
            *part(&mut self.spent) += self.order.clock.now().saturating_sub(began);
        }
        self.stage.is_some()
    }
}

fn is_buffer(graph: &Graph, id: crate::graph::ResourceId) -> bool {
    matches!(graph.resources[id].kind, ResourceKind::Buffer(_) | ResourceKind::HostUniform { .. })
}
