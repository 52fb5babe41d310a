//! The frame of [`scene`](crate::sketch::scene), written against wgpu as one would without rondag.

use rondag::gpu::Gpu;
use wgpu::BufferUsages as B;

use crate::sketch::SCENE;

pub(crate) struct ByHand {
    gpu: Gpu,
    dispatches: usize,
    batches: u32,
    cull: wgpu::ComputePipeline,
    count: wgpu::ComputePipeline,
    draw: wgpu::RenderPipeline,
    cull_group: wgpu::BindGroup,
    count_group: wgpu::BindGroup,
    draw_group: wgpu::BindGroup,
    counts_group: wgpu::BindGroup,
    uniforms: wgpu::Buffer,
    bytes: Vec<u8>,
    counts: wgpu::Buffer,
    counts_size: u64,
    args: wgpu::Buffer,
    indices: wgpu::Buffer,
    target: wgpu::TextureView,
    many: Option<Many>,
}

const STEP: u64 = 256;

/// What joins all draws into one call: the device tells shaders which record they draw.
pub(crate) const MANY: wgpu::Features =
    wgpu::Features::SHADER_DRAW_INDEX.union(wgpu::Features::MULTI_DRAW_INDIRECT_COUNT);

/// The shader of the draw as one writes it for one call.
const MANY_DRAWS: &str = "enable draw_index;
    struct Draw { @size(256) batch: u32 }
    @group(0) @binding(0) var<storage> draws: array<Draw>;
    @group(1) @binding(0) var<storage> counts: array<u32>;
    @vertex fn vertex(
        @builtin(vertex_index) index: u32, @builtin(draw_index) draw: u32,
    ) -> @builtin(position) vec4f {
        let x = f32(counts[draws[draw].batch]) * 0.001 + f32(index & 1);
        return vec4f(x, f32(index >> 1), 0.5, 1.0);
    }
    @fragment fn fragment() -> @location(0) vec4f { return vec4f(1.0); }";

/// Pipeline and group for one call.
struct Many {
    draw: wgpu::RenderPipeline,
    group: wgpu::BindGroup,
}

fn entry(
    binding: u32,
    visibility: wgpu::ShaderStages,
    ty: wgpu::BufferBindingType,
    dynamic: bool,
    size: u64,
) -> wgpu::BindGroupLayoutEntry {
    let min_binding_size = std::num::NonZeroU64::new(size);
    let ty = wgpu::BindingType::Buffer { ty, has_dynamic_offset: dynamic, min_binding_size };
    wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None }
}

fn range(buffer: &wgpu::Buffer, size: u64) -> wgpu::BindingResource<'_> {
    wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer, offset: 0, size: std::num::NonZeroU64::new(size) })
}

