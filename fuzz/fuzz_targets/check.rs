//! Any text as a graph, checked whole: every variant resolved, planned, held against all rules, every finding written.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rondag::graph::{Library, Settings};
use rondag::lint::{self, Profile};
use rondag::source::{Files, Memory};

const FILL: &str = "@group(0) @binding(0) var<storage, read_write> list: array<u32>;
@compute @workgroup_size(64) fn fill(@builtin(global_invocation_id) id: vec3u) {
    if id.x < arrayLength(&list) { list[id.x] = id.x; }
}";

const DRAW: &str = "@vertex fn corner(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f { return vec4f(f32(i), 0.0, 0.5, 1.0); }
@fragment fn shade() -> @location(0) vec4f { return vec4f(1.0); }";

fuzz_target!(|text: &str| {
    let memory = Memory::new([
        ("frame.ron", text),
        ("part.ron", text),
        ("shaders/fill.wgsl", FILL),
        ("shaders/draw.wgsl", DRAW),
    ]);
    let mut library = Library::new(Files::new(memory));
    let mut found = Vec::new();
    let Ok(top) = library.load("frame.ron", &mut found) else { return };
    found.extend(lint::check(&mut library, top.file, &Settings::default(), &Profile::default()).found);
    rondag::diagnostic::sort(&library.files, &mut found);
    for fault in &found {
        let _ = rondag::diagnostic::concise(&library.files, fault);
    }
});
