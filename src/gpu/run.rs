//! Frames without a window: recorded, submitted, and waited for with a limit.

use std::time::Duration;

use super::error::Error;
use super::program::{Frame, Program};

impl Program {
    /// Runs a frame to its end, at most for `limit`; a surface of no texels skips it. Where it takes longer, the error names the last pass known to have
    /// finished: the first frame of a program is submitted and waited for step by step (each at most for `limit`) to know
    /// it; of a later one only the frame before is known.
    ///
    /// # Errors
    /// As [`record`](Self::record); what wgpu refuses; [`Error::Timeout`], [`Error::Lost`].
    pub fn run(&mut self, frame: &Frame, limit: Duration) -> Result<(), Error> {
        if self.graph.surface.contains(&0) {
            return Ok(());
        }
        if self.ran {
            let last = self.parts.script.steps.len().checked_sub(1);
            self.submit(frame, limit, |this, encoder| this.record(encoder, frame))
                .map_err(|why| self.late(why, last, Some(frame.index.saturating_sub(1))))?;
        } else {
            self.run_steps(frame, limit, &mut |_, _| {})?;
            self.ran = true;
        }
        Ok(())
    }

    /// Runs a frame step by step, and shows the program behind each step with the step's number.
    ///
    /// # Errors
    /// As [`run`](Self::run), and what `look` says.
    pub fn run_observed<E: From<Error>>(
        &mut self,
        frame: &Frame,
        limit: Duration,
        mut look: impl FnMut(&Self, usize) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.graph.surface.contains(&0) {
            return Ok(());
        }
        let mut seen = Ok(());
        self.run_steps(frame, limit, &mut |this, step| {
            if seen.is_ok() {
                seen = look(this, step);
            }
        })?;
        self.ran = true;
        seen
    }

    /// One submit and one wait for the `Once` passes and for each step. Nothing more is submitted once one takes too long:
    /// the software adapter would block in the submit.
    fn run_steps(&mut self, frame: &Frame, limit: Duration, look: &mut dyn FnMut(&Self, usize)) -> Result<(), Error> {
        self.prepare(frame)?;
        let once = |this: &mut Self, encoder: &mut _| {
            this.record_once(encoder);
            Ok(())
        };
        self.submit(frame, limit, once)?;
        let (mut start, count) = (0, self.parts.script.steps.len());
        for step in 0..count {
            let end = self.parts.script.steps[step].commands.end;
            let record = |this: &mut Self, encoder: &mut _| {
                this.record_range(encoder, start..end);
                Ok(())
            };
            self.submit(frame, limit, record)
                .map_err(|why| self.late(self.refused(why, step), step.checked_sub(1), None))?;
            start = end;
            look(self, step);
        }
        let rest = |this: &mut Self, encoder: &mut _| {
            this.record_range(encoder, start..this.parts.script.frame.len());
            this.finish(encoder, frame);
            Ok(())
        };
        self.submit(frame, limit, rest).map_err(|why| self.late(why, count.checked_sub(1), None))
    }

    fn submit(
        &mut self,
        frame: &Frame,
        limit: Duration,
        record: impl FnOnce(&mut Self, &mut wgpu::CommandEncoder) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (gpu, name) = (self.gpu.clone(), self.graph.name.clone());
        let what = || format!("frame {} of `{name}`", frame.index);
        let submission = gpu.scope(what, || {
            let descriptor = wgpu::CommandEncoderDescriptor { label: Some(&name) };
            let mut encoder = gpu.device.create_command_encoder(&descriptor);
            record(self, &mut encoder)?;
            Ok::<_, Error>(gpu.queue.submit([encoder.finish()]))
        });
        let submission = submission??;
        self.submitted();
        gpu.wait(Some(submission), limit)
    }

    /// What wgpu refuses, with the step that it refuses.
    fn refused(&self, why: Error, step: usize) -> Error {
        let script = &self.parts.script;
        match why {
            Error::Refused { why, .. } => {
                Error::Refused { what: format!("`{}`", script.labels[script.steps[step].label]), why }
            }
            other => other,
        }
    }

    /// A timeout, with what finished last: a step of this frame or of the one before.
    fn late(&self, why: Error, step: Option<usize>, before: Option<u64>) -> Error {
        let script = &self.parts.script;
        let label = step.and_then(|step| script.steps.get(step)).map(|step| &script.labels[step.label]);
        match (why, label) {
            (Error::Timeout { limit, .. }, Some(label)) => {
                let frame = before.map_or(String::new(), |frame| format!(" of frame {frame}"));
                Error::Timeout { limit, last: Some(format!("{label}{frame}")) }
            }
            (other, _) => other,
        }
    }
}
