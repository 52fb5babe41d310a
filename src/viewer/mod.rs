//! The viewer: a window beside an editor.
//!
//! It draws a [`Session`](crate::session::Session) and says everything about it. `stage` holds sessions, camera and what is
//! measured; `face` is the panel and what the pointer does; `screen` is the window's surface; `app` joins them with winit's
//! events. Nothing here waits for the device except a screenshot.

mod app;
mod capture;
mod control;
mod cover;
mod face;
mod graph;
mod history;
mod inspect;
mod keys;
mod layer;
mod overlay;
mod panel;
mod picture;
mod reload;
mod screen;
mod script;
mod stage;
mod style;
mod texel;
mod versus;
mod watching;

use std::path::PathBuf;
use std::sync::Arc;

use crate::gpu::{self, Pick};
use crate::session;
use crate::source::Door;

pub use app::run;

/// What is viewed, and how.
pub struct Options {
    /// The files, and where they are on disk.
    pub door: Arc<dyn Door>,
    /// The root of the door.
    pub root: PathBuf,
    /// The graph and its setting.
    pub session: session::Options,
    /// Which adapter.
    pub pick: Pick,
    /// Files are read now and then instead of waiting for events.
    pub poll: bool,
    /// A script in the place of a person.
    pub script: Option<String>,
    /// The camera to begin with, in the place of the file's.
    pub camera: Option<crate::graph::camera::Camera>,
    /// Takes lines for the terminal: faults, and what else a user should know.
    pub say: Box<dyn FnMut(&str)>,
}

impl std::fmt::Debug for Options {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options").field("root", &self.root).field("session", &self.session).finish_non_exhaustive()
    }
}

/// Why there is no viewer. One line each.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its documentation")]
#[non_exhaustive]
pub enum ViewError {
    #[error("no window can be opened here ({why}); `rondag run` renders without one")]
    NoDisplay { why: String },
    #[error("the script makes no sense: {0}")]
    Script(String),
    #[error("{what}: {why}")]
    System { what: &'static str, why: String },
    #[error(transparent)]
    Gpu(#[from] gpu::Error),
}
