//! Meshes that rondag generates.

/// Vertices, indices and draw arguments of several meshes, one after another.
#[derive(Debug, Clone, PartialEq)]
pub struct Pack {
    /// All vertices.
    pub vertices: Vec<Vertex>,
    /// All indices, counted from the first vertex of their mesh.
    pub indices: Vec<u32>,
    /// One a mesh.
    pub draws: Vec<DrawIndexedArgs>,
}

/// A vertex with everything that shaders may ask for by name.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Vertex {
    /// `position`
    pub position: [f32; 3],
    /// `normal`, length 1.
    pub normal: [f32; 3],
    /// `uv`, 0 to 1.
    pub uv: [f32; 2],
}

/// The 20 bytes of an indexed indirect draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
#[allow(missing_docs, reason = "named as in WebGPU")]
pub struct DrawIndexedArgs {
    pub index_count: u32,
    pub instance_count: u32,
    pub first_index: u32,
    pub base_vertex: i32,
    pub first_instance: u32,
}
