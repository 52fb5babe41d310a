//! From what is typed to files below a root.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use rondag::source::{Disk, FileId, Files, MAX_FILE_BYTES};

use super::walk;

/// A file below a root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// The folder that nothing may leave, links resolved.
    pub root: PathBuf,
    /// Below the root, with `/`.
    pub path: String,
    /// The file as it was typed.
    typed: PathBuf,
}

/// How standard input is named in messages.
const STDIN: &str = "<stdin>";

/// Whether standard input was asked for.
pub(super) fn is_stdin(typed: &Path) -> bool {
    typed == Path::new("-")
}

/// The working folder as findings name it, links resolved; empty if it is gone.
pub(super) fn working_folder() -> String {
    let folder = std::env::current_dir().and_then(|folder| folder.canonicalize());
    folder.map(|folder| folder.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Finds the root of a typed path; whether the file is there shows when it is read.
pub(super) fn locate(typed: &Path, root: Option<&Path>) -> anyhow::Result<Place> {
    let shown = typed.display();
    let name = if is_stdin(typed) { STDIN.as_ref() } else { typed.file_name().with_context(|| no_file(typed))? };
    let folder = typed.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let folder = folder.canonicalize().with_context(|| format!("`{shown}` could not be read"))?;
    let root = match root {
        Some(root) => {
            let resolved =
                root.canonicalize().with_context(|| format!("the root `{}` could not be read", root.display()))?;
            if !resolved.is_dir() {
                bail!("the root `{}` is not a folder", root.display());
            }
            resolved
        }
        None => nearest_root(&folder).to_owned(),
    };
    let Ok(below) = folder.strip_prefix(&root) else {
        bail!("`{shown}` is outside the root `{}`", root.display());
    };
    Ok(Place { path: slashed(&below.join(name))?, root, typed: typed.to_owned() })
}

fn no_file(typed: &Path) -> String {
    format!("`{}` is not a file", typed.display())
}

fn nearest_root(folder: &Path) -> &Path {
    let marked = |folder: &&Path| ["rondag.toml", "Cargo.toml"].iter().any(|name| folder.join(name).is_file());
    folder.ancestors().find(marked).unwrap_or(folder)
}

/// A path with `/` between its parts on every system.
fn slashed(path: &Path) -> anyhow::Result<String> {
    let parts: Option<Vec<&str>> = path.iter().map(|part| part.to_str()).collect();
    Ok(parts.with_context(|| format!("`{}` is not valid Unicode", path.display()))?.join("/"))
}

impl Place {
    /// A door over the root that shows paths as they would be typed: in front of them stands what was typed in front of
    /// this file, or else they are seen from the working folder.
    pub(super) fn door(&self) -> anyhow::Result<Disk> {
        let typed = self.typed.to_string_lossy().replace('\\', "/");
        let typed = typed.trim_start_matches("./");
        if let Some(front) = typed.strip_suffix(&self.path)
            && (front.is_empty() || front.ends_with('/'))
        {
            return Ok(Disk::new(&self.root, front)?);
        }
        let here =
            std::env::current_dir().and_then(|here| here.canonicalize()).context("the working folder is gone")?;
        if let Ok(folder) = here.strip_prefix(&self.root) {
            return Ok(Disk::new(&self.root, "")?.seen_from(&slashed(folder)?));
        }
        let front = match self.root.strip_prefix(&here) {
            Ok(below) => slashed(below)?,
            Err(_) => self.root.display().to_string(),
        };
        Ok(Disk::new(&self.root, &format!("{}/", front.trim_end_matches('/')))?)
    }

    /// Reads the file, or standard input.
    pub(super) fn read(&self, files: &mut Files) -> anyhow::Result<FileId> {
        if is_stdin(&self.typed) { Ok(files.add(&self.path, stdin_text()?)) } else { Ok(files.load(&self.path)?) }
    }
}

/// All of standard input.
pub(super) fn stdin_text() -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .take(MAX_FILE_BYTES + 1)
        .read_to_end(&mut bytes)
        .context("standard input could not be read")?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        bail!("standard input has more than {MAX_FILE_BYTES} bytes");
    }
    String::from_utf8(bytes)
        .map_err(|e| anyhow::anyhow!("standard input is not valid UTF-8 (byte {})", e.utf8_error().valid_up_to()))
}

/// The bytes of a file that the command line names: a regular file, of a size that makes sense for one.
pub(super) fn small_file(path: &Path) -> anyhow::Result<Vec<u8>> {
    let shown = path.display();
    let kind = std::fs::metadata(path).with_context(|| format!("`{shown}` could not be read"))?;
    if !kind.is_file() {
        bail!("`{shown}` is not a regular file");
    }
    if kind.len() > MAX_FILE_BYTES {
        bail!("`{shown}` has more than {MAX_FILE_BYTES} bytes");
    }
    std::fs::read(path).with_context(|| format!("`{shown}` could not be read"))
}

/// All graphs below a folder with their texts, in order of their paths: `*.ron` files with a `passes` list that no
/// `.gitignore` hides.
pub(super) fn graphs_below(folder: &Path) -> anyhow::Result<Vec<(PathBuf, String)>> {
    let mut found = Vec::new();
    for path in walk::files(folder, "ron")? {
        let path = path.strip_prefix("./").map_or(path.clone(), Path::to_owned);
        // What is not text is not RON, whatever it is called.
        let text = String::from_utf8(small_file(&path)?).ok().filter(|text| says_passes(text));
        found.extend(text.map(|text| (path, text)));
    }
    Ok(found)
}

/// Whether a text says `passes:` outside of comments.
fn says_passes(text: &str) -> bool {
    text.lines().any(|line| {
        let code = line.split("//").next().unwrap_or_default();
        code.split("passes").skip(1).any(|rest| rest.trim_start().starts_with(':'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn graphs_are_told_from_other_ron() {
        assert!(says_passes("(\n  version: 1, passes : [\n"));
        assert!(!says_passes("// passes: []\n(resources: {}, entities: {})"));
        assert!(!says_passes(""));
    }

    #[test]
    fn the_root_is_the_nearest_marked_folder() {
        let temp = tempfile::tempdir().unwrap();
        let top = temp.path().canonicalize().unwrap();
        let graphs = top.join("a/graphs");
        std::fs::create_dir_all(&graphs).unwrap();
        let at = |path: &str, root: Option<&Path>| locate(&graphs.join(path), root).map(|p| (p.root, p.path));
        let own = (graphs.clone(), "x.ron".to_owned());
        assert_eq!(at("x.ron", None).unwrap(), own);
        std::fs::write(top.join("a/Cargo.toml"), "").unwrap();
        assert_eq!(at("x.ron", None).unwrap(), (top.join("a"), "graphs/x.ron".to_owned()));
        std::fs::write(graphs.join("rondag.toml"), "").unwrap();
        assert_eq!(at("x.ron", None).unwrap(), own);
        assert_eq!(at("x.ron", Some(&top)).unwrap(), (top.clone(), "a/graphs/x.ron".to_owned()));
        assert!(at("../../x.ron", Some(&graphs)).unwrap_err().to_string().contains("outside the root"));
    }
}
