//! `--baseline`: findings that are known and not told again.
//!
//! An entry is keyed by file, code and place in the structure, so that it outlives moved lines. Files are relative to the
//! folder of the baseline.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use rondag::diagnostic::{Diagnostic, Level};
use rondag::source::{File, seen_from, write_whole};
use serde::{Deserialize, Serialize};

use super::project::Project;
use super::work::Checked;

const VERSION: u32 = 1;

/// The file's text.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    version: u32,
    findings: Vec<Entry>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    file: String,
    code: String,
    at: String,
    count: usize,
}

/// File, code, place in the structure.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    file: String,
    code: String,
    at: String,
}

/// Known findings with how often each is there.
type Counts = BTreeMap<Key, usize>;

/// A baseline, and what this run found.
#[derive(Debug)]
pub(super) struct Baseline {
    path: PathBuf,
    /// Of the baseline, with links resolved and `/`.
    folder: String,
    known: Counts,
    found: Counts,
    /// Files that were read in this run.
    read: BTreeSet<String>,
}

impl Baseline {
    /// Reads a baseline. One that is to be written anew need not be there.
    pub(super) fn open(path: &Path, anew: bool) -> anyhow::Result<Self> {
        let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        let folder = folder.canonicalize().with_context(|| format!("`{}` cannot be", path.display()))?;
        let mut baseline = Self {
            path: path.to_owned(),
            folder: slashed(&folder),
            known: Counts::new(),
            found: Counts::new(),
            read: BTreeSet::new(),
        };
        if !anew {
            for Entry { file, code, at, count } in read(path)?.findings {
                let known = baseline.known.entry(Key { file, code, at }).or_default();
                *known = known.saturating_add(count);
            }
        }
        Ok(baseline)
    }

    fn key(&self, project: &Project, checked: &Checked, finding: &Diagnostic) -> Key {
        let file = self.file(project, checked.files.get(finding.primary.span.file));
        Key { file, code: finding.rule.code.to_owned(), at: finding.identity().to_owned() }
    }

    /// What a file is called in the baseline.
    fn file(&self, project: &Project, file: &File) -> String {
        if file.path.contains(':') {
            return file.path.clone();
        }
        let whole = slashed(&project.root.join(&file.path));
        seen_from(self.folder.trim_start_matches('/'), whole.trim_start_matches('/'))
    }

    /// Whether each finding is new. Of several with one key, those are known that come first.
    pub(super) fn new_ones(&self, project: &Project, checked: &Checked) -> Vec<bool> {
        let mut left = self.known.clone();
        let mut is_new = |finding: &Diagnostic| {
            let left = left.get_mut(&self.key(project, checked, finding)).filter(|left| **left > 0);
            finding.level == Level::Note || left.map(|left| *left -= 1).is_none()
        };
        checked.found.iter().map(&mut is_new).collect()
    }

    /// Keeps what a project has, for what is written and for what is stale. Returns how many findings were known.
    pub(super) fn add(&mut self, project: &Project, checked: &Checked) -> usize {
        for (_, file) in checked.files.iter() {
            self.read.insert(self.file(project, file));
        }
        for finding in checked.found.iter().filter(|finding| finding.level != Level::Note) {
            *self.found.entry(self.key(project, checked, finding)).or_default() += 1;
        }
        self.new_ones(project, checked).into_iter().filter(|new| !new).count()
    }

    /// How many known findings are there no more: their file was read, or is gone.
    pub(super) fn stale(&self) -> usize {
        let looked_at = |key: &Key| self.read.contains(&key.file) || !Path::new(&self.folder).join(&key.file).exists();
        let missing = |(key, known): (&Key, &usize)| known.saturating_sub(self.found.get(key).copied().unwrap_or(0));
        self.known.iter().filter(|(key, _)| looked_at(key)).map(missing).sum()
    }

    /// Writes all that was found. Returns how many findings that are.
    pub(super) fn write(&self) -> anyhow::Result<usize> {
        let entry = |(Key { file, code, at }, count): (&Key, &usize)| Entry {
            file: file.clone(),
            code: code.clone(),
            at: at.clone(),
            count: *count,
        };
        let form = Form { version: VERSION, findings: self.found.iter().map(entry).collect() };
        let text = serde_json::to_string_pretty(&form).expect("it has string keys and finite numbers only") + "\n";
        write_whole(&self.path, text.as_bytes())
            .with_context(|| format!("`{}` could not be written", self.path.display()))?;
        Ok(self.found.values().sum())
    }

    /// As it was typed.
    pub(super) fn shown(&self) -> String {
        self.path.display().to_string()
    }
}

fn read(path: &Path) -> anyhow::Result<Form> {
    let shown = path.display();
    let bytes = super::super::input::small_file(path)?;
    let form: Form = serde_json::from_slice(&bytes).map_err(|fault| {
        let text = fault.to_string();
        let text = text.split(" at line ").next().unwrap_or_default();
        anyhow::anyhow!("{shown}:{}:{}: this is no baseline: {text}", fault.line(), fault.column())
    })?;
    if form.version != VERSION {
        bail!("`{shown}` has version {}; this build reads version {VERSION}", form.version);
    }
    Ok(form)
}

fn slashed(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}
