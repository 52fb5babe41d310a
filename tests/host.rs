//! Programs inside somebody else's: a host's device, its views, late results, a device that goes away.

use std::time::Duration;

use rondag::gpu::{
    DeviceOptions, Error, Gpu, Pick, Program, ProgramOptions, Ring, encode_png, read_buffer, read_texture,
};
use rondag::graph::{Lifetime, PassKind, PortKind, Render, ResourceId};
use wgpu::TextureFormat;

use crate::gpu::{LIMIT, frame, noop, program, run, software, words};
use crate::sketch::{Sketch, color, previous, whole};

const COUNT: (&str, &str) = (
    "count.wgsl",
    "@group(0) @binding(0) var<storage> before: array<u32>;
    @group(0) @binding(1) var<storage, read_write> now: array<u32>;
    @compute @workgroup_size(1) fn count() { now[0] = before[0] + 1u; }",
);

fn counter(gpu: &Gpu) -> (Program, ResourceId) {
    let mut sketch = Sketch::new("g", &[COUNT]);
    let list = sketch.buffer("list", 1, Lifetime::History);
    sketch.dispatch("count", "count.wgsl", [1; 3], &[("before", previous(list)), ("now", whole(list))]);
    (program(gpu, sketch.finish()), list)
}

/// A pass that clears the host's target.
fn presenter(gpu: &Gpu) -> (Program, ResourceId) {
    let mut sketch = Sketch::new("g", &[]);
    let target = sketch.texture("screen", TextureFormat::Rgba8UnormSrgb, [16, 16], Lifetime::Transient);
    sketch.draft.resources[target].port = Some(PortKind::Out);
    let color = vec![color(target, Some([1.0, 0.0, 0.0, 1.0]))];
    sketch.pass("draw", PassKind::Render(Render { color, depth: None, draws: Vec::new() }));
    (program(gpu, sketch.finish()), target)
}

fn host_texture(gpu: &Gpu, size: u32, format: TextureFormat) -> wgpu::Texture {
    gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("host"),
        size: wgpu::Extent3d { width: size, height: size, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    })
}

#[test]
fn a_host_gives_another_view_each_frame() {
    let ours = software();
    // The device is the host's: rondag only takes handles.
    let gpu = Gpu::adopt(ours.info.clone(), ours.device.clone(), ours.queue.clone());
    let (mut program, screen) = presenter(&gpu);
    for index in 0..3 {
        let texture = host_texture(&gpu, 16, TextureFormat::Rgba8UnormSrgb);
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        program.bind_view(screen, &view).unwrap_or_else(|why| panic!("{why}"));
        run(&mut program, index..index + 1);
        let image = read_texture(&gpu, "screen", &texture, (0, 0), LIMIT).unwrap_or_else(|why| panic!("{why}"));
        assert!(image.bytes.chunks_exact(4).all(|texel| texel == [255, 0, 0, 255]));
        let png = encode_png("screen", &image).expect("eight bits are a picture");
        assert_eq!(&png[1..4], b"PNG");
    }
    for wrong in [(8, TextureFormat::Rgba8UnormSrgb), (16, TextureFormat::Rgba8Unorm)] {
        let texture = host_texture(&gpu, wrong.0, wrong.1);
        assert!(matches!(program.bind_texture(screen, &texture), Err(Error::Port { .. })), "{wrong:?}");
    }
}

#[test]
fn late_results_come_in_order_and_without_a_wait() {
    let gpu = software();
    let (mut program, list) = counter(&gpu);
    let mut ring = Ring::new(&gpu, "count", 4).unwrap_or_else(|why| panic!("{why}"));
    let mut seen = Vec::new();
    for index in 0..20 {
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        program.record(&mut encoder, &frame(index)).unwrap_or_else(|why| panic!("{why}"));
        let (buffer, _) = program.buffer(list).expect("it has a buffer");
        ring.copy(&mut encoder, buffer, 0, index);
        gpu.queue.submit([encoder.finish()]);
        ring.submitted();
        gpu.device.poll(wgpu::PollType::Poll).expect("polling waits for nothing");
        ring.arrived(|_, frame, bytes| seen.push((frame, bytes[0])));
    }
    gpu.wait(None, LIMIT).unwrap_or_else(|why| panic!("{why}"));
    ring.arrived(|_, frame, bytes| seen.push((frame, bytes[0])));
    assert!(seen.len() >= 4, "a ring of four places sees at least four frames: {seen:?}");
    assert!(seen.is_sorted());
    assert!(seen.iter().all(|(frame, count)| u64::from(*count) == frame + 1), "{seen:?}");
}

#[test]
fn a_hundred_readbacks_all_complete() {
    let gpu = software();
    let (mut program, list) = counter(&gpu);
    for index in 0..100 {
        run(&mut program, index..index + 1);
        assert_eq!(words(&program, list), [index as u32 + 1]);
    }
}

#[test]
fn what_cannot_be_read_says_why() {
    let gpu = noop();
    let usage = wgpu::BufferUsages::STORAGE;
    let buffer =
        gpu.device.create_buffer(&wgpu::BufferDescriptor { label: None, size: 16, usage, mapped_at_creation: false });
    let fault = read_buffer(&gpu, "list", &buffer, 0..16, LIMIT).expect_err("it cannot be copied from");
    assert_eq!(fault.to_string(), "`list` cannot be read back: it is not an output and keeps no state");
}

#[test]
fn a_device_that_is_gone_is_an_error_and_no_panic() {
    // A device of its own, because it is destroyed.
    let gpu = Gpu::open(&Pick::Cpu, DeviceOptions::default()).unwrap_or_else(|why| panic!("{why}"));
    let (mut program, _) = counter(&gpu);
    run(&mut program, 0..2);
    gpu.device.destroy();
    let fault = program.run(&frame(2), Duration::from_secs(5)).expect_err("the device is gone");
    assert!(matches!(fault, Error::Lost { .. } | Error::Refused { .. }), "{fault}");
    let (graph, plan) = (program.graph().clone(), program.plan().clone());
    let again = Program::new(&gpu, graph, plan, ProgramOptions::default());
    assert!(again.is_err(), "nothing is made on a device that is gone");
}

#[test]
fn adapters_that_are_not_there_are_named() {
    let fault = Gpu::open(&Pick::from("no such card"), DeviceOptions::default()).expect_err("nobody makes it");
    let text = fault.to_string();
    assert!(text.starts_with("no adapter matches `no such card`; there are `"), "{text}");
}
