//! What a run measured, for people and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use rondag::gpu::{Counts, Program, Times};
use rondag::graph::Value;
use serde::Serialize;

use super::args::Run;
use super::results::{Results, Row};

/// What the frames of a run were like.
#[derive(Debug)]
pub(super) struct Measured {
    /// From the start of the process until the first frame could be recorded.
    pub ready: Duration,
    pub frames: u32,
    /// From the first frame's recording until the last one was finished.
    pub took: Duration,
    /// Of the frames whose times came back.
    pub times: Vec<Times>,
    pub visible: Vec<Counts>,
}

/// The report; its fields are the JSON's.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    version: u32,
    graph: String,
    params: BTreeMap<String, serde_json::Value>,
    surface: [u32; 2],
    adapter: Adapter,
    frames: u32,
    ready_s: f64,
    frames_s: f64,
    memory_bytes: Memory,
    visible: Vec<Counts>,
    gpu: Gpu,
    hashes: BTreeMap<String, String>,
    values: BTreeMap<String, Vec<serde_json::Value>>,
    textures: BTreeMap<String, Texture>,
}

/// A texture that the frame makes.
#[derive(Debug, Serialize)]
struct Texture {
    format: String,
    size: [u32; 2],
    samples: u32,
    texel_bytes: Option<u32>,
}

#[derive(Debug, Serialize)]
struct Adapter {
    name: String,
    kind: String,
    backend: String,
    driver: String,
}

/// Transients in slots, the same without sharing, transients with memory of their own, and what lasts.
#[derive(Debug, Serialize)]
struct Memory {
    shared: u64,
    unshared: u64,
    own: u64,
    kept: u64,
}

/// Times of recorded passes in milliseconds: medians over the frames whose times came back.
#[derive(Debug, Serialize)]
struct Gpu {
    note: Option<String>,
    frames: usize,
    frame_ms: Option<f64>,
    sum_ms: Option<f64>,
    passes: Vec<Pass>,
}

#[derive(Debug, Serialize)]
struct Pass {
    name: String,
    ms: Option<f64>,
}

impl Report {
    pub(super) fn new(args: &Run, program: &Program, measured: &Measured, results: &Results) -> Self {
        // Arguments of draws are told as what was visible.
        let is_told = |name: &String| measured.visible.iter().any(|it| it.arguments == *name);
        let values = results.values.iter().filter(|(name, _)| !is_told(name));
        let (graph, info, bytes) = (program.graph(), &program.gpu().info, program.plan().bytes);
        Self {
            version: 1,
            graph: args.frame.graph.display().to_string(),
            params: graph.params.iter().map(|param| (param.name.clone(), json(param, &graph.texts))).collect(),
            surface: graph.surface,
            adapter: Adapter {
                name: info.name.clone(),
                kind: format!("{:?}", info.device_type),
                backend: info.backend.to_string(),
                driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
            },
            frames: measured.frames,
            ready_s: measured.ready.as_secs_f64(),
            frames_s: measured.took.as_secs_f64(),
            memory_bytes: Memory { shared: bytes.shared, unshared: bytes.unshared, own: bytes.own, kept: bytes.kept },
            visible: measured.visible.clone(),
            gpu: Gpu::new(program, &measured.times),
            hashes: results.hashes.iter().cloned().collect(),
            textures: textures(program),
            values: values.map(|(name, rows)| (name.clone(), rows.iter().map(cells).collect())).collect(),
        }
    }

