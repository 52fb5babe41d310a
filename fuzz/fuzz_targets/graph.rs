//! Any text as a graph: read, with all its faults, without a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rondag::source::{Files, Memory};

fuzz_target!(|text: &str| {
    let mut files = Files::new(Memory::default());
    let file = files.add("frame.ron", text.to_owned());
    let (_, found) = rondag::syntax::parse(&files, file);
    for fault in found {
        let text = files.text(fault.primary.span);
        assert!(text.len() <= files.get(file).text.len());
    }
});
