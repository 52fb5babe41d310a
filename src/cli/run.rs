//! `rondag run`: frames without a window.
//!
//! Time is a count of frames: 1/60 s each, so that a run repeats. The device is never waited for within the frames in
//! flight; what the frames count comes back late, through rings of mapped buffers.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow, bail};
use rondag::diagnostic::Diagnostic;
use rondag::gpu::{self, Gpu, Pick, Program, ProgramOptions, Times, Visible, visible_names};
use rondag::graph::camera::Camera;
use rondag::graph::{Graph, Settings, rules};
use rondag::session::port_sizes;

use super::args::Run;
use super::console::Console;
use super::opened::{Opened, stop};
use super::report::{Measured, Report};
use super::{Outcome, camera, ports, results};

/// Frames that the device may be behind.
const IN_FLIGHT: usize = 3;
/// Seconds a frame.
const STEP: f64 = 1.0 / 60.0;

pub(super) fn run(args: &Run, console: &mut Console) -> anyhow::Result<Outcome> {
    let started = Instant::now();
    let Some(mut opened) = Opened::new(&args.frame, console)? else {
        return Ok(Outcome::Findings);
    };
    let camera = match &args.camera {
        None => None,
        Some(typed) => match camera::parse(&mut opened.library.files, typed)? {
            Ok(camera) => Some(camera),
            Err(found) => {
                stop(&opened.library.files, found, console);
                return Ok(Outcome::Findings);
            }
        },
    };
    let inputs = ports::read(&opened.document, &args.input)?;
    let pick = args.adapter.as_deref().map_or(Pick::Any, Pick::from);
    let gpu = Gpu::open(&pick, args.trust.options())?;
    opened.profile = gpu.profile(args.max_memory);
    let Settings { surface, surface_format, .. } = opened.settings;
    let settings =
        Settings { ports: port_sizes(&opened.document, &inputs, surface, surface_format), ..opened.settings.clone() };
    let Some((graph, plan)) = watched(&mut opened, settings, args, console)? else {
        return Ok(Outcome::Findings);
    };
    let graph = Arc::new(graph);
    let options = ProgramOptions {
        max_memory: args.max_memory,
        own_ports: true,
        trusted: args.trust.trusted,
        join: !args.trust.no_join,
        ..ProgramOptions::default()
    };
    let mut program = Program::new(&gpu, Arc::clone(&graph), Arc::new(plan), options)?;
    for (name, bytes) in &inputs {
        let port = program.find(name).with_context(|| format!("the graph has no port `{name}`"))?;
        program.write(port, bytes)?;
    }
    let ready = started.elapsed();
    let mut frames = Frames::new(&program, args, camera.unwrap_or(graph.camera))?;
    if let Err(failure) = frames.run(&mut program) {
        if let Some(gpu::Error::Value(fault)) = failure.downcast_ref() {
            let message = format!("`{}` of `{}` has no value in frame {}", fault.field, fault.block, frames.recorded);
            let finding = Diagnostic::new(&rules::ARITHMETIC, message, fault.span, fault.why.clone());
            stop(&opened.library.files, vec![finding], console);
            return Ok(Outcome::Findings);
        }
        // A device that hangs would be waited for when it is dropped.
        std::mem::forget((program, gpu, frames));
        return Err(failure);
    }
    let measured = frames.measured(ready);
    let results = results::take(args, &program)?;
    let report = Report::new(args, &program, &measured, &results);
    results.write(console)?;
    if let Some(path) = &args.report {
        super::output::write_whole(path, report.json().as_bytes())?;
    }
    console.say(report.text().trim_end());
    Ok(Outcome::Clean)
}

/// The graph and its plan. The arguments of indirect draws are outputs of the run: they say what was visible.
fn watched(
    opened: &mut Opened,
    mut settings: Settings,
    args: &Run,
    console: &mut Console,
) -> anyhow::Result<Option<(Graph, rondag::plan::Plan)>> {
    let options = args.switches.options();
    let Some((draft, _)) = opened.plan(&settings, options, console) else {
        return Ok(None);
    };
    if let Some((_, span)) = draft.lacking(opened.profile.features) {
        let place = opened.library.files.place(span);
        bail!("adapter `{}` lacks a feature that the graph requires at {place}", opened.profile.name);
    }
    settings.outputs = results::asked(args, &draft)?;
    settings.outputs.extend(visible_names(&draft));
    let Some((draft, plan)) = opened.plan(&settings, options, console) else {
        return Ok(None);
    };
    let graph = Graph::new(draft).context("a draft without errors is a graph")?;
    Ok(Some((graph, plan)))
}

