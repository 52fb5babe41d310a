//! Which of some files changed, told once they are quiet.
//!
//! Watched are folders, not files: an editor that saves by moving a new file over the old one leaves a watch on the file
//! dead. Of a link the target's folder is watched, too. Saves come as bursts of events, so that a change is told when
//! [`QUIET`] went by without one, and only if the bytes are others than before: reading a file is an event as well.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode, EventKind};
use notify::{RecursiveMode, Watcher as _};

use crate::source::MAX_FILE_BYTES;

/// A burst of events has ended when none came for so long.
pub const QUIET: Duration = Duration::from_millis(30);
/// A burst that goes on is looked at after so long.
pub const LONGEST: Duration = Duration::from_millis(200);
/// A file that is empty or gone may be in the middle of being saved: it is looked at once more after so long.
pub const RETRY: Duration = Duration::from_millis(100);

/// Why files cannot be watched.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its documentation")]
pub enum WatchError {
    #[error("`{}` cannot be watched: {why}", path.display())]
    Folder { path: PathBuf, why: String },
    #[error("files cannot be watched: {why}")]
    System { why: String },
}

/// Files under watch.
#[derive(Debug)]
pub struct Watcher {
    system: notify::RecommendedWatcher,
    events: Receiver<notify::Result<notify::Event>>,
    /// Folders that the system watches.
    folders: BTreeSet<PathBuf>,
    /// Hashes of what the files held; nothing for a file that is not there.
    files: BTreeMap<PathBuf, Option<u64>>,
    /// Folders in which new files count.
    open: BTreeSet<PathBuf>,
    /// Extensions of the files: a new file counts if it has one of them.
    extensions: BTreeSet<OsString>,
}

impl Watcher {
    /// Watches these files and folders. A file need not be there yet; in a folder, files count that are new and have an
    /// extension that one of the watched files has, too.
    ///
    /// # Errors
    /// If the system has no means to watch, or no more of them.
    pub fn new(paths: impl IntoIterator<Item = PathBuf>) -> Result<Self, WatchError> {
        let (sender, events) = channel();
        let system = notify::recommended_watcher(sender).map_err(|error| WatchError::System { why: why(&error) })?;
        let mut watcher = Self {
            system,
            events,
            folders: BTreeSet::new(),
            files: BTreeMap::new(),
            open: BTreeSet::new(),
            extensions: BTreeSet::new(),
        };
        watcher.set(paths)?;
        Ok(watcher)
    }

    /// Watches these and no others. What a file held when it was watched before still counts as known, so that no change in
    /// between is lost.
    ///
    /// # Errors
    /// If the system has no more means to watch.
    pub fn set(&mut self, paths: impl IntoIterator<Item = PathBuf>) -> Result<(), WatchError> {
        let known = std::mem::take(&mut self.files);
        self.open.clear();
        self.extensions.clear();
        let mut folders = BTreeSet::new();
        for path in paths {
            let path = std::path::absolute(&path).unwrap_or(path);
            if path.is_dir() {
                folders.insert(path.clone());
                self.open.insert(path);
                continue;
            }
            folders.extend(above(&path));
            folders.extend(path.canonicalize().ok().and_then(|target| above(&target)));
            self.extensions.extend(path.extension().map(OsString::from));
            let held = known.get(&path).copied().unwrap_or_else(|| hash(&path));
            self.files.insert(path, held);
        }
        for gone in self.folders.difference(&folders) {
            // A folder that was removed is watched no more anyway.
            self.system.unwatch(gone).ok();
        }
        for new in folders.difference(&self.folders) {
            let watched = self.system.watch(new, RecursiveMode::NonRecursive);
            watched.map_err(|error| WatchError::Folder { path: new.clone(), why: why(&error) })?;
        }
        self.folders = folders;
        Ok(())
    }

    /// Says what a watched file held when it was read, as [`File::hash`](crate::source::File): if it was changed since, the
    /// next [`wait`](Self::wait) tells.
    pub fn held(&mut self, path: &Path, hash: u64) {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        if let Some(held) = self.files.get_mut(&path) {
            *held = Some(hash);
        }
    }

    /// How many files are watched.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether no file is watched.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Waits until files changed and are quiet, and returns them; nothing if `timeout` went by before.
    pub fn wait(&mut self, timeout: Option<Duration>) -> Vec<PathBuf> {
        let start = Instant::now();
        let before = self.changed(&BTreeSet::new());
        if !before.is_empty() {
            return before;
        }
        loop {
            let left = timeout.map(|timeout| timeout.saturating_sub(start.elapsed()));
            let mut new = BTreeSet::new();
            match self.next(left) {
                None => return Vec::new(),
                Some(event) => self.note(event, &mut new),
            }
            let burst = Instant::now();
            while let Some(event) = self.next(Some(QUIET)) {
                self.note(event, &mut new);
                if burst.elapsed() > LONGEST {
                    break;
                }
            }
            let changed = self.changed(&new);
            if !changed.is_empty() {
                return changed;
            }
        }
    }

