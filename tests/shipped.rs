//! The shipped WGSL: every entry file validates once its imports are stitched in.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use rondag::graph::variants::explore;
use rondag::graph::{Library, Settings};
use rondag::plan::Options;
use rondag::source::{Disk, Files};

use super::checked::files_below;

/// A file with its imports in the place of the `#import` lines, each once.
fn stitch(file: &Path, libraries: &[PathBuf], seen: &mut BTreeSet<PathBuf>) -> String {
    let mut text = String::new();
    for line in fs::read_to_string(file).expect("a readable shader").lines() {
        let Some(name) = line.trim().strip_prefix("#import ") else {
            text += line;
            text.push('\n');
            continue;
        };
        let name = name.trim_matches('"');
        let import = libraries.iter().map(|l| l.join(name)).find(|p| p.is_file());
        let import = import.unwrap_or_else(|| panic!("{}: no `{name}`", file.display()));
        if seen.insert(import.clone()) {
            text += &stitch(&import, libraries, seen);
        }
    }
    text
}

/// Validates what stands below `root/shaders`, and says which files those were.
fn validate(root: &Path) -> Vec<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders/lib");
    let libraries = [root.join("shaders/lib"), own];
    let mut entries = files_below(&root.join("shaders"), "wgsl");
    entries.retain(|f| !libraries.iter().any(|l| f.starts_with(l)));
    for file in &entries {
        let text = stitch(file, &libraries, &mut BTreeSet::new());
        let module = match naga::front::wgsl::parse_str(&text) {
            Ok(module) => module,
            Err(error) => panic!("{}:\n{}", file.display(), error.emit_to_string(&text)),
        };
        assert!(!module.entry_points.is_empty(), "{} has no entry point", file.display());
        let capabilities = naga::valid::Capabilities::SUBGROUP;
        if let Err(error) =
            naga::valid::Validator::new(naga::valid::ValidationFlags::all(), capabilities).validate(&module)
        {
            panic!("{}:\n{}", file.display(), error.emit_to_string(&text));
        }
    }
    entries
}

#[test]
fn shipped_shaders_validate() {
    assert!(validate(Path::new(env!("CARGO_MANIFEST_DIR"))).len() > 5);
}

/// What `check` finds in a graph, over all variants; and how many variants there were.
fn findings(root: &Path, graph: &str) -> (Vec<String>, usize) {
    let door = Disk::new(root, "").expect("a folder of the repository");
    let mut library = Library::new(Files::new(door));
    let top = library.files.load(graph).expect("a graph of the repository");
    let (mut faults, mut tried) = (BTreeSet::new(), 0);
    let untried = explore(&mut library, top, &Settings::default(), |library, one| {
        tried += 1;
        let (plan, more) = rondag::plan::attempt(&one.draft, Options::default());
        faults.extend(rondag::plan::verify(&one.draft, &plan));
        for found in one.found.iter().chain(&more) {
            faults.insert(rondag::diagnostic::concise(&library.files, found));
        }
    });
    assert_eq!(untried, 0, "{graph}");
    (faults.into_iter().collect(), tried)
}

#[test]
fn shipped_graphs_check_in_every_variant() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = fs::read_dir(root.join("graphs")).expect("graphs are shipped");
    let paths = folder.map(|entry| entry.expect("it can be listed").path());
    let mut graphs: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "ron")).collect();
    graphs.sort();
    for name in graphs.iter().filter_map(|path| path.file_name()?.to_str()) {
        let (faults, tried) = findings(root, &format!("graphs/{name}"));
        assert_eq!(faults, [] as [String; 0], "{name}");
        assert!(tried >= 3, "{name}: sizes and strategies");
    }
}

const FRAMES: [&str; 10] = [
    "01_culled_scene",
    "02_two_phase_hiz",
    "03_gbuffer",
    "04_bloom",
    "05_particles",
    "06_taa",
    "07_cascades",
    "08_clusters",
    "09_radix_sort",
    "10_embedding",
];

fn frame(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/frames").join(name)
}

#[test]
fn shaders_of_the_ten_frames_validate() {
    for name in FRAMES {
        assert!(validate(&frame(name)).len() > 1, "{name}");
    }
}

#[test]
fn the_ten_frames_check_in_every_variant() {
    for name in FRAMES {
        assert_eq!(findings(&frame(name), "frame.ron").0, [] as [String; 0], "{name}");
    }
}
