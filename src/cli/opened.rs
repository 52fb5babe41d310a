//! One graph in one setting, as `plan` and `run` take it.

use std::path::Path;
#[cfg(feature = "gpu")]
use std::sync::Arc;

use rondag::diagnostic::{self, Diagnostic, Format, Level};
use rondag::graph::{Draft, Library, Settings};
use rondag::lint::{Examined, Profile, examine};
use rondag::plan::{self, Plan};
use rondag::source::{Door, FileId, Files};
#[cfg(feature = "gpu")]
use rondag::syntax::document::Document;

use super::args::{Frame, Setting};
use super::console::Console;
use super::{input, set};

/// A graph that was read, and the setting it was asked for in.
pub(super) struct Opened {
    pub library: Library,
    pub top: FileId,
    #[cfg(feature = "gpu")]
    pub document: Arc<Document>,
    pub settings: Settings,
    /// What it is held against: the webgpu profile, until a device is known.
    pub profile: Profile,
}

impl Opened {
    /// Reads a graph. Nothing if it has faults: they are printed.
    pub(super) fn new(frame: &Frame, console: &mut Console) -> anyhow::Result<Option<Self>> {
        Self::at(&frame.graph, &frame.setting, console)
    }

    /// Reads a graph in a setting.
    pub(super) fn at(graph: &Path, setting: &Setting, console: &mut Console) -> anyhow::Result<Option<Self>> {
        let place = input::locate(graph, setting.root.root.as_deref())?;
        let door = place.door()?;
        Self::through(setting, &place, door, console)
    }

    /// Reads a graph through a door of its own.
    pub(super) fn through(
        setting: &Setting,
        place: &input::Place,
        door: impl Door + 'static,
        console: &mut Console,
    ) -> anyhow::Result<Option<Self>> {
        let mut library = Library::new(Files::new(door));
        let top = place.read(&mut library.files)?;
        let mut found = Vec::new();
        let document = library.document(top, &mut found);
        if stop(&library.files, found, console) {
            return Ok(None);
        }
        let params = set::params(&document, &setting.set.set)?;
        let settings = Settings { params, surface: setting.size, ..Settings::default() };
        Ok(Some(Self {
            library,
            top,
            #[cfg(feature = "gpu")]
            document,
            settings,
            profile: Profile::default(),
        }))
    }

    /// Resolves and plans it. Nothing if it has faults: they are printed.
    pub(super) fn plan(
        &mut self,
        settings: &Settings,
        options: plan::Options,
        console: &mut Console,
    ) -> Option<(Draft, Plan)> {
        let Examined { draft, plan, found } = examine(&mut self.library, self.top, settings, &self.profile, options);
        (!stop(&self.library.files, found, console)).then_some((draft, plan))
    }
}

/// Whether there are errors: they are printed. What is merely suspicious is for `check` to say.
pub(super) fn stop(files: &Files, mut found: Vec<Diagnostic>, console: &mut Console) -> bool {
    found.retain(|finding| finding.level == Level::Error);
    diagnostic::sort(files, &mut found);
    for finding in &found {
        let text = diagnostic::render(files, finding, Format::Full, console.color && !console.is_taken);
        if console.is_taken { console.aside(&text) } else { console.print(&text) }
    }
    !found.is_empty()
}
