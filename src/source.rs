//! The one door through which text and data come in, and positions in what came.
//!
//! [`Files`] hands out each file once, under a [`FileId`], and keeps its text for diagnostics. What stands behind it is
//! a [`Door`]: a folder on disk whose root nothing may leave ([`Disk`]), or a map in memory ([`Memory`]) for tests,
//! embedding and editors. Paths are relative to the root and use `/`; `..` that leaves the root, absolute paths, drive
//! letters and URLs are refused before anything is opened.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use crate::id::{Id as _, IdVec, define_id};

mod disk;
mod path;

pub use disk::{Disk, write_whole};
pub use path::{join, normalize, seen_from};

define_id! {
    /// A file that was read.
    FileId
}

/// The largest file that is read, in bytes (64 MiB).
pub const MAX_FILE_BYTES: u64 = 64 << 20;

/// A range of bytes in one file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// A span over `start..end` of `file`.
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        Self { file, start: start as u32, end: end as u32 }
    }

    /// The smallest span that covers both. Both must lie in one file; otherwise `self` is returned.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        if self.file != other.file {
            return self;
        }
        Self { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

impl std::fmt::Debug for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}..{}", self.file.index(), self.start, self.end)
    }
}

/// A name or another text that is mostly short: up to 23 bytes stand in place, so that most cost no allocation.
pub type Name = smol_str::SmolStr;

/// A value and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Sp<T> {
    /// The value.
    pub value: T,
    /// Where the author wrote it.
    pub span: Span,
}

impl<T> Sp<T> {
    /// A value at a place.
    pub fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }
}

/// Why a file could not be had. One line each, naming the path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its documentation")]
pub enum LoadError {
    #[error("`{path}` does not exist")]
    Missing { path: String },
    #[error("`{path}` is outside the project root")]
    Outside { path: String },
    #[error("`{path}` is not a regular file")]
    NotAFile { path: String },
    #[error("`{path}` has {bytes} bytes, above the limit of {MAX_FILE_BYTES}")]
    TooLarge { path: String, bytes: u64 },
    #[error("`{path}` is not valid UTF-8 (byte {at})")]
    NotText { path: String, at: usize },
    #[error("`{path}` could not be read: {why}")]
    Io { path: String, why: String },
}

/// Where files come from. Paths are normalized and relative to the root.
pub trait Door: Send + Sync + std::fmt::Debug {
    /// The bytes of the file at `path`.
    ///
    /// # Errors
    /// See [`LoadError`]. Nothing outside the root is opened, links included.
    fn read(&self, path: &str) -> Result<Vec<u8>, LoadError>;

    /// How `path` is shown to the user: as they would type it from where they stand.
    fn display(&self, path: &str) -> String {
        path.to_owned()
    }
}

impl<D: Door + ?Sized> Door for Arc<D> {
    fn read(&self, path: &str) -> Result<Vec<u8>, LoadError> {
        (**self).read(path)
    }

    fn display(&self, path: &str) -> String {
        (**self).display(path)
    }
}

/// What changes are told by: the same for the same bytes, wherever they are read.
pub fn content_hash(bytes: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64(bytes)
}

/// Files in memory.
#[derive(Debug, Clone, Default)]
pub struct Memory(pub BTreeMap<String, Vec<u8>>);

impl Memory {
    /// A door over pairs of path and text.
    pub fn new<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        Self(files.into_iter().map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec())).collect())
    }
}

impl Door for Memory {
    fn read(&self, path: &str) -> Result<Vec<u8>, LoadError> {
        self.0.get(path).cloned().ok_or_else(|| LoadError::Missing { path: path.to_owned() })
    }
}

/// One text that was read.
#[derive(Debug)]
pub struct File {
    /// Relative to the root.
    pub path: String,
    /// As shown in diagnostics.
    pub display: String,
    /// The whole text, as read; a byte order mark is kept so that offsets are those of the file.
    pub text: String,
    /// xxh3 of the text.
    pub hash: u64,
    /// Where lines begin; found out when someone asks.
    lines: OnceLock<Vec<u32>>,
}

