//! Sizes at last: strides from what shaders and calls say about elements, bytes from counts and strides.

use super::scope::known;
use super::{Resolver, Stop};
use crate::diagnostic::Diagnostic;
use crate::graph::{Buffer, Initial, Resource, ResourceId, ResourceKind, rules};
use crate::shader::Layout;
use crate::source::Span;

/// What one use says about a buffer's elements.
#[derive(Debug, Clone, Copy)]
pub(super) struct Claim {
    resource: ResourceId,
    /// Bytes before the first element.
    header: u64,
    /// Bytes an element; 0 where the use does not care.
    stride: u64,
    /// Where the author said so.
    span: Span,
    source: Source,
}

/// Who says it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Source {
    /// A WGSL variable.
    Variable(Span),
    /// A call or stage that reads records of a fixed size.
    Call,
    /// A vertex layout.
    Vertex,
    /// A clear or copy: no elements, only bytes.
    Transfer,
}

impl Resolver<'_> {
    pub(super) fn claim(&mut self, resource: ResourceId, stride: u64, span: Span, source: Source) {
        self.claims.push(Claim { resource, header: 0, stride, span, source });
    }

    /// What a storage variable says.
    pub(super) fn claim_layout(&mut self, resource: ResourceId, layout: &Layout, variable: Span, span: Span) {
        let (header, stride) = match layout.tail {
            Some(tail) => (tail.offset.into(), tail.stride.into()),
            None => (0, layout.size.into()),
        };
        if let Some(filled) = self.filled.get_mut(&resource) {
            filled.element.get_or_insert_with(|| layout.element.clone());
        }
        self.claims.push(Claim { resource, header, stride, span, source: Source::Variable(variable) });
    }

    pub(super) fn sizes(&mut self) {
        let mut claims = std::mem::take(&mut self.claims);
        claims.sort_by_key(|claim| claim.resource);
        let mut rest = claims.as_slice();
        for id in self.draft.resources.ids() {
            let (own, others) = rest.split_at(rest.iter().take_while(|claim| claim.resource == id).count());
            rest = others;
            let measured = known(self.measured(id));
            let resource = &self.draft.resources[id];
            let ResourceKind::Buffer(buffer) = &resource.kind else { continue };
            if measured.is_err() || resource.poisoned {
                continue;
            }
            let buffer = buffer.clone();
            match self.sized(id, buffer, own) {
                Ok(buffer) => self.draft.resources[id].kind = ResourceKind::Buffer(buffer),
                Err(_) => self.draft.resources[id].poisoned = true,
            }
        }
    }

    fn sized(&mut self, id: ResourceId, mut buffer: Buffer, claims: &[Claim]) -> Result<Buffer, Stop> {
        let element = self.agreed(id, &buffer, claims)?;
        if let Some((header, stride)) = element {
            buffer.header = header;
            buffer.stride = buffer.stride.or(Some(stride));
        }
        let element = buffer.stride.map(|stride| buffer.header.checked_add(stride));
        match (buffer.size, buffer.count, buffer.stride) {
            (Some(size), None, Some(stride)) => {
                // A host may have nothing: that is a count of zero.
                // As long as its contents, it grows to hold an element.
                let as_filled = matches!(&buffer.initial, Some(Initial::Bytes(bytes)) if bytes.len() as u64 == size);
                if size > 0 && (!as_filled || self.draft.resources[id].port.is_some()) {
                    self.fits_one(id, size, buffer.header + stride, claims)?;
                }
                buffer.count = Some(size.saturating_sub(buffer.header) / stride.max(1));
                buffer.size = Some(size.max(element.flatten().unwrap_or(4)));
            }
            (None, Some(count), Some(stride)) => {
                let bytes = count.max(1).checked_mul(stride).and_then(|bytes| bytes.checked_add(buffer.header));
                let bytes = bytes.ok_or_else(|| self.overflows(id, count, stride))?;
                let variables = claims.iter().filter(|claim| matches!(claim.source, Source::Variable(_)));
                if let Some(needs) = variables.map(|claim| claim.header + claim.stride).max() {
                    self.fits_one(id, bytes, needs, claims)?;
                }
                buffer.size = Some(bytes);
            }
            (None, Some(_), None) if !claims.is_empty() || self.is_output(id) => {
                return Err(self.strideless(id));
            }
            _ => {}
        }
        if let Some(size) = &mut buffer.size {
            *size = (*size).max(4).checked_next_multiple_of(4).ok_or(Stop::Poisoned)?;
        }
        self.lay_out(id, &mut buffer)?;
        self.initial_fits(id, &buffer)?;
        Ok(buffer)
    }

    /// Brings the contents of a data file into the shape of the elements.
    fn lay_out(&mut self, id: ResourceId, buffer: &mut Buffer) -> Result<(), Stop> {
        let (Some(filled), Some(stride)) = (self.filled.get(&id), buffer.stride) else { return Ok(()) };
        let (Some(content), Some(span)) = (&filled.content, filled.span) else { return Ok(()) };
        match content.laid_out(filled.element.as_ref(), buffer.header, stride) {
            Ok(bytes) => {
                buffer.initial = Some(Initial::Bytes(bytes));
                Ok(())
            }
            Err(why) => {
                let message = format!("`{}` {why}", self.library.files.text(span).trim_matches('"'));
                let Resource { name, span: declared, .. } = &self.draft.resources[id];
                let found =
                    Diagnostic::new(&rules::DATA_FILE, message, span, "this file").also(*declared, "fills this");
                let at = format!("resources[\"{name}\"].file");
                self.report(found.at(at));
                Err(Stop::Poisoned)
            }
        }
    }

    /// Header and stride on which all variables agree, or the author's stride.
    fn agreed(&mut self, id: ResourceId, buffer: &Buffer, claims: &[Claim]) -> Result<Option<(u64, u64)>, Stop> {
        let variables = || claims.iter().filter(|c| matches!(c.source, Source::Variable(_)));
        let others = || claims.iter().filter(|c| matches!(c.source, Source::Call | Source::Vertex) && c.stride > 0);
        let Some(first) = variables().next().or_else(|| others().next()).copied() else { return Ok(None) };
        if let Some(stride) = buffer.stride {
            if variables().next().is_none() || variables().any(|claim| claim.stride == stride) {
                return Ok(Some((first.header, stride)));
            }
            return Err(self.stride_differs(id, stride, first));
        }
        let other = variables().find(|c| (c.header, c.stride) != (first.header, first.stride)).copied();
        match other {
            Some(other) => Err(self.strides_differ(id, first, other)),
            None => Ok(Some((first.header, first.stride))),
        }
    }

    fn stride_differs(&mut self, id: ResourceId, stated: u64, claim: Claim) -> Stop {
        let Resource { name, span, .. } = &self.draft.resources[id];
        let message = format!("`{name}` has elements of {stated} bytes, but the shader's have {}", claim.stride);
        let mut found =
            Diagnostic::new(&rules::STRIDE_MISMATCH, message, claim.span, "bound here").also(*span, "declared here");
        if let Source::Variable(variable) = claim.source {
            found = found.also(variable, format!("elements of {} bytes", claim.stride));
        }
        let found = found.help(format!("state `stride: {}`, or leave it out: the shader says it", claim.stride));
        let at = format!("resources[\"{name}\"].stride");
        self.report(found.at(at));
        Stop::Poisoned
    }

    fn strides_differ(&mut self, id: ResourceId, one: Claim, other: Claim) -> Stop {
        let Resource { name, span, .. } = &self.draft.resources[id];
        let shape = |claim: &Claim| {
            if claim.header > 0 {
                format!("{} bytes behind a header of {}", claim.stride, claim.header)
            } else {
                format!("{} bytes", claim.stride)
            }
        };
        let message =
            format!("`{name}` has elements of {} in one shader and of {} in another", shape(&one), shape(&other));
        let mut found =
            Diagnostic::new(&rules::STRIDE_MISMATCH, message, other.span, "bound here").also(*span, "declared here");
        for claim in [one, other] {
            if let Source::Variable(variable) = claim.source {
                found = found.also(variable, format!("elements of {}", shape(&claim)));
            }
        }
        let found = found.help("make the shaders agree, or state `stride` so that `count` has a meaning");
        let at = format!("resources[\"{name}\"]");
        self.report(found.at(at));
        Stop::Poisoned
    }

    fn strideless(&mut self, id: ResourceId) -> Stop {
        // A pass that could not be made may be the one that says it.
        if self.draft.passes.iter().any(|pass| pass.poisoned) {
            return Stop::Poisoned;
        }
        let Resource { name, span, .. } = &self.draft.resources[id];
        let message = format!("the elements of `{name}` have no known size");
        let found = Diagnostic::new(&rules::UNKNOWN_STRIDE, message, *span, "no shader that is bound to it says one");
        let at = format!("resources[\"{name}\"]");
        self.report(found.help("state `stride`, or `size` instead of `count`").at(at));
        Stop::Poisoned
    }

    fn overflows(&mut self, id: ResourceId, count: u64, stride: u64) -> Stop {
        let Resource { name, span, .. } = &self.draft.resources[id];
        let message = format!("{count} elements of {stride} bytes overflow 64 bits");
        let found = Diagnostic::new(&rules::NUMBER_RANGE, message, *span, "declared here");
        let at = format!("resources[\"{name}\"].count");
        self.report(found.at(at));
        Stop::Poisoned
    }

    /// A binding needs room for one element at least.
    fn fits_one(&mut self, id: ResourceId, size: u64, needs: u64, claims: &[Claim]) -> Result<(), Stop> {
        let variables = claims.iter().filter(|claim| matches!(claim.source, Source::Variable(_)));
        let bound = variables.max_by_key(|claim| claim.header + claim.stride).copied();
        let Some(claim) = bound.filter(|_| size < needs) else { return Ok(()) };
        let Resource { name, span, .. } = &self.draft.resources[id];
        let message = format!("`{name}` has {size} bytes, but the shader needs {needs}");
        let mut found =
            Diagnostic::new(&rules::BINDING_SIZE, message, claim.span, "bound here").also(*span, "declared here");
        if let Source::Variable(variable) = claim.source {
            found = found.also(variable, format!("{needs} bytes, rounded up as WGSL does"));
        }
        let at = format!("resources[\"{name}\"].size");
        self.report(found.help("leave `size` out and state `count`, so that the shader says the size").at(at));
        Err(Stop::Poisoned)
    }

    fn initial_fits(&mut self, id: ResourceId, buffer: &Buffer) -> Result<(), Stop> {
        let (Some(Initial::Bytes(bytes)), Some(size)) = (&buffer.initial, buffer.size) else { return Ok(()) };
        if bytes.len() as u64 <= size {
            return Ok(());
        }
        let Resource { name, span, .. } = &self.draft.resources[id];
        let message = format!("`{name}` has {size} bytes, but its initial contents have {}", bytes.len());
        let at = format!("resources[\"{name}\"]");
        self.report(Diagnostic::new(&rules::BINDING_SIZE, message, *span, "declared here").at(at));
        Err(Stop::Poisoned)
    }

    fn is_output(&self, id: ResourceId) -> bool {
        self.draft.outputs.iter().any(|(output, _)| *output == id)
    }
}