    /// The next event.
    fn next(&self, timeout: Option<Duration>) -> Option<notify::Result<notify::Event>> {
        let received = match timeout {
            Some(timeout) => self.events.recv_timeout(timeout),
            None => self.events.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        received.ok()
    }

    /// Keeps the paths of files that may be new. After an error, or an event that says nothing, all files are looked at.
    fn note(&self, event: notify::Result<notify::Event>, new: &mut BTreeSet<PathBuf>) {
        let Ok(event) = event else { return };
        let is_write = |kind| matches!(kind, AccessKind::Close(AccessMode::Write));
        if matches!(event.kind, EventKind::Access(kind) if !is_write(kind)) {
            return;
        }
        let counts = |path: &PathBuf| {
            !self.files.contains_key(path)
                && path.parent().is_some_and(|folder| self.open.contains(folder))
                && path.extension().is_some_and(|extension| self.extensions.contains(extension))
        };
        new.extend(event.paths.into_iter().filter(counts));
    }

    /// The files whose bytes are others than before, and those that are new.
    fn changed(&mut self, new: &BTreeSet<PathBuf>) -> Vec<PathBuf> {
        let before = self.files.clone();
        let look = |path: &PathBuf, held: &Option<u64>| {
            let now = hash(path);
            (now != *held).then_some(now)
        };
        let vanished = |path: &PathBuf| std::fs::metadata(path).map_or(true, |kind| kind.len() == 0);
        let half = before.iter().any(|(path, held)| look(path, held).is_some() && vanished(path));
        if half {
            std::thread::sleep(RETRY);
        }
        let mut changed = Vec::new();
        for (path, held) in before.iter().map(|(path, held)| (path, *held)).chain(new.iter().map(|path| (path, None))) {
            if let Some(now) = look(path, &held) {
                self.files.insert(path.clone(), now);
                changed.push(path.clone());
            }
        }
        changed
    }
}

/// The nearest folder above a path that is there.
fn above(path: &Path) -> Option<PathBuf> {
    path.ancestors().skip(1).find(|folder| folder.is_dir()).map(Path::to_owned)
}

/// Of a regular file's bytes.
fn hash(path: &Path) -> Option<u64> {
    // Asked before opening: opening a FIFO would wait for its writer.
    std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    let mut bytes = Vec::new();
    std::fs::File::open(path).ok()?.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).ok()?;
    Some(xxhash_rust::xxh3::xxh3_64(&bytes))
}

fn why(error: &notify::Error) -> String {
    error.to_string().replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Option<Duration> = Some(Duration::from_secs(5));
    const NEVER: Option<Duration> = Some(Duration::from_millis(400));

    struct Scene {
        folder: tempfile::TempDir,
    }

    impl Scene {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join("a.ron"), "one").unwrap();
            Self { folder }
        }

        fn path(&self, name: &str) -> PathBuf {
            self.folder.path().canonicalize().unwrap().join(name)
        }
    }

    #[test]
    fn each_way_to_save_is_told_once() {
        let scene = Scene::new();
        let (a, part) = (scene.path("a.ron"), scene.path("part"));
        let mut watcher = Watcher::new([a.clone()]).unwrap();
        let saves: [&dyn Fn(&str); 3] = [
            &|text| std::fs::write(&a, text).unwrap(),
            &|text| {
                std::fs::write(&part, text).unwrap();
                std::fs::rename(&part, &a).unwrap();
            },
            &|text| {
                std::fs::rename(&a, &part).unwrap();
                std::fs::write(&a, text).unwrap();
                std::fs::remove_file(&part).unwrap();
            },
        ];
        for (round, save) in saves.iter().chain(&saves).enumerate() {
            save(&format!("text {round}"));
            assert_eq!(watcher.wait(SOON), [&*a], "{round}");
            save(&format!("text {round}"));
            assert!(watcher.wait(NEVER).is_empty(), "the same bytes, {round}");
        }
        std::fs::read(&a).unwrap();
        assert!(watcher.wait(NEVER).is_empty(), "reading is no change");
    }

    #[test]
    fn files_may_come_and_go() {
        let scene = Scene::new();
        let (a, b, c) = (scene.path("a.ron"), scene.path("b.ron"), scene.path("c.txt"));
        let mut watcher = Watcher::new([a.clone(), b.clone()]).unwrap();
        std::fs::write(&b, "two").unwrap();
        assert_eq!(watcher.wait(SOON), [&*b]);
        std::fs::remove_file(&a).unwrap();
        assert_eq!(watcher.wait(SOON), [&*a]);
        std::fs::write(scene.path("new.ron"), "three").unwrap();
        assert!(watcher.wait(NEVER).is_empty(), "nobody asked for it");
        watcher.set([b.clone(), scene.folder.path().canonicalize().unwrap()]).unwrap();
        std::fs::write(&c, "four").unwrap();
        std::fs::write(scene.path("newer.ron"), "five").unwrap();
        assert_eq!(watcher.wait(SOON), [scene.path("newer.ron")], "another extension does not count");
    }

    #[test]
    fn a_change_before_the_watch_is_told() {
        let scene = Scene::new();
        let a = scene.path("a.ron");
        let mut watcher = Watcher::new([a.clone()]).unwrap();
        watcher.held(&a, xxhash_rust::xxh3::xxh3_64(b"none"));
        assert_eq!(watcher.wait(SOON), [&*a]);
        watcher.held(&a, xxhash_rust::xxh3::xxh3_64(b"one"));
        assert!(watcher.wait(NEVER).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn targets_of_links_are_watched() {
        let scene = Scene::new();
        let (real, link) = (scene.path("deep/real.ron"), scene.path("link.ron"));
        std::fs::create_dir(scene.path("deep")).unwrap();
        std::fs::write(&real, "one").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        let mut watcher = Watcher::new([link.clone()]).unwrap();
        std::fs::write(&real, "two").unwrap();
        assert_eq!(watcher.wait(SOON), [link]);
    }
}
