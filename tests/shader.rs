//! Shaders: imports, faults, reflection.

use std::path::Path;
use std::sync::Arc;

use rondag::diagnostic::Diagnostic;
use rondag::shader::{Shader, Shaders};
use rondag::source::{Disk, Files, Memory, Span};

mod builtin;
mod faults;
mod frames;
mod habits;
mod hostile;
mod imports;
mod reflection;

/// A graph that names shaders, so that there is a place to name them at.
const GRAPH: &str = "graph.ron";

/// Files in memory, a graph among them.
fn memory(files: &[(&str, &str)]) -> (Files, Span) {
    let mut files = Files::new(Memory::new(files.iter().copied()));
    let graph = files.add(GRAPH, "shader: \"x.wgsl\"".to_owned());
    (files, Span::new(graph, 8, 16))
}

/// Loads the shader `x.wgsl` among the given files (paths below `shaders`).
fn load(sources: &[(&str, &str)]) -> (Files, Option<Arc<Shader>>, Vec<Diagnostic>) {
    let paths: Vec<String> = sources.iter().map(|(path, _)| format!("shaders/{path}")).collect();
    let pairs: Vec<(&str, &str)> = paths.iter().zip(sources).map(|(path, (_, text))| (path.as_str(), *text)).collect();
    let (mut files, at) = memory(&pairs);
    let mut found = Vec::new();
    let shader = Shaders::new().load(&mut files, "x.wgsl", at, &mut found);
    (files, shader, found)
}

/// Loads one text that must be good.
fn good(text: &str) -> (Files, Arc<Shader>) {
    let (files, shader, found) = load(&[("x.wgsl", text)]);
    assert_eq!(shown(&files, &found), Vec::<String>::new());
    (files, shader.expect("a shader without faults is returned"))
}

/// `code path:line:column headline`, one a fault.
fn shown(files: &Files, found: &[Diagnostic]) -> Vec<String> {
    found.iter().map(|d| format!("{} {} {}", d.rule.code, files.place(d.primary.span), d.message)).collect()
}
