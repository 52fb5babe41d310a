//! rondag is a render-graph engine for wgpu whose frame is data: a RON file declares resources and passes; rondag checks it,
//! orders it, allocates it and records it into a `wgpu::CommandEncoder`.
//!
//! ```text
//! text ──parse──▶ Document ──resolve──▶ Graph ──plan──▶ Plan ──compile──▶ Script ──walk──▶ CommandEncoder
//! ```
//!
//! Five nouns carry it. A [`Document`](syntax::document::Document) is a file as its author wrote it. A [`Graph`](graph::Graph) is
//! the frame for one setting of the params: every name an id, every shader reflected, every size known. A [`Plan`](plan::Plan) is
//! what was decided: order, lifetimes, slots, usages, each with its reason. A [`Script`](record::Script) is the flat list of calls. With the
//! feature `gpu`, a `Program` is all of it made real on a device.
//!
//! Without default features the crate is planner and linter and brings no GPU code. Files come through a [`Door`](source::Door), so
//! a frame can live in memory:
//!
//! ```
//! use rondag::graph::{Library, Settings};
//! use rondag::lint::{self, Profile};
//! use rondag::plan::Options;
//! use rondag::source::{Files, Memory};
//!
//! let graph = r#"(
//!     version: 1,
//!     params: { "n": Int(default: 1000, min: 0, max: 4_000_000) },
//!     resources: { "list": Buffer(count: "n") },
//!     passes: [Dispatch(name: "fill", shader: "fill.wgsl", items: "n")],
//!     outputs: ["list"],
//! )"#;
//! let shader = "
//!     @group(0) @binding(0) var<storage, read_write> list: array<u32>;
//!     @compute @workgroup_size(64) fn fill(@builtin(global_invocation_id) id: vec3u) {
//!         if id.x < arrayLength(&list) { list[id.x] = id.x; }
//!     }";
//! let files = Memory::new([("frame.ron", graph), ("shaders/fill.wgsl", shader)]);
//! let mut library = Library::new(Files::new(files));
//! let top = library.load("frame.ron", &mut Vec::new())?.file;
//!
//! // Every variant, no GPU needed.
//! let report = lint::check(&mut library, top, &Settings::default(), &Profile::default());
//! assert!(report.found.is_empty());
//!
//! // One setting, ready to be recorded.
//! let examined = lint::examine(&mut library, top, &Settings::default(), &Profile::default(), Options::default());
//! let (graph, plan) = examined.accept().expect("it has no errors");
//! assert_eq!(graph.passes[plan.order[0]].name, "fill");
//! assert_eq!(plan.bytes.own, 4000);
//! # Ok::<(), rondag::source::LoadError>(())
//! ```
//!
//! Mistakes of a graph's author are [`Diagnostic`](diagnostic::Diagnostic)s: many, each with its place and a cure. What the world does wrong
//! is an error enum of the module that met it.

pub mod diagnostic;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod graph;
pub mod id;
pub mod lint;
pub mod plan;
pub mod record;
pub mod reference;
#[cfg(feature = "gpu")]
pub mod session;
pub mod shader;
pub mod source;
pub mod syntax;
#[cfg(feature = "gpu")]
pub mod verify;
#[cfg(feature = "viewer")]
pub mod viewer;
#[cfg(feature = "watch")]
pub mod watch;
