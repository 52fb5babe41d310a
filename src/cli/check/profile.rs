//! Which limits and features graphs are held against.

use std::collections::BTreeMap;

use rondag::lint::Profile;

/// Profiles by name, each made once.
#[derive(Debug, Default)]
pub(super) struct Profiles(BTreeMap<String, Profile>);

impl Profiles {
    /// The profile of this name.
    pub(super) fn get(&mut self, name: &str) -> anyhow::Result<Profile> {
        if let Some(known) = self.0.get(name) {
            return Ok(known.clone());
        }
        let profile = match name {
            "webgpu" => Profile::default(),
            "adapter" => adapter()?,
            _ => anyhow::bail!("no profile is called `{name}`; known are `webgpu` and `adapter`"),
        };
        self.0.insert(name.to_owned(), profile.clone());
        Ok(profile)
    }
}

/// What this machine's adapter has.
#[cfg(feature = "gpu")]
fn adapter() -> anyhow::Result<Profile> {
    use rondag::gpu::{DeviceOptions, Gpu, Pick};
    Ok(Gpu::open(&Pick::Any, DeviceOptions::default())?.profile(rondag::lint::MAX_MEMORY))
}

#[cfg(not(feature = "gpu"))]
fn adapter() -> anyhow::Result<Profile> {
    anyhow::bail!("this build cannot ask an adapter: it has no `gpu` feature")
}
