//! `rondag new`: a small graph that lints clean and draws something.

use std::path::Path;

use anyhow::{Context as _, bail};

use super::Outcome;
use super::args::New;
use super::console::Console;

const GRAPH: &str = include_str!("graph.ron.in");
const SHADER: &str = include_str!("shader.wgsl.in");
const ROOT: &str = "# rondag: shaders and includes of the graphs here may not leave this folder.\n";

pub(super) fn run(args: &New, console: &mut Console) -> anyhow::Result<Outcome> {
    let folder = args.name.as_path();
    let name = folder.file_name().and_then(|name| name.to_str()).filter(|name| is_plain(name));
    let Some(name) = name else {
        bail!("`{}` names no graph: letters, digits, `_` and `-` do", folder.display());
    };
    if folder.exists() {
        bail!("`{}` is there already", folder.display());
    }
    write(&folder.join("shaders").join(format!("{name}.wgsl")), SHADER)?;
    write(&folder.join("rondag.toml"), ROOT)?;
    let graph = folder.join(format!("{name}.ron"));
    write(&graph, &GRAPH.replace("NAME", name))?;
    console.say(&format!("wrote `{}`; look at it with `rondag check {0}`", graph.display()));
    Ok(Outcome::Clean)
}

fn is_plain(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-') && !name.starts_with('-')
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let folder = path.parent().context("every file of a new graph is in a folder")?;
    std::fs::create_dir_all(folder).with_context(|| format!("`{}` could not be made", folder.display()))?;
    std::fs::write(path, text).with_context(|| format!("`{}` could not be written", path.display()))
}
