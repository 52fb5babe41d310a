//! Which of some files changed, told once they are quiet.
//!
//! Watched are folders, not files: an editor that saves by moving a new file over the old one leaves a watch on the file
//! dead. The folders above them are watched, too, as far as all files have them in common and one more, because a folder
//! may be replaced as a whole; and of a link the target's folder. Saves come as bursts of events, so that a change is told
//! when [`QUIET`] went by without one, and only if the bytes are others than before: reading a file is an event as well.
//!
//! Where the system has no events, or no more of them, the files are read every [`POLL`] instead.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode, EventKind, ModifyKind};
use notify::{RecursiveMode, Watcher as _};

use crate::source::{MAX_FILE_BYTES, content_hash};

/// A burst of events has ended when none came for so long.
pub const QUIET: Duration = Duration::from_millis(30);
/// A burst that goes on is looked at after so long.
pub const LONGEST: Duration = Duration::from_millis(200);
/// How often files are read where there are no events.
pub const POLL: Duration = Duration::from_millis(250);
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
    /// Absent where files are read now and then instead.
    system: Option<notify::RecommendedWatcher>,
    events: Receiver<notify::Result<notify::Event>>,
    /// Folders that the system watches.
    folders: BTreeSet<PathBuf>,
    /// Hashes of what the files held; nothing for a file that is not there.
    files: BTreeMap<PathBuf, Option<u64>>,
    /// What files are when all links are followed.
    targets: BTreeSet<PathBuf>,
    /// Folders in which new files count.
    open: BTreeSet<PathBuf>,
    /// What was in them.
    listed: BTreeSet<PathBuf>,
    /// Extensions of the files: a new file counts if it has one of them.
    extensions: BTreeSet<OsString>,
    /// Paths that came or went and have watched files below them.
    moved: BTreeSet<PathBuf>,
    notice: Option<WatchError>,
    /// What files hold was told from outside, and may be old by now.
    unsure: bool,
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
        let mut watcher = Self::with(Some(system), events);
        watcher.set(paths)?;
        Ok(watcher)
    }

    /// Reads the files every [`POLL`] instead of waiting for events: for file systems that have none.
    pub fn polling(paths: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut watcher = Self::with(None, channel().1);
        // Nothing is asked of the system.
        watcher.set(paths).ok();
        watcher
    }

    fn with(system: Option<notify::RecommendedWatcher>, events: Receiver<notify::Result<notify::Event>>) -> Self {
        Self {
            system,
            events,
            folders: BTreeSet::new(),
            files: BTreeMap::new(),
            targets: BTreeSet::new(),
            open: BTreeSet::new(),
            listed: BTreeSet::new(),
            extensions: BTreeSet::new(),
            moved: BTreeSet::new(),
            notice: None,
            unsure: false,
        }
    }

    /// Reads files every [`POLL`] from now on.
    pub fn poll(&mut self) {
        self.system = None;
        self.folders.clear();
    }

    /// Whether files are read now and then, without events.
    pub const fn is_polling(&self) -> bool {
        self.system.is_none()
    }

    /// Why it went over to polling by itself; told once.
    pub const fn take_notice(&mut self) -> Option<WatchError> {
        self.notice.take()
    }

    /// Watches these and no others. What a file held when it was watched before still counts as known, so that no change in
    /// between is lost.
    ///
    /// # Errors
    /// If the system has no more means to watch. [`poll`](Self::poll) goes on without them.
    pub fn set(&mut self, paths: impl IntoIterator<Item = PathBuf>) -> Result<(), WatchError> {
        let known = std::mem::take(&mut self.files);
        self.unsure = true;
        self.open.clear();
        self.extensions.clear();
        self.targets.clear();
        for path in paths {
            let path = std::path::absolute(&path).unwrap_or(path);
            if path.is_dir() {
                self.open.insert(path);
                continue;
            }
            self.targets.extend(path.canonicalize().ok().filter(|target| *target != path));
            self.extensions.extend(path.extension().map(OsString::from));
            let held = known.get(&path).copied().unwrap_or_else(|| hash(&path));
            self.files.insert(path, held);
        }
        self.listed = self.list();
        let folders = self.wanted();
        let Some(system) = &mut self.system else { return Ok(()) };
        for gone in self.folders.difference(&folders) {
            // A folder that was removed is watched no more anyway.
            system.unwatch(gone).ok();
        }
        for new in folders.difference(&self.folders) {
            let watched = system.watch(new, RecursiveMode::NonRecursive);
            // It may have gone since it was looked for; the folder above tells when it comes back.
            watched
                .or_else(|error| if new.is_dir() { Err(error) } else { Ok(()) })
                .map_err(|error| WatchError::Folder { path: new.clone(), why: why(&error) })?;
        }
        self.folders = folders;
        Ok(())
    }

    /// The folders to watch: those of files, of what links lead to, and those above.
    fn wanted(&self) -> BTreeSet<PathBuf> {
        let mut folders: BTreeSet<PathBuf> = self.open.clone();
        let top = common(self.files.keys());
        for path in &self.files {
            let mut ancestors = path.0.ancestors().skip(1).filter(|folder| folder.is_dir());
            folders.extend(ancestors.next().map(Path::to_owned));
            let within = |folder: &&Path| top.as_ref().is_some_and(|top| folder.starts_with(top));
            folders.extend(ancestors.take_while(within).map(Path::to_owned));
        }
        folders.extend(top.filter(|top| top.is_dir()));
        folders.extend(self.targets.iter().filter_map(|target| above(target)));
        folders
    }

    /// Says what a watched file held when it was read, as [`File::hash`](crate::source::File): if it was changed since, the
    /// next [`wait`](Self::wait) tells.
    pub fn held(&mut self, path: &Path, hash: u64) {
        self.held_or_missing(path, Some(hash));
    }

    /// As [`held`](Self::held); nothing for a file that was not there.
    pub fn held_or_missing(&mut self, path: &Path, hash: Option<u64>) {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        if let Some(held) = self.files.get_mut(&path) {
            *held = hash;
            self.unsure = true;
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
        let left = || timeout.map(|timeout| timeout.saturating_sub(start.elapsed()));
        if std::mem::take(&mut self.unsure) {
            let before = self.changed(&BTreeSet::new());
            if !before.is_empty() {
                return before;
            }
        }
        loop {
            let mut new = BTreeSet::new();
            if self.is_polling() {
                if left().is_some_and(|left| left.is_zero()) {
                    return Vec::new();
                }
                std::thread::sleep(left().map_or(POLL, |left| left.min(POLL)));
                self.settle(&mut new);
            } else {
                let Some(event) = self.next(left()) else { return Vec::new() };
                if !self.note(event, &mut new) {
                    continue;
                }
                self.burst(&mut new);
            }
            let changed = self.changed(&new);
            if !changed.is_empty() {
                return changed;
            }
        }
    }

    /// Takes events until they are quiet.
    fn burst(&mut self, new: &mut BTreeSet<PathBuf>) {
        let burst = Instant::now();
        while let Some(event) = self.next(Some(QUIET)) {
            self.note(event, new);
            if burst.elapsed() > LONGEST {
                break;
            }
        }
        self.follow();
    }

    /// Reads until two looks see the same.
    fn settle(&mut self, new: &mut BTreeSet<PathBuf>) {
        let look = |this: &Self| this.files.keys().map(|path| hash(path)).collect::<Vec<_>>();
        let burst = Instant::now();
        let mut seen = look(self);
        while !seen.iter().eq(self.files.values()) && burst.elapsed() < LONGEST {
            std::thread::sleep(QUIET);
            let now = look(self);
            if std::mem::replace(&mut seen, now) == seen {
                break;
            }
        }
        let listed = self.list();
        new.extend(listed.difference(&self.listed).filter(|path| self.counts(path)).cloned());
        self.listed = listed;
    }

    fn list(&self) -> BTreeSet<PathBuf> {
        let entries = self.open.iter().filter_map(|folder| std::fs::read_dir(folder).ok());
        entries.flatten().filter_map(|entry| Some(entry.ok()?.path())).collect()
    }

    /// Watches folders anew that came, went or lead elsewhere.
    fn follow(&mut self) {
        let moved = std::mem::take(&mut self.moved);
        if moved.is_empty() {
            return;
        }
        let stale = |folder: &&PathBuf| moved.iter().any(|path| folder.starts_with(path));
        let stale: Vec<PathBuf> = self.folders.iter().filter(stale).cloned().collect();
        for folder in stale {
            if let Some(system) = &mut self.system {
                system.unwatch(&folder).ok();
            }
            self.folders.remove(&folder);
        }
        let paths: Vec<PathBuf> = self.files.keys().chain(&self.open).cloned().collect();
        if let Err(why) = self.set(paths) {
            self.notice = Some(why);
            self.poll();
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

    /// Whether an event may be about watched files. Keeps the paths of files that may be new, and of what has files below
    /// it. After an error, or an event that says nothing, all files are looked at.
    fn note(&mut self, event: notify::Result<notify::Event>, new: &mut BTreeSet<PathBuf>) -> bool {
        let Ok(event) = event else { return true };
        let is_write = |kind| matches!(kind, AccessKind::Close(AccessMode::Write));
        if matches!(event.kind, EventKind::Access(kind) if !is_write(kind)) {
            return false;
        }
        let mut matters = event.paths.is_empty();
        for path in event.paths {
            let below = |file: &PathBuf| file.starts_with(&path);
            let is_above = self.files.keys().any(below) || self.targets.iter().any(below);
            if is_above && !matches!(event.kind, EventKind::Modify(ModifyKind::Data(_)) | EventKind::Access(_)) {
                self.moved.insert(path.clone());
            }
            let is_new = self.counts(&path);
            matters |= is_above || is_new;
            if is_new {
                new.insert(path);
            }
        }
        matters
    }

    /// Whether a file that is not watched counts.
    fn counts(&self, path: &Path) -> bool {
        !self.files.contains_key(path)
            && path.parent().is_some_and(|folder| self.open.contains(folder))
            && path.extension().is_some_and(|extension| self.extensions.contains(extension))
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

/// The folder above the one that all paths have in common.
fn common<'a>(mut paths: impl Iterator<Item = &'a PathBuf>) -> Option<PathBuf> {
    let mut folder = paths.next()?.parent()?;
    for path in paths {
        folder = folder.ancestors().find(|folder| path.starts_with(folder))?;
    }
    Some(folder.parent().unwrap_or(folder).to_owned())
}

/// Of a regular file's bytes.
fn hash(path: &Path) -> Option<u64> {
    // Asked before opening: opening a FIFO would wait for its writer.
    std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    let mut bytes = Vec::new();
    std::fs::File::open(path).ok()?.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).ok()?;
    Some(content_hash(&bytes))
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
        watcher.held(&a, content_hash(b"none"));
        assert_eq!(watcher.wait(SOON), [&*a]);
        watcher.held(&a, content_hash(b"one"));
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

    /// What an editor or a tool may do to `a.ron` and `sub/b.ron`, and how many changes that is.
    fn every_save(scene: &Scene, mut wait: impl FnMut(Option<Duration>) -> Vec<PathBuf>) {
        let (a, b) = (scene.path("a.ron"), scene.path("sub/b.ron"));
        let write = |path: &Path, text: &str| std::fs::write(path, text).unwrap();
        let pause = |millis| std::thread::sleep(Duration::from_millis(millis));
        let mut once = |name: &str, expected: &[&Path], save: &dyn Fn()| {
            save();
            assert_eq!(wait(SOON), expected, "{name}");
            assert!(wait(NEVER).is_empty(), "{name}: it is told once");
        };
        once("truncate and write", &[&a], &|| write(&a, "truncated and written"));
        once("write and rename", &[&a], &|| {
            write(&scene.path("a.ron.part"), "written and renamed");
            std::fs::rename(scene.path("a.ron.part"), &a).unwrap();
        });
        once("a backup dance", &[&a], &|| {
            write(&scene.path("4913"), "");
            std::fs::remove_file(scene.path("4913")).unwrap();
            std::fs::rename(&a, scene.path("a.ron~")).unwrap();
            write(&a, "danced");
            std::fs::remove_file(scene.path("a.ron~")).unwrap();
        });
        once("two writes 20 ms apart", &[&a], &|| {
            write(&a, "one");
            pause(20);
            write(&a, "one and two");
        });
        once("the folder replaced", &[&b], &|| {
            std::fs::create_dir(scene.path("next")).unwrap();
            write(&scene.path("next/b.ron"), "in another folder");
            std::fs::rename(scene.path("sub"), scene.path("old")).unwrap();
            std::fs::rename(scene.path("next"), scene.path("sub")).unwrap();
            std::fs::remove_dir_all(scene.path("old")).unwrap();
        });
        once("after that", &[&b], &|| write(&b, "edited in the other folder"));
        once("deleted", &[&b], &|| std::fs::remove_file(&b).unwrap());
        once("restored", &[&b], &|| write(&b, "back again"));
        write(&a, "one and two");
        std::fs::File::options().append(true).open(&b).unwrap().set_modified(std::time::SystemTime::now()).unwrap();
        assert!(wait(NEVER).is_empty(), "the same bytes, and a touch");
    }

    fn scene_of_two() -> (Scene, [PathBuf; 2]) {
        let scene = Scene::new();
        std::fs::create_dir(scene.path("sub")).unwrap();
        let paths = [scene.path("a.ron"), scene.path("sub/b.ron")];
        std::fs::write(&paths[1], "b").unwrap();
        (scene, paths)
    }

    #[test]
    fn every_way_to_save_is_one_change_or_none() {
        let (scene, paths) = scene_of_two();
        let mut watcher = Watcher::new(paths).unwrap();
        assert!(!watcher.is_polling());
        every_save(&scene, |timeout| watcher.wait(timeout));
        assert!(watcher.take_notice().is_none());
    }

    /// BR-096: where events do not come, files are read.
    #[test]
    fn br_096_every_way_to_save_is_seen_without_events() {
        let (scene, paths) = scene_of_two();
        let mut watcher = Watcher::polling(paths);
        every_save(&scene, |timeout| watcher.wait(timeout.map(|timeout| timeout.max(POLL * 3))));
    }

    #[test]
    fn a_branch_switch_is_one_change() {
        let scene = Scene::new();
        let paths: Vec<_> = (0..40).map(|at| scene.path(&format!("{at:02}.ron"))).collect();
        for path in &paths {
            std::fs::write(path, "here").unwrap();
        }
        let mut watcher = Watcher::new(paths.clone()).unwrap();
        for path in &paths {
            std::fs::write(path, "there").unwrap();
        }
        assert_eq!(watcher.wait(SOON), paths);
        assert!(watcher.wait(NEVER).is_empty());
    }

    /// BR-084: five saves by rename are five changes, each within a second.
    #[test]
    fn br_084_saves_by_rename_are_all_seen() {
        let scene = Scene::new();
        let (a, part) = (scene.path("a.ron"), scene.path("part"));
        let mut watcher = Watcher::new([a.clone()]).unwrap();
        for round in 0..50 {
            std::fs::write(&part, format!("text {round}")).unwrap();
            std::fs::rename(&part, &a).unwrap();
            assert_eq!(watcher.wait(Some(Duration::from_secs(1))), [&*a], "{round}");
        }
    }

    /// BR-090: a folder that is a link, edited behind it, then led elsewhere.
    #[cfg(unix)]
    #[test]
    fn br_090_folders_may_be_links() {
        let (scene, far) = (Scene::new(), Scene::new());
        let (near, link) = (scene.path("common/x.wgsl"), scene.path("common"));
        std::fs::write(far.path("x.wgsl"), "one").unwrap();
        std::os::unix::fs::symlink(far.path(""), &link).unwrap();
        let mut watcher = Watcher::new([scene.path("a.ron"), near.clone()]).unwrap();
        std::fs::write(far.path("x.wgsl"), "two").unwrap();
        assert_eq!(watcher.wait(SOON), [&*near]);
        std::fs::create_dir(scene.path("other")).unwrap();
        std::fs::write(scene.path("other/x.wgsl"), "three").unwrap();
        std::fs::remove_file(&link).unwrap();
        std::os::unix::fs::symlink("other", &link).unwrap();
        assert_eq!(watcher.wait(SOON), [&*near]);
        std::fs::write(scene.path("other/x.wgsl"), "four").unwrap();
        assert_eq!(watcher.wait(SOON), [&*near]);
    }
}
