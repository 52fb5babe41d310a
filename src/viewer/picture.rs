//! Pictures of graphs, kept apart from their programs: the last good one stays whatever happens to them.

use wgpu::{TextureFormat, TextureSampleType};

use super::cover;
use crate::gpu::{Error, Gpu, Program};
use crate::graph::{Graph, ResourceId, ResourceKind};

/// The first texture among the outputs.
pub(super) fn first_output(graph: &Graph) -> Option<ResourceId> {
    let mut outputs = graph.outputs.iter().map(|(id, _)| *id);
    outputs.find(|id| matches!(graph.resources[*id].kind, ResourceKind::Texture(_)))
}

/// A copy of an output.
#[derive(Debug, Clone)]
pub(super) struct Picture {
    pub(super) texture: wgpu::Texture,
}

impl Picture {
    /// Records the copy of a program's picture into `last`, which is made anew where it does not fit.
    pub(super) fn copy(program: &Program, encoder: &mut wgpu::CommandEncoder, last: &mut Option<Self>) {
        let Some(source) = first_output(program.graph()).and_then(|id| program.texture(id)) else { return };
        let format = source.format();
        let can = matches!(format.sample_type(None, None), Some(TextureSampleType::Float { .. }))
            && source.sample_count() == 1
            && source.usage().contains(wgpu::TextureUsages::COPY_SRC);
        if !can {
            return;
        }
        let size = wgpu::Extent3d { width: source.width(), height: source.height(), depth_or_array_layers: 1 };
        let fits = |it: &Self| it.texture.size() == size && it.texture.format() == format;
        if !last.as_ref().is_some_and(fits) {
            let descriptor = wgpu::TextureDescriptor {
                label: Some("picture"),
                size,
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::COPY_DST | wgpu::TextureUsages::TEXTURE_BINDING,
                view_formats: &[format.remove_srgb_suffix()],
            };
            *last = Some(Self { texture: program.gpu().device.create_texture(&descriptor) });
        }
        if let Some(last) = last {
            encoder.copy_texture_to_texture(source.as_image_copy(), last.texture.as_image_copy(), size);
        }
    }
}

/// How A and B are shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Mode {
    A,
    B,
    /// B from this part of the width on.
    Split(f32),
    /// Their difference, so many times.
    Difference(f32),
}

/// What the blit shows.
#[derive(Debug, Clone)]
pub(super) struct Shown {
    pub(super) a: Picture,
    pub(super) b: Option<Picture>,
    pub(super) mode: Mode,
    /// Left, top, width and height in pixels.
    pub(super) area: [f32; 4],
}

/// Draws a picture into a window.
#[derive(Debug)]
pub(super) struct Blit {
    /// Filters, compares and curves.
    whole: wgpu::RenderPipeline,
    /// Shows one picture as it is.
    plain: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
    uniform: wgpu::Buffer,
}

impl Blit {
    pub(super) fn new(gpu: &Gpu, format: TextureFormat) -> Result<Self, Error> {
        gpu.scope(|| "the picture's pipeline".to_owned(), || Self::make(&gpu.device, format))
    }

    fn make(device: &wgpu::Device, format: TextureFormat) -> Self {
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("picture"),
            source: wgpu::ShaderSource::Wgsl(include_str!("blit.wgsl").into()),
        });
        let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::FRAGMENT,
            ty,
            count: None,
        };
        let texture = wgpu::BindingType::Texture {
            sample_type: TextureSampleType::Float { filterable: false },
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        };
        let uniform = wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Uniform,
            has_dynamic_offset: false,
            min_binding_size: None,
        };
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("picture"),
            entries: &[entry(0, texture), entry(1, texture), entry(2, uniform)],
        });
        let pipeline = |constants: &[(&str, f64)]| {
            cover::pipeline(device, &module, ("picture", "present"), &layout, format.into(), constants)
        };
        let (whole, plain) = (pipeline(&[]), pipeline(&[("plain", 1.0)]));
        let uniform = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("picture"),
            size: 32,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Self { whole, plain, layout, uniform }
    }

    pub(super) fn draw(&self, gpu: &Gpu, pass: &mut wgpu::RenderPass<'static>, shown: &Shown, window: [u32; 2]) {
        let [left, top, width, height] = shown.area;
        let right = (left + width).min(window[0] as f32);
        let bottom = (top + height).min(window[1] as f32);
        if right - left < 1.0 || bottom - top < 1.0 {
            return;
        }
        let b = shown.b.as_ref().unwrap_or(&shown.a);
        let (a, split, gain) = match shown.mode {
            Mode::A => (&shown.a, 2.0, 0.0),
            Mode::B => (b, 2.0, 0.0),
            Mode::Split(at) => (&shown.a, at, 0.0),
            Mode::Difference(gain) => (&shown.a, 2.0, gain),
        };
        let how: [f32; 8] = [left, top, width, height, split, curve(a), curve(b), gain];
        gpu.queue.write_buffer(&self.uniform, 0, bytemuck::cast_slice(&how));
        let group = self.group(gpu, a, b);
        pass.set_scissor_rect(left as u32, top as u32, (right - left) as u32, (bottom - top) as u32);
        pass.set_pipeline(if is_plain(a, shown) { &self.plain } else { &self.whole });
        pass.set_bind_group(0, &group, &[]);
        pass.draw(0..3, 0..1);
        pass.set_scissor_rect(0, 0, window[0], window[1]);
    }

    fn group(&self, gpu: &Gpu, a: &Picture, b: &Picture) -> wgpu::BindGroup {
        // Colours that are stored with the sRGB curve are read as they are stored, which is as they are shown.
        let view = |Picture { texture }: &Picture| {
            let format = Some(texture.format().remove_srgb_suffix());
            texture.create_view(&wgpu::TextureViewDescriptor { label: Some("picture"), format, ..Default::default() })
        };
        let (view_a, view_b) = (view(a), view(b));
        let entry = |binding, resource| wgpu::BindGroupEntry { binding, resource };
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("picture"),
            layout: &self.layout,
            entries: &[
                entry(0, wgpu::BindingResource::TextureView(&view_a)),
                entry(1, wgpu::BindingResource::TextureView(&view_b)),
                entry(2, self.uniform.as_entire_binding()),
            ],
        })
    }
}

/// Whether a picture is all that is shown, texel by texel.
fn is_plain(a: &Picture, shown: &Shown) -> bool {
    let [left, top, width, height] = shown.area;
    let is_alone = matches!(shown.mode, Mode::A | Mode::B);
    let is_whole = left.fract() == 0.0 && top.fract() == 0.0;
    let fits = [a.texture.width(), a.texture.height()] == [width as u32, height as u32];
    is_alone && is_whole && fits && curve(a) == 0.0
}

/// 1 for texels that are linear light.
fn curve(picture: &Picture) -> f32 {
    let format = picture.texture.format();
    let stored_as_shown = matches!(format.remove_srgb_suffix(), TextureFormat::Rgba8Unorm | TextureFormat::Bgra8Unorm);
    if stored_as_shown { 0.0 } else { 1.0 }
}
