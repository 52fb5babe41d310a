//! The window's surface: what is presented, and what happens when it cannot be.

use std::sync::Arc;

use egui_wgpu::{Renderer, RendererOptions, ScreenDescriptor};
use wgpu::{CurrentSurfaceTexture, TextureFormat};
use winit::window::Window;

use super::layer::Layer;
use super::picture::{Blit, Shown};
use crate::gpu::{Error, Gpu, Image};

/// What one frame of the window shows.
pub(super) struct Sight<'a> {
    pub(super) shown: Option<&'a Shown>,
    pub(super) shapes: &'a [egui::ClippedPrimitive],
    pub(super) textures: &'a egui::TexturesDelta,
    pub(super) points: f32,
    /// Whether the panel is another than in the frame before.
    pub(super) is_new: bool,
}

/// How presenting ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presented {
    Yes,
    /// Not now: minimised, occluded, or behind. Try again later.
    Later,
}

/// A window and what is drawn into it.
pub(super) struct Screen {
    pub(super) window: Arc<Window>,
    instance: wgpu::Instance,
    adapter: wgpu::Adapter,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    configured: bool,
    renderer: Renderer,
    blit: Blit,
    layer: Layer,
    gpu: Gpu,
}

impl Screen {
    /// A surface on a window.
    ///
    /// # Errors
    /// If the adapter cannot present to it.
    pub(super) fn new(
        window: Arc<Window>,
        instance: wgpu::Instance,
        adapter: wgpu::Adapter,
        gpu: Gpu,
    ) -> Result<Self, Error> {
        let refused = |why: String| Error::Refused { what: "the window's surface".to_owned(), why };
        let surface = instance.create_surface(Arc::clone(&window)).map_err(|why| refused(why.to_string()))?;
        let size = window.inner_size();
        let mut config = surface
            .get_default_config(&adapter, size.width.max(1), size.height.max(1))
            .ok_or_else(|| refused(format!("adapter `{}` cannot present to this window", gpu.info.name)))?;
        let formats = surface.get_capabilities(&adapter).formats;
        let plain = [TextureFormat::Bgra8Unorm, TextureFormat::Rgba8Unorm];
        config.format = plain.into_iter().find(|it| formats.contains(it)).unwrap_or(config.format);
        config.present_mode = wgpu::PresentMode::AutoVsync;
        let (renderer, blit, layer) = painters(&gpu, config.format)?;
        Ok(Self { window, instance, adapter, surface, config, configured: false, renderer, blit, layer, gpu })
    }

    /// Everything of the window is made anew on another device. Textures of egui have to be sent again.
    ///
    /// # Errors
    /// [`Error::Refused`].
    pub(super) fn adopt(&mut self, gpu: Gpu, has_hung: bool) -> Result<(), Error> {
        let (renderer, blit, layer) = painters(&gpu, self.config.format)?;
        let old = (
            std::mem::replace(&mut self.renderer, renderer),
            std::mem::replace(&mut self.blit, blit),
            std::mem::replace(&mut self.layer, layer),
        );
        self.gpu = gpu;
        if has_hung {
            // Configuring or dropping a surface waits for the device that presented to it.
            let surface = self.instance.create_surface(Arc::clone(&self.window));
            let surface = surface
                .map_err(|why| Error::Refused { what: "the window's surface".to_owned(), why: why.to_string() })?;
            std::mem::forget((old, std::mem::replace(&mut self.surface, surface)));
        }
        self.configured = false;
        Ok(())
    }

    /// Whether pictures are made on the CPU.
    pub(super) fn is_software(&self) -> bool {
        self.gpu.info.device_type == wgpu::DeviceType::Cpu
    }

    /// An adapter for another device.
    pub(super) fn adapter(&self) -> wgpu::Adapter {
        self.adapter.clone()
    }

    /// The window's size in pixels, inside what the device can present.
    pub(super) fn size(&self) -> [u32; 2] {
        let size = self.window.inner_size();
        [size.width.min(self.most()), size.height.min(self.most())]
    }

    /// The longest side of a texture, texels.
    pub(super) fn most(&self) -> u32 {
        self.gpu.device.limits().max_texture_dimension_2d
    }

    /// Whether frames wait for the screen.
    pub(super) fn toggle_vsync(&mut self) -> bool {
        let now = self.config.present_mode == wgpu::PresentMode::AutoVsync;
        self.config.present_mode = if now { wgpu::PresentMode::AutoNoVsync } else { wgpu::PresentMode::AutoVsync };
        self.configured = false;
        !now
    }

    /// Presents. Lost and outdated surfaces are made again for the next time.
    pub(super) fn present(&mut self, sight: &Sight<'_>) -> Presented {
        let mut set: Vec<_> = sight.textures.set.iter().collect();
        set.sort_unstable_by_key(|(id, _)| **id);
        for (id, deltas) in set {
            for delta in deltas {
                self.update(*id, delta);
            }
        }
        let presented = self.try_present(sight);
        let mut free: Vec<_> = sight.textures.free.iter().collect();
        free.sort_unstable();
        for id in free {
            self.renderer.free_texture(id);
        }
        presented
    }

