//! What a draw draws: counts, records and meshes.

use super::reference::Referent;
use super::scope::{Cx, known};
use super::sizes::Source;
use super::transfer::access;
use super::{Made, Resolver, Stop};
use crate::diagnostic::Diagnostic;
use crate::graph::{Access, Call, Effect, Part, Usage, rules};
use crate::syntax::document::CallDecl;
use crate::syntax::expr::{Expr, Reference};

impl Resolver<'_> {
    pub(super) fn call(&mut self, cx: &Cx, call: &CallDecl, accesses: &mut Vec<Access>) -> Made<Call> {
        match call {
            CallDecl::Draw { vertices, instances, first_vertex, first_instance, .. } => Ok(Call::Draw {
                vertices: known(self.size32(cx, vertices, "the number of vertices"))?,
                instances: self.number_or(cx, instances.as_ref(), "the number of instances", Some(1))?,
                first_vertex: self.number_or(cx, first_vertex.as_ref(), "the first vertex", Some(0))?.unwrap_or(0),
                first_instance: self
                    .number_or(cx, first_instance.as_ref(), "the first instance", Some(0))?
                    .unwrap_or(0),
            }),
            CallDecl::DrawIndexed { .. } => self.draw_indexed(cx, call),
            CallDecl::Indirect { indexed, args, count, count_buffer, fallback, .. } => {
                let record: u64 = if *indexed { 20 } else { 16 };
                let view = self.buffer(cx, args, "call.args");
                let offset = self.element(cx, args, record);
                let records = self.number_or(cx, count.as_ref(), "the number of records", Some(1))?.unwrap_or(1);
                let counted = count_buffer.as_ref().map(|reference| {
                    let view = self.buffer(cx, reference, "call.count_buffer");
                    let offset = self.element(cx, reference, 4);
                    view.and_then(|view| offset.map(|offset| (view, offset, reference.span)))
                });
                let (view, offset) = (view?, offset?);
                self.claim(view.resource, record, args.span, Source::Call);
                accesses.push(access(view, Part::ONE, Usage::Indirect, Effect::Read, args.span));
                let count_buffer = match counted {
                    Some(made) => {
                        let (view, offset, span) = made?;
                        self.claim(view.resource, 4, span, Source::Call);
                        accesses.push(access(view, Part::ONE, Usage::Indirect, Effect::Read, span));
                        Some((view.resource, offset))
                    }
                    None => None,
                };
                let fallback = fallback.map(|fallback| fallback.value);
                Ok(Call::Indirect {
                    indexed: *indexed,
                    args: view.resource,
                    offset,
                    count: records,
                    count_buffer,
                    fallback,
                })
            }
            CallDecl::Poison => Err(Stop::Poisoned),
        }
    }

    fn draw_indexed(&mut self, cx: &Cx, call: &CallDecl) -> Made<Call> {
        let CallDecl::DrawIndexed { indices, mesh, instances, first_index, base_vertex, first_instance, span } = call
        else {
            return Err(Stop::Poisoned);
        };
        let instances = self.number_or(cx, instances.as_ref(), "the number of instances", Some(1))?;
        let first_instance = self.number_or(cx, first_instance.as_ref(), "the first instance", Some(0))?.unwrap_or(0);
        if let Some(mesh) = mesh {
            let Some((index_count, first_index, base_vertex)) = self.mesh(cx, mesh)? else {
                return Ok(Call::DrawIndexed {
                    indices: None,
                    instances,
                    first_index: 0,
                    base_vertex: 0,
                    first_instance,
                });
            };
            return Ok(Call::DrawIndexed {
                indices: Some(index_count),
                instances,
                first_index,
                base_vertex,
                first_instance,
            });
        }
        let Some(indices) = indices else {
            let message = "an indexed draw says neither `indices` nor `mesh`";
            self.report(Diagnostic::new(&rules::VERTEX_LAYOUT, message, *span, "this call").at(cx.path()));
            return Err(Stop::Poisoned);
        };
        let base_vertex = match base_vertex {
            Some(expr) => known(self.int(cx, expr))?.unwrap_or(0),
            None => 0,
        };
        let Ok(base_vertex) = i32::try_from(base_vertex) else {
            let message = format!("the base vertex is {base_vertex}, which does not fit 32 bits");
            self.report(Diagnostic::new(&rules::NUMBER_RANGE, message, *span, "this call").at(cx.path()));
            return Err(Stop::Poisoned);
        };
        Ok(Call::DrawIndexed {
            indices: known(self.size32(cx, indices, "the number of indices"))?,
            instances,
            first_index: self.number_or(cx, first_index.as_ref(), "the first index", Some(0))?.unwrap_or(0),
            base_vertex,
            first_instance,
        })
    }

    /// Index count, first index and base vertex of one mesh of a pack; `None` while the host has not given the pack.
    fn mesh(&mut self, cx: &Cx, reference: &Reference) -> Made<Option<(u32, u32, i32)>> {
        let Referent::Pack(pack) = self.referent(cx, reference)? else {
            let message = "`mesh` names no pack of meshes";
            self.report(Diagnostic::new(&rules::WRONG_KIND, message, reference.span, "this reference").at(cx.path()));
            return Err(Stop::Poisoned);
        };
        let at = self.element(cx, reference, 1)?;
        let Some(meshes) = self.packs[pack].meshes.clone() else { return Ok(None) };
        let Some(draw) = usize::try_from(at).ok().and_then(|at| meshes.draws.get(at)) else {
            let message = format!("mesh {at} is named, but the pack has {}", meshes.draws.len());
            self.report(
                Diagnostic::new(&rules::SUBRESOURCE_RANGE, message, reference.span, "meshes count from 0")
                    .at(cx.path()),
            );
            return Err(Stop::Poisoned);
        };
        Ok(Some((draw.index_count, draw.first_index, draw.base_vertex)))
    }

    fn number_or(&mut self, cx: &Cx, expr: Option<&Expr>, what: &str, default: Option<u32>) -> Made<Option<u32>> {
        expr.map_or(Ok(default), |expr| known(self.size32(cx, expr, what)))
    }
}

impl Call {
    /// It draws nothing whatever the buffers hold.
    pub const fn is_empty(&self) -> bool {
        matches!(
            self,
            Self::Draw { vertices: Some(0), .. }
                | Self::Draw { instances: Some(0), .. }
                | Self::DrawIndexed { indices: Some(0), .. }
                | Self::DrawIndexed { instances: Some(0), .. }
                | Self::Indirect { count: 0, .. }
        )
    }
}
