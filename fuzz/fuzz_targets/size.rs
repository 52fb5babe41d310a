//! Any text as the size of a buffer, the items of a dispatch and a condition.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rondag::graph::{Library, Settings, resolve};
use rondag::source::{Files, Memory};

const FILL: &str = "@group(0) @binding(0) var<storage, read_write> list: array<u32>;
@compute @workgroup_size(64) fn fill() { list[0] = 1u; }";

fuzz_target!(|text: &str| {
    let quoted = text.replace('\\', "\\\\").replace('"', "\\\"");
    let frame = format!(
        "(version: 1, params: {{ \"n\": Int(default: 3, min: 0, max: 9), \"on\": Bool(default: true) }},
        resources: {{ \"list\": Buffer(count: \"{quoted}\"), \"other\": Buffer(count: 4) }},
        passes: [Dispatch(name: \"x\", shader: \"fill.wgsl\", items: \"{quoted}\", when: \"{quoted}\")], outputs: [\"list\"])"
    );
    let mut library = Library::new(Files::new(Memory::new([("frame.ron", frame.as_str()), ("shaders/fill.wgsl", FILL)])));
    let top = library.load("frame.ron", &mut Vec::new()).expect("it is there").file;
    let _ = resolve(&mut library, top, &Settings::default());
});
