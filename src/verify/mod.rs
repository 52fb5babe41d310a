//! Whether a frame is what its graph says, however it is planned and run.
//!
//! A graph leaves much open: the order of passes that no hazard ties, who shares memory, what a transient holds before it is
//! written, in which order workgroups come. A frame that is right in one such [`Way`] and wrong in another has a hidden dependence: a
//! hazard that the planner or the author missed, a counter that nobody resets, a list whose order is luck. [`Verifier::run`] runs the same
//! history of frames in each way, through a resize and other params, holds the outputs of each frame against those of the plainest way, and
//! names the first pass that differs.

mod history;
mod trace;
mod ways;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

pub use history::Moment;
pub use ways::{Way, ways};

use crate::diagnostic::Diagnostic;
use crate::gpu::{Difference, Error, Gpu, Program, ProgramOptions, Trial, compare, contents, elements};
use crate::graph::{Graph, Library, ResourceId, Settings, resolve};
use crate::id::IdVec;
use crate::plan::{self, Plan};
use crate::source::FileId;

/// Who plans.
pub type Planner = dyn Fn(&Graph, plan::Options) -> Result<Plan, Vec<Diagnostic>>;

/// Why nothing could be verified.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The graph has errors in a setting.
    #[error("the graph has errors")]
    Graph(Vec<Diagnostic>),
    /// The device.
    #[error(transparent)]
    Gpu(#[from] Error),
}

/// What was found in one way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Its name.
    pub way: String,
    /// The first frame that differs, if one does.
    pub wrong: Option<Wrong>,
}

/// A frame that differs from the same frame in the plainest way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// From 0.
    pub frame: usize,
    /// The output that differs.
    pub output: String,
    /// How far; nothing where the frame could not be run.
    pub difference: Option<Difference>,
    /// Why it could not.
    pub why: Option<String>,
    /// Where it begins, as far as that can be told.
    pub first: Option<First>,
}

/// The first passes whose results differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct First {
    /// In which frame.
    pub frame: usize,
    /// Those of one recorded pass that write the resource.
    pub passes: Vec<String>,
    /// What they wrote.
    pub resource: String,
    /// The first of them.
    pub span: crate::source::Span,
}

/// A device, a graph, and a history of frames.
pub struct Verifier<'a> {
    gpu: &'a Gpu,
    history: Vec<Moment>,
    graphs: Vec<Arc<Graph>>,
    planner: Box<Planner>,
    timeout: Duration,
    max_memory: u64,
}

impl std::fmt::Debug for Verifier<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Verifier").field("frames", &self.history.len()).finish_non_exhaustive()
    }
}

/// Outputs of one frame: bytes by resource.
type Shown = BTreeMap<ResourceId, Vec<u8>>;

impl<'a> Verifier<'a> {
    /// A history of `frames` frames and more: a third of them with another surface, and with other params.
    ///
    /// # Errors
    /// [`Fault::Graph`], if the graph has errors in a setting of the history.
    pub fn new(
        gpu: &'a Gpu,
        library: &mut Library,
        top: FileId,
        settings: &Settings,
        frames: usize,
    ) -> Result<Self, Fault> {
        let graph = |library: &mut Library, settings: &Settings| {
            let (draft, found) = resolve(library, top, settings);
            Graph::new(draft).map(Arc::new).ok_or(Fault::Graph(found))
        };
        let base = graph(library, settings)?;
        let (variants, history) = history::history(&base, settings, frames);
        let mut graphs = vec![base];
        for variant in &variants[1..] {
            graphs.push(graph(library, variant)?);
        }
        let (timeout, max_memory) = (Duration::from_secs(30), 4 << 30);
        Ok(Self {
            gpu,
            history,
            graphs,
            planner: Box::new(|graph, options| plan::plan(graph, options)),
            timeout,
            max_memory,
        })
    }

    /// Lets another plan.
    #[must_use]
    pub fn planned_by(
        mut self,
        planner: impl Fn(&Graph, plan::Options) -> Result<Plan, Vec<Diagnostic>> + 'static,
    ) -> Self {
        self.planner = Box::new(planner);
        self
    }

    /// The longest that a frame may take, and the most bytes that a program may.
    #[must_use]
    pub const fn within(mut self, timeout: Duration, max_memory: u64) -> Self {
        (self.timeout, self.max_memory) = (timeout, max_memory);
        self
    }

    /// Frames of the history.
    pub const fn frames(&self) -> usize {
        self.history.len()
    }

    /// Names of the outputs that are compared.
    pub fn outputs(&self) -> Vec<String> {
        let graph = &self.graphs[0];
        graph.outputs.iter().map(|(id, _)| graph.resources[*id].name.to_string()).collect()
    }

    /// Runs the history in each of `ways`, and tells of each as soon as it is known. Stops where a device hangs.
    ///
    /// # Errors
    /// [`Fault`], if the plainest way cannot be run.
    pub fn run(&self, ways: &[Way], mut told: impl FnMut(&Verdict)) -> Result<Vec<Verdict>, Fault> {
        let plainest = Way::plainest();
        let expected = self.shown(&plainest)?;
        let mut verdicts = Vec::new();
        for way in ways {
            let wrong = self.judge(way, &expected)?;
            let has_hung = wrong.as_ref().is_some_and(|wrong| wrong.why.is_some());
            let verdict = Verdict { way: way.name.clone(), wrong };
            told(&verdict);
            verdicts.push(verdict);
            if has_hung {
                break;
            }
        }
        Ok(verdicts)
    }

