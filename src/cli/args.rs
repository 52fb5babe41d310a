//! What may be typed.

mod planning;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use rondag::diagnostic::Format;

pub(super) use planning::{Diff, DiffFormat, Explain, ExplainFormat, Order, Plan, PlanFormat};

/// Mark of commands that this build lacks.
#[cfg(not(feature = "gpu"))]
const NO_GPU: &str = "[not in this build: it has no `gpu` feature]";

#[cfg(not(feature = "viewer"))]
const NO_VIEWER: &str = "[not in this build: it has no `viewer` feature]";

#[cfg(not(feature = "watch"))]
const NO_WATCH: &str =
    "Checks anew whenever a file that took part changes [not in this build: it has no `watch` feature]";

const EXIT_CODES: &str = "\
Exit codes:
  0  nothing at or above the failing level
  1  findings, or a run whose checks failed
  2  could not run: bad usage, an unreadable file, no adapter

To gate a pull request: rondag check --deny-warnings --format github";

const GATE: &str = "\
Exit codes:
  0  nothing at or above the failing level: no error, and with --deny-warnings no warning
  1  findings
  2  could not run: bad usage, an unreadable file, a faulty rondag.toml

To gate a pull request, let its CI run one of these; exit 1 fails it:
  rondag check --deny-warnings --format github                  annotations beside the lines
  rondag check --deny-warnings --format sarif > rondag.sarif    for code scanning
  rondag check --deny-warnings --format concise                 one line a finding, for logs

To begin with a project that has findings, keep those that are known apart:
  rondag check --baseline known.json --write-baseline           once
  rondag check --baseline known.json --deny-warnings            from then on

A rondag.toml in the root can say it for all who check:
  [check]
  deny-warnings = true
  exclude = [\"old/\"]
  [lints]
  dead-pass = \"allow\"                                         or \"warn\", \"deny\"";

/// Render graphs as data: RON in, a checked, ordered, allocated and recorded frame out
#[derive(Debug, Parser)]
#[command(name = "rondag", version, after_help = EXIT_CODES, disable_help_subcommand = true)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Lint graphs and their shaders; needs no GPU
    Check(Check),
    /// Print the plan of a frame: order with reasons, slots, bytes
    Plan(Plan),
    /// Say what a rule means, or why a plan is as it is
    Explain(Explain),
    /// Render frames without a window
    #[cfg_attr(not(feature = "gpu"), command(about = format!("Render frames without a window {NO_GPU}")))]
    Run(Box<Run>),
    /// Run a frame in many ways that must not matter, and compare
    #[cfg_attr(not(feature = "gpu"), command(about = format!("Run a frame in many ways that must not matter {NO_GPU}")))]
    Verify(Box<Verify>),
    /// Time the variants of a graph on the same input
    #[cfg_attr(not(feature = "gpu"), command(about = format!("Time the variants of a graph on the same input {NO_GPU}")))]
    Bench(Box<Bench>),
    /// Watch a graph while it is edited
    #[cfg_attr(not(feature = "viewer"), command(about = format!("Watch a graph while it is edited {NO_VIEWER}")))]
    View(Box<View>),
    /// Say what changed between two plans
    Diff(Diff),
    /// Write a small graph that lints clean and draws something
    New(New),
}

#[derive(Debug, Args)]
#[command(after_help = GATE)]
pub(super) struct Check {
    /// Graphs, folders of them (`.gitignore` is respected; in a folder, a file that another one includes is checked with
    /// it), or `-` for standard input
    #[arg(value_name = "PATH", default_value = ".")]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub root: Root,
    #[command(flatten)]
    pub set: Set,
    #[command(flatten)]
    pub report: Report,
    #[command(flatten)]
    pub mend: Mend,
    #[command(flatten)]
    pub levels: Levels,
    /// Which limits and features to check against: what every WebGPU device has, what this machine's adapter has, or a TOML or
    /// JSON file with a table `limits` and a list `features` by wgpu's names [default: what `rondag.toml` says, else
    /// `webgpu`]
    #[arg(long, value_name = PROFILES)]
    pub profile: Option<String>,
    /// Records every variant in which nothing is wrong on wgpu's noop device, too, and reports what wgpu has against it
    #[cfg_attr(not(feature = "gpu"), arg(help = format!("Records every variant on wgpu's noop device, too {NO_GPU}")))]
    #[arg(long)]
    pub deep: bool,
    /// Most memory that a frame may take, in bytes or with a unit [default: what the profile says, else 4GiB]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub max_memory: Option<u64>,
    /// Graphs that are checked at a time [default: as many as there are cores]
    #[arg(long, value_name = "N")]
    pub jobs: Option<std::num::NonZeroUsize>,
    /// Takes standard input for this file: its root, and what its messages are called by
    #[arg(long, value_name = "NAME")]
    pub stdin_filename: Option<PathBuf>,
    /// Checks anew whenever a file that took part changes, until it is ended
    #[arg(long, conflicts_with_all = ["fix", "diff", "write_baseline"])]
    #[cfg_attr(not(feature = "watch"), arg(help = NO_WATCH))]
    pub watch: bool,
    /// Prints how often each rule found something instead of the findings
    #[arg(long, conflicts_with_all = ["fix", "diff", "write_baseline"])]
    pub statistics: bool,
}

