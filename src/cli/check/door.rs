//! One reading of a root: each file is read once, so that all threads see the same bytes, and some texts are given.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use rondag::source::{Disk, Door, LoadError};

/// Texts by their path below the root.
pub(super) type Texts = BTreeMap<String, String>;

type Read = Result<Arc<[u8]>, LoadError>;

/// A door that keeps what it read.
#[derive(Debug, Clone)]
pub(super) struct Reading(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    disk: Disk,
    texts: Texts,
    read: Mutex<BTreeMap<String, Read>>,
}

impl Reading {
    /// Over a root. `texts` stand for files, whether these exist or not.
    pub(super) fn new(disk: Disk, texts: Texts) -> Self {
        Self(Arc::new(Inner { disk, texts, read: Mutex::default() }))
    }

    /// Every path that was asked for, whether it is there or not.
    pub(super) fn asked(&self) -> Vec<String> {
        let read = self.0.read.lock().unwrap_or_else(PoisonError::into_inner);
        read.keys().cloned().collect()
    }
}

impl Door for Reading {
    fn read(&self, path: &str) -> Result<Vec<u8>, LoadError> {
        if let Some(text) = self.0.texts.get(path) {
            return Ok(text.clone().into_bytes());
        }
        let mut read = self.0.read.lock().unwrap_or_else(PoisonError::into_inner);
        let known = read.entry(path.to_owned()).or_insert_with(|| self.0.disk.read(path).map(Arc::from));
        known.as_ref().map(|bytes| bytes.to_vec()).map_err(Clone::clone)
    }

    fn display(&self, path: &str) -> String {
        self.0.disk.display(path)
    }
}
