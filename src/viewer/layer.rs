//! The panel as a texture: painted when it changed, laid over the picture in every frame. Painting it takes a software adapter
//! longer than many a scene.

use wgpu::TextureFormat;

use super::cover;

/// A texture as large as the window, with alpha that its colours are multiplied by.
#[derive(Debug)]
pub(super) struct Layer {
    pipeline: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
    made: Option<(wgpu::Texture, wgpu::BindGroup)>,
    format: TextureFormat,
}

impl Layer {
    pub(super) fn new(device: &wgpu::Device, format: TextureFormat) -> Self {
        let label = Some("the panel's layer");
        let source = wgpu::ShaderSource::Wgsl(include_str!("layer.wgsl").into());
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor { label, source });
        let ty = wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Float { filterable: false },
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        };
        let visibility = wgpu::ShaderStages::FRAGMENT;
        let entries = &[wgpu::BindGroupLayoutEntry { binding: 0, visibility, ty, count: None }];
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label, entries });
        let blend = Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING);
        let target = wgpu::ColorTargetState { format, blend, write_mask: wgpu::ColorWrites::ALL };
        let pipeline = cover::pipeline(device, &module, ("the panel's layer", "lay"), &layout, target, &[]);
        Self { pipeline, layout, made: None, format }
    }

    /// The texture to paint on, with whether it holds nothing yet.
    pub(super) fn target(&mut self, device: &wgpu::Device, [width, height]: [u32; 2]) -> (wgpu::TextureView, bool) {
        let fits = |(texture, _): &(wgpu::Texture, _)| [texture.width(), texture.height()] == [width, height];
        let made = self.made.take().filter(fits);
        let is_new = made.is_none();
        let made = made.unwrap_or_else(|| make(device, &self.layout, self.format, [width, height]));
        let (texture, _) = self.made.insert(made);
        (texture.create_view(&wgpu::TextureViewDescriptor::default()), is_new)
    }

    /// Lays it over what a pass drew.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'static>) {
        let Some((_, group)) = &self.made else { return };
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, group, &[]);
        pass.draw(0..3, 0..1);
    }
}

fn make(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    format: TextureFormat,
    [width, height]: [u32; 2],
) -> (wgpu::Texture, wgpu::BindGroup) {
    let label = Some("the panel's layer");
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label,
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
        view_formats: &[],
    });
    let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
    let entries = &[wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(&view) }];
    let group = device.create_bind_group(&wgpu::BindGroupDescriptor { label, layout, entries });
    (texture, group)
}