/// A position as people and editors count it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
}

impl File {
    fn new(path: String, display: String, text: String) -> Self {
        let hash = content_hash(text.as_bytes());
        Self { path, display, text, hash, lines: OnceLock::new() }
    }

    fn lines(&self) -> &[u32] {
        self.lines.get_or_init(|| {
            let starts = self.text.match_indices('\n').map(|(at, _)| at as u32 + 1);
            std::iter::once(0).chain(starts).collect()
        })
    }

    /// The line and column of a byte offset; offsets behind the end give the end.
    pub fn position(&self, offset: u32) -> Position {
        let offset = self.text.floor_char_boundary(offset as usize);
        let lines = self.lines();
        let line = lines.partition_point(|start| *start as usize <= offset).max(1);
        let start = lines[line - 1] as usize;
        let before = self.text[start..offset].trim_start_matches('\u{feff}');
        Position { line, column: before.chars().count() + 1 }
    }

    /// The byte range of a line, counted from 1, without its end.
    pub fn line(&self, line: usize) -> std::ops::Range<usize> {
        let start = self.lines().get(line.saturating_sub(1)).map_or(self.text.len(), |at| *at as usize);
        let end = self.lines().get(line).map_or(self.text.len(), |at| *at as usize);
        start..start + self.text[start..end].trim_end_matches(['\n', '\r']).len()
    }

    /// The number of lines.
    pub fn line_count(&self) -> usize {
        self.lines().len()
    }
}

/// All texts read so far, each once.
#[derive(Debug)]
pub struct Files {
    door: Box<dyn Door>,
    read: IdVec<FileId, File>,
    by_path: BTreeMap<String, FileId>,
}

impl Files {
    /// Nothing read yet.
    pub fn new(door: impl Door + 'static) -> Self {
        Self { door: Box::new(door), read: IdVec::new(), by_path: BTreeMap::new() }
    }

    /// Reads a text, or returns it if it was read before.
    ///
    /// # Errors
    /// See [`LoadError`].
    pub fn load(&mut self, path: &str) -> Result<FileId, LoadError> {
        let path = normalize(path)?;
        if let Some(id) = self.by_path.get(&path) {
            return Ok(*id);
        }
        let bytes = self.door.read(&path)?;
        let text = String::from_utf8(bytes)
            .map_err(|e| LoadError::NotText { path: path.clone(), at: e.utf8_error().valid_up_to() })?;
        Ok(self.insert(path, text))
    }

    /// Reads bytes: initial contents, meshes, images. They get no id.
    ///
    /// # Errors
    /// See [`LoadError`].
    pub fn data(&self, path: &str) -> Result<Vec<u8>, LoadError> {
        self.door.read(&normalize(path)?)
    }

    /// Adds a text that does not come through the door: standard input, an editor's buffer, a compiled-in shader.
    pub fn add(&mut self, path: &str, text: String) -> FileId {
        if let Some(id) = self.by_path.get(path)
            && self.read[*id].text == text
        {
            return *id;
        }
        self.insert(path.to_owned(), text)
    }

    fn insert(&mut self, path: String, text: String) -> FileId {
        // What did not come through the door is called by its name: `<stdin>`, `rondag:lib/index.wgsl`.
        let named = path.starts_with('<') || path.contains(':');
        let display = if named { path.clone() } else { self.door.display(&path) };
        let id = self.read.push(File::new(path.clone(), display, text));
        self.by_path.insert(path, id);
        id
    }

    /// The file.
    pub fn get(&self, id: FileId) -> &File {
        &self.read[id]
    }

    /// The text under a span.
    pub fn text(&self, span: Span) -> &str {
        &self.read[span.file].text[span.start as usize..span.end as usize]
    }

    /// `path:line:column` of the start of a span.
    pub fn place(&self, span: Span) -> String {
        let file = &self.read[span.file];
        let at = file.position(span.start);
        format!("{}:{}:{}", file.display, at.line, at.column)
    }

    /// Every file read so far.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &File)> {
        self.read.entries()
    }
}
