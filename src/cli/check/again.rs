//! `--watch`: checks anew whenever a file that took part changes.

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::bail;
use rondag::watch::Watcher;

use super::super::Outcome;
use super::super::console::Console;
use super::super::input;
use super::Asked;
use super::project::Request;

/// Goes on until the process is ended from outside, or nobody reads what it writes.
pub(super) fn run(request: &Request<'_>, console: &mut Console) -> anyhow::Result<Outcome> {
    if request.args.paths.iter().any(|path| input::is_stdin(path)) {
        bail!("standard input cannot be watched");
    }
    let mut asked = Asked::new();
    let mut watcher = Watcher::new(always(request))?;
    loop {
        let mut now = Asked::new();
        let outcome = super::once(request, console, &mut now);
        if let Err(failure) = &outcome {
            // What could not run now may run after the next change, to what was read before, too.
            console.error(&format!("{failure:#}"));
            asked.append(&mut now);
            now = std::mem::take(&mut asked);
        }
        asked = now;
        watcher.set(always(request).into_iter().chain(asked.keys().cloned()))?;
        for (path, hash) in asked.iter().filter_map(|(path, hash)| Some((path, (*hash)?))) {
            watcher.held(path, hash);
        }
        let files = watcher.len();
        console.say(&format!("watching {files} file{}", if files == 1 { "" } else { "s" }));
        if console.is_closed() {
            return outcome;
        }
        watcher.wait(None);
        console.clear();
    }
}

/// What is watched whatever a check reads: the paths that were typed.
fn always(request: &Request<'_>) -> BTreeSet<PathBuf> {
    let args = request.args;
    let profile = args.profile.iter().map(PathBuf::from).filter(|path| path.is_file());
    let mut paths: BTreeSet<PathBuf> = args.paths.iter().chain(&args.report.baseline).cloned().chain(profile).collect();
    let folders: Vec<PathBuf> = args.paths.iter().filter(|path| path.is_dir()).cloned().collect();
    // New graphs turn up beside others.
    for folder in folders {
        let found = input::graphs_below(&folder).unwrap_or_default();
        paths.extend(found.into_iter().filter_map(|(path, _)| Some(path.parent()?.to_owned())));
    }
    paths
}