/// Faults that can be mended by machine.
#[derive(Debug, Args)]
#[group(skip)]
#[command(group(clap::ArgGroup::new("fixing").args(["fix", "diff"]).multiple(true)))]
pub(super) struct Mend {
    /// Mends what can be mended without changing what the frame means, and tells what remains; of standard input, the
    /// mended text goes to standard output and what remains to standard error
    #[arg(long)]
    pub fix: bool,
    /// With `--fix` or `--diff`: mends also where that is a guess
    #[arg(long, requires = "fixing")]
    pub unsafe_fixes: bool,
    /// Prints what `--fix` would change, and changes nothing; exit 1 if there is something
    #[arg(long)]
    pub diff: bool,
}

/// What may be given as a profile.
const PROFILES: &str = "webgpu|adapter|FILE";

/// Levels go before those that files set for themselves in `lints`, and those before `[lints]` of the root's `rondag.toml`.
#[derive(Debug, Args)]
pub(super) struct Levels {
    /// Leaves out the warnings of a rule; may be repeated
    #[arg(short = 'A', long, value_name = "CODE")]
    pub allow: Vec<String>,
    /// Makes a rule a warning that was allowed or denied elsewhere; may be repeated
    #[arg(short = 'W', long, value_name = "CODE")]
    pub warn: Vec<String>,
    /// Makes the warnings of a rule errors; may be repeated
    #[arg(short = 'D', long, value_name = "CODE")]
    pub deny: Vec<String>,
}

#[derive(Debug, Args)]
pub(super) struct New {
    /// The folder to make; its last part names the graph
    pub name: PathBuf,
}

/// One graph in one setting.
#[derive(Debug, Args)]
pub(super) struct Frame {
    /// The graph, or `-` for standard input
    pub graph: PathBuf,
    #[command(flatten)]
    pub setting: Setting,
}

/// Root, params and surface.
#[derive(Debug, Args)]
pub(super) struct Setting {
    #[command(flatten)]
    pub root: Root,
    #[command(flatten)]
    pub set: Set,
    /// Width and height of the surface in texels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = size)]
    pub size: [u32; 2],
}

#[derive(Debug, Args)]
pub(super) struct Root {
    /// The folder that shaders and includes may not leave [default: the nearest folder up with a `rondag.toml` or
    /// `Cargo.toml`, else the graph's own]
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct Set {
    /// Sets a param of the graph; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair)]
    pub set: Vec<(String, String)>,
}

#[derive(Debug, Args)]
pub(super) struct Report {
    /// How findings are written
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// Warnings fail, too
    #[arg(long)]
    pub deny_warnings: bool,
    /// Exit 0 whatever is found
    #[arg(long)]
    pub exit_zero: bool,
    /// A file of known findings, which are not told again
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Writes all that is found into the `--baseline`
    #[arg(long, requires = "baseline", conflicts_with_all = ["fix", "diff"])]
    pub write_baseline: bool,
}

/// Every optimisation has its own switch, so that a black frame can be bisected.
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools, reason = "one a switch")]
pub(super) struct Switches {
    /// Give every transient memory of its own
    #[arg(long)]
    pub no_alias: bool,
    /// Record every dispatch in a compute pass of its own
    #[arg(long)]
    pub no_merge: bool,
    /// Keep the order of the file; the same as `--order file`
    #[arg(long, conflicts_with = "order")]
    pub no_reorder: bool,
    /// What decides about the order of passes where nothing else does
    #[arg(long, value_enum, default_value_t)]
    pub order: Order,
    /// Record passes that reach nothing
    #[arg(long)]
    pub no_cull: bool,
}

impl Switches {
    /// As the planner takes them.
    pub(super) fn options(&self) -> rondag::plan::Options {
        rondag::plan::Options {
            alias: !self.no_alias,
            merge: !self.no_merge,
            order: if self.no_reorder { rondag::plan::Order::File } else { self.order.into() },
            cull: !self.no_cull,
        }
    }
}

