//! The shipped WGSL: every entry file validates once its imports are stitched in.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// All files below `folder` with this extension, in order.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the repository") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

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
    let libraries = [root.join("shaders/lib"), own.clone()];
    let mut entries = files(&root.join("shaders"), "wgsl");
    entries.retain(|f| !f.starts_with(&own));
    for file in &entries {
        let text = stitch(file, &libraries, &mut BTreeSet::new());
        let module = match naga::front::wgsl::parse_str(&text) {
            Ok(module) => module,
            Err(error) => panic!("{}:\n{}", file.display(), error.emit_to_string(&text)),
        };
        assert!(!module.entry_points.is_empty(), "{} has no entry point", file.display());
        let capabilities = naga::valid::Capabilities::empty();
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
