//! `--deep`: what wgpu says of frames in which the rules find nothing.

#[cfg(not(feature = "gpu"))]
use anyhow::bail;
use rondag::diagnostic::Diagnostic;
use rondag::graph::{Library, Settings};
use rondag::lint::Profile;
use rondag::source::FileId;

/// What wgpu said of one graph.
#[derive(Debug, Default)]
pub(super) struct Deep {
    pub found: Vec<Diagnostic>,
    /// Settings that were recorded.
    pub recorded: usize,
}

/// Once, before the first check. A panic within wgpu becomes a finding: its own report would stand beside it.
#[cfg(feature = "gpu")]
#[allow(clippy::unnecessary_wraps, reason = "without the feature it fails")]
pub(super) fn prepare() -> anyhow::Result<()> {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let within = |file: &str| ["wgpu", "naga"].iter().any(|name| file.contains(&format!("{name}-")));
        if !panic.location().is_some_and(|place| within(place.file())) {
            report(panic);
        }
    }));
    Ok(())
}

#[cfg(feature = "gpu")]
pub(super) fn check(
    library: &mut Library,
    top: FileId,
    settings: &Settings,
    profile: &Profile,
) -> anyhow::Result<Deep> {
    let report = rondag::gpu::deep(library, top, settings, profile)?;
    Ok(Deep { found: report.found, recorded: report.recorded })
}

#[cfg(not(feature = "gpu"))]
pub(super) fn prepare() -> anyhow::Result<()> {
    bail!("this build cannot record frames for `--deep`: it has no `gpu` feature")
}

#[cfg(not(feature = "gpu"))]
pub(super) fn check(_: &mut Library, _: FileId, _: &Settings, _: &Profile) -> anyhow::Result<Deep> {
    prepare().map(|()| Deep::default())
}