/// Frames without a window.
#[derive(Debug, Args)]
#[cfg_attr(not(feature = "gpu"), allow(dead_code, reason = "parsed, so that the answer is not a usage fault"))]
pub(super) struct Run {
    #[command(flatten)]
    pub frame: Frame,
    /// How many frames; time goes on by 1/60 s each
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub frames: u32,
    /// The camera, as in a graph: `(eye: (0, 2, 5), target: (0, 0, 0))`, or `eye=0,2,5 target=0,0,0`
    #[arg(long, value_name = "CAMERA")]
    pub camera: Option<String>,
    /// Writes the first output texture as PNG
    #[arg(long, value_name = "FILE.png")]
    pub out: Option<PathBuf>,
    /// Writes the bytes of a resource after the last frame; may be repeated
    #[arg(long, value_name = "NAME=FILE", value_parser = pair)]
    pub dump: Vec<(String, String)>,
    /// Prints the hash of a resource after the last frame; may be repeated
    #[arg(long, value_name = "NAME")]
    pub hash: Vec<String>,
    /// Writes what was measured as JSON
    #[arg(long, value_name = "FILE.json")]
    pub report: Option<PathBuf>,
    /// Gives a port its contents; may be repeated
    #[arg(long = "in", value_name = "NAME=FILE", value_parser = pair)]
    pub input: Vec<(String, String)>,
    /// The adapter: part of its name, `cpu` for a software one, `gpu` for hardware
    #[arg(long, value_name = "NAME|cpu|gpu")]
    pub adapter: Option<String>,
    /// Longest wait for a frame, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    pub timeout: std::time::Duration,
    /// Most memory that the frame may take, in bytes or with a unit
    #[arg(long, value_name = "BYTES", default_value = "4GiB", value_parser = bytes)]
    pub max_memory: u64,
    #[command(flatten)]
    pub trust: Trust,
    #[command(flatten)]
    pub switches: Switches,
}

/// One frame in many ways.
#[derive(Debug, Args)]
#[cfg_attr(not(feature = "gpu"), allow(dead_code, reason = "parsed, so that the answer is not a usage fault"))]
pub(super) struct Verify {
    #[command(flatten)]
    pub frame: Frame,
    /// Frames in the given setting, before the surface and the params change
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub frames: u32,
    /// Orders of passes to try, among those that the hazards allow
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub orders: u32,
    /// The adapter: part of its name, `cpu` for a software one, `gpu` for hardware
    #[arg(long, value_name = "NAME|cpu|gpu")]
    pub adapter: Option<String>,
    /// Longest wait for a frame, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    pub timeout: std::time::Duration,
    /// Most memory that the frame may take, in bytes or with a unit
    #[arg(long, value_name = "BYTES", default_value = "4GiB", value_parser = bytes)]
    pub max_memory: u64,
    /// Writes what was found as JSON
    #[arg(long, value_name = "FILE.json")]
    pub json: Option<PathBuf>,
}

/// Variants, timed.
#[derive(Debug, Args)]
#[cfg_attr(not(feature = "gpu"), allow(dead_code, reason = "parsed, so that the answer is not a usage fault"))]
pub(super) struct Bench {
    #[command(flatten)]
    pub frame: Frame,
    /// Values of a param to try, separated by commas, or `all` of a Choice; may be repeated for all combinations, of which
    /// the first param varies slowest
    #[arg(long, value_name = "NAME=V1,V2|all", value_parser = pair)]
    pub vary: Vec<(String, String)>,
    /// Frames that are timed of each setting
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub repeat: u32,
    /// Seconds of work before anything is timed [default: 0.7 on hardware, none in software]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub warm_up: Option<std::time::Duration>,
    /// Writes what was measured as JSON
    #[arg(long, value_name = "FILE.json")]
    pub json: Option<PathBuf>,
    /// Draws time against size
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
    /// The adapter: part of its name, `cpu` for a software one, `gpu` for hardware
    #[arg(long, value_name = "NAME|cpu|gpu")]
    pub adapter: Option<String>,
    #[command(flatten)]
    pub trust: Trust,
    /// Longest wait for a batch of frames, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    pub timeout: std::time::Duration,
    /// Most memory that a frame may take, in bytes or with a unit
    #[arg(long, value_name = "BYTES", default_value = "4GiB", value_parser = bytes)]
    pub max_memory: u64,
    #[command(flatten)]
    pub switches: Switches,
}

