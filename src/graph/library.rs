//! Documents and shaders, each read once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

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
    faulty: BTreeSet<FileId>,
}

impl Library {
    /// Nothing read yet.
    pub fn new(files: Files) -> Self {
        Self { files, shaders: Shaders::default(), documents: BTreeMap::new(), faulty: BTreeSet::new() }
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

    /// Whether a file's text had errors when it was read.
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
