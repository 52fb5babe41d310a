//! What a frame is resolved for: values of params, a surface, a device's limits, the host's ports.

use std::collections::BTreeMap;

/// One setting of everything that a graph leaves open.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Values of params of the top graph by name; the others take their defaults.
    pub params: BTreeMap<String, ParamValue>,
    /// Width and height of the surface, texels.
    pub surface: [u32; 2],
    /// What `format: Surface` stands for.
    pub surface_format: wgpu_types::TextureFormat,
    /// Limits that dispatches fold by and sizes are held against.
    pub limits: wgpu_types::Limits,
    /// Sizes of what the host gives, by port; others stay unknown.
    pub ports: BTreeMap<String, PortSize>,
    /// Resources that this run asks to see besides the file's outputs, by name.
    pub outputs: Vec<String>,
    /// Passes that are left out as if they had no work, by name.
    pub off: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            params: BTreeMap::new(),
            surface: [1280, 720],
            surface_format: wgpu_types::TextureFormat::Rgba8UnormSrgb,
            limits: wgpu_types::Limits::default(),
            ports: BTreeMap::new(),
            outputs: Vec::new(),
            off: Vec::new(),
        }
    }
}

/// A value of a param as a person or a host gives it.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "one variant a kind of param")]
pub enum ParamValue {
    Int(i64),
    Float(f64),
    Bool(bool),
    Choice(String),
}

/// The size of what a host gives to a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PortSize {
    /// A buffer.
    Buffer {
        /// Bytes.
        bytes: u64,
        /// Bytes an element, where the host knows it; else the shaders say it.
        stride: Option<u64>,
    },
    /// A texture.
    Texture {
        /// Width and height, texels.
        size: [u32; 2],
        /// Format.
        format: wgpu_types::TextureFormat,
        /// Mip levels.
        mips: u32,
        /// Array layers.
        layers: u32,
        /// Samples a texel.
        samples: u32,
    },
}