    pub(super) fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("the report has string keys and finite numbers only") + "\n"
    }

    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let mut row = |name: &str, value: String| writeln!(text, "{name:8} {value}").expect("strings take everything");
        let Adapter { name, kind, backend, driver } = &self.adapter;
        row("adapter", format!("{name} ({kind}, {backend}, driver {driver})"));
        let params: Vec<String> = self.params.iter().map(|(name, value)| format!("{name}={}", plain(value))).collect();
        row("graph", format!("{} at {}x{} {}", self.graph, self.surface[0], self.surface[1], params.join(" ")));
        row("ready", format!("{:.3} s", self.ready_s));
        let each = self.frames_s * 1e3 / f64::from(self.frames.max(1));
        row("frames", format!("{} in {:.3} s, {each:.3} ms each", self.frames, self.frames_s));
        let Memory { shared, unshared, own, kept } = self.memory_bytes;
        let [shared, unshared, own, kept] = [shared, unshared, own, kept].map(rondag::plan::human_bytes);
        row("memory", format!("{shared} in slots ({unshared} without sharing), {own} beside them, {kept} that last"));
        for Counts { arguments, frame, instances, total } in &self.visible {
            let each = instances.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
            row("visible", format!("{total} instances in `{arguments}` of frame {frame}: {each}"));
        }
        for (name, rows) in &self.values {
            let rows: Vec<_> = rows.iter().map(said).collect();
            row("values", format!("`{name}` {}", rows.join("; ")));
        }
        self.gpu.rows(row);
        text
    }
}

impl Gpu {
    fn new(program: &Program, times: &[Times]) -> Self {
        let can = program.gpu().device.features().contains(wgpu::Features::TIMESTAMP_QUERY);
        let note = match (can, times.is_empty()) {
            (false, _) => Some("this adapter cannot time passes".to_owned()),
            (true, true) => Some("no pass was timed".to_owned()),
            (true, false) => None,
        };
        let rows = times.first().map(|times| times.rows.as_slice()).unwrap_or_default();
        let pass = |(index, row): (usize, &rondag::gpu::Row)| Pass {
            name: row.name.clone(),
            ms: median(times.iter().filter_map(|times| times.rows[index].ms)),
        };
        Self {
            note,
            frames: times.len(),
            frame_ms: median(times.iter().map(|times| times.frame_ms)),
            sum_ms: median(times.iter().map(Times::sum_ms)),
            passes: rows.iter().enumerate().map(pass).collect(),
        }
    }

    fn rows(&self, mut row: impl FnMut(&str, String)) {
        if let Some(note) = &self.note {
            row("gpu", note.clone());
        }
        if let (Some(frame), Some(sum)) = (self.frame_ms, self.sum_ms) {
            row("gpu", format!("{frame:.3} ms a frame, {sum:.3} ms in passes (medians of {} frames)", self.frames));
        }
        for pass in &self.passes {
            let ms = pass.ms.map_or_else(|| "-".to_owned(), |ms| format!("{ms:.3} ms"));
            row("", format!("{ms:>12}  {}", pass.name));
        }
    }
}

fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

fn json(param: &rondag::graph::Param, texts: &[String]) -> serde_json::Value {
    match param.value {
        Value::Int(value) => value.into(),
        Value::Float(value) => value.into(),
        Value::Bool(value) => value.into(),
        Value::Text(text) => texts.get(text as usize).cloned().unwrap_or_default().into(),
        _ => serde_json::Value::Null,
    }
}

fn plain(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn textures(program: &Program) -> BTreeMap<String, Texture> {
    let graph = program.graph();
    let texture = |(id, resource): (rondag::graph::ResourceId, &rondag::graph::Resource)| {
        let made = program.texture(id)?;
        let texture = Texture {
            format: format!("{:?}", made.format()),
            size: [made.width(), made.height()],
            samples: made.sample_count(),
            texel_bytes: made.format().block_copy_size(None),
        };
        Some((resource.name.to_string(), texture))
    };
    graph.resources.entries().filter_map(texture).collect()
}

/// An element as JSON: an object of its members, or a value alone.
fn cells(row: &Row) -> serde_json::Value {
    let value = |text: &String| serde_json::from_str(text).unwrap_or_else(|_| text.clone().into());
    match row.as_slice() {
        [(_, text)] => value(text),
        many => many.iter().map(|(name, text)| (name.clone(), value(text))).collect(),
    }
}

/// `inside 12, hidden 3`, or a value alone.
fn said(row: &serde_json::Value) -> String {
    match row {
        serde_json::Value::Object(members) => {
            members.iter().map(|(name, value)| format!("{name} {}", plain(value))).collect::<Vec<_>>().join(", ")
        }
        value => plain(value),
    }
}
