//! What a bench found, as a table and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use rondag::gpu::Gpu;
use serde::Serialize;

use super::super::args::Bench;
use super::check::{Bytes, Verdict};
use super::measure::Times;

/// One setting.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    /// What was varied.
    pub params: BTreeMap<String, String>,
    /// Absent where the result is wrong or was not made: such a setting has no speed.
    pub times: Option<Times>,
    pub verdict: Verdict,
    /// Instances in the list, where there is one.
    pub listed: Option<u64>,
    pub bytes: Bytes,
}

impl Row {
    /// A setting that the device lacks a feature for.
    pub(super) const fn skipped(params: BTreeMap<String, String>) -> Self {
        Self { params, times: None, verdict: Verdict::Skipped, listed: None, bytes: Bytes { best: 0, moved: 0 } }
    }

    /// Best possible bytes over the median, in bytes a nanosecond.
    fn gigabytes(&self) -> Option<f64> {
        self.times.map(|times| self.bytes.best as f64 / times.median_us.max(1e-3) / 1e3)
    }
}

/// A bench; its fields are the JSON's.
#[derive(Debug, Serialize)]
pub(super) struct Table {
    version: u32,
    graph: String,
    adapter: String,
    driver: String,
    surface: [u32; 2],
    set: BTreeMap<String, String>,
    indirect_validation: bool,
    trusted: bool,
    /// Names of varied params, the slowest first.
    pub varied: Vec<String>,
    pub rows: Vec<Row>,
}

impl Table {
    pub(super) fn new(args: &Bench, gpu: &Gpu) -> Self {
        let info = &gpu.info;
        Self {
            version: 1,
            graph: args.frame.graph.display().to_string(),
            adapter: format!("{} ({:?}, {})", info.name, info.device_type, info.backend),
            driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
            surface: args.frame.setting.size,
            set: args.frame.setting.set.set.iter().cloned().collect(),
            indirect_validation: args.trust.options().indirect_validation,
            trusted: args.trust.trusted,
            varied: args.vary.iter().map(|(name, _)| name.clone()).collect(),
            rows: Vec::new(),
        }
    }

    /// Takes the speed from what is wrong.
    pub(super) fn finish(&mut self) {
        for row in &mut self.rows {
            if matches!(row.verdict, Verdict::Wrong(_)) {
                row.times = None;
            }
        }
    }

    pub(super) fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("the table has string keys and finite numbers only") + "\n"
    }

    /// Columns of the same width, so that `awk` can read them, too.
    pub(super) fn text(&self) -> String {
        let mut lines = vec![self.head()];
        lines.extend(self.rows.iter().map(|row| self.line(row)));
        let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
        let width = |at: usize| lines.iter().filter_map(|line| line.get(at)).map(String::len).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut text = format!("{} on {}, driver {}\n", self.graph, self.adapter, self.driver);
        for line in &lines {
            let cells = line.iter().zip(&widths).map(|(cell, width)| format!("{cell:>width$}"));
            writeln!(text, "{}", cells.collect::<Vec<_>>().join("  ").trim_end()).expect("strings take everything");
        }
        text
    }

    fn head(&self) -> Vec<String> {
        let fixed = ["us", "low", "high", "row_us", "cpu_us", "GB/s", "moved/best", "listed", "result"];
        self.varied.iter().cloned().chain(fixed.map(str::to_owned)).collect()
    }

    fn line(&self, row: &Row) -> Vec<String> {
        let mut cells: Vec<String> =
            self.varied.iter().map(|name| row.params.get(name).cloned().unwrap_or_default()).collect();
        let none = || "-".to_owned();
        let number = |value: Option<f64>| value.map_or_else(none, |value| format!("{value:.1}"));
        let of = |pick: fn(&Times) -> f64| number(row.times.as_ref().map(pick));
        cells.extend([of(|t| t.median_us), of(|t| t.low_us), of(|t| t.high_us), of(|t| t.row_us), of(|t| t.cpu_us)]);
        let ratio = row.times.map(|_| row.bytes.moved as f64 / row.bytes.best.max(1) as f64);
        cells.extend([number(row.gigabytes()), ratio.map_or_else(none, |ratio| format!("{ratio:.2}"))]);
        cells.push(row.listed.map_or_else(none, |listed| listed.to_string()));
        cells.push(match &row.verdict {
            Verdict::Twin => "as the CPU twin".to_owned(),
            Verdict::First => "as the first".to_owned(),
            Verdict::Holds(more) => format!("holds the first and {more} more"),
            Verdict::Wrong(why) => format!("WRONG: {why}"),
            Verdict::Skipped => "skipped: the device lacks a feature".to_owned(),
        });
        cells
    }
}
