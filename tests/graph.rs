//! The graph layer: whole frames in every variant, and each fault at its place.
use rondag::diagnostic::Diagnostic;
use rondag::graph::variants::{Tried, explore};
use rondag::graph::{Draft, Library, Settings, resolve};
use rondag::source::{Disk, Files, Memory};

use super::checked::frames;

mod faults;
mod meaning;

/// Resolves `frame.ron` among files in memory.
pub(crate) fn resolve_files<'a>(
    files: impl IntoIterator<Item = (&'a str, &'a str)>,
    settings: &Settings,
) -> (Library, Draft, Vec<Diagnostic>) {
    let mut library = Library::new(Files::new(Memory::new(files)));
    let mut found = Vec::new();
    let file = library.load("frame.ron", &mut found).expect("the test has a frame.ron").file;
    let (draft, more) = resolve(&mut library, file, settings);
    found.extend(more);
    (library, draft, found)
}

pub(crate) fn shown(library: &Library, found: &[Diagnostic]) -> String {
    let line = |d: &Diagnostic| format!("{}: [{}] {}\n", library.files.place(d.primary.span), d.rule.code, d.message);
    found.iter().map(line).collect()
}

#[test]
fn the_ten_frames_resolve_without_a_finding_in_every_variant() {
    for folder in frames() {
        let mut library = Library::new(Files::new(Disk::new(&folder, "").expect("a folder")));
        let mut faults = Vec::new();
        let file = library.load("frame.ron", &mut faults).expect("a frame").file;
        assert!(faults.is_empty(), "{}", shown(&library, &faults));
        let mut variants = 0;
        let given = Settings::default();
        let untried = explore(&mut library, file, &given, |library, Tried { variant, draft, found }| {
            assert!(found.is_empty(), "{} ({}):\n{}", folder.display(), variant.label(), shown(library, &found));
            assert!(!draft.passes.is_empty());
            variants += 1;
        });
        assert!(variants >= 2 && untried == 0, "{}: {variants} variants, {untried} untried", folder.display());
    }
}
