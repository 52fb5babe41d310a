//! Pipelines that cover a target with one triangle.

/// A pipeline of `module`'s vertex entry `cover` and its fragment entry `entry`, with one group that `layout` lays out.
pub(super) fn pipeline(
    device: &wgpu::Device,
    module: &wgpu::ShaderModule,
    (label, entry): (&str, &str),
    layout: &wgpu::BindGroupLayout,
    target: wgpu::ColorTargetState,
    constants: &[(&str, f64)],
) -> wgpu::RenderPipeline {
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(label),
        bind_group_layouts: &[Some(layout)],
        ..Default::default()
    });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(label),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some("cover"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &[],
        },
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some(entry),
            compilation_options: wgpu::PipelineCompilationOptions { constants, ..Default::default() },
            targets: &[Some(target)],
        }),
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        multiview_mask: None,
        cache: None,
    })
}
