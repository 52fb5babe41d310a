//! Recording into wgpu and running without a window.
//!
//! [`Gpu`] is a device and what is known about it. [`Program`] is one graph made real on it: memory, pipelines, bind
//! groups, and the walk of its script into an encoder. [`read_buffer`], [`read_texture`] and [`Ring`] bring results back,
//! the first two with a wait that has a limit, the last one late and without any.
//!
//! What the world does wrong is an [`Error`], one line each; wgpu's own complaints are caught in error scopes, one an
//! object, and name the pass or resource that they are about.

mod build;
mod compare;
mod contents;
mod deep;
mod device;
mod error;
mod known;
mod memory;
mod once;
mod permute;
mod png;
mod port;
mod program;
mod readback;
mod ring;
mod run;
mod state;
mod store;
mod target;
mod timing;
mod trusted;
mod visible;
mod warm;

pub use compare::{Difference, Elements, compare};
pub use contents::{contents, elements};
pub use deep::{DeepReport, deep};
pub use device::{DeviceOptions, Gpu, Pick, adapters, describe, instance};
pub use error::Error;
pub use png::encode_png;
pub use program::{Frame, Program, ProgramOptions, Trial};
pub use readback::{Image, read_buffer, read_texture};
pub use ring::Ring;
pub use state::Past;
pub use timing::{Row, Times};
pub use visible::{Counts, Visible, visible_names};
