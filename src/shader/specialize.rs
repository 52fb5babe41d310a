//! What constants given to a pipeline change: workgroup sizes, and sizes of arrays in workgroup memory.

use std::panic::{AssertUnwindSafe, catch_unwind};

use naga::back::PipelineConstants;
use naga::back::pipeline_constants::process_overrides;
use naga::valid::ModuleInfo;
use naga::{AddressSpace, Module};

use super::Shader;

impl Shader {
    /// The size of a workgroup, and the bytes of workgroup memory that it takes, when the pipeline is given `constants`:
    /// pairs of [`key`](super::Override::key) and value. `entry` is an index into
    /// [`Interface::entries`](super::Interface::entries).
    ///
    /// # Errors
    /// One line that says why there is no pipeline of these constants: an override without a value, a value that its type
    /// cannot hold, a size of zero.
    ///
    /// # Panics
    /// If there is no such entry.
    pub fn workgroup_with(&self, entry: usize, constants: &[(String, f64)]) -> Result<([u32; 3], u32), String> {
        let wanted = &self.interface.entries[entry];
        if self.module.overrides.is_empty() {
            return Ok((wanted.workgroup_size, wanted.workgroup_bytes));
        }
        let index = self
            .module
            .entry_points
            .iter()
            .position(|point| point.name == wanted.name)
            .expect("the interface lists entry points of the module");
        evaluate(&self.module, &self.info, index, &constants.iter().cloned().collect())
    }

    /// The size alone; see [`workgroup_with`](Self::workgroup_with).
    ///
    /// # Errors
    /// As there.
    ///
    /// # Panics
    /// As there.
    pub fn workgroup_size_with(&self, entry: usize, constants: &[(String, f64)]) -> Result<[u32; 3], String> {
        self.workgroup_with(entry, constants).map(|(size, _)| size)
    }
}

/// Size and bytes with every override at its default, or at 1 where it has none.
pub(super) fn defaults(module: &Module, info: &ModuleInfo, entry: usize) -> ([u32; 3], u32) {
    let point = &module.entry_points[entry];
    let pending = module.types.iter().any(|(_, ty)| is_pending(&ty.inner));
    if point.workgroup_size_overrides.is_none() && !pending {
        return (point.workgroup_size, bytes(module, info, entry));
    }
    let missing = module.overrides.iter().map(|(_, constant)| constant).filter(|constant| constant.init.is_none());
    let ones = missing.filter_map(|constant| {
        let key = constant.id.map(|id| id.to_string()).or_else(|| constant.name.clone());
        Some((key?, 1.0))
    });
    evaluate(module, info, entry, &ones.collect()).unwrap_or((point.workgroup_size, 0))
}

fn is_pending(ty: &naga::TypeInner) -> bool {
    matches!(ty, naga::TypeInner::Array { size: naga::ArraySize::Pending(_), .. })
}

fn evaluate(
    module: &Module,
    info: &ModuleInfo,
    entry: usize,
    constants: &PipelineConstants,
) -> Result<([u32; 3], u32), String> {
    let point = &module.entry_points[entry];
    let run = || {
        process_overrides(module, info, Some((point.stage, &point.name)), constants).map_err(|error| error.to_string())
    };
    let (module, info) =
        catch_unwind(AssertUnwindSafe(run)).map_err(|_| "naga failed on the values of the overrides".to_owned())??;
    let index = module.entry_points.iter().position(|other| other.name == point.name && other.stage == point.stage);
    let index = index.expect("the entry point that was asked for is kept");
    Ok((module.entry_points[index].workgroup_size, bytes(&module, &info, index)))
}

/// Workgroup memory that an entry point uses, each variable rounded up to 16 bytes, as WebGPU counts it
/// (`maxComputeWorkgroupStorageSize`).
fn bytes(module: &Module, info: &ModuleInfo, entry: usize) -> u32 {
    let info = info.get_entry_point(entry);
    module
        .global_variables
        .iter()
        .filter(|(handle, variable)| variable.space == AddressSpace::WorkGroup && !info[*handle].is_empty())
        .map(|(_, variable)| module.types[variable.ty].inner.try_size(module.to_ctx()).unwrap_or(u32::MAX))
        .fold(0, |sum, size| sum.saturating_add(size.checked_next_multiple_of(16).unwrap_or(u32::MAX)))
}
