//! Frames in memory, checked as `check` does, and the files of the repository: what tests of several layers share.

use std::path::{Path, PathBuf};

use rondag::diagnostic::Diagnostic;
use rondag::graph::{Library, Settings};
use rondag::lint::{self, Profile};
use rondag::source::{Files, Memory};

/// Writes `list`, with a bound.
pub(crate) const FILL: &str = "@group(0) @binding(0) var<storage, read_write> list: array<u32>;
@compute @workgroup_size(64) fn fill(@builtin(global_invocation_id) id: vec3u) {
    if id.x < arrayLength(&list) { list[id.x] = id.x; }
}";

/// A frame that was checked in every variant.
pub(crate) struct Checked {
    pub(crate) library: Library,
    /// In order of place, those of the text among them.
    pub(crate) found: Vec<Diagnostic>,
}

impl Checked {
    /// The characters that a finding stands at.
    pub(crate) fn text(&self, finding: &Diagnostic) -> &str {
        self.library.files.text(finding.primary.span)
    }
}

/// Checks `frame.ron` among files.
pub(crate) fn checked<'a>(
    files: impl IntoIterator<Item = (&'a str, &'a str)>,
    settings: &Settings,
    profile: &Profile,
) -> Checked {
    let mut library = Library::new(Files::new(Memory::new(files)));
    let mut found = Vec::new();
    if let Ok(top) = library.load("frame.ron", &mut found) {
        found.extend(lint::check(&mut library, top.file, settings, profile).found);
    }
    rondag::diagnostic::sort(&library.files, &mut found);
    Checked { library, found }
}

/// All files below a folder with this extension, in order.
pub(crate) fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of the repository") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|has| has == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The folders of the ten frames, each a root with a `frame.ron`.
pub(crate) fn frames() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/frames");
    let entries = std::fs::read_dir(folder).expect("the frames");
    let mut frames: Vec<_> =
        entries.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_dir()).collect();
    frames.sort();
    assert_eq!(frames.len(), 10);
    frames
}
