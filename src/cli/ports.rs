//! `--in name=FILE`: contents of the ports that a host would give.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, bail};
use rondag::diagnostic::did_you_mean;
use rondag::syntax::document::{Document, PortKind, ResourceDecl, ResourceKindDecl};

/// The bytes of each port by name. Every port that is read needs some.
pub(super) fn read(document: &Document, typed: &[(String, String)]) -> anyhow::Result<BTreeMap<String, Vec<u8>>> {
    let mut inputs = BTreeMap::new();
    for (name, file) in typed {
        let readable = || document.resources.iter().filter(|resource| is_read(resource));
        if !readable().any(|resource| resource.name.value == *name) {
            let hint = did_you_mean(name, readable().map(|resource| resource.name.value.as_str()));
            bail!("the graph has no `In` port `{name}`{}", hint.map(|hint| format!("; {hint}")).unwrap_or_default());
        }
        inputs.insert(name.clone(), bytes(Path::new(file))?);
    }
    for resource in document.resources.iter().filter(|resource| is_read(resource)) {
        let name = &resource.name.value;
        if matches!(resource.kind, ResourceKindDecl::Texture(_)) {
            bail!("`run` cannot give contents to the texture port `{name}`");
        }
        if !inputs.contains_key(name.as_str()) {
            bail!("port `{name}` is the host's to give: `--in {name}=FILE` stands for it");
        }
    }
    Ok(inputs)
}

fn is_read(resource: &ResourceDecl) -> bool {
    resource.port.is_some_and(|port| port.value != PortKind::Out)
}

fn bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    let failed = || format!("`{}` could not be read", path.display());
    if !std::fs::metadata(path).with_context(failed)?.is_file() {
        bail!("`{}` is not a regular file", path.display());
    }
    std::fs::read(path).with_context(failed)
}
