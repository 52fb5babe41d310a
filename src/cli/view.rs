//! `rondag view`: the viewer.

use std::sync::Arc;

use anyhow::Context as _;
use rondag::gpu::Pick;
use rondag::graph::{Library, Settings};
use rondag::session;
use rondag::source::{Door, Files};
use rondag::viewer;

use super::args::View;
use super::console::Console;
use super::{Outcome, camera, input, ports, set};

pub(super) fn run(args: &View, console: &mut Console) -> anyhow::Result<Outcome> {
    if input::is_stdin(&args.frame.graph) {
        anyhow::bail!("`view` takes a file: standard input cannot be edited");
    }
    let place = input::locate(&args.frame.graph, args.frame.setting.root.root.as_deref())?;
    let door: Arc<dyn Door> = Arc::new(place.door()?);
    let mut library = Library::new(Files::new(Arc::clone(&door)));
    let mut options = session::Options {
        settings: Settings { surface: args.frame.setting.size, ..Settings::default() },
        plan: args.switches.options(),
        max_memory: args.max_memory,
        timeout: args.timeout,
        ..session::Options::new(place.path.clone())
    };
    // A file that is missing or broken is no reason not to open: it is there to be mended.
    if let Ok(top) = library.files.load(&place.path) {
        let document = library.document(top, &mut Vec::new());
        if !library.is_faulty(top) {
            options.moved = set::params(&document, &args.frame.setting.set.set)?;
            options.inputs = ports::read(&document, &args.input)?;
        }
    }
    let camera = match &args.camera {
        None => None,
        Some(typed) => match camera::parse(&mut library.files, typed)? {
            Ok(camera) => Some(camera),
            Err(found) => {
                super::opened::stop(&library.files, found, console);
                return Ok(Outcome::Findings);
            }
        },
    };
    let script = match &args.headless_script {
        Some(path) => {
            let text = String::from_utf8(input::small_file(path)?);
            Some(text.ok().with_context(|| format!("`{}` is not text", path.display()))?)
        }
        None => None,
    };
    let is_good = viewer::run(viewer::Options {
        door,
        root: place.root,
        session: options,
        pick: args.adapter.as_deref().map_or(Pick::Any, Pick::from),
        poll: args.poll,
        script,
        camera,
        say: Box::new(Console::tell),
    })?;
    // A person has seen what is wrong; a script is to know.
    Ok(if is_good || args.headless_script.is_none() { Outcome::Clean } else { Outcome::Findings })
}
