//! Uses that one usage scope cannot hold together.
//!
//! WebGPU synchronizes between scopes: each dispatch is one, a whole render pass is one. Within a scope a resource is
//! either written in one way or read in any; buffers count whole, textures per mip and layer.

use super::Resolver;
use crate::diagnostic::Diagnostic;
use crate::graph::{Access, Lifetime, Pass, PassKind, Usage, rules};

impl Resolver<'_> {
    pub(super) fn conflicts(&mut self) {
        self.top_ports();
        let mut found = Vec::new();
        for pass in &self.draft.passes {
            if pass.accesses.len() < 2
                || matches!(pass.kind, PassKind::ClearBuffer { .. } | PassKind::CopyBuffer { .. })
            {
                continue;
            }
            if let Some(one) = self.conflict(pass) {
                found.push(one.at(format!("passes[\"{}\"]", pass.name)));
            }
        }
        self.found.extend(found);
    }

    /// The first pair of uses that do not go together.
    fn conflict(&self, pass: &Pass) -> Option<Diagnostic> {
        let mut uses: Vec<&Access> = pass.accesses.iter().collect();
        uses.sort_by_key(|access| access.resource);
        for of_one in uses.chunk_by(|a, b| a.resource == b.resource) {
            if !of_one.iter().any(|access| is_exclusive(access.usage)) {
                continue;
            }
            for (index, a) in of_one.iter().enumerate() {
                let others = of_one[index + 1..].iter();
                let mut clashing = others.filter(|b| self.same_copy(a, b) && a.part.overlaps(b.part));
                if let Some(found) = clashing.find_map(|b| self.clash(pass, a, b)) {
                    return Some(found);
                }
            }
        }
        None
    }

    /// The two copies of a History are two resources.
    fn same_copy(&self, a: &Access, b: &Access) -> bool {
        a.previous == b.previous || self.draft.resources[a.resource].lifetime != Lifetime::History
    }

    fn clash(&self, pass: &Pass, a: &Access, b: &Access) -> Option<Diagnostic> {
        let resource = &self.draft.resources[a.resource];
        if is_exclusive(a.usage) && a.usage == b.usage {
            let (Some(one), Some(other)) = (a.variable, b.variable) else {
                // One attachment, bound twice.
                return (a.usage != Usage::StorageWrite).then(|| conflicting(pass, &resource.name, a, b));
            };
            if one == other {
                return None;
            }
            let message = format!("`{}` can write `{}` through two variables", pass.name, resource.name);
            return Some(
                Diagnostic::new(&rules::ALIASED_WRITABLE, message, b.span, "bound here")
                    .also(one, "one variable")
                    .also(other, "the other")
                    .help("bind it once: WebGPU forbids writable aliases"),
            );
        }
        let clashes = a.usage != b.usage && (is_exclusive(a.usage) || is_exclusive(b.usage));
        clashes.then(|| conflicting(pass, &resource.name, a, b))
    }
}

fn conflicting(pass: &Pass, name: &str, a: &Access, b: &Access) -> Diagnostic {
    let (scope, whole) = match pass.kind {
        PassKind::Render(_) => ("render pass", "a render pass"),
        _ => ("dispatch", "a dispatch"),
    };
    let indirect = a.usage == Usage::Indirect || b.usage == Usage::Indirect;
    let rule = if indirect { &rules::INDIRECT_WRITTEN } else { &rules::USAGE_CONFLICT };
    let message =
        format!("`{}` uses `{name}` as {} and as {} at once", pass.name, usage_name(a.usage), usage_name(b.usage));
    let mut found = Diagnostic::new(rule, message, b.span, format!("{} here", usage_name(b.usage)));
    if a.span != b.span {
        found = found.also(a.span, format!("{} here", usage_name(a.usage)));
    }
    for variable in [a.variable, b.variable].into_iter().flatten() {
        found = found.also(variable, "this variable");
    }
    found
        .note(format!("{whole} is one usage scope: a resource is written in one way there, or only read"))
        .help(format!("use two resources, or split the {scope} in two"))
}

/// A use that goes together with no other.
const fn is_exclusive(usage: Usage) -> bool {
    matches!(
        usage,
        Usage::StorageWrite
            | Usage::StorageTexture
            | Usage::ColorAttachment
            | Usage::DepthAttachment
            | Usage::ResolveTarget
            | Usage::CopyDst
    )
}

/// A use, as messages call it.
pub(crate) const fn usage_name(usage: Usage) -> &'static str {
    match usage {
        Usage::Uniform => "a uniform buffer",
        Usage::StorageRead => "read-only storage",
        Usage::StorageWrite => "writable storage",
        Usage::Vertex => "a vertex buffer",
        Usage::Index => "an index buffer",
        Usage::Indirect => "indirect arguments",
        Usage::CopySrc => "a copy's source",
        Usage::CopyDst => "a copy's target",
        Usage::Sampled => "a sampled texture",
        Usage::StorageTexture => "a storage texture",
        Usage::ColorAttachment => "a colour attachment",
        Usage::DepthAttachment => "a depth attachment",
        Usage::DepthReadOnly => "a read-only depth attachment",
        Usage::ResolveTarget => "a resolve target",
    }
}
