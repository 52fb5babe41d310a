//! From a save to the presented frame that shows it, as whoever saved sees it.

use std::collections::VecDeque;
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::session::{Closure, Event, Session, Spent};

/// Reloads that are remembered.
const KEPT: usize = 1000;

/// One reload.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reload {
    /// From the newest time stamp of a file that changed to the present.
    pub(super) took: Duration,
    /// What its build took of that.
    pub(super) spent: Spent,
}

/// Reloads so far.
#[derive(Debug, Default)]
pub(super) struct Reloads {
    known: Closure,
    /// When the files were saved whose program is not presented yet.
    saved: Option<SystemTime>,
    /// Since when the program draws that was presented last.
    shown: Option<Duration>,
    pub(super) list: VecDeque<Reload>,
}

impl Reloads {
    /// Notes when what was read was saved.
    pub(super) fn happened(&mut self, events: &[Event], root: &Path) {
        for event in events {
            if let Event::Faulty(_) = event {
                // The last good picture stays.
                self.saved = None;
            }
            let Event::Closure(closure) = event else { continue };
            // A file that another setting reads is no file that somebody saved.
            let changed =
                closure.iter().filter(|(path, hash)| self.known.get(*path).is_some_and(|known| known != *hash));
            let saved = changed.filter_map(|(path, _)| std::fs::metadata(root.join(path)).ok()?.modified().ok());
            self.saved = saved.max();
            self.known.clone_from(closure);
        }
    }

    /// Whether a saved program is not presented yet.
    pub(super) const fn is_pending(&self) -> bool {
        self.saved.is_some()
    }

    /// A frame of the window was presented.
    pub(super) fn presented(&mut self, session: &Session) {
        let shown = session.shown_since();
        if shown == self.shown {
            return;
        }
        self.shown = shown;
        // A time stamp may come from another machine's clock.
        if let Some(took) = self.saved.take().and_then(|saved| saved.elapsed().ok()) {
            if self.list.len() == KEPT {
                self.list.pop_front();
            }
            self.list.push_back(Reload { took, spent: session.spent() });
        }
    }
}
