//! rondag's own WGSL.

use super::*;
use rondag::shader::builtin;

fn own(folder: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders").join(folder);
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("a folder of the repository")
        .map(|entry| entry.expect("a readable entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn every_fragment_is_compiled_in() {
    assert_eq!(builtin::fragments().collect::<Vec<_>>(), own("lib"));
    let scans: Vec<String> = own("scan").iter().map(|name| format!("scan/{name}")).collect();
    assert_eq!(builtin::entries().collect::<Vec<_>>(), scans);
}

#[test]
fn every_entry_file_of_its_own_loads_without_a_root() {
    let (mut files, at) = memory(&[]);
    let mut shaders = Shaders::new();
    for path in builtin::entries() {
        let mut found = Vec::new();
        let shader = shaders.load(&mut files, &format!("rondag:{path}"), at, &mut found);
        assert_eq!(shown(&files, &found), Vec::<String>::new());
        let shader = shader.expect("no fault was found");
        assert_eq!(shader.path, format!("rondag:{path}"));
        assert!(shader.interface.entries[0].folds, "it works for every length");
    }
    let mut found = Vec::new();
    assert!(shaders.load(&mut files, "rondag:scan/none.wgsl", at, &mut found).is_none());
    assert_eq!(shown(&files, &found), ["missing-file graph.ron:1:9 `rondag:scan/none.wgsl` does not exist"]);
}

const USES_INDEX: &str = "#import \"index.wgsl\"\n@group(0) @binding(0) var<storage, read_write> out: array<u32>;\n\
    @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) n: vec3u) {\n\
    let i = linear_index(id, n, 64u); if i < arrayLength(&out) { out[i] = i; } }\n";

#[test]
fn own_fragments_are_importable_from_any_root() {
    let (files, shader, found) = load(&[("x.wgsl", USES_INDEX)]);
    assert_eq!(shown(&files, &found), Vec::<String>::new());
    let shader = shader.expect("no fault was found");
    assert_eq!(files.get(shader.closure[1]).display, "rondag:lib/index.wgsl");
    assert!(shader.interface.entries[0].folds);
    let (_, _, found) = load(&[("x.wgsl", "#import \"indx.wgsl\"\n")]);
    assert_eq!(found[0].help, ["did you mean `index.wgsl`?"]);
}

#[test]
fn a_file_of_the_same_name_must_be_the_same_file() {
    let same = builtin::fragment("index.wgsl").expect("it is compiled in");
    let (files, shader, found) = load(&[("x.wgsl", USES_INDEX), ("lib/index.wgsl", same)]);
    assert_eq!(shown(&files, &found), Vec::<String>::new());
    assert_eq!(files.get(shader.expect("no fault").closure[1]).display, "shaders/lib/index.wgsl");
    let (files, shader, found) = load(&[("x.wgsl", USES_INDEX), ("lib/index.wgsl", "const A = 1;")]);
    assert!(shader.is_none());
    assert_eq!(
        shown(&files, &found),
        ["shadows-builtin shaders/x.wgsl:1:9 \
             `shaders/lib/index.wgsl` has the name of one of rondag's own fragments"]
    );
}
