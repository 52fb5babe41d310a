//! A folder on disk as a door.
#![allow(clippy::disallowed_methods, reason = "the one place that opens the author's files")]

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use super::{Door, LoadError, MAX_FILE_BYTES};

/// Files below one folder. Links are followed only while what they lead to stays inside.
#[derive(Debug, Clone)]
pub struct Disk {
    root: PathBuf,
    shown: String,
    folder: String,
}

impl Disk {
    /// A door over `root`.
    ///
    /// `shown` is put before each path in messages, so that they read as the user would type them: empty, or ending in
    /// `/`.
    ///
    /// # Errors
    /// If `root` is not a folder that can be resolved.
    pub fn new(root: &Path, shown: &str) -> Result<Self, LoadError> {
        let path = root.display().to_string();
        let resolved = root.canonicalize().map_err(|e| io_error(&path, &e))?;
        if !resolved.is_dir() {
            return Err(LoadError::NotAFile { path });
        }
        Ok(Self { root: resolved, shown: shown.to_owned(), folder: String::new() })
    }

    /// Shows paths as they are seen from this folder below the root: `../shaders/a.wgsl`.
    #[must_use]
    pub fn seen_from(self, folder: &str) -> Self {
        Self { folder: folder.to_owned(), ..self }
    }

    /// The folder with all links resolved.
    pub fn root(&self) -> &Path {
        &self.root
    }
}

impl Door for Disk {
    fn read(&self, path: &str) -> Result<Vec<u8>, LoadError> {
        let named = || self.display(path);
        let full = self.root.join(path).canonicalize().map_err(|e| io_error(&named(), &e))?;
        if !full.starts_with(&self.root) {
            return Err(LoadError::Outside { path: named() });
        }
        // Asked before opening: opening a FIFO would wait for its writer.
        let kind = std::fs::metadata(&full).map_err(|e| io_error(&named(), &e))?;
        if !kind.is_file() {
            return Err(LoadError::NotAFile { path: named() });
        }
        if kind.len() > MAX_FILE_BYTES {
            return Err(LoadError::TooLarge { path: named(), bytes: kind.len() });
        }
        let file = std::fs::File::open(&full).map_err(|e| io_error(&named(), &e))?;
        let mut bytes = Vec::with_capacity(kind.len() as usize);
        // A file may grow between the question and the read.
        file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(|e| io_error(&named(), &e))?;
        if bytes.len() as u64 > MAX_FILE_BYTES {
            return Err(LoadError::TooLarge { path: named(), bytes: bytes.len() as u64 });
        }
        Ok(bytes)
    }

    fn display(&self, path: &str) -> String {
        format!("{}{}", self.shown, super::path::seen_from(&self.folder, path))
    }
}

/// Writes a file beside its place and moves it there, so that nobody ever sees half of it. A file that is replaced hands
/// its permissions on.
///
/// # Errors
/// What the system says; nothing is left behind then.
pub fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    let written = std::fs::File::create_new(&part).and_then(|mut file| {
        file.write_all(bytes)?;
        if let Ok(old) = std::fs::metadata(path) {
            file.set_permissions(old.permissions())?;
        }
        file.sync_all()
    });
    written.and_then(|()| std::fs::rename(&part, path)).inspect_err(|error| {
        // What was there before is not ours.
        if error.kind() != std::io::ErrorKind::AlreadyExists {
            let _ = std::fs::remove_file(&part);
        }
    })
}

fn io_error(path: &str, error: &std::io::Error) -> LoadError {
    let path = path.to_owned();
    match error.kind() {
        std::io::ErrorKind::NotFound => LoadError::Missing { path },
        std::io::ErrorKind::NotADirectory => LoadError::Missing { path },
        _ => LoadError::Io { path, why: error.to_string() },
    }
}
