//! What a run leaves behind: the picture, dumps, hashes.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, bail};
use rondag::diagnostic::did_you_mean;
use rondag::gpu::{Program, contents, encode_png, read_texture};
use rondag::graph::table::Layout;
use rondag::graph::{Draft, ResourceId, ResourceKind};
use xxhash_rust::xxh3::xxh3_64;

use super::args::Run;
use super::console::Console;
use super::output::write_whole;

/// Files to write and lines to print, made in full before the first is written.
#[derive(Debug, Default)]
pub(super) struct Results {
    files: Vec<(PathBuf, Vec<u8>)>,
    /// Name and hash of each resource that was asked for.
    pub hashes: Vec<(String, String)>,
    /// Name and elements of each small buffer among the outputs.
    pub values: Vec<(String, Vec<Row>)>,
}

/// An element: columns with what stands in them.
pub(super) type Row = Vec<(String, String)>;

/// Bytes of a buffer that is shown element by element.
const SMALL: u64 = 64;

/// The resources that a run asks to see, beside the graph's outputs.
pub(super) fn asked(args: &Run, draft: &Draft) -> anyhow::Result<Vec<String>> {
    let names = args.dump.iter().map(|(name, _)| name).chain(&args.hash);
    let asked: Vec<String> = names.map(|name| find(draft, name).map(|_| name.clone())).collect::<Result<_, _>>()?;
    if args.out.is_some() {
        picture(draft)?;
    }
    Ok(asked)
}

fn find(draft: &Draft, name: &str) -> anyhow::Result<ResourceId> {
    let entry = draft.resources.entries().find(|(_, resource)| resource.name == name);
    let Some((id, resource)) = entry else {
        let hint = did_you_mean(name, draft.resources.iter().map(|resource| resource.name.as_str()));
        bail!("the frame has no resource `{name}`{}", hint.map(|hint| format!("; {hint}")).unwrap_or_default());
    };
    match resource.kind {
        ResourceKind::Buffer(_) | ResourceKind::Texture(_) => Ok(id),
        _ => bail!("`{name}` is neither a buffer nor a texture: it has no contents to show"),
    }
}

/// The first texture among the outputs.
fn picture(draft: &Draft) -> anyhow::Result<ResourceId> {
    let texture = |id: &ResourceId| matches!(draft.resources[*id].kind, ResourceKind::Texture(_));
    let mut outputs = draft.outputs.iter().map(|(id, _)| *id);
    outputs.find(texture).context("the graph has no texture among its outputs: there is no picture to write")
}

/// Reads everything back.
pub(super) fn take(args: &Run, program: &Program) -> anyhow::Result<Results> {
    let mut results = Results::default();
    if let Some(path) = &args.out {
        let id = picture(program.graph())?;
        results.files.push((path.clone(), png(program, id, args.timeout)?));
    }
    for (name, path) in &args.dump {
        let (id, path) = (find(program.graph(), name)?, Path::new(path));
        let is_texture = matches!(program.graph().resources[id].kind, ResourceKind::Texture(_));
        let is_png = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"));
        let bytes =
            if is_texture && is_png { png(program, id, args.timeout)? } else { contents(program, id, args.timeout)? };
        results.files.push((path.to_owned(), bytes));
    }
    for name in &args.hash {
        let bytes = contents(program, find(program.graph(), name)?, args.timeout)?;
        results.hashes.push((name.clone(), format!("xxh3:{:016x}", xxh3_64(&bytes))));
    }
    for (id, _) in &program.graph().outputs {
        results.values.extend(values(program, *id, args.timeout)?);
    }
    Ok(results)
}

/// The elements of a small buffer.
fn values(program: &Program, id: ResourceId, timeout: Duration) -> anyhow::Result<Option<(String, Vec<Row>)>> {
    let graph = program.graph();
    if program.buffer(id).is_none_or(|(_, size)| size > SMALL) {
        return Ok(None);
    }
    let layout = Layout::of(graph, id);
    let bytes = contents(program, id, timeout)?;
    let elements = bytes.get(layout.header as usize..).unwrap_or_default().chunks_exact(layout.stride);
    let row = |element| layout.columns.iter().map(|column| (column.name.clone(), column.cell(element))).collect();
    Ok(Some((graph.resources[id].name.to_string(), elements.map(row).collect())))
}

fn png(program: &Program, id: ResourceId, timeout: Duration) -> anyhow::Result<Vec<u8>> {
    let name = &program.graph().resources[id].name;
    let texture = program.texture(id).with_context(|| format!("`{name}` has no texels: nothing writes it"))?;
    let image = read_texture(program.gpu(), name, texture, (0, 0), timeout)?;
    Ok(encode_png(name, &image)?)
}

impl Results {
    /// Writes the files and prints the hashes.
    pub(super) fn write(&self, console: &mut Console) -> anyhow::Result<()> {
        for (path, bytes) in &self.files {
            write_whole(path, bytes)?;
        }
        for (name, hash) in &self.hashes {
            console.print(&format!("{name} {hash}\n"));
        }
        Ok(())
    }
}
