//! Frames, and what can go wrong with them.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::fault::Finding;
use super::params;
use super::{Event, Session};
use crate::gpu::{Error, Frame, Program};
use crate::graph::camera::CameraState;

/// Frames that the device may be behind.
const IN_FLIGHT: usize = 3;
/// Frames after which a new program is trusted and the one before it dropped.
const PROBATION: u32 = 4;
/// A device that is lost again so soon is not opened once more.
const AGAIN: Duration = Duration::from_secs(30);

/// What a call of [`Session::draw`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drawn {
    /// This frame was submitted.
    Frame(u64),
    /// The device is behind: ask again.
    Behind,
    /// There is no program yet, no surface, or nothing that may go on.
    Nothing,
}

/// Why nothing is drawn until somebody edits or asks for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stop {
    /// What was drawn last hung or lost its device.
    Again,
    /// No device could be opened.
    NoDevice,
}

/// Programs that draw, and their frames that are under way.
#[derive(Debug, Default)]
pub(super) struct Flight {
    pub(super) current: Option<Box<Program>>,
    pub(super) since: Option<Duration>,
    /// The one before, until the new one is trusted.
    previous: Option<Box<Program>>,
    probation: u32,
    /// The program that is being built shares nothing with the present one.
    pub(super) fresh_memory: bool,
    frames: VecDeque<(Arc<AtomicBool>, Duration)>,
    index: u64,
    time: f64,
    /// When the frame before was drawn.
    last: Option<Duration>,
    /// A fixed step for frames, seconds.
    step: Option<f64>,
    /// When a device was opened in the place of a lost one.
    reopened: Option<Duration>,
    stopped: Option<Stop>,
    /// Some device still works on a frame that did not end.
    hung: bool,
    /// Complaints that were told.
    told: Vec<String>,
}

impl Flight {
    pub(super) const fn is_stopped(&self) -> bool {
        self.stopped.is_some()
    }
}

impl Session {
    /// Index and time, in seconds, of the next frame.
    pub const fn position(&self) -> (u64, f64) {
        (self.flight.index, self.flight.time)
    }

    /// Makes each frame last so many seconds, whatever the clock says; zero holds time still. `None` follows the clock.
    pub const fn pace(&mut self, step: Option<f64>) {
        self.flight.step = step;
    }

    /// Puts the next frame at an index, behind a moment in seconds: two sessions that are compared show the same moment.
    pub const fn seek(&mut self, index: u64, behind: f64) {
        (self.flight.index, self.flight.time) = (index, behind);
    }

    /// Whether a device that hangs or was lost too often has ended this session until the next [`revive`](Self::revive) or
    /// change.
    pub const fn is_stopped(&self) -> bool {
        self.flight.is_stopped()
    }

    /// Whether a device may still work on a frame that did not end. Dropping what is made on it would wait for it: a host that
    /// ends forgets it.
    pub const fn has_hung(&self) -> bool {
        self.flight.hung
    }

    /// Tries again after a stop.
    pub fn revive(&mut self) {
        self.flight.reopened = None;
        self.changed();
    }

    /// Ends a stop: somebody edited or asked for it, so this is no loop.
    pub(super) fn go_on(&mut self) {
        if self.flight.stopped.take() == Some(Stop::NoDevice) {
            self.open_device();
        }
    }

    /// Whether all submitted frames are done.
    pub fn is_idle(&self) -> bool {
        self.flight.frames.iter().all(|(done, _)| done.load(Ordering::Acquire))
    }

    /// Draws a frame in a submit of its own, by a new program if one is ready. Never waits. `more` records what is to be
    /// done with the frame.
    pub fn draw(&mut self, camera: &CameraState, more: impl FnOnce(&Program, &mut wgpu::CommandEncoder)) -> Drawn {
        if self.flight.is_stopped() || self.options.settings.surface.contains(&0) {
            return Drawn::Nothing;
        }
        while self.flight.frames.front().is_some_and(|(done, _)| done.load(Ordering::Acquire)) {
            self.flight.frames.pop_front();
        }
        if self.flight.frames.len() >= IN_FLIGHT {
            return Drawn::Behind;
        }
        let (gpu, now) = (self.gpu.clone(), self.outside.clock.now());
        let descriptor = wgpu::CommandEncoderDescriptor { label: Some("frame") };
        let mut encoder = gpu.device.create_command_encoder(&descriptor);
        self.swap(&mut encoder, now);
        let Some(mut program) = self.flight.current.take() else { return Drawn::Nothing };
        let frame = self.frame(now, camera);
        let (watched, name) = (self.flight.probation > 0, program.graph().name.clone());
        let submit = |program: &mut Program| {
            program.record(&mut encoder, &frame)?;
            more(program, &mut encoder);
            gpu.queue.submit([encoder.finish()]);
            program.submitted();
            Ok::<_, Error>(())
        };
        let drawn = if watched {
            let what = || format!("frame {} of `{name}`", frame.index);
            gpu.scope(what, || submit(&mut program)).and_then(|it| it)
        } else {
            submit(&mut program)
        };
        self.flight.current = Some(program);
        match drawn {
            Ok(()) => {
                let done = Arc::new(AtomicBool::new(false));
                let flag = Arc::clone(&done);
                gpu.queue.on_submitted_work_done(move || flag.store(true, Ordering::Release));
                self.flight.frames.push_back((done, now));
                self.passed(&frame, now);
                Drawn::Frame(frame.index)
            }
            Err(why) => {
                self.complain(Finding::device(self.read.as_ref().map(|read| &read.library.files), &why));
                Drawn::Nothing
            }
        }
    }

