//! The syntax layer: fixtures that carry their expectations, whole frames, hostile texts, agreement with `ron`.

#[path = "syntax/fixtures.rs"]
mod fixture_files;
#[path = "syntax/hostile.rs"]
mod hostile;
#[path = "syntax/reports.rs"]
mod reports;

use std::fs;
use std::path::{Path, PathBuf};

use rondag::diagnostic::Diagnostic;
use rondag::source::{Files, Memory};
use rondag::syntax::document::Document;

use super::checked::files_below;

/// The folder of the fixtures.
fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// All graph files below a folder, in order.
fn graphs_below(folder: &Path) -> Vec<PathBuf> {
    files_below(folder, "ron")
}

/// Parses a text that is in no file.
fn parse(text: &str) -> (Document, Vec<Diagnostic>) {
    let mut files = Files::new(Memory::default());
    let file = files.add("frame.ron", text.to_owned());
    rondag::syntax::parse(&files, file)
}

#[test]
fn the_ten_frames_have_no_findings() {
    let paths = graphs_below(&fixtures().join("frames"));
    assert!(paths.len() >= 17, "the frames were not found");
    for path in paths {
        let text = fs::read_to_string(&path).expect("fixtures are text");
        let (document, found) = parse(&text);
        assert!(found.is_empty(), "{}: {found:#?}", path.display());
        assert!(!document.poisoned && !document.passes.is_empty(), "{}", path.display());
        assert!(document.passes.iter().all(|pass| !pass.poisoned), "{}", path.display());
        assert!(document.resources.iter().all(|resource| !resource.poisoned), "{}", path.display());
    }
}
