//! The rules of this layer: one file each. What several of them ask stands in `indirect_draws`, `layouts` and `lost`.

use super::Context;
use crate::diagnostic::{Diagnostic, Rule};

mod attachment_limits;
mod binding_limits;
mod bound_twice;
mod buffer_limits;
mod dead_pass;
mod first_instance_nonzero;
mod fixed_subgroup_size;
mod history_not_written;
mod index_range;
mod indirect_draws;
mod indirect_size;
mod indirect_stride;
mod layouts;
mod lost;
mod memory_limit;
mod mesh_pack_drawn_whole;
mod missing_bounds_guard;
mod missing_feature;
mod missing_usage;
mod never_reset;
mod never_written;
mod non_uniform_barrier;
mod order_by_after;
mod over_declared_access;
mod overwritten_unread;
mod redundant_clear;
mod sees_only_a_clear;
mod storage_for_uniform;
mod struct_layout_mismatch;
mod texture_limits;
mod unordered_producer;
mod unread_write;
mod unused_param;
mod unused_resource;
mod unused_usage;
mod unused_value;
mod unwritten_output;
mod vec3_padding;
mod waits_for_workgroups;
mod wgpu_refuses;
mod workgroup_limits;

pub(super) use dead_pass::DEAD_PASS;
pub(super) use never_reset::NEVER_RESET;
pub(super) use never_written::NEVER_WRITTEN;
pub(super) use overwritten_unread::OVERWRITTEN_UNREAD;
pub(super) use redundant_clear::REDUNDANT_CLEAR;
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
    first_instance_nonzero::check,
    fixed_subgroup_size::check,
    history_not_written::check,
    index_range::check,
    indirect_size::check,
    indirect_stride::check,
    memory_limit::check,
    mesh_pack_drawn_whole::check,
    missing_bounds_guard::check,
    missing_feature::check,
    missing_usage::check,
    never_reset::check,
    never_written::check,
    non_uniform_barrier::check,
    order_by_after::check,
    over_declared_access::check,
    overwritten_unread::check,
    redundant_clear::check,
    sees_only_a_clear::check,
    storage_for_uniform::check,
    struct_layout_mismatch::check,
    texture_limits::check,
    unordered_producer::check,
    unread_write::check,
    unused_param::check,
    unused_resource::check,
    unused_usage::check,
    unused_value::check,
    unwritten_output::check,
    vec3_padding::check,
    waits_for_workgroups::check,
    workgroup_limits::check,
];

/// Every rule.
pub(super) static ALL: &[&Rule] = &[
    &attachment_limits::ATTACHMENT_LIMIT,
    &binding_limits::BINDINGS_LIMIT,
    &buffer_limits::BINDING_SIZE_LIMIT,
    &bound_twice::BOUND_TWICE,
    &DEAD_PASS,
    &first_instance_nonzero::FIRST_INSTANCE_NONZERO,
    &fixed_subgroup_size::FIXED_SUBGROUP_SIZE,
    &history_not_written::HISTORY_NOT_WRITTEN,
    &index_range::INDEX_RANGE,
    &indirect_size::INDIRECT_SIZE,
    &indirect_stride::INDIRECT_STRIDE,
    &memory_limit::MEMORY_LIMIT,
    &mesh_pack_drawn_whole::MESH_PACK_DRAWN_WHOLE,
    &missing_bounds_guard::MISSING_BOUNDS_GUARD,
    &non_uniform_barrier::NON_UNIFORM_BARRIER,
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
    &struct_layout_mismatch::STRUCT_LAYOUT_MISMATCH,
    &texture_limits::TEXTURE_LIMIT,
    &unordered_producer::UNORDERED_PRODUCER,
    &UNREAD_WRITE,
    &UNUSED_PARAM,
    &UNUSED_RESOURCE,
    &UNUSED_USAGE,
    &UNUSED_VALUE,
    &unwritten_output::UNWRITTEN_OUTPUT,
    &vec3_padding::VEC3_PADDING,
    &waits_for_workgroups::WAITS_FOR_WORKGROUPS,
    &WGPU_REFUSES,
    &workgroup_limits::WORKGROUP_LIMIT,
];
