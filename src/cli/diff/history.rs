//! Files as a revision of git has them.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail};
use rondag::source::{Door, LoadError, MAX_FILE_BYTES};

/// The files below a folder at a revision. They are asked of `git`, which is what knows its own repository best.
#[derive(Debug)]
pub(super) struct Revision {
    root: PathBuf,
    /// The revision as it was typed.
    typed: String,
    commit: String,
}

impl Revision {
    /// # Errors
    /// Without git, outside of a repository, and for what is no revision.
    pub(super) fn new(root: &Path, revision: &str) -> anyhow::Result<Self> {
        let is_there = git(root).args(["rev-parse", "--git-dir"]).output().context("`git` could not be started")?;
        if !is_there.status.success() {
            bail!("`{}` is in no git repository", root.display());
        }
        let spec = format!("{revision}^{{commit}}");
        let output = git(root).args(["rev-parse", "--verify", "--quiet", "--end-of-options", &spec]).output();
        let output = output.context("`git` could not be started")?;
        let commit = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        if !output.status.success() || commit.is_empty() {
            bail!("`{revision}` is no revision of the repository around `{}`", root.display());
        }
        Ok(Self { root: root.to_owned(), typed: revision.to_owned(), commit })
    }

    fn ask(&self, args: &[&str], path: &str) -> Result<Option<Vec<u8>>, LoadError> {
        let output = git(&self.root).args(args).arg(format!("{}:./{path}", self.commit)).output();
        let output = output.map_err(|why| LoadError::Io { path: path.to_owned(), why: why.to_string() })?;
        Ok(output.status.success().then_some(output.stdout))
    }
}

fn git(root: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(root).stderr(std::process::Stdio::null());
    command
}

impl Door for Revision {
    fn read(&self, path: &str) -> Result<Vec<u8>, LoadError> {
        let missing = || LoadError::Missing { path: self.display(path) };
        let size = self.ask(&["cat-file", "-s"], path)?.ok_or_else(missing)?;
        let size = String::from_utf8_lossy(&size).trim().parse::<u64>().map_err(|_| missing())?;
        if size > MAX_FILE_BYTES {
            return Err(LoadError::TooLarge { path: path.to_owned(), bytes: size });
        }
        self.ask(&["cat-file", "blob"], path)?.ok_or_else(missing)
    }

    fn display(&self, path: &str) -> String {
        format!("{}:{path}", self.typed)
    }
}
