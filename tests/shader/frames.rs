//! The shaders of whole frames.

use super::*;

/// Every file below `folder` that ends in `.wgsl`, relative to it.
fn wgsl_files(folder: &Path) -> Vec<String> {
    let mut out = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(at) = open.pop() {
        for entry in std::fs::read_dir(&at).expect("the fixture folder can be read") {
            let path = entry.expect("the fixture folder can be read").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "wgsl") {
                let relative = path.strip_prefix(folder).expect("found below the folder");
                out.push(relative.to_str().expect("fixture names are UTF-8").replace('\\', "/"));
            }
        }
    }
    out.sort();
    out
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

#[test]
fn all_shaders_of_ten_frames_load_and_reflect() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/shader/frames");
    let mut lines = Vec::new();
    for frame in 1..=10 {
        let root = std::fs::read_dir(&folder)
            .expect("the fixture folder can be read")
            .map(|entry| entry.expect("the fixture folder can be read").path())
            .find(|path| path.file_name().is_some_and(|n| n.to_string_lossy().starts_with(&format!("{frame:02}_"))))
            .expect("ten frames");
        let mut files = Files::new(Disk::new(&root, "").expect("the root exists"));
        let graph = files.add(GRAPH, String::new());
        let mut shaders = Shaders::new();
        let mut found = Vec::new();
        let paths = wgsl_files(&root.join("shaders"));
        assert!(!paths.is_empty());
        for path in paths {
            let shader = shaders.load(&mut files, &path, Span::new(graph, 0, 0), &mut found);
            assert_eq!(shown(&files, &found), Vec::<String>::new());
            let shader = shader.expect("no fault was found");
            lines.extend(summary(&shader).into_iter().map(|line| format!("{frame} {path} {line}")));
        }
    }
    let expected = std::fs::read_to_string(folder.join("uses.txt")).unwrap_or_default();
    assert_eq!(lines.join("\n") + "\n", expected.replace("\r\n", "\n"), "{}", lines.join("\n"));
}
