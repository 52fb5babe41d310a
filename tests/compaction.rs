//! Scan and the strategies of compaction on the software adapter, against their CPU twins.
//!
//! Lengths stand around every boundary: a block of 256, tiles of 1,024 and 8,192, 65,536 invocations, and a length at which
//! groups of 256 fold into two dimensions and tiles make several rows.

use std::path::Path;
use std::time::Duration;

use rondag::gpu::{Frame, Gpu, Program, ProgramOptions, read_buffer};
use rondag::graph::{Library, PortSize, Settings};
use rondag::lint;
use rondag::plan::Options;
use rondag::reference::batch::{Range, ranges};
use rondag::reference::{compact, mask, scan};
use rondag::source::{Disk, Files};

use crate::gpu::software;

const LIMIT: Duration = Duration::from_mins(2);
pub(crate) const BATCHES: u32 = 9;
const LENGTHS: [u32; 17] =
    [0, 1, 255, 256, 257, 511, 513, 1023, 1024, 1025, 8191, 8192, 8193, 65_535, 65_536, 65_537, 100_000];
/// Strategies whose list is that of the scan.
const ORDERED: [&str; 5] = ["scan", "mask", "mask_subgroup", "lookback", "lookback_subgroup"];
/// 65,537 groups of 256 and one invocation: two dimensions, and three levels of scan.
const FOLDED: u32 = 16_777_217;

/// xorshift32 (Marsaglia 2003).
fn random(seed: u32) -> impl FnMut() -> u32 {
    let mut state = seed;
    move || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    }
}

/// Flags by name: none, all, every other, random ones, and values that are not 0 or 1.
pub(crate) fn flags(pattern: &str, n: u32) -> Vec<u32> {
    let mut next = random(0x9E37_79B9);
    let flag = |i: u32| match pattern {
        "none" => 0,
        "all" => 1,
        "alternating" => i & 1,
        "random" => next() & 1,
        _ => [0, 1, 2, 7, u32::MAX, 0x8000_0000][next() as usize % 6],
    };
    (0..n).map(flag).collect()
}

/// A graph of the repository whose ports are buffers of these sizes.
fn program(gpu: &Gpu, door: impl rondag::source::Door + 'static, path: &str, ports: &[(&str, usize, u64)]) -> Program {
    let mut library = Library::new(Files::new(door));
    let mut found = Vec::new();
    let top = library.load(path, &mut found).expect("a shipped graph").file;
    let port = |(name, count, stride): &(&str, usize, u64)| {
        ((*name).to_owned(), PortSize::Buffer { bytes: *count as u64 * stride, stride: Some(*stride) })
    };
    let settings = Settings { ports: ports.iter().map(port).collect(), ..Settings::default() };
    let examined = lint::examine(&mut library, top, &settings, &gpu.profile(lint::MAX_MEMORY), Options::default());
    let (graph, plan) = examined.accept().unwrap_or_else(|found| panic!("{path}: {found:#?}"));
    let options = ProgramOptions { own_ports: true, ..ProgramOptions::default() };
    Program::new(gpu, graph, plan, options).unwrap_or_else(|why| panic!("{path}: {why}"))
}

fn write(program: &mut Program, name: &str, words: &[u32]) {
    let id = program.find(name).expect("a port");
    if !words.is_empty() {
        program.write(id, bytemuck::cast_slice(words)).unwrap_or_else(|why| panic!("{name}: {why}"));
    }
}

fn run(program: &mut Program, index: u64) {
    let gpu = program.gpu().clone();
    let camera = program.graph().camera.state([1, 1]);
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    program.record(&mut encoder, &Frame { index, time: 0.0, delta: 0.0, camera }).unwrap_or_else(|why| panic!("{why}"));
    let submission = gpu.queue.submit([encoder.finish()]);
    program.submitted();
    gpu.wait(Some(submission), LIMIT).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(gpu.take_messages(), Vec::<String>::new());
}

fn read(program: &Program, name: &str, n: usize) -> Vec<u32> {
    let id = program.find(name).expect("a resource");
    let (buffer, size) = program.buffer(id).expect("it has a buffer");
    let bytes = read_buffer(program.gpu(), name, buffer, 0..size, LIMIT).unwrap_or_else(|why| panic!("{name}: {why}"));
    let mut words: Vec<u32> = bytemuck::pod_collect_to_vec(&bytes);
    words.truncate(n);
    words
}

fn root() -> Disk {
    Disk::new(Path::new(env!("CARGO_MANIFEST_DIR")), "").expect("the repository")
}

/// A strategy with room for `n` flags.
fn strategy(gpu: &Gpu, name: &str, n: u32) -> Program {
    strategy_of(gpu, root(), name, n)
}

/// A strategy whose files come from elsewhere.
pub(crate) fn strategy_of(gpu: &Gpu, door: impl rondag::source::Door + 'static, name: &str, n: u32) -> Program {
    let (n, batches) = (n as usize, BATCHES as usize);
    let ports =
        [("flags", n, 4), ("ranges", batches, 8), ("list", n, 4), ("starts", batches, 4), ("counts", batches, 4)];
    let mut program = program(gpu, door, &format!("graphs/compact/{name}.ron"), &ports);
    let table: Vec<u32> = ranges(n as u32, BATCHES).iter().flat_map(|range| [range.first, range.count]).collect();
    write(&mut program, "ranges", &table);
    program
}