    fn try_present(&mut self, sight: &Sight<'_>) -> Presented {
        let [width, height] = self.size();
        if width == 0 || height == 0 {
            return Presented::Later;
        }
        if !self.configured || [self.config.width, self.config.height] != [width, height] {
            (self.config.width, self.config.height) = (width, height);
            let (surface, device, config) = (&self.surface, &self.gpu.device, &self.config);
            let made = self.gpu.scope(|| "the window's surface".to_owned(), || surface.configure(device, config));
            self.configured = made.is_ok();
            if made.is_err() {
                return Presented::Later;
            }
        }
        let surface = &self.surface;
        let texture = self.gpu.scope(|| "the window's surface".to_owned(), || surface.get_current_texture());
        match texture {
            Ok(CurrentSurfaceTexture::Success(texture)) => {
                self.paint(&texture.texture, sight);
                self.window.pre_present_notify();
                self.gpu.queue.present(texture);
                return Presented::Yes;
            }
            Ok(CurrentSurfaceTexture::Suboptimal(texture)) => {
                self.paint(&texture.texture, sight);
                self.gpu.queue.present(texture);
                self.configured = false;
                return Presented::Yes;
            }
            Ok(CurrentSurfaceTexture::Lost) => {
                if let Ok(surface) = self.instance.create_surface(Arc::clone(&self.window)) {
                    self.surface = surface;
                }
                self.configured = false;
            }
            Ok(CurrentSurfaceTexture::Outdated | CurrentSurfaceTexture::Validation) | Err(_) => self.configured = false,
            Ok(CurrentSurfaceTexture::Timeout | CurrentSurfaceTexture::Occluded) => {}
        }
        Presented::Later
    }

    /// The same sight as an image.
    ///
    /// # Errors
    /// As [`crate::gpu::read_texture`].
    pub(super) fn shoot(&mut self, sight: &Sight<'_>, limit: std::time::Duration) -> Result<Image, Error> {
        let [width, height] = self.size();
        let descriptor = wgpu::TextureDescriptor {
            label: Some("screenshot"),
            size: wgpu::Extent3d { width: width.max(1), height: height.max(1), depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: self.config.format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        };
        let gpu = self.gpu.clone();
        let texture = gpu.scope(|| "a screenshot".to_owned(), || gpu.device.create_texture(&descriptor))?;
        self.paint(&texture, sight);
        crate::gpu::read_texture(&gpu, "the window", &texture, (0, 0), limit)
    }

    fn update(&mut self, id: egui::TextureId, delta: &egui::epaint::ImageDelta) {
        let (gpu, renderer) = (&self.gpu, &mut self.renderer);
        // A texture that cannot be had is missing in the picture; the next one tries again.
        let _ = gpu.scope(
            || "a texture of the panel".to_owned(),
            || renderer.update_texture(&gpu.device, &gpu.queue, id, delta),
        );
    }

    fn paint(&mut self, target: &wgpu::Texture, sight: &Sight<'_>) {
        let gpu = &self.gpu;
        let size = [target.width(), target.height()];
        let view = target.create_view(&wgpu::TextureViewDescriptor { label: Some("window"), ..Default::default() });
        let descriptor = wgpu::CommandEncoderDescriptor { label: Some("window") };
        let mut encoder = gpu.device.create_command_encoder(&descriptor);
        let (layer, is_empty) = self.layer.target(&gpu.device, size);
        let mut more = Vec::new();
        if sight.is_new || is_empty {
            let screen = ScreenDescriptor { size_in_pixels: size, pixels_per_point: sight.points };
            more = self.renderer.update_buffers(&gpu.device, &gpu.queue, &mut encoder, sight.shapes, &screen);
            let mut pass = begin(&mut encoder, "panel", &layer, wgpu::Color::TRANSPARENT);
            self.renderer.render(&mut pass, sight.shapes, &screen);
        }
        let ground = wgpu::Color { r: 0.055, g: 0.058, b: 0.066, a: 1.0 };
        let mut pass = begin(&mut encoder, "window", &view, ground);
        if let Some(shown) = sight.shown {
            self.blit.draw(gpu, &mut pass, shown, size);
        }
        self.layer.draw(&mut pass);
        drop(pass);
        gpu.queue.submit(more.into_iter().chain([encoder.finish()]));
    }
}

fn begin(
    encoder: &mut wgpu::CommandEncoder,
    label: &str,
    view: &wgpu::TextureView,
    clear: wgpu::Color,
) -> wgpu::RenderPass<'static> {
    let ops = wgpu::Operations { load: wgpu::LoadOp::Clear(clear), store: wgpu::StoreOp::Store };
    let attachment = wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target: None, ops };
    let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        color_attachments: &[Some(attachment)],
        ..Default::default()
    });
    pass.forget_lifetime()
}

fn painters(gpu: &Gpu, format: TextureFormat) -> Result<(Renderer, Blit, Layer), Error> {
    let options = RendererOptions { dithering: false, ..RendererOptions::default() };
    let renderer = gpu.scope(|| "the panel's renderer".to_owned(), || Renderer::new(&gpu.device, format, options))?;
    let layer = gpu.scope(|| "the panel's layer".to_owned(), || Layer::new(&gpu.device, format))?;
    Ok((renderer, Blit::new(gpu, format)?, layer))
}
