//! What a session takes from outside: a clock, and somebody who builds.

use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

/// A clock that never goes back.
pub trait Clock: std::fmt::Debug + Send + Sync {
    /// Time since some fixed moment.
    fn now(&self) -> Duration;
}

/// The machine's clock, from the moment it was made.
#[derive(Debug, Clone, Copy)]
pub struct SystemClock(Instant);

impl SystemClock {
    /// A clock that begins at zero.
    pub fn new() -> Self {
        Self(Instant::now())
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Work in pieces.
pub trait Job: Send {
    /// Does one more piece. Whether there is another.
    fn step(&mut self) -> bool;
}

/// Somebody who does jobs, one after another.
pub trait Executor: std::fmt::Debug {
    /// Takes a job.
    fn start(&mut self, job: Box<dyn Job>);

    /// Called between frames: what has no thread of its own does a piece here.
    fn tick(&mut self) {}
}

/// One lasting thread. wgpu's error scopes belong to threads: what is made here is never mixed up with what a frame does.
///
/// A job that panics is dropped, and whoever waits for its result sees that nobody will send it.
#[derive(Debug)]
pub struct Thread(Option<Sender<Box<dyn Job>>>);

impl Thread {
    /// Starts it.
    ///
    /// # Errors
    /// What the system says.
    pub fn new() -> std::io::Result<Self> {
        let (sender, jobs) = channel::<Box<dyn Job>>();
        std::thread::Builder::new().name("builder".to_owned()).spawn(move || {
            for mut job in jobs {
                let work = std::panic::AssertUnwindSafe(move || while job.step() {});
                // Its sender is gone with it: that is how the fault is told.
                let _ = std::panic::catch_unwind(work);
            }
        })?;
        Ok(Self(Some(sender)))
    }
}

impl Executor for Thread {
    fn start(&mut self, job: Box<dyn Job>) {
        if let Some(sender) = &self.0 {
            // The thread ends only with this sender.
            let _ = sender.send(job);
        }
    }
}

/// Pieces between frames, where there are no threads.
#[derive(Default)]
pub struct Slices(std::collections::VecDeque<Box<dyn Job>>);

impl std::fmt::Debug for Slices {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Slices").field(&self.0.len()).finish()
    }
}

impl Executor for Slices {
    fn start(&mut self, job: Box<dyn Job>) {
        self.0.push_back(job);
    }

    fn tick(&mut self) {
        if self.0.front_mut().is_some_and(|job| !job.step()) {
            self.0.pop_front();
        }
    }
}
