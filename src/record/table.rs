//! A table in which equal descriptors get one id.

use std::collections::HashMap;
use std::hash::Hash;

use crate::id::{Id, IdVec};

/// Descriptors by id, each once. Ids count in order of first use; the map is only asked, never walked.
#[derive(Debug, Clone)]
pub struct Table<I, T> {
    items: IdVec<I, T>,
    known: HashMap<T, I>,
}

impl<I: Id, T: Hash + Eq + Clone> Table<I, T> {
    /// The id of `item`, which is added if it is new.
    pub fn intern(&mut self, item: T) -> I {
        if let Some(id) = self.known.get(&item) {
            return *id;
        }
        let id = self.items.push(item.clone());
        self.known.insert(item, id);
        id
    }

    /// The descriptors, without the way back.
    pub fn into_items(self) -> IdVec<I, T> {
        self.items
    }

    /// The descriptors.
    pub fn items(&self) -> &IdVec<I, T> {
        &self.items
    }
}

impl<I: Id, T> Default for Table<I, T> {
    fn default() -> Self {
        Self { items: IdVec::new(), known: HashMap::new() }
    }
}
