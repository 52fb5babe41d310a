//! `--fix` and `--diff`: what can be mended by machine is, round after round, until nothing changes.

use std::collections::BTreeSet;

use anyhow::{Context as _, bail};
use rondag::diagnostic::{Diagnostic, edited, fixes};
use rondag::source::{Door as _, write_whole};
use similar::TextDiff;

use super::baseline::Baseline;
use super::door::Texts;
use super::project::{Project, Request};
use super::work::Checked;

/// Rounds of fixes. A fix may uncover a fault that has one, too; fixes that undo each other must come to an end.
const MAX_ROUNDS: usize = 10;

/// A project after its fixes.
#[derive(Debug)]
pub(super) struct Mended {
    /// As the files were.
    pub before: Checked,
    /// As they are with the fixes; nothing if there were none.
    pub after: Option<Checked>,
    /// The texts of the files that changed.
    pub texts: Texts,
    /// How many fixes were applied.
    pub count: usize,
}

/// Fixes what can be fixed. A file that would not parse any more is left as it was.
pub(super) fn mend(project: &Project, request: &Request<'_>, baseline: Option<&Baseline>) -> Mended {
    let mut mended =
        Mended { before: project.check(request, &Texts::new()), after: None, texts: Texts::new(), count: 0 };
    let mut frozen: BTreeSet<String> = BTreeSet::new();
    let mut rounds = 0;
    while rounds < MAX_ROUNDS {
        let now = mended.after.as_ref().unwrap_or(&mended.before);
        let (texts, count) = round(now, project, request, baseline, &frozen);
        if count == 0 {
            break;
        }
        let mut all = mended.texts.clone();
        all.extend(texts.clone());
        let after = project.check(request, &all);
        let worse: Vec<String> = texts.into_keys().filter(|path| broken(&after, path) > broken(now, path)).collect();
        if worse.is_empty() {
            rounds += 1;
            (mended.after, mended.texts) = (Some(after), all);
            mended.count += count;
        } else {
            frozen.extend(worse);
        }
    }
    mended
}

/// One round: the new texts, and how many fixes they hold.
fn round(
    now: &Checked,
    project: &Project,
    request: &Request<'_>,
    baseline: Option<&Baseline>,
    frozen: &BTreeSet<String>,
) -> (Texts, usize) {
    let open = |path: &str| {
        let there = project.texts.contains_key(path) || project.disk.root().join(path).is_file();
        !frozen.contains(path) && there
    };
    let chosen = fixes(super::new_findings(project, now, baseline), |fix| {
        let inside = fix.edits.iter().all(|edit| open(&now.files.get(edit.span.file).path));
        (fix.safe || request.args.mend.unsafe_fixes) && inside
    });
    let text = |(file, edits): (&rondag::source::FileId, &Vec<_>)| {
        (now.files.get(*file).path.clone(), edited(&now.files, *file, edits))
    };
    (chosen.edits.iter().map(text).collect(), chosen.count)
}

/// How much of a file cannot be read.
fn broken(checked: &Checked, path: &str) -> usize {
    let concerns = |finding: &&Diagnostic| {
        let code = finding.rule.code;
        (code == "syntax" || code.starts_with("wgsl-")) && checked.files.get(finding.primary.span.file).path == path
    };
    checked.found.iter().filter(concerns).count()
}

impl Mended {
    /// As the files are now.
    pub(super) fn now(&self) -> &Checked {
        self.after.as_ref().unwrap_or(&self.before)
    }

    /// The text of a file before the fixes, and how it is called.
    fn old<'s>(&'s self, path: &'s str) -> (&'s str, &'s str) {
        let file = self.before.files.iter().map(|(_, file)| file).find(|file| file.path == path);
        file.map_or(("", path), |file| (&file.text, &file.display))
    }

    /// Unified diffs of all files that changed, in order of their paths.
    pub(super) fn diff(&self) -> String {
        let diff = |(path, new): (&String, &String)| {
            let (old, shown) = self.old(path);
            TextDiff::from_lines(old, new.as_str()).unified_diff().header(shown, shown).to_string()
        };
        self.texts.iter().map(diff).collect()
    }

    /// Writes the files that changed. What did not come from a file is returned.
    pub(super) fn write(&self, project: &Project) -> anyhow::Result<String> {
        let mut printed = String::new();
        for (path, new) in &project.texts {
            printed.push_str(self.texts.get(path).unwrap_or(new));
        }
        for (path, new) in self.texts.iter().filter(|(path, _)| !project.texts.contains_key(*path)) {
            let (old, shown) = self.old(path);
            if project.disk.read(path)? != old.as_bytes() {
                bail!("`{shown}` was changed while it was checked; it is left alone");
            }
            // A link keeps leading to its file, which is inside: it was just read.
            let place = project.disk.root().join(path).canonicalize();
            place
                .and_then(|place| write_whole(&place, new.as_bytes()))
                .with_context(|| format!("`{shown}` could not be written"))?;
        }
        Ok(printed)
    }
}
