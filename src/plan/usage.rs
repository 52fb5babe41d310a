//! What each resource is made for, and who asked.

use super::uses::{Frame, Memory};
use super::{Asker, UsageReason};
use crate::graph::{Draft, ResourceId, ResourceKind, Usage};
use crate::id::IdVec;
use crate::syntax::document::UsageFlag;

/// The flag that a use needs.
pub const fn flag(usage: Usage) -> UsageFlag {
    match usage {
        Usage::Uniform => UsageFlag::Uniform,
        Usage::StorageRead | Usage::StorageWrite | Usage::StorageTexture => UsageFlag::Storage,
        Usage::Vertex => UsageFlag::Vertex,
        Usage::Index => UsageFlag::Index,
        Usage::Indirect => UsageFlag::Indirect,
        Usage::CopySrc => UsageFlag::CopySrc,
        Usage::CopyDst => UsageFlag::CopyDst,
        Usage::Sampled => UsageFlag::Sampled,
        Usage::ColorAttachment | Usage::DepthAttachment | Usage::DepthReadOnly | Usage::ResolveTarget => {
            UsageFlag::Attachment
        }
    }
}

/// Derives the flags of each buffer and texture. Passes that are not recorded ask too: with another count or switch they
/// are, and what has state then need not be made anew.
pub(super) fn derive(
    graph: &Draft,
    frame: &Frame<'_>,
    zeroed: &[(ResourceId, Option<crate::graph::PassId>)],
) -> IdVec<ResourceId, Vec<UsageReason>> {
    let mut usages: IdVec<ResourceId, Vec<UsageReason>> = IdVec::filled(Vec::new(), graph.resources.len());
    for (id, standing) in frame.standing.entries() {
        if !matches!(standing.memory, Memory::Buffer | Memory::Texture) {
            continue;
        }
        let asked = &mut usages[id];
        asked.reserve_exact(frame.uses.of(id).len());
        asked.extend(
            frame
                .uses
                .of(id)
                .iter()
                .map(|it| UsageReason { flag: flag(it.access.usage), asked_by: Asker::Pass(it.pass, it.access.span) }),
        );
        if standing.initial {
            asked.push(UsageReason { flag: UsageFlag::CopyDst, asked_by: Asker::Upload });
        }
        if !standing.transient {
            asked.push(UsageReason { flag: UsageFlag::CopySrc, asked_by: Asker::State });
            asked.push(UsageReason { flag: UsageFlag::CopyDst, asked_by: Asker::State });
        }
    }
    for (resource, _) in &graph.outputs {
        usages[*resource].push(UsageReason { flag: UsageFlag::CopySrc, asked_by: Asker::Output });
    }
    for (resource, _) in zeroed {
        usages[*resource].push(UsageReason { flag: zeroing(&graph.resources[*resource].kind), asked_by: Asker::Zero });
    }
    for asked in usages.iter_mut().filter(|asked| asked.len() > 1) {
        asked.sort_unstable();
        asked.dedup();
    }
    usages
}

/// Zeros are copied in, or cleared to where texels cannot be copied.
fn zeroing(kind: &ResourceKind) -> UsageFlag {
    match kind {
        ResourceKind::Texture(texture)
            if texture.samples > 1 || texture.format.is_some_and(|format| format.is_depth_stencil_format()) =>
        {
            UsageFlag::Attachment
        }
        _ => UsageFlag::CopyDst,
    }
}
