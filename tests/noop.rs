//! Every graph of the repository in every variant: planned, compiled, recorded on the noop device, which validates all
//! that wgpu validates and runs nothing.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use rondag::diagnostic::has_errors;
use rondag::gpu::{Error, Frame, Gpu, Program, ProgramOptions};
use rondag::graph::variants::{Tried, VariantKind, explore};
use rondag::graph::{Graph, Library, PortSize, Settings};
use rondag::plan::{Options, plan};
use rondag::record::{self, trace};
use rondag::source::{Disk, Files};
use wgpu::{Features, Limits};

use super::checked::frames;

/// Features of a card that has everything a graph here may require.
const CARD: Features = Features::SUBGROUP
    .union(Features::SUBGROUP_BARRIER)
    .union(Features::INDIRECT_FIRST_INSTANCE)
    .union(Features::MULTI_DRAW_INDIRECT_COUNT)
    .union(Features::CLEAR_TEXTURE)
    .union(Features::FLOAT32_FILTERABLE)
    .union(Features::TIMESTAMP_QUERY);

/// Graphs with their roots: the shipped ones, and those of the frames.
pub(crate) fn graphs() -> Vec<(PathBuf, &'static str)> {
    let shipped = (PathBuf::from(env!("CARGO_MANIFEST_DIR")), "graphs/culled_scene.ron");
    frames().into_iter().map(|folder| (folder, "frame.ron")).chain([shipped]).collect()
}

/// What a host might give to the ports of the embedded frame.
fn settings() -> Settings {
    let texture = |size| PortSize::Texture {
        size,
        format: wgpu_types::TextureFormat::Rgba8UnormSrgb,
        mips: 1,
        layers: 1,
        samples: 1,
    };
    let ports = [
        ("vertices", PortSize::Buffer { bytes: 20 * 24, stride: None }),
        ("indices", PortSize::Buffer { bytes: 72, stride: None }),
        ("albedo", texture([64, 64])),
        ("screen", texture([320, 200])),
    ];
    let ports: BTreeMap<_, _> = ports.into_iter().map(|(name, size)| (name.to_owned(), size)).collect();
    Settings { surface: [320, 200], ports, ..Settings::default() }
}

/// Whether it was recorded: at an end of an Int it may be too large for the device, which is then said.
fn record_frames(gpu: &Gpu, graph: Graph, place: &str, kind: &VariantKind) -> bool {
    let decided = plan(&graph, Options::default()).unwrap_or_else(|found| panic!("{place}: {found:?}"));
    let options = record::Options { features: gpu.device.features(), labels: true };
    let script = record::compile(&graph, &decided, options).unwrap_or_else(|why| panic!("{place}: {why}"));
    let again = record::compile(&graph, &decided, options).unwrap_or_else(|why| panic!("{place}: {why}"));
    assert_eq!(trace(&graph, &script), trace(&graph, &again), "{place}");
    let camera = graph.camera.state(graph.surface);
    let options = ProgramOptions { own_ports: true, max_memory: 8 << 30, ..ProgramOptions::default() };
    let mut program = match (Program::new(gpu, Arc::new(graph), Arc::new(decided), options), kind) {
        (Ok(program), _) => program,
        (Err(Error::Limit { .. } | Error::Memory { .. }), VariantKind::End(_)) => return false,
        (Err(why), _) => panic!("{place}: {why}"),
    };
    for index in 0..3 {
        let frame = Frame { index, time: index as f64, delta: 1.0, camera };
        let recorded = gpu.scope(
            || place.to_owned(),
            || {
                let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
                program.record(&mut encoder, &frame).unwrap_or_else(|why| panic!("{place}: {why}"));
                gpu.queue.submit([encoder.finish()]);
            },
        );
        recorded.unwrap_or_else(|why| panic!("{why}"));
    }
    assert_eq!(gpu.take_messages(), [""; 0], "{place}");
    true
}

#[test]
fn every_graph_records_in_every_variant() {
    let gpu = Gpu::noop(&Limits::default(), CARD).expect("the noop device takes WebGPU's limits");
    for (folder, path) in graphs() {
        let mut library = Library::new(Files::new(Disk::new(&folder, "").expect("a folder")));
        let file = library.load(path, &mut Vec::new()).expect("a graph").file;
        let mut recorded = 0;
        explore(&mut library, file, &settings(), |_, Tried { variant, draft, found }| {
            let place = format!("{}/{path} ({})", folder.display(), variant.label());
            assert!(!has_errors(&found), "{place}: {found:?}");
            assert!(draft.requires.iter().all(|(features, _)| CARD.contains(*features)), "{place}");
            let graph = Graph::new(draft).expect("nothing is poisoned");
            recorded += usize::from(record_frames(&gpu, graph, &place, &variant.kind));
        });
        assert!(recorded >= 2, "{}: {recorded} variants", folder.display());
    }
}