/// The frames of one run.
struct Frames {
    count: u32,
    timeout: Duration,
    camera: Camera,
    visible: Visible,
    times: Vec<Times>,
    /// Submissions that were not waited for, oldest first.
    behind: VecDeque<wgpu::SubmissionIndex>,
    recorded: u32,
    finished: u32,
    took: Duration,
}

impl Frames {
    fn new(program: &Program, args: &Run, camera: Camera) -> anyhow::Result<Self> {
        Ok(Self {
            count: args.frames,
            timeout: args.timeout,
            camera,
            visible: Visible::new(program)?,
            times: Vec::new(),
            behind: VecDeque::new(),
            recorded: 0,
            finished: 0,
            took: Duration::ZERO,
        })
    }

    fn run(&mut self, program: &mut Program) -> anyhow::Result<()> {
        let started = Instant::now();
        for index in 0..self.count {
            self.frame(program, index)?;
            self.recorded += 1;
            while self.behind.len() > IN_FLIGHT {
                self.wait(program)?;
            }
            self.collect(program);
            Console::progress(index + 1, self.count);
        }
        while !self.behind.is_empty() {
            self.wait(program)?;
        }
        self.collect(program);
        self.took = started.elapsed();
        Ok(())
    }

    fn frame(&mut self, program: &mut Program, index: u32) -> anyhow::Result<()> {
        let gpu = program.gpu().clone();
        let frame = gpu::Frame {
            index: index.into(),
            time: f64::from(index) * STEP,
            delta: STEP,
            camera: self.camera.state(program.graph().surface),
        };
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("frame") });
        if index == 0 {
            // Step by step: where a pass hangs it is mostly here, and then the last one that finished is known.
            program.run(&frame, self.timeout).map_err(|failure| self.late(failure, program))?;
        } else {
            program.record(&mut encoder, &frame)?;
        }
        self.visible.copy(program, &mut encoder, index.into());
        self.behind.push_back(gpu.queue.submit([encoder.finish()]));
        program.submitted();
        self.visible.submitted();
        Ok(())
    }

    /// Waits for the oldest submission.
    fn wait(&mut self, program: &Program) -> anyhow::Result<()> {
        let Some(submission) = self.behind.pop_front() else {
            return Ok(());
        };
        program.gpu().wait(Some(submission), self.timeout).map_err(|failure| self.late(failure, program))?;
        self.finished += 1;
        if let Some(message) = program.gpu().take_messages().into_iter().next() {
            bail!("wgpu refused frame {}: {message}", self.finished - 1);
        }
        Ok(())
    }

    /// A timeout, with the frame and the last pass known to have finished.
    fn late(&self, failure: gpu::Error, program: &Program) -> anyhow::Error {
        let gpu::Error::Timeout { limit, last } = failure else {
            return failure.into();
        };
        let (frame, seconds) = (self.finished, limit.as_secs_f64());
        let end = program.plan().order.last().map(|pass| &program.graph().passes[*pass].name);
        let last = match (last, end) {
            (Some(pass), _) => format!("`{pass}`"),
            (None, Some(pass)) if frame > 0 => format!("`{}/{pass}` of frame {}", program.graph().name, frame - 1),
            _ => "none".to_owned(),
        };
        anyhow!("frame {frame} did not finish within {seconds} s; the last pass known to have finished is {last}")
    }

    /// Takes what has arrived.
    fn collect(&mut self, program: &mut Program) {
        self.visible.arrived();
        if let Some(times) = program.times()
            && self.times.last().is_none_or(|last| last.frame != times.frame)
        {
            self.times.push(times.clone());
        }
    }

    fn measured(self, ready: Duration) -> Measured {
        Measured { ready, frames: self.count, took: self.took, times: self.times, visible: self.visible.counts() }
    }
}
