//! Graphs of the repository on the software adapter, which there must be.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rondag::gpu::{Frame, Image, Program, ProgramOptions, read_buffer, read_texture};
use rondag::graph::camera::Camera;
use rondag::graph::{Graph, Library, ParamValue, Settings, resolve};
use rondag::plan::{Options, plan};
use rondag::source::{Disk, Files};

use crate::gpu::software;

const LIMIT: Duration = Duration::from_mins(2);

/// A graph below `root`, a folder of the repository. `asked` are outputs besides its own.
pub(crate) fn program(
    root: &str,
    path: &str,
    surface: [u32; 2],
    params: &[(&str, ParamValue)],
    asked: &[&str],
) -> Program {
    let root = &Path::new(env!("CARGO_MANIFEST_DIR")).join(root);
    let mut library = Library::new(Files::new(Disk::new(root, "").expect("the repository")));
    let top = library.files.load(path).expect("a graph of the repository");
    let params: BTreeMap<_, _> = params.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let limits = software().device.limits();
    let outputs = asked.iter().map(|name| (*name).to_owned()).collect();
    let settings = Settings { params, surface, limits, outputs, ..Settings::default() };
    let (draft, found) = resolve(&mut library, top, &settings);
    let said: Vec<String> = found.iter().map(|one| rondag::diagnostic::concise(&library.files, one)).collect();
    let graph = Arc::new(Graph::new(draft).unwrap_or_else(|| panic!("{path}: {said:?}")));
    let plan = Arc::new(plan(&graph, Options::default()).unwrap_or_else(|found| panic!("{path}: {found:?}")));
    let options = ProgramOptions { own_ports: true, timing: false, ..ProgramOptions::default() };
    Program::new(&software(), graph, plan, options).unwrap_or_else(|why| panic!("{path}: {why}"))
}

/// Fills a resource.
pub(crate) fn give(program: &mut Program, name: &str, bytes: &[u8]) {
    let id = program.find(name).expect("a resource of the graph");
    program.write(id, bytes).unwrap_or_else(|why| panic!("{name}: {why}"));
}

/// Records a frame and waits for it.
pub(crate) fn frame(program: &mut Program, index: u64, camera: &Camera) {
    let surface = program.graph().surface;
    let mut encoder = software().device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let frame = Frame { index, time: index as f64 / 60.0, delta: 1.0 / 60.0, camera: camera.state(surface) };
    program.record(&mut encoder, &frame).unwrap_or_else(|why| panic!("{why}"));
    let submission = software().scope(|| "the frame".to_owned(), || software().queue.submit([encoder.finish()]));
    program.submitted();
    software()
        .wait(Some(submission.unwrap_or_else(|why| panic!("{why}"))), LIMIT)
        .unwrap_or_else(|why| panic!("{why}"));
}

/// A buffer.
pub(crate) fn words(program: &Program, name: &str) -> Vec<u32> {
    let id = program.find(name).expect("a resource of the graph");
    let (buffer, size) = program.buffer(id).expect("it has a buffer");
    let bytes = read_buffer(&software(), name, buffer, 0..size, LIMIT).unwrap_or_else(|why| panic!("{why}"));
    bytemuck::pod_collect_to_vec(&bytes)
}

/// The colour target.
pub(crate) fn picture(program: &Program) -> Image {
    let id = program.find("color").expect("the scene has a colour target");
    let texture = program.texture(id).expect("it has a texture");
    read_texture(&software(), "color", texture, (0, 0), LIMIT).unwrap_or_else(|why| panic!("{why}"))
}
