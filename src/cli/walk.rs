//! Files in folders, without those that a `.gitignore` hides.
//!
//! The rules of `.gitignore` are the `ignore` crate's; the walk is not. A checked-out folder is untrusted, and its ignore
//! file may be a link to a device that never ends: only regular files are read, of a size that makes sense.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// Files whose patterns hide others; what the later one says goes first.
const NAMES: [&str; 2] = [".gitignore", ".ignore"];

/// The largest ignore file, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// All regular files below a folder with this extension, in order of their paths. Links are not followed, hidden files and
/// folders are left out.
pub(super) fn files(folder: &Path, extension: &str) -> anyhow::Result<Vec<PathBuf>> {
    let unread = || format!("`{}` could not be read", folder.display());
    let resolved = folder.canonicalize().with_context(unread)?;
    let mut walk = Walk { extension, hiding: Vec::new(), found: Vec::new() };
    for above in repository(&resolved) {
        walk.enter(above)?;
    }
    walk.folder(folder, &resolved)?;
    Ok(walk.found)
}

/// The folders above one, from the root of its repository on; all where there is none.
fn repository(folder: &Path) -> Vec<&Path> {
    if folder.join(".git").exists() {
        return Vec::new();
    }
    let mut above: Vec<&Path> = Vec::new();
    for parent in folder.ancestors().skip(1) {
        above.push(parent);
        if parent.join(".git").exists() {
            break;
        }
    }
    above.reverse();
    above
}

struct Walk<'a> {
    extension: &'a str,
    /// Of the folders that are open, the outermost first.
    hiding: Vec<Gitignore>,
    found: Vec<PathBuf>,
}

impl Walk<'_> {
    /// Reads the ignore files of a folder, and says how many there are.
    fn enter(&mut self, folder: &Path) -> anyhow::Result<usize> {
        let before = self.hiding.len();
        for name in NAMES {
            let path = folder.join(name);
            let Ok(kind) = std::fs::symlink_metadata(&path) else { continue };
            if !kind.is_file() || kind.len() > MAX_BYTES {
                bail!("`{}` is not a regular file of at most {MAX_BYTES} bytes", path.display());
            }
            let text = std::fs::read(&path).with_context(|| format!("`{}` could not be read", path.display()))?;
            let mut builder = GitignoreBuilder::new(folder);
            for line in String::from_utf8_lossy(&text).lines() {
                // A line that is no pattern hides nothing, as for git.
                builder.add_line(None, line).ok();
            }
            let hiding = builder.build().with_context(|| format!("`{}` is too much", path.display()))?;
            self.hiding.push(hiding);
        }
        Ok(self.hiding.len() - before)
    }

    /// `shown` is as it was typed, `folder` the same with links resolved.
    fn folder(&mut self, shown: &Path, folder: &Path) -> anyhow::Result<()> {
        let own = self.enter(folder)?;
        let unread = || format!("`{}` could not be read", shown.display());
        let mut entries = std::fs::read_dir(folder).with_context(unread)?.collect::<Result<Vec<_>, _>>()?;
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            let (kind, name) = (entry.file_type().with_context(unread)?, entry.file_name());
            let path = folder.join(&name);
            if name.as_encoded_bytes().starts_with(b".") || self.hides(&path, kind.is_dir()) {
                continue;
            }
            let shown = shown.join(&name);
            if kind.is_dir() {
                self.folder(&shown, &path)?;
            } else if kind.is_file() && path.extension().is_some_and(|extension| extension == self.extension) {
                self.found.push(shown);
            }
        }
        self.hiding.truncate(self.hiding.len() - own);
        Ok(())
    }

    /// The innermost file that says something decides.
    fn hides(&self, path: &Path, is_folder: bool) -> bool {
        let said = self.hiding.iter().rev().map(|hiding| hiding.matched(path, is_folder));
        said.into_iter().find(|said| !said.is_none()).is_some_and(|said| matches!(said, Match::Ignore(_)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignore_files_hide_and_show() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        for (path, text) in [
            (".gitignore", "*.tmp.ron\n/out\n[broken\n"),
            (".git/x.ron", ""),
            ("a.ron", ""),
            ("a.tmp.ron", ""),
            ("a.wgsl", ""),
            ("b/.gitignore", "!keep.tmp.ron\nc/\n"),
            ("b/keep.tmp.ron", ""),
            ("b/lose.tmp.ron", ""),
            ("b/c/d.ron", ""),
            ("b/out/e.ron", ""),
            ("out/f.ron", ""),
        ] {
            std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            std::fs::write(root.join(path), text).unwrap();
        }
        let found = |folder: &Path| files(folder, "ron").unwrap();
        let below = |paths: &[&str]| paths.iter().map(|path| root.join(path)).collect::<Vec<_>>();
        assert_eq!(found(&root), below(&["a.ron", "b/keep.tmp.ron", "b/out/e.ron"]));
        assert_eq!(found(&root.join("b")), below(&["b/keep.tmp.ron", "b/out/e.ron"]), "those above count, too");
        std::fs::remove_file(root.join(".gitignore")).unwrap();
        std::fs::create_dir(root.join(".gitignore")).unwrap();
        assert!(files(&root, "ron").unwrap_err().to_string().contains("not a regular file"));
    }
}
