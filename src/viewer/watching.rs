//! Files under watch, on a thread of their own.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::time::Duration;

use crate::watch::Watcher;

/// How often the thread looks whether it is still wanted, and what else is to be watched.
const LOOK: Duration = Duration::from_millis(100);

/// What the thread tells.
#[derive(Debug, Clone)]
pub(super) enum Told {
    /// Files changed and are quiet.
    Changed,
    /// One line for the user.
    Notice(String),
}

/// Paths, and the hash of what each held when it was read.
type Files = Vec<(PathBuf, Option<u64>)>;

/// A handle on the thread; it ends with it.
#[derive(Debug)]
pub(super) struct Watching(Sender<Files>);

impl Watching {
    /// Starts the thread; `tell` is called on it.
    ///
    /// # Errors
    /// What the system says.
    pub(super) fn new(poll: bool, tell: impl Fn(Told) + Send + 'static) -> std::io::Result<Self> {
        let (sender, files) = channel();
        std::thread::Builder::new().name("watch".to_owned()).spawn(move || watch(poll, &files, &tell))?;
        Ok(Self(sender))
    }

    /// Watches these and no others.
    pub(super) fn set(&self, files: Files) {
        // The thread ends only with this handle.
        let _ = self.0.send(files);
    }
}

fn watch(poll: bool, files: &Receiver<Files>, tell: &impl Fn(Told)) {
    let mut watcher = if poll { Ok(Watcher::polling([])) } else { Watcher::new([]) }.unwrap_or_else(|why| {
        tell(Told::Notice(format!("{why}; files are read every quarter of a second instead")));
        Watcher::polling([])
    });
    loop {
        match files.try_recv() {
            Ok(files) => {
                let paths: Vec<PathBuf> = files.iter().map(|(path, _)| path.clone()).collect();
                if let Err(why) = watcher.set(paths) {
                    tell(Told::Notice(format!("{why}; files are read every quarter of a second instead")));
                    watcher.poll();
                }
                for (path, hash) in files {
                    watcher.held_or_missing(&path, hash);
                }
            }
            Err(TryRecvError::Empty) => {}
            Err(TryRecvError::Disconnected) => return,
        }
        if !watcher.wait(Some(LOOK)).is_empty() {
            tell(Told::Changed);
        }
        if let Some(why) = watcher.take_notice() {
            tell(Told::Notice(format!("{why}; files are read every quarter of a second instead")));
        }
    }
}
