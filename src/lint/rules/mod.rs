//! The rules of this layer: one file each, its manual and its check.

use super::Context;
use crate::diagnostic::{Diagnostic, Rule};

mod attachment_limits;
mod binding_limits;
mod bound_twice;
mod buffer_limits;
mod dead_pass;
mod history_not_written;
mod index_range;
mod indirect_arguments;
mod indirect_size;
mod lasting;
mod memory_limit;
mod missing_feature;
mod missing_usage;
mod order_by_after;
mod over_declared_access;
mod overwritten;
mod sees_only_a_clear;
mod shader_habits;
mod storage_for_uniform;
mod struct_layout;
mod texture_limits;
mod unordered_producer;
mod unread_write;
mod unused_param;
mod unused_resource;
mod unused_usage;
mod unused_value;
mod unwritten_output;
mod wgpu_refuses;
mod workgroup_limits;

pub(super) use dead_pass::DEAD_PASS;
pub(super) use lasting::{NEVER_RESET, NEVER_WRITTEN};
pub(super) use overwritten::{OVERWRITTEN_UNREAD, REDUNDANT_CLEAR};
pub(super) use storage_for_uniform::STORAGE_FOR_UNIFORM;
pub(super) use unread_write::UNREAD_WRITE;
pub(super) use unused_param::UNUSED_PARAM;
pub(super) use unused_resource::UNUSED_RESOURCE;
pub(super) use unused_usage::UNUSED_USAGE;
pub(super) use unused_value::UNUSED_VALUE;
pub(crate) use wgpu_refuses::WGPU_REFUSES;

/// Every check, in the order in which they run.
pub(super) static CHECKS: &[fn(&Context<'_>, &mut Vec<Diagnostic>)] = &[
    attachment_limits::check,
    binding_limits::check,
    bound_twice::check,
    buffer_limits::check,
    dead_pass::check,
    history_not_written::check,
    index_range::check,
    indirect_arguments::check,
    indirect_size::check,
    lasting::check,
    memory_limit::check,
    missing_feature::check,
    missing_usage::check,
    order_by_after::check,
    over_declared_access::check,
    overwritten::check,
    sees_only_a_clear::check,
    shader_habits::check,
    storage_for_uniform::check,
    struct_layout::check,
    texture_limits::check,
    unordered_producer::check,
    unread_write::check,
    unused_param::check,
    unused_resource::check,
    unused_usage::check,
    unused_value::check,
    unwritten_output::check,
    workgroup_limits::check,
];

/// Every rule.
pub(super) static ALL: &[&Rule] = &[
    &attachment_limits::ATTACHMENT_LIMIT,
    &binding_limits::BINDINGS_LIMIT,
    &buffer_limits::BINDING_SIZE_LIMIT,
    &bound_twice::BOUND_TWICE,
    &DEAD_PASS,
    &indirect_arguments::FIRST_INSTANCE_NONZERO,
    &shader_habits::FIXED_SUBGROUP_SIZE,
    &history_not_written::HISTORY_NOT_WRITTEN,
    &index_range::INDEX_RANGE,
    &indirect_size::INDIRECT_SIZE,
    &indirect_arguments::INDIRECT_STRIDE,
    &memory_limit::MEMORY_LIMIT,
    &index_range::MESH_PACK_DRAWN_WHOLE,
    &shader_habits::MISSING_BOUNDS_GUARD,
    &shader_habits::NON_UNIFORM_BARRIER,
    &missing_feature::MISSING_FEATURE,
    &missing_usage::MISSING_USAGE,
    &NEVER_RESET,
    &NEVER_WRITTEN,
    &order_by_after::ORDER_BY_AFTER,
    &OVERWRITTEN_UNREAD,
    &over_declared_access::OVER_DECLARED_ACCESS,
    &REDUNDANT_CLEAR,
    &sees_only_a_clear::SEES_ONLY_A_CLEAR,
    &STORAGE_FOR_UNIFORM,
    &struct_layout::STRUCT_LAYOUT_MISMATCH,
    &texture_limits::TEXTURE_LIMIT,
    &unordered_producer::UNORDERED_PRODUCER,
    &UNREAD_WRITE,
    &UNUSED_PARAM,
    &UNUSED_RESOURCE,
    &UNUSED_USAGE,
    &UNUSED_VALUE,
    &unwritten_output::UNWRITTEN_OUTPUT,
    &struct_layout::VEC3_PADDING,
    &shader_habits::WAITS_FOR_WORKGROUPS,
    &WGPU_REFUSES,
    &workgroup_limits::WORKGROUP_LIMIT,
];
