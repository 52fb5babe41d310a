//! `first-instance-nonzero`: indirect arguments that start with an instance which the device would not start with.

use wgpu_types::Features;

use super::indirect_draws::{Indirect, indirect_draws};
use crate::diagnostic::{Diagnostic, rule};
use crate::graph::Initial;
use crate::lint::Context;

rule! {
    pub(crate) FIRST_INSTANCE_NONZERO = Error "first-instance-nonzero": "indirect arguments start with another instance than the first";
}

pub(crate) fn check(cx: &Context<'_>, out: &mut Vec<Diagnostic>) {
    if !cx.profile.features.contains(Features::INDIRECT_FIRST_INSTANCE) {
        out.extend(indirect_draws(cx).filter_map(|draw| first_instance(&draw)));
    }
}

/// What the file itself puts into the arguments.
fn first_instance(draw: &Indirect<'_>) -> Option<Diagnostic> {
    let Indirect { pass, resource, .. } = draw;
    let Some(Initial::Bytes(values)) = &draw.buffer.initial else { return None };
    let records =
        values.get(usize::try_from(draw.offset).ok()?..)?.chunks_exact(draw.bytes as usize).take(draw.count as usize);
    let word = |record: &[u8]| record.last_chunk::<4>().map_or(0, |word| u32::from_le_bytes(*word));
    let (index, first) = records.map(word).enumerate().find(|(_, first)| *first != 0)?;
    let message = format!("record {index} of `{}` starts with instance {first}", resource.name);
    let fault = Diagnostic::new(&FIRST_INSTANCE_NONZERO, message, draw.span, "read here")
        .also(resource.span, "filled here")
        .note("without the feature `IndirectFirstInstance` the draw is skipped or starts with 0");
    let help = "put 0 there and let the batch find its range with `set: { \"batch\": \"draw_index\" }`, or require the feature";
    Some(fault.help(help).at(format!("passes[\"{}\"]", pass.name)))
}