    fn frame(&self, now: Duration, camera: &CameraState) -> Frame {
        let Flight { index, time, last, step, .. } = &self.flight;
        let since = last.map_or(0.0, |last| now.saturating_sub(last).as_secs_f64());
        let delta = step.unwrap_or(since);
        Frame { index: *index, time: if *index == 0 { 0.0 } else { time + delta }, delta, camera: *camera }
    }

    /// A frame was submitted without complaint.
    fn passed(&mut self, frame: &Frame, now: Duration) {
        let flight = &mut self.flight;
        flight.index += 1;
        flight.time = frame.time;
        flight.last = Some(now);
        flight.probation = flight.probation.saturating_sub(1);
        if flight.probation == 0 {
            flight.previous = None;
        }
    }

    /// The new program takes the old one's place.
    fn swap(&mut self, encoder: &mut wgpu::CommandEncoder, now: Duration) {
        let Some(mut new) = self.ready.take() else { return };
        if let Some(old) = self.flight.current.take() {
            if !std::mem::take(&mut self.flight.fresh_memory) {
                new.succeed(&old, encoder);
            }
            self.flight.previous = Some(old);
        }
        let graph = Arc::clone(new.graph());
        for (id, param) in graph.params.entries() {
            if let Some(wanted) = params::wanted(param, &self.options.moved) {
                self.dirty |= !new.set(id, params::value(&graph, &wanted));
            }
        }
        self.dirty |= graph.surface != self.options.settings.surface;
        self.flight.current = Some(new);
        self.flight.since = Some(now);
        self.flight.probation = PROBATION;
        self.flight.told.clear();
        self.events.push(Event::Swapped);
    }

    /// Tells a fault of the device once, and goes back to the last good program if there is one.
    fn complain(&mut self, finding: Finding) {
        if self.flight.told.contains(&finding.message) {
            return;
        }
        self.flight.told.push(finding.message.clone());
        self.faults.device.push(finding.clone());
        self.events.push(Event::Faulty(vec![finding]));
        if let Some(mut good) = self.flight.previous.take() {
            if let Some(failed) = self.flight.current.take() {
                good.resume(&failed);
            }
            self.flight.current = Some(good);
            self.flight.probation = 0;
            self.adjust();
            // What the program lacks was told already; a setting that only the failed one had is not tried again by itself.
            self.dirty = false;
        }
    }

    /// Complaints that came late, a device that is gone, a frame that does not end.
    pub(super) fn look_after_device(&mut self) {
        // An error is a lost device, which `lost` tells.
        let _ = self.gpu.device.poll(wgpu::PollType::Poll);
        if let Some(why) = self.gpu.lost() {
            return self.reopen(Finding::plain(Error::Lost { why }.to_string()), false);
        }
        let now = self.outside.clock.now();
        let late = |(done, at): &(Arc<AtomicBool>, Duration)| {
            !done.load(Ordering::Acquire) && now.saturating_sub(*at) > self.options.timeout
        };
        if self.flight.frames.front().is_some_and(late) {
            let first = self.flight.index.saturating_sub(self.flight.frames.len() as u64);
            let why = Error::Timeout { limit: self.options.timeout, last: None };
            let passes = self.program().map(recorded).unwrap_or_default();
            let ended =
                first.checked_sub(1).map_or_else(|| "no frame ended".to_owned(), |last| format!("frame {last} ended"));
            self.reopen(Finding::plain(format!("{why}: {ended}, frame {first} records {passes}")), true);
            // The same frame would not end either.
            self.flight.stopped.get_or_insert(Stop::Again);
            return;
        }
        for message in self.gpu.take_messages() {
            self.complain(Finding::plain(message));
        }
    }

    /// Another device; after a second loss soon after nothing is drawn on it until somebody asks for it.
    fn reopen(&mut self, finding: Finding, hangs: bool) {
        if self.flight.is_stopped() {
            return;
        }
        let now = self.outside.clock.now();
        let again = self.flight.reopened.is_some_and(|before| now.saturating_sub(before) < AGAIN);
        self.faults.device = vec![finding.clone()];
        self.events.push(Event::Faulty(vec![finding]));
        let gone = (self.flight.current.take(), self.flight.previous.take(), self.ready.take(), self.gpu.clone());
        self.flight.frames.clear();
        self.running = None;
        if hangs {
            // Dropping what a device still works on would wait for it.
            std::mem::forget(gone);
            self.flight.hung = true;
        }
        self.flight.stopped = again.then_some(Stop::Again);
        self.flight.reopened = Some(now);
        self.open_device();
    }

    fn open_device(&mut self) {
        match (self.outside.device)() {
            Ok(gpu) => {
                self.gpu = gpu;
                self.dirty = true;
                self.events.push(Event::Device);
            }
            Err(why) => {
                self.faults.device.push(Finding::plain(why.to_string()));
                self.flight.stopped = Some(Stop::NoDevice);
            }
        }
    }
}

/// What a frame records, at most some of it.
fn recorded(program: &Program) -> String {
    const SOME: usize = 4;
    let labels = &program.script().labels;
    let some: Vec<String> = labels.iter().take(SOME).map(|label| format!("`{label}`")).collect();
    let more = labels.len().saturating_sub(SOME);
    if more == 0 { some.join(", ") } else { format!("{} and {more} more", some.join(", ")) }
}