pub(crate) fn compacted(program: &mut Program, flags: &[u32], index: u64) -> compact::Compacted {
    write(program, "flags", flags);
    write(program, "counts", &[0; BATCHES as usize]);
    run(program, index);
    compact::Compacted {
        list: read(program, "list", flags.len()),
        starts: read(program, "starts", BATCHES as usize),
        counts: read(program, "counts", BATCHES as usize),
    }
}

/// Compares what a strategy made with its twin, as far as it promises.
pub(crate) fn agrees(name: &str, made: &compact::Compacted, flags: &[u32], table: &[Range]) {
    let place = format!("{name}, {} flags", flags.len());
    if ORDERED.contains(&name) {
        let twin = if name == "scan" { compact::scan(flags, table) } else { mask::lookback(flags, table) };
        assert_eq!(made.counts, twin.counts, "{place}");
        if name == "scan" || !flags.is_empty() {
            assert_eq!(made.starts, twin.starts, "{place}");
        }
        assert!(made.list[..twin.list.len()] == twin.list, "{place}: the lists differ");
        return;
    }
    let twin = compact::append(flags, table);
    assert_eq!(made.counts, twin.counts, "{place}");
    if !flags.is_empty() {
        assert_eq!(made.starts, twin.starts, "{place}");
    }
    for (run, expected) in made.runs().zip(twin.runs()) {
        let mut sorted = run.to_vec();
        sorted.sort_unstable();
        assert!(sorted == expected, "{place}: a run holds other instances");
        if name == "aggregated" {
            assert!(compact::keeps_blocks(run), "{place}: a block is torn or out of order");
        }
    }
}

fn every_length(name: &str) {
    let gpu = software();
    let mut compared = 0;
    for n in LENGTHS {
        let mut program = strategy(&gpu, name, n);
        let table = ranges(n, BATCHES);
        for (index, pattern) in ["none", "all", "alternating", "random", "values"].into_iter().enumerate() {
            let flags = flags(pattern, n);
            agrees(name, &compacted(&mut program, &flags, index as u64), &flags, &table);
            compared += 1;
        }
    }
    assert_eq!(compared, LENGTHS.len() * 5);
}

#[test]
fn atomic_makes_the_set_of_its_twin() {
    every_length("atomic");
}

#[test]
fn aggregated_keeps_blocks_in_order() {
    every_length("aggregated");
}

#[test]
fn scan_makes_the_list_of_its_twin() {
    every_length("scan");
}

#[test]
fn mask_makes_the_list_of_its_twin() {
    every_length("mask");
    every_length("mask_subgroup");
}

#[test]
fn lookback_makes_the_list_of_its_twin() {
    every_length("lookback");
    every_length("lookback_subgroup");
}

/// Nobody works on the first tile: its ticket is given away before the frame. All others count it themselves and come to an
/// end, with their instances in the right places, and leave the states as the next frame wants them.
#[test]
fn lookback_ends_where_a_workgroup_never_answers() {
    let gpu = software();
    let (n, table) = (100_000, ranges(100_000, BATCHES));
    let flags = flags("values", n);
    let twin = mask::lookback(&flags, &table);
    let first = mask::tile_counts(&mask::mask(&flags))[0] as usize;
    for name in ["lookback", "lookback_subgroup"] {
        let mut program = strategy(&gpu, name, n);
        write(&mut program, "states", &[1]);
        let made = compacted(&mut program, &flags, 0);
        assert!(made.list[first..twin.list.len()] == twin.list[first..], "{name}: the lists differ");
        assert!(read(&program, "states", usize::MAX).iter().all(|state| *state == 0), "{name}: states are left");
        agrees(name, &compacted(&mut program, &flags, 1), &flags, &table);
    }
}

#[test]
fn more_groups_than_a_dimension_has_fold_into_two() {
    let gpu = software();
    let (flags, table) = (flags("values", FOLDED), ranges(FOLDED, BATCHES));
    for name in ["atomic", "aggregated"].into_iter().chain(ORDERED) {
        let mut program = strategy(&gpu, name, FOLDED);
        agrees(name, &compacted(&mut program, &flags, 0), &flags, &table);
    }
}

#[test]
fn ordered_strategies_make_the_same_bytes_in_twenty_runs() {
    let gpu = software();
    for name in ORDERED {
        let mut program = strategy(&gpu, name, 100_000);
        let flags = flags("random", 100_000);
        let first = compacted(&mut program, &flags, 0);
        for index in 1..20 {
            assert!(compacted(&mut program, &flags, index) == first, "{name}: run {index} differs");
        }
    }
}

/// A graph that is nothing but a Scan, with room for the total.
const SCAN: &str = r#"(
    version: 1,
    resources: { "values": In(Buffer()), "sums": Out(Buffer()) },
    passes: [Scan(name: "scan", input: "values", output: "sums")],
)"#;

#[test]
fn scan_sums_modulo_two_to_the_32() {
    let gpu = software();
    for n in LENGTHS.into_iter().chain([1_048_577]) {
        let door = rondag::source::Memory::new([("scan.ron", SCAN)]);
        let ports = [("values", n as usize, 4), ("sums", n as usize + 1, 4)];
        let mut program = program(&gpu, door, "scan.ron", &ports);
        let mut next = random(7);
        let values: Vec<u32> = (0..n).map(|_| next()).collect();
        write(&mut program, "values", &values);
        run(&mut program, 0);
        let sums = read(&program, "sums", n as usize + 1);
        assert!(sums == scan::exclusive(&values, n as usize + 1), "{n} values");
    }
}
