//! Clears and copies of buffers once sizes are known: what they cover, and whether that is there.

use super::Resolver;
use crate::diagnostic::Diagnostic;
use crate::graph::{Effect, Pass, PassKind, Resource, ResourceId, ResourceKind, rules};

impl Resolver<'_> {
    /// A copy without a size is as long as fits; what reaches beyond a buffer is reported; what covers all of its target
    /// replaces it.
    pub(super) fn ranges(&mut self) {
        for id in self.draft.passes.ids() {
            let pass = &self.draft.passes[id];
            if pass.poisoned {
                continue;
            }
            let (ends, size) = match &pass.kind {
                PassKind::ClearBuffer { target, offset, size } => (vec![(*target, *offset)], *size),
                PassKind::CopyBuffer { source, target, size } => {
                    (vec![(source.resource, source.offset), (target.resource, target.offset)], *size)
                }
                _ => continue,
            };
            let rooms: Option<Vec<u64>> = ends.iter().map(|(resource, _)| self.bytes_of(*resource)).collect();
            let rest = rooms.as_ref().and_then(|rooms| {
                rooms.iter().zip(&ends).map(|(room, (_, offset))| room.saturating_sub(*offset)).min()
            });
            let found = ends.iter().enumerate().find_map(|(at, end)| self.beyond(pass, at, *end, size));
            let pass = &mut self.draft.passes[id];
            if let Some(found) = found {
                pass.poisoned = true;
                self.report(found);
                continue;
            }
            let (Some(rooms), Some(rest)) = (rooms, rest) else { continue };
            let length = size.unwrap_or(rest);
            if let PassKind::CopyBuffer { size, .. } = &mut pass.kind {
                *size = Some(length);
                pass.empty = length == 0;
            }
            if let (Some(written), Some(room), Some((_, 0))) = (pass.accesses.last_mut(), rooms.last(), ends.last()) {
                written.effect = if length == *room { Effect::Replace } else { Effect::Write };
            }
        }
    }

    fn bytes_of(&self, resource: ResourceId) -> Option<u64> {
        match &self.draft.resources[resource].kind {
            ResourceKind::Buffer(buffer) => buffer.size,
            _ => None,
        }
    }

    /// What is wrong with one end of a clear or copy.
    fn beyond(
        &self,
        pass: &Pass,
        at: usize,
        (resource, offset): (ResourceId, u64),
        size: Option<u64>,
    ) -> Option<Diagnostic> {
        let room = self.bytes_of(resource)?;
        let end = offset.saturating_add(size.unwrap_or(0));
        if end <= room {
            return None;
        }
        let Resource { name, span, .. } = &self.draft.resources[resource];
        let does = match (&pass.kind, at) {
            (PassKind::ClearBuffer { .. }, _) => "clears",
            (_, 0) => "copies from",
            _ => "copies to",
        };
        let message = match size {
            Some(_) => format!("`{}` {does} bytes {offset} to {end} of `{name}`, which has {room}", pass.name),
            None => format!("`{}` {does} byte {offset} on of `{name}`, which has {room}", pass.name),
        };
        let found = Diagnostic::new(&rules::RANGE, message, pass.accesses[at].span, format!("has {room} bytes"));
        Some(found.also(*span, "declared here").at(format!("passes[\"{}\"]", pass.name)))
    }
}
