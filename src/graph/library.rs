//! Documents and shaders, each read once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::data::{self, Content, DataError};
use super::mesh::{self, FileError, Mesh};
use crate::diagnostic::{Diagnostic, has_errors};
use crate::shader::Shaders;
use crate::source::{FileId, Files, LoadError};
use crate::syntax;
use crate::syntax::document::Document;

/// Everything that was read, parsed and reflected so far. Resolving another variant reads nothing again.
#[derive(Debug)]
pub struct Library {
    /// The texts.
    pub files: Files,
    /// The shaders.
    pub shaders: Shaders,
    documents: BTreeMap<FileId, Arc<Document>>,
    /// Mesh files by path.
    meshes: BTreeMap<String, Result<Arc<[Mesh]>, FileError>>,
    /// Data files by path.
    contents: BTreeMap<String, Result<Arc<Content>, DataError>>,
    /// Those with an error in their text.
    faulty: BTreeSet<FileId>,
}

impl Library {
    /// Nothing read yet.
    pub fn new(files: Files) -> Self {
        Self {
            files,
            shaders: Shaders::default(),
            documents: BTreeMap::new(),
            meshes: BTreeMap::new(),
            contents: BTreeMap::new(),
            faulty: BTreeSet::new(),
        }
    }

    /// The document of a file. Its faults are put in `found` the first time.
    pub fn document(&mut self, file: FileId, found: &mut Vec<Diagnostic>) -> Arc<Document> {
        if let Some(document) = self.documents.get(&file) {
            return Arc::clone(document);
        }
        let (document, mut faults) = syntax::parse(&self.files, file);
        if has_errors(&faults) {
            self.faulty.insert(file);
        }
        found.append(&mut faults);
        let document = Arc::new(document);
        self.documents.insert(file, Arc::clone(&document));
        document
    }

    /// The meshes of a file, by its path below the root.
    ///
    /// # Errors
    /// See [`FileError`].
    pub fn meshes(&mut self, path: &str) -> Result<Arc<[Mesh]>, FileError> {
        if let Some(known) = self.meshes.get(path) {
            return known.clone();
        }
        let loaded = mesh::load(&self.files, path);
        self.meshes.insert(path.to_owned(), loaded.clone());
        loaded
    }

    /// What a data file holds, by its path below the root.
    pub(super) fn content(&mut self, path: &str) -> Result<Arc<Content>, DataError> {
        if let Some(known) = self.contents.get(path) {
            return known.clone();
        }
        let loaded = data::load(&self.files, path);
        self.contents.insert(path.to_owned(), loaded.clone());
        loaded
    }

    /// Whether the text of a graph file has an error, so that more may be meant than its document has.
    pub fn is_faulty(&self, file: FileId) -> bool {
        self.faulty.contains(&file)
    }

    /// Reads a graph file by its path below the root.
    ///
    /// # Errors
    /// See [`LoadError`].
    pub fn load(&mut self, path: &str, found: &mut Vec<Diagnostic>) -> Result<Arc<Document>, LoadError> {
        let file = self.files.load(path)?;
        Ok(self.document(file, found))
    }
}
