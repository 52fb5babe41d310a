//! The rules of this layer: one file each, its manual and its check.

use super::Context;
use crate::diagnostic::{Diagnostic, Rule};

mod attachment_limits;
mod binding_limits;
mod buffer_limits;
mod dead_pass;
mod history_not_written;
mod indirect_size;
mod memory_limit;
mod missing_feature;
mod missing_usage;
mod texture_limits;
mod unused_resource;
mod unused_usage;
mod unwritten_output;
mod workgroup_limits;

pub(super) use dead_pass::DEAD_PASS;
pub(super) use unused_resource::UNUSED_RESOURCE;
pub(super) use unused_usage::UNUSED_USAGE;

/// Every check, in the order in which they run.
pub(super) static CHECKS: &[fn(&Context<'_>, &mut Vec<Diagnostic>)] = &[
    attachment_limits::check,
    binding_limits::check,
    buffer_limits::check,
    dead_pass::check,
    history_not_written::check,
    indirect_size::check,
    memory_limit::check,
    missing_feature::check,
    missing_usage::check,
    texture_limits::check,
    unused_resource::check,
    unused_usage::check,
    unwritten_output::check,
    workgroup_limits::check,
];

/// Every rule.
pub(super) static ALL: &[&Rule] = &[
    &attachment_limits::ATTACHMENT_LIMIT,
    &binding_limits::BINDINGS_LIMIT,
    &buffer_limits::BINDING_SIZE_LIMIT,
    &DEAD_PASS,
    &history_not_written::HISTORY_NOT_WRITTEN,
    &indirect_size::INDIRECT_SIZE,
    &memory_limit::MEMORY_LIMIT,
    &missing_feature::MISSING_FEATURE,
    &missing_usage::MISSING_USAGE,
    &texture_limits::TEXTURE_LIMIT,
    &UNUSED_RESOURCE,
    &UNUSED_USAGE,
    &unwritten_output::UNWRITTEN_OUTPUT,
    &workgroup_limits::WORKGROUP_LIMIT,
];
