//! A frame inside somebody else's program: its device, its buffer of points, its target, its encoder.
//!
//! The graph and its shader live in memory here; a program would keep them beside its other assets.
//!
//! `cargo run --example embed -- embed.png`
#![allow(clippy::print_stdout, reason = "an example shows what it found")]

use std::time::Duration;

use anyhow::{Context as _, anyhow};
use rondag::gpu::{DeviceOptions, Frame, Gpu, Program, ProgramOptions, adapters, encode_png, instance, read_texture};
use rondag::graph::{Library, PortSize, Settings, Value};
use rondag::lint;
use rondag::plan::Options;
use rondag::source::{Files, Memory};
use wgpu::util::DeviceExt as _;

const GRAPH: &str = r#"(
    version: 1,
    params: { "size": Float(default: 0.02, min: 0.0, max: 1.0) }, // an upload: set it every frame
    resources: {
        "points": In(Buffer(vertex: [Float32x2, Unorm8x4])), // position and colour, 12 bytes
        "screen": Out(Texture(format: Surface)),
    },
    passes: [
        Render(
            name: "points",
            color: [(target: "screen", clear: (0.02, 0.02, 0.05, 1))],
            draws: [(
                shader: "points.wgsl",
                vertex_buffers: ["points"],
                topology: PointList,
                blend: Add,
                call: Draw(vertices: "len(points)"),
            )],
        ),
    ],
)"#;

const SHADER: &str = "struct Look { size: f32 } // bound to no resource: from the param of its name
@group(0) @binding(0) var<uniform> look: Look;
struct Out { @builtin(position) position: vec4f, @location(0) color: vec4f }
@vertex fn vs(@location(0) position: vec2f, @location(1) color: vec4f) -> Out {
    return Out(vec4f(position * (1.0 - look.size), 0, 1), color);
}
@fragment fn fs(in: Out) -> @location(0) vec4f { return in.color; }";

const SIZE: [u32; 2] = [640, 360];
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
const PATIENCE: Duration = Duration::from_secs(30);

fn main() -> anyhow::Result<()> {
    // What the host has already.
    let adapter = adapters(&instance(DeviceOptions::default())).into_iter().next().context("no adapter")?;
    let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor::default()))?;
    let points = spiral(20_000);
    let buffer = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
        label: Some("host/points"),
        contents: &points,
        usage: wgpu::BufferUsages::VERTEX,
    });
    let target = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("host/screen"),
        size: wgpu::Extent3d { width: SIZE[0], height: SIZE[1], depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: FORMAT,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });

    // What rondag needs to know of it.
    let gpu = Gpu::adopt(adapter.get_info(), device, queue);
    let mut library = Library::new(Files::new(Memory::new([("frame.ron", GRAPH), ("shaders/points.wgsl", SHADER)])));
    let top = library.load("frame.ron", &mut Vec::new())?.file;
    let screen = PortSize::Texture { size: SIZE, format: FORMAT, mips: 1, layers: 1, samples: 1 };
    let settings = Settings {
        surface: SIZE,
        surface_format: FORMAT,
        ports: [
            ("points".to_owned(), PortSize::Buffer { bytes: points.len() as u64, stride: None }),
            ("screen".to_owned(), screen),
        ]
        .into(),
        ..Settings::default()
    };
    let examined = lint::examine(&mut library, top, &settings, &gpu.profile(lint::MAX_MEMORY), Options::default());
    let (graph, plan) = examined.accept().map_err(|faults| anyhow!("{}", faults[0].message))?;
    let mut program = Program::new(&gpu, graph.clone(), plan, ProgramOptions::default())?;

    // Ids once; no names in the frame.
    let id = |name: &str| program.find(name).with_context(|| format!("the graph has no port `{name}`"));
    let (points, screen) = (id("points")?, id("screen")?);
    let size = rondag::id::Id::from_index(0);
    program.bind_buffer(points, &buffer)?;
    for index in 0..3 {
        program.set(size, Value::Float(0.1 * index as f64));
        program.bind_view(screen, &target.create_view(&wgpu::TextureViewDescriptor::default()))?;
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        // The host records what it likes before and after.
        let camera = graph.camera.state(SIZE);
        program.record(&mut encoder, &Frame { index, time: index as f64 / 60.0, delta: 1.0 / 60.0, camera })?;
        gpu.queue.submit([encoder.finish()]);
        program.submitted();
    }

    let picture = std::env::args().nth(1).unwrap_or_else(|| "embed.png".to_owned());
    let image = read_texture(&gpu, "screen", &target, (0, 0), PATIENCE)?;
    std::fs::write(&picture, encode_png("screen", &image)?)?;
    println!("{picture}: {} × {} texels", image.width, image.height);
    Ok(())
}

/// Points of a spiral: two f32 and four bytes of colour each.
fn spiral(n: u32) -> Vec<u8> {
    let point = |i: u32| {
        let t = i as f32 / n as f32;
        let (sin, cos) = (t * 300.0).sin_cos();
        let radius = t.sqrt() * (0.85 + 0.1 * (t * 40.0).sin());
        let position = [cos * radius * 0.56, sin * radius];
        let color = [90 + (t * 160.0) as u8, 60, 220 - (t * 150.0) as u8, 255];
        bytemuck::cast::<[f32; 2], [u8; 8]>(position).into_iter().chain(color)
    };
    (0..n).flat_map(point).collect()
}
