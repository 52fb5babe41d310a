//! Any text as a shader, and any text as what it imports.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rondag::graph::Library;
use rondag::source::{Files, Memory, Span};

fuzz_target!(|texts: (&str, &str)| {
    let (entry, part) = texts;
    let entry = format!("#import \"a.wgsl\"\n{entry}");
    let memory = Memory::new([("shaders/x.wgsl", entry.as_str()), ("shaders/lib/a.wgsl", part), ("shaders/lib/b.wgsl", entry.as_str())]);
    let mut library = Library::new(Files::new(memory));
    let graph = library.files.add("frame.ron", "x".to_owned());
    library.shaders.load(&mut library.files, "x.wgsl", Span::new(graph, 0, 1), &mut Vec::new());
});