    fn judge(&self, way: &Way, expected: &[Shown]) -> Result<Option<Wrong>, Fault> {
        let failed =
            |why: String| Wrong { frame: 0, output: String::new(), difference: None, why: Some(why), first: None };
        let shown = match self.shown(way) {
            Ok(shown) => shown,
            Err(Fault::Gpu(why)) => return Ok(Some(failed(why.to_string()))),
            Err(fault) => return Err(fault),
        };
        for (frame, (ours, theirs)) in shown.iter().zip(expected).enumerate() {
            let graph = &self.graphs[self.history[frame].variant];
            for (id, bytes) in ours {
                let Some(difference) = compare(bytes, &theirs[id], elements(graph, *id)) else { continue };
                let output = graph.resources[*id].name.to_string();
                let first = self.first(way, frame)?;
                return Ok(Some(Wrong { frame, output, difference: Some(difference), why: None, first }));
            }
        }
        Ok(None)
    }

    /// The outputs of each frame in a way.
    fn shown(&self, way: &Way) -> Result<Vec<Shown>, Fault> {
        let mut all = Vec::with_capacity(self.history.len());
        self.play(way, self.history.len(), |program, frame| {
            program.run(&frame, self.timeout)?;
            let mut shown = Shown::new();
            for (id, _) in &program.graph().outputs {
                shown.insert(*id, contents(program, *id, self.timeout)?);
            }
            all.push(shown);
            Ok(())
        })?;
        Ok(all)
    }

    /// Plays the first `frames` moments: programs follow each other as settings change.
    fn play(
        &self,
        way: &Way,
        frames: usize,
        mut show: impl FnMut(&mut Program, crate::gpu::Frame) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let mut running: Option<((usize, bool), Program)> = None;
        for moment in &self.history[..frames] {
            // What is the other way round in each frame alike shows less than what changes from frame to frame.
            let reversed = way.trial.reversed && moment.index % 2 == 1;
            let key = (moment.variant, reversed);
            let mut program = match running.take() {
                Some((before, program)) if before == key => program,
                before => {
                    let now = Way { trial: Trial { reversed, ..way.trial }, ..way.clone() };
                    self.program(&now, moment.variant, before.as_ref().map(|(_, program)| program))?
                }
            };
            if let Some(marker) = way.marker {
                program.fill(marker);
            }
            let frame = moment.frame(program.graph().surface);
            show(&mut program, frame)?;
            running = Some((key, program));
        }
        Ok(())
    }

    /// A program in a way, in the place of another.
    fn program(&self, way: &Way, variant: usize, before: Option<&Program>) -> Result<Program, Fault> {
        let graph = Arc::clone(&self.graphs[variant]);
        let plan = (self.planner)(&graph, way.options).map_err(Fault::Graph)?;
        let past = before.map(Program::past);
        let options = ProgramOptions {
            max_memory: self.max_memory,
            own_ports: true,
            labels: false,
            timing: false,
            join: way.join,
            trial: way.trial,
            from: past.as_ref(),
            ..ProgramOptions::default()
        };
        let mut program = Program::new(self.gpu, graph, Arc::new(plan), options)?;
        if let Some(before) = before {
            let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            program.succeed(before, &mut encoder);
            self.gpu.queue.submit([encoder.finish()]);
        }
        Ok(program)
    }

    /// The first pass whose results differ from those of the plainest way, up to a frame.
    fn first(&self, way: &Way, frame: usize) -> Result<Option<First>, Fault> {
        let plainest = self.traced(&Way::plainest(), frame)?;
        // Pass by pass, if it is wrong then as well.
        let apart = Way { options: plan::Options { merge: false, ..way.options }, ..way.clone() };
        for way in [&apart, way] {
            let traced = self.traced(way, frame)?;
            if let Some(found) = trace::first(&plainest, &traced) {
                return Ok(Some(self.named(&found)));
            }
        }
        Ok(None)
    }

    fn named(&self, found: &trace::Found) -> First {
        let graph = &self.graphs[self.history[found.frame].variant];
        First {
            frame: found.frame,
            passes: found.passes.iter().map(|pass| graph.passes[*pass].name.to_string()).collect(),
            resource: graph.resources[found.resource].name.to_string(),
            span: found.passes.first().map_or(graph.resources[found.resource].span, |pass| graph.passes[*pass].span),
        }
    }

    fn traced(&self, way: &Way, frame: usize) -> Result<Vec<trace::Trace>, Fault> {
        let mut traces = Vec::new();
        self.play(way, frame + 1, |program, frame| {
            let mut trace = trace::Trace::default();
            let unordered = trace::unordered(program.graph());
            program.run_observed(&frame, self.timeout, |program, step| {
                trace.look(program, step, &unordered, self.timeout)
            })?;
            traces.push(trace);
            Ok(())
        })?;
        Ok(traces)
    }
}

/// Which resources hold something that means nothing where it stands.
type Unordered = IdVec<ResourceId, bool>;
