//! Files that are there whole or not at all.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

/// Writes a file beside its place and moves it there, so that no one meets half of it. What is no regular file (a device,
/// a pipe) is written to as it is.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let written = match std::fs::metadata(path) {
        Ok(there) if !there.is_file() => std::fs::write(path, bytes),
        _ => beside(path, bytes),
    };
    written.with_context(|| format!("`{}` could not be written", path.display()))
}

fn beside(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    // A link keeps leading to its file.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let temporary = temporary(&path);
    let moved = std::fs::File::create_new(&temporary)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| std::fs::rename(&temporary, &path));
    if moved.is_err() {
        std::fs::remove_file(&temporary).ok();
    }
    moved
}

fn temporary(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_leaves_nothing_beside() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("a.png");
        for bytes in [&b"first, longer"[..], b"second"] {
            write_whole(&path, bytes).unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), bytes);
        }
        assert_eq!(std::fs::read_dir(temp.path()).unwrap().count(), 1);
        let error = write_whole(&temp.path().join("nowhere/a.png"), b"x").unwrap_err();
        assert!(error.to_string().contains("nowhere/a.png"), "{error}");
    }
}