/// A window beside an editor.
#[derive(Debug, Args)]
#[cfg_attr(not(feature = "viewer"), allow(dead_code, reason = "parsed, so that the answer is not a usage fault"))]
pub(super) struct View {
    #[command(flatten)]
    pub frame: Frame,
    /// The camera to begin with, as in a graph or as `eye=0,2,5 target=0,0,0`
    #[arg(long, value_name = "CAMERA")]
    pub camera: Option<String>,
    /// Gives a port its contents; may be repeated
    #[arg(long = "in", value_name = "NAME=FILE", value_parser = pair)]
    pub input: Vec<(String, String)>,
    /// The adapter: part of its name, `cpu` for a software one, `gpu` for hardware
    #[arg(long, value_name = "NAME|cpu|gpu")]
    pub adapter: Option<String>,
    /// Reads files every quarter of a second instead of waiting for events, for file systems that have none
    #[arg(long)]
    pub poll: bool,
    /// Does what a script says in the place of a person: `wait 30`, `sleep 2`, `settle`, `reloaded`, `set name=value`, `key F1`,
    /// `orbit 10 0`, `zoom 2`, `select NAME`, `pass NAME off`, `apart`, `resize 801x603`, `write TO FROM`,
    /// `screenshot FILE.png`, `report FILE.json`, `quit`, one a line
    #[arg(long, value_name = "FILE")]
    pub headless_script: Option<PathBuf>,
    /// Longest wait for a frame, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    pub timeout: std::time::Duration,
    /// Most memory that the frame may take, in bytes or with a unit
    #[arg(long, value_name = "BYTES", default_value = "4GiB", value_parser = bytes)]
    pub max_memory: u64,
    #[command(flatten)]
    pub switches: Switches,
}

/// How frames are recorded, and what a graph is trusted with: a wrong one may then read or write what is not its own.
#[derive(Debug, Args)]
#[cfg_attr(not(feature = "gpu"), allow(dead_code, reason = "parsed, so that the answer is not a usage fault"))]
pub(super) struct Trust {
    /// Whether wgpu checks the arguments of indirect calls on the GPU; `off` is for graphs that are trusted, and never on DX12
    #[arg(long, value_enum, default_value_t)]
    pub indirect_validation: Switch,
    /// Makes shaders without wgpu's checks of indices, loops and divisors; for graphs that are trusted
    #[arg(long)]
    pub trusted: bool,
    /// Records indirect draws one by one, also where the device draws many by one call
    #[arg(long)]
    pub no_join: bool,
}

#[cfg(feature = "gpu")]
impl Trust {
    /// As devices take it.
    pub(super) fn options(&self) -> rondag::gpu::DeviceOptions {
        rondag::gpu::DeviceOptions { indirect_validation: self.indirect_validation == Switch::On }
    }
}

/// On or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum Switch {
    /// As wgpu does by default
    #[default]
    On,
    /// Only for what is trusted
    Off,
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.trim().to_owned())),
        _ => Err("it needs a name, `=` and a value".to_owned()),
    }
}

fn size(text: &str) -> Result<[u32; 2], String> {
    let side = |text: &str| text.parse::<u32>().ok();
    text.split_once(['x', 'X', '×'])
        .and_then(|(width, height)| Some([side(width)?, side(height)?]))
        .filter(|size| !size.contains(&0))
        .ok_or_else(|| "it needs a width, `x` and a height above 0, such as 1280x720".to_owned())
}

fn seconds(text: &str) -> Result<std::time::Duration, String> {
    let number: f64 = text.trim_end_matches('s').parse().map_err(|_| "it needs a number of seconds".to_owned())?;
    let within = number > 0.0 && number <= 86_400.0;
    within
        .then(|| std::time::Duration::from_secs_f64(number))
        .ok_or_else(|| "it must be above 0 and at most a day".to_owned())
}

/// A number of bytes with an optional unit: `KiB`, `MiB`, `GiB` of 1024, `KB`, `MB`, `GB` of 1000.
fn bytes(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit: u64 = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        unit => return Err(format!("`{unit}` is no unit of bytes; KiB, MiB and GiB are")),
    };
    let number: u64 =
        digits.trim().replace('_', "").parse().map_err(|_| "it needs a whole number of bytes".to_owned())?;
    number.checked_mul(unit).ok_or_else(|| "that is more than can be counted".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_definitions_hold_together() {
        Cli::command().debug_assert();
    }

    #[test]
    fn numbers_with_units() {
        for (text, expected) in [("12", 12), ("8GiB", 8 << 30), ("1_000 KB", 1_000_000), ("4mib", 4 << 20)] {
            assert_eq!(bytes(text), Ok(expected), "{text}");
        }
        for text in ["", "GiB", "1.5GiB", "-1", "1PiB", "99999999999GiB"] {
            assert!(bytes(text).is_err(), "{text}");
        }
        assert_eq!(size("640x480"), Ok([640, 480]));
        assert!(size("640").is_err() && size("640x-1").is_err() && size("x").is_err() && size("0x9").is_err());
        assert!(seconds("0").is_err() && seconds("nan").is_err() && seconds("inf").is_err());
        assert_eq!(seconds("2.5s"), Ok(std::time::Duration::from_millis(2500)));
    }
}
