//! Which files took part.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::source::{Door, LoadError, content_hash};

/// Every path that was asked for, and the hash of what came; nothing for what could not be had.
pub type Closure = BTreeMap<String, Option<u64>>;

/// A door that keeps book.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    door: Arc<dyn Door>,
    book: Arc<Mutex<Closure>>,
}

impl Asked {
    pub(super) fn new(door: Arc<dyn Door>) -> Self {
        Self { door, book: Arc::default() }
    }

    pub(super) fn closure(&self) -> Closure {
        self.book.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether a file that was read is empty.
    pub(super) fn has_empty(&self) -> bool {
        let empty = Some(content_hash(&[]));
        self.book.lock().unwrap_or_else(PoisonError::into_inner).values().any(|hash| *hash == empty)
    }
}

impl Door for Asked {
    fn read(&self, path: &str) -> Result<Vec<u8>, LoadError> {
        let read = self.door.read(path);
        let hash = read.as_ref().ok().map(|bytes| content_hash(bytes));
        self.book.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), hash);
        read
    }

    fn display(&self, path: &str) -> String {
        self.door.display(path)
    }
}
