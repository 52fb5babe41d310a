//! Every variant of a graph, recorded on wgpu's noop device: what wgpu itself has against a frame becomes a finding.
//!
//! Rules come first. A finding from here is a fault for which there is no rule yet.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::{Error, Frame, Gpu, Program, ProgramOptions};
use crate::diagnostic::{Diagnostic, has_errors, merge};
use crate::graph::variants::{self, Tried, VariantKind};
use crate::graph::{Draft, Graph, Library, PassId, Settings};
use crate::lint::{Profile, WGPU_REFUSES, assignment};
use crate::plan::{self, Options};
use crate::record::CompileError;
use crate::source::{FileId, Span};

/// Frames of each variant: a History has two copies, and what lasts is read in the second.
const FRAMES: u64 = 2;

/// The noop device runs nothing.
const WAIT: std::time::Duration = std::time::Duration::from_secs(10);

/// What wgpu said.
#[derive(Debug, Default)]
pub struct DeepReport {
    /// In no order.
    pub found: Vec<Diagnostic>,
    /// Variants that were recorded.
    pub recorded: usize,
    /// Variants that could not be: a host has to say sizes, the profile lacks what they require, they are too large, or something is
    /// wrong with them that rules have found.
    pub skipped: usize,
}

/// Records every variant that `given` leaves open, each pass by itself and without sharing, so that usages are checked a
/// resource at a time.
///
/// # Errors
/// [`Error::NoDevice`] where the limits of the profile contradict each other.
pub fn deep(library: &mut Library, top: FileId, given: &Settings, profile: &Profile) -> Result<DeepReport, Error> {
    let given = &Settings { limits: profile.limits.clone(), ..given.clone() };
    let mut gpu = Gpu::noop(&profile.limits, profile.features)?;
    let mut report = DeepReport::default();
    let mut runs = Vec::new();
    variants::explore(library, top, given, |_, Tried { variant, draft, found }| {
        let fit = draft.lacking(profile.features).is_none() && !has_errors(&found);
        let Some(graph) = Graph::new(draft).filter(|_| fit).map(Arc::new) else {
            report.skipped += 1;
            return;
        };
        let run = assignment(&graph);
        match attempt(&gpu, &graph, profile.max_memory) {
            Ok(()) => {
                report.recorded += 1;
                runs.push((run, Vec::new()));
            }
            Err(
                Error::UnknownSize { .. }
                | Error::Unbound { .. }
                | Error::Compile(CompileError::UnknownSize { .. } | CompileError::UnknownFormat { .. }),
            ) => report.skipped += 1,
            Err(Error::Limit { .. } | Error::Memory { .. }) if !matches!(variant.kind, VariantKind::Default) => {
                report.skipped += 1;
            }
            Err(error) => {
                report.recorded += 1;
                runs.push((run, vec![finding(&graph, &error)]));
                // Whatever state it left the device in.
                if let Ok(fresh) = Gpu::noop(&profile.limits, profile.features) {
                    gpu = fresh;
                }
            }
        }
    });
    report.found = merge(runs);
    Ok(report)
}

fn attempt(gpu: &Gpu, graph: &Arc<Graph>, max_memory: u64) -> Result<(), Error> {
    let options = Options { alias: false, merge: false, ..Options::default() };
    let (plan, found) = plan::attempt(graph, options);
    if has_errors(&found) {
        return Err(Error::UnknownSize { what: "a frame that cannot be planned".to_owned() });
    }
    let frames = || record(gpu, Arc::clone(graph), Arc::new(plan), max_memory);
    catch_unwind(AssertUnwindSafe(frames)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
        Err(Error::Refused {
            what: "wgpu".to_owned(),
            why: format!("it panicked: {}", text.unwrap_or("without a word")),
        })
    })
}

fn record(gpu: &Gpu, graph: Arc<Graph>, plan: Arc<plan::Plan>, max_memory: u64) -> Result<(), Error> {
    let options = ProgramOptions { max_memory, own_ports: true, ..ProgramOptions::default() };
    let camera = graph.camera.state(graph.surface);
    let mut program = Program::new(gpu, graph, plan, options)?;
    program.run(&Frame { index: 0, time: 0.0, delta: 1.0, camera }, WAIT)?;
    for index in 1..FRAMES {
        let frame = Frame { index, time: index as f64, delta: 1.0, camera };
        gpu.scope(
            || "a frame".to_owned(),
            || {
                let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
                let recorded = program.record(&mut encoder, &frame);
                gpu.queue.submit([encoder.finish()]);
                recorded
            },
        )??;
        program.submitted();
    }
    gpu.check()
}

/// The pass that an error names, or the resource; the top of the file where it names neither.
fn finding(draft: &Draft, error: &Error) -> Diagnostic {
    let text = error.to_string();
    let pass = named(draft, &text);
    let resource =
        draft.resources.iter().filter(|resource| text.contains(&format!("/{}`", resource.name))).map(|r| r.span).next();
    let top = draft
        .files
        .first()
        .map_or_else(|| draft.passes.iter().next().map(|pass| pass.span), |file| Some(Span::new(*file, 0, 0)));
    let (span, label) = match (pass, resource) {
        (Some(pass), _) => (draft.passes[pass].span, "in this pass"),
        (None, Some(span)) => (span, "about this resource"),
        (None, None) => (top.unwrap_or_else(|| Span::new(crate::id::Id::from_index(0), 0, 0)), "in this frame"),
    };
    let message = format!("wgpu refuses the frame: {text}");
    let fault = Diagnostic::new(&WGPU_REFUSES, message, span, label);
    fault.at(pass.map_or_else(String::new, |pass| format!("passes[\"{}\"]", draft.passes[pass].name)))
}

/// The pass with the longest label that stands in a text.
fn named(draft: &Draft, text: &str) -> Option<PassId> {
    let label = |id: &PassId| format!("{}/{}", draft.name, draft.passes[*id].name);
    draft.passes.ids().filter(|id| text.contains(&label(id))).max_by_key(|id| label(id).len())
}
