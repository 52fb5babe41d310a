//! The shaders of whole frames.

use super::*;
use crate::checked::{files_below, frames};

/// Every file below `folder` that ends in `.wgsl`, relative to it.
fn wgsl_files(folder: &Path) -> Vec<String> {
    let relative = |path: &std::path::PathBuf| {
        let relative = path.strip_prefix(folder).expect("found below the folder");
        relative.to_str().expect("fixture names are UTF-8").replace('\\', "/")
    };
    files_below(folder, "wgsl").iter().map(relative).collect()
}

fn summary(shader: &Shader) -> Vec<String> {
    let interface = &shader.interface;
    let entry = |entry: &rondag::shader::Entry| {
        let uses: Vec<String> = entry
            .uses
            .iter()
            .map(|used| {
                let flag = |set: bool, c: char| if set { String::from(c) } else { String::new() };
                format!(
                    "{} {}{}{}{}",
                    interface.globals[used.global].name,
                    flag(used.read, 'r'),
                    flag(used.write, 'w'),
                    flag(used.accumulates, 'a'),
                    flag(used.sampled, 's'),
                )
            })
            .collect();
        format!("{:?} {} {:?}: {}", entry.stage, entry.name, entry.workgroup_size, uses.join(", "))
    };
    interface.entries.iter().map(entry).collect()
}

/// What the code of all shaders of the ten frames does to its variables, one entry point a line.
///
/// `BLESS=1 cargo test` writes the file anew; then read what changed.
#[test]
fn all_shaders_of_ten_frames_load_and_reflect() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut lines = Vec::new();
    for root in frames() {
        let mut files = Files::new(Disk::new(&root, "").expect("the root exists"));
        let graph = files.add(GRAPH, String::new());
        let mut shaders = Shaders::new();
        let mut found = Vec::new();
        let name = root.file_name().expect("a folder has a name").to_string_lossy().into_owned();
        let paths = wgsl_files(&root.join("shaders"));
        assert!(!paths.is_empty(), "{name}");
        for path in paths {
            let shader = shaders.load(&mut files, &path, Span::new(graph, 0, 0), &mut found);
            assert_eq!(shown(&files, &found), Vec::<String>::new());
            let shader = shader.expect("no fault was found");
            lines.extend(summary(&shader).into_iter().map(|line| format!("{name} {path} {line}")));
        }
    }
    let found = lines.join("\n") + "\n";
    let file = fixtures.join("shader_uses.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&file, &found).expect("the fixture can be written");
    }
    let expected = std::fs::read_to_string(&file).expect("the fixture exists").replace("\r\n", "\n");
    assert_eq!(found, expected);
}
