//! A watcher and a session together, on files of a disk.

use std::path::{Path, PathBuf};

use super::*;
use rondag::source::Disk;
use rondag::watch::Watcher;

struct Watched {
    folder: tempfile::TempDir,
    watcher: Watcher,
    session: Session,
    swaps: usize,
    faults: usize,
}

impl Watched {
    fn new(gpu: Gpu) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let root = folder.path().canonicalize().expect("it is there");
        std::fs::create_dir_all(root.join("shaders/lib")).expect("folders can be made");
        for (path, text) in
            [("g.ron", GRAPH), ("shaders/up.wgsl", ADD), ("shaders/down.wgsl", ADD), ("shaders/lib/step.wgsl", STEP)]
        {
            std::fs::write(root.join(path), text).expect("files can be written");
        }
        let outside = Outside {
            door: Arc::new(Disk::new(&root, "").expect("it is a folder")),
            clock: Arc::new(rondag::session::SystemClock::new()),
            executor: Box::new(Thread::new().expect("a thread")),
            device: Box::new(|| Gpu::open(&Pick::Cpu, DeviceOptions::default())),
        };
        let session = Session::new(gpu, outside, Options::new("g.ron"));
        let watcher = Watcher::new([]).expect("files can be watched");
        Self { folder, watcher, session, swaps: 0, faults: 0 }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().expect("it is there").join(name)
    }

    /// Looks after both for a while after `done` builds are there.
    fn until(&mut self, done: u64) {
        let start = Instant::now();
        while self.session.builds() < done || self.session.is_building() {
            self.look();
            assert!(start.elapsed() < LIMIT, "{} builds of {done}", self.session.builds());
        }
    }

    fn look(&mut self) {
        for event in self.session.tick() {
            match event {
                Event::Closure(closure) => {
                    let files: Vec<(PathBuf, Option<u64>)> =
                        closure.iter().map(|(path, hash)| (self.path(path), *hash)).collect();
                    self.watcher.set(files.iter().map(|(path, _)| path.clone())).expect("they can be watched");
                    for (path, hash) in &files {
                        self.watcher.held_or_missing(path, *hash);
                    }
                }
                Event::Swapped => self.swaps += 1,
                Event::Faulty(_) => self.faults += 1,
                Event::Device => {}
            }
        }
        self.session.draw(&camera(), |_, _| {});
        if !self.watcher.wait(Some(Duration::from_millis(2))).is_empty() {
            self.session.changed();
        }
    }

    fn save(&self, name: &str, text: &str, round: u32) {
        let path = self.path(name);
        if round.is_multiple_of(2) {
            std::fs::write(path, text).expect("files can be written");
        } else {
            let aside = Path::with_extension(&path, "tmp");
            std::fs::write(&aside, text).expect("files can be written");
            std::fs::rename(aside, path).expect("files can be renamed");
        }
    }
}

/// Fifty saves, in turns of the graph, a shader and an import, in turns written over and renamed over.
#[test]
fn fifty_saves_are_fifty_reloads_and_leave_nothing_behind() {
    alone("session::watched::fifty_saves_are_fifty_reloads_and_leave_nothing_behind", fifty_saves);
}

fn fifty_saves() {
    let instance = instance(DeviceOptions::default());
    let adapter = Pick::Cpu.choose(adapters(&instance)).expect("a software adapter");
    let mut watched = Watched::new(Gpu::on(&adapter).expect("a device"));
    watched.until(1);
    let mut marks = Vec::new();
    for round in 0..50u32 {
        match round % 3 {
            0 => watched.save("g.ron", &GRAPH.replace("max: 100)", &format!("max: {})", 101 + round)), round),
            1 => watched.save("shaders/up.wgsl", &format!("{ADD}\n// {round}\n"), round),
            _ => watched.save("shaders/lib/step.wgsl", &format!("{STEP}// {round}\n"), round),
        }
        watched.until(u64::from(round) + 2);
        if round % 10 == 9 {
            for _ in 0..10 {
                watched.look();
            }
            watched.session.gpu().wait(None, LIMIT).expect("frames end");
            watched.look();
            marks.push((objects(&instance), descriptors(), resident()));
        }
    }
    assert_eq!((watched.session.builds(), watched.faults), (51, 0), "one reload a save");
    let [first, .., last] = marks.as_slice() else { panic!("there are five marks") };
    assert_eq!((&first.0, first.1), (&last.0, last.1), "GPU objects and descriptors: {marks:?}");
    assert!(last.2 <= first.2 + first.2 / 10, "memory grew: {marks:?}");
}

/// Writes that are no change bring no reload.
#[test]
fn the_same_bytes_bring_no_reload() {
    let mut watched = Watched::new(software());
    watched.until(1);
    for round in 0..4 {
        watched.save("g.ron", GRAPH, round);
        for _ in 0..40 {
            watched.look();
        }
    }
    assert_eq!(watched.session.builds(), 1);
    // A change after all that is still seen.
    watched.save("shaders/up.wgsl", &format!("{ADD}\n"), 0);
    watched.until(2);
    watched.look();
    assert_eq!((watched.swaps, watched.faults), (2, 0));
}
