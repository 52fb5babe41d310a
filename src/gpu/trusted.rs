//! Shader modules without wgpu's run-time checks: the one place with `unsafe`.
//!
//! wgpu adds code to shaders: indices are clamped, loops are counted, divisors are looked at. Where an author vouches for
//! every index of every shader of a graph that is a price for nothing. It is never done unless it is asked for
//! ([`ProgramOptions::trusted`](super::ProgramOptions::trusted)), and what is asked for is the author's to answer: an index
//! out of bounds then reads or writes whatever is there.
#![allow(unsafe_code, reason = "wgpu makes unchecked modules by an unsafe function only")]

/// A module as it is written. Workgroup memory still begins as zeros.
pub(super) fn module(device: &wgpu::Device, descriptor: wgpu::ShaderModuleDescriptor<'_>) -> wgpu::ShaderModule {
    // SAFETY: whoever set `trusted` has promised that no shader of the graph leaves its bounds, divides by zero or loops
    // forever.
    unsafe { device.create_shader_module_trusted(descriptor, wgpu::ShaderRuntimeChecks::unchecked()) }
}
