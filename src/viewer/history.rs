//! Times over the last frames.

use std::collections::{BTreeMap, VecDeque};

use crate::gpu::Times;

/// Frames that are remembered.
const FRAMES: usize = 240;
/// Frames that a report is made of.
const MANY: usize = 4000;
/// The part that a new time has in a moving average.
const WEIGHT: f64 = 0.1;

/// Average and worst of one pass, milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Stat {
    pub(super) average: f64,
    pub(super) worst: f64,
    sum: f64,
    seen: u64,
}

impl Stat {
    fn add(&mut self, ms: f64) {
        self.average = if self.seen == 0 { ms } else { self.average + (ms - self.average) * WEIGHT };
        // The worst fades, so that a hitch of long ago is forgotten.
        self.worst = (self.worst * 0.995).max(ms);
        self.sum += ms;
        self.seen += 1;
    }

    /// The mean of all.
    pub(super) fn mean(&self) -> f64 {
        self.sum / self.seen.max(1) as f64
    }
}

/// What was measured.
#[derive(Debug, Default)]
pub(super) struct History {
    /// From one frame to the next on the CPU, milliseconds.
    pub(super) frames: VecDeque<f32>,
    /// GPU times of frames.
    pub(super) gpu: VecDeque<f32>,
    pub(super) gpu_frame: Stat,
    /// The panel's own time in each frame of the window, milliseconds: nothing where it is shown as it was.
    pub(super) panel: Stat,
    /// Frame times while nothing was being built, and while something was.
    pub(super) steady: VecDeque<f32>,
    pub(super) building: VecDeque<f32>,
    rows: BTreeMap<String, Stat>,
    last: Option<u64>,
}

impl History {
    pub(super) fn frame(&mut self, ms: f32, is_building: bool) {
        push(&mut self.frames, ms, FRAMES);
        push(if is_building { &mut self.building } else { &mut self.steady }, ms, MANY);
    }

    pub(super) fn panel(&mut self, ms: f64) {
        self.panel.add(ms);
    }

    /// Another program: its passes may be others.
    pub(super) fn forget(&mut self) {
        self.rows.clear();
        self.gpu_frame = Stat::default();
    }

    pub(super) fn times(&mut self, times: &Times) {
        if self.last.replace(times.frame) == Some(times.frame) {
            return;
        }
        push(&mut self.gpu, times.frame_ms as f32, FRAMES);
        self.gpu_frame.add(times.frame_ms);
        for row in &times.rows {
            if let Some(ms) = row.ms {
                self.rows.entry(row.name.clone()).or_default().add(ms);
            }
        }
    }

    /// All recorded passes, by name.
    pub(super) fn rows(&self) -> impl Iterator<Item = (&str, Stat)> {
        self.rows.iter().map(|(name, stat)| (name.as_str(), *stat))
    }

    pub(super) fn row(&self, name: &str) -> Option<Stat> {
        self.rows.get(name).copied()
    }

    /// The middle of the last frame times.
    pub(super) fn median(&self) -> f32 {
        quantile(self.frames.iter().copied(), 0.5)
    }
}

/// The value below which this part of all lie; zero where there are none.
pub(super) fn quantile(values: impl Iterator<Item = f32>, part: f64) -> f32 {
    let mut sorted: Vec<f32> = values.collect();
    sorted.sort_by(f32::total_cmp);
    let at = (sorted.len().saturating_sub(1) as f64 * part).round() as usize;
    sorted.get(at).copied().unwrap_or(0.0)
}

fn push(list: &mut VecDeque<f32>, ms: f32, most: usize) {
    if list.len() == most {
        list.pop_front();
    }
    list.push_back(ms);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::Row;

    #[test]
    fn a_frame_counts_once() {
        let mut history = History::default();
        let row = |ms| vec![Row { name: "g/a".to_owned(), ms: Some(ms) }];
        let times = Times { frame: 1, rows: row(4.0), frame_ms: 5.0 };
        history.times(&times);
        history.times(&times);
        assert_eq!(history.gpu.len(), 1);
        history.times(&Times { frame: 2, rows: row(2.0), frame_ms: 3.0 });
        let stat = history.row("g/a").unwrap();
        assert!((stat.average - 3.8).abs() < 1e-9 && stat.worst > 3.9, "{stat:?}");
        history.forget();
        assert!(history.row("g/a").is_none());
    }
}