impl ByHand {
    #[allow(clippy::too_many_lines, reason = "this is what one writes without a render graph")]
    pub(crate) fn new(gpu: &Gpu, dispatches: usize, batches: u32) -> Self {
        const STORAGE: wgpu::BufferBindingType = wgpu::BufferBindingType::Storage { read_only: false };
        const READ: wgpu::BufferBindingType = wgpu::BufferBindingType::Storage { read_only: true };
        let device = &gpu.device;
        let buffer = |size, usage| {
            device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
        };
        let n = u64::from(batches);
        let spheres = buffer(4096, B::STORAGE | B::COPY_SRC | B::COPY_DST);
        let flags = buffer(1024, B::STORAGE);
        let counts = buffer(4 * n, B::STORAGE | B::COPY_DST);
        let args = buffer(20 * n, B::STORAGE | B::INDIRECT);
        let indices = buffer(12, B::INDEX | B::COPY_SRC | B::COPY_DST);
        let uniforms = buffer(STEP * (1 + n), B::UNIFORM | B::STORAGE | B::COPY_DST);
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width: 16, height: 16, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba8Unorm,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT
                | wgpu::TextureUsages::COPY_SRC
                | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        for batch in 0..batches {
            gpu.queue.write_buffer(&uniforms, STEP * u64::from(1 + batch), &batch.to_le_bytes());
        }
        let layout = |entries: &[wgpu::BindGroupLayoutEntry]| {
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries })
        };
        let group = |layout: &wgpu::BindGroupLayout, resources: Vec<wgpu::BindingResource<'_>>| {
            let entries = resources.into_iter().enumerate();
            let entries = entries.map(|(at, resource)| wgpu::BindGroupEntry { binding: at as u32, resource });
            let entries: Vec<_> = entries.collect();
            device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries })
        };
        let pipeline_layout = |layouts: &[Option<&wgpu::BindGroupLayout>]| {
            let descriptor =
                wgpu::PipelineLayoutDescriptor { label: None, bind_group_layouts: layouts, immediate_size: 0 };
            device.create_pipeline_layout(&descriptor)
        };
        let module = |at: usize| {
            let source = wgpu::ShaderSource::Wgsl(SCENE[at].1.into());
            device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source })
        };
        let compute = |layout: &wgpu::BindGroupLayout, at: usize| {
            device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: None,
                layout: Some(&pipeline_layout(&[Some(layout)])),
                module: &module(at),
                entry_point: None,
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                cache: None,
            })
        };
        let (c, v) = (wgpu::ShaderStages::COMPUTE, wgpu::ShaderStages::VERTEX);
        let uniform = wgpu::BufferBindingType::Uniform;
        let cull_layout =
            layout(&[entry(0, c, uniform, false, 8), entry(1, c, READ, false, 16), entry(2, c, STORAGE, false, 4)]);
        let count_layout =
            layout(&[entry(0, c, READ, false, 4), entry(1, c, STORAGE, false, 4), entry(2, c, STORAGE, false, 20)]);
        let draw_layout = layout(&[entry(0, v, uniform, true, 4)]);
        let counts_layout = layout(&[entry(0, v, READ, false, 4)]);
        let render = |layout: &wgpu::BindGroupLayout, module: &wgpu::ShaderModule| {
            device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: None,
                layout: Some(&pipeline_layout(&[Some(layout), Some(&counts_layout)])),
                vertex: wgpu::VertexState {
                    module,
                    entry_point: None,
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    buffers: &[],
                },
                primitive: wgpu::PrimitiveState::default(),
                depth_stencil: None,
                multisample: wgpu::MultisampleState::default(),
                fragment: Some(wgpu::FragmentState {
                    module,
                    entry_point: None,
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    targets: &[Some(wgpu::TextureFormat::Rgba8Unorm.into())],
                }),
                multiview_mask: None,
                cache: None,
            })
        };
        let draw = render(&draw_layout, &module(2));
        let draws = |size| {
            let size = std::num::NonZeroU64::new(size);
            wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer: &uniforms, offset: STEP, size })
        };
        let many = device.features().contains(MANY).then(|| {
            let source = wgpu::ShaderSource::Wgsl(MANY_DRAWS.into());
            let module = device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
            let layout = layout(&[entry(0, v, READ, false, STEP)]);
            Many { draw: render(&layout, &module), group: group(&layout, vec![draws(STEP * n)]) }
        });
        Self {
            gpu: gpu.clone(),
            dispatches,
            batches,
            cull: compute(&cull_layout, 0),
            count: compute(&count_layout, 1),
            draw,
            cull_group: group(&cull_layout, vec![range(&uniforms, 8), range(&spheres, 4096), range(&flags, 1024)]),
            count_group: group(&count_layout, vec![range(&flags, 1024), range(&counts, 4 * n), range(&args, 20 * n)]),
            draw_group: group(&draw_layout, vec![draws(4)]),
            counts_group: group(&counts_layout, vec![range(&counts, 4 * n)]),
            bytes: vec![0; STEP as usize],
            counts_size: 4 * n,
            target: texture.create_view(&wgpu::TextureViewDescriptor::default()),
            many,
            uniforms,
            counts,
            args,
            indices,
        }
    }

    /// As one writes it who knows what passes cost: one compute pass, and a call a batch.
    pub(crate) fn record(&mut self, encoder: &mut wgpu::CommandEncoder, near: f32) {
        self.before(encoder, near);
        self.dispatches(encoder, 0..self.dispatches);
        self.draws(encoder, false);
    }

    /// As most would write it: a pass a node, and a call a batch.
    #[allow(dead_code, reason = "the bench and the example have a use for it")]
    pub(crate) fn record_apart(&mut self, encoder: &mut wgpu::CommandEncoder, near: f32) {
        self.before(encoder, near);
        for index in 0..self.dispatches {
            self.dispatches(encoder, index..index + 1);
        }
        self.draws(encoder, false);
    }

    /// Merged by hand: one compute pass, and one call where the device has it.
    #[allow(dead_code, reason = "the bench and the example have a use for it")]
    pub(crate) fn record_merged(&mut self, encoder: &mut wgpu::CommandEncoder, near: f32) {
        self.before(encoder, near);
        self.dispatches(encoder, 0..self.dispatches);
        self.draws(encoder, true);
    }

    fn before(&mut self, encoder: &mut wgpu::CommandEncoder, near: f32) {
        self.bytes[0..4].copy_from_slice(&near.to_le_bytes());
        self.bytes[4..8].copy_from_slice(&256u32.to_le_bytes());
        self.gpu.queue.write_buffer(&self.uniforms, 0, &self.bytes);
        encoder.clear_buffer(&self.counts, 0, Some(self.counts_size));
    }

    fn dispatches(&self, encoder: &mut wgpu::CommandEncoder, range: std::ops::Range<usize>) {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("scene/cull0 + count1 + cull2 + count3 + cull4"),
            timestamp_writes: None,
        });
        for index in range {
            let (pipeline, group) =
                if index % 2 == 0 { (&self.cull, &self.cull_group) } else { (&self.count, &self.count_group) };
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, group, &[]);
            pass.dispatch_workgroups(4, 1, 1);
        }
    }

    fn draws(&self, encoder: &mut wgpu::CommandEncoder, many: bool) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("scene/draw"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &self.target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color { r: 0.0, g: 0.0, b: 0.0, a: 1.0 }),
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..Default::default()
        });
        let many = self.many.as_ref().filter(|_| many);
        pass.set_pipeline(many.map_or(&self.draw, |many| &many.draw));
        pass.set_index_buffer(self.indices.slice(..12), wgpu::IndexFormat::Uint32);
        pass.set_bind_group(1, &self.counts_group, &[]);
        if let Some(many) = many {
            pass.set_bind_group(0, &many.group, &[]);
            pass.multi_draw_indexed_indirect(&self.args, 0, self.batches);
            return;
        }
        for batch in 0..self.batches {
            pass.set_bind_group(0, &self.draw_group, &[STEP as u32 * batch]);
            pass.draw_indexed_indirect(&self.args, 20 * u64::from(batch));
        }
    }
}
