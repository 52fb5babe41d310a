//! Graphs below one root: found, read, checked on several threads.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::bail;
use rondag::lint::{self, Levels};
use rondag::source::{Disk, Files};

use super::super::input::{self, Place};
use super::super::{args::Check, includes};
use super::config::Config;
use super::door::{Reading, Texts};
use super::profile::Profiles;

/// Graphs below one root.
#[derive(Debug)]
pub(super) struct Project {
    pub root: PathBuf,
    pub disk: Disk,
    pub config: Config,
    pub levels: Levels,
    pub profile: lint::Profile,
    /// Paths below the root.
    pub tops: Vec<String>,
    /// Texts that do not come from the disk.
    pub texts: Texts,
    /// Whether these are all graphs of the root.
    pub whole: bool,
}

/// All projects of a run, and what kept graphs out of them.
#[derive(Debug, Default)]
pub(super) struct Projects {
    pub by_root: BTreeMap<PathBuf, Project>,
    pub failures: Vec<anyhow::Error>,
    /// Roots whose `rondag.toml` is at fault: said once.
    refused: BTreeSet<PathBuf>,
    profiles: Profiles,
}

/// What is asked for, apart from paths.
#[derive(Debug)]
pub(super) struct Request<'a> {
    pub args: &'a Check,
    pub levels: Vec<lint::Setting>,
    /// Standard input, where it is one of the paths.
    pub input: Option<String>,
    pub jobs: usize,
}

impl Projects {
    /// Finds and sorts all graphs that are asked for. What cannot be had is a failure and keeps no other from being checked.
    pub(super) fn find(request: &Request<'_>) -> anyhow::Result<Self> {
        let mut projects = Self::default();
        for path in &request.args.paths {
            if path.is_dir() {
                projects.folder(request, path)?;
            } else {
                projects.named(request, path);
            }
        }
        Ok(projects)
    }

    /// Graphs in a folder that are no parts of others.
    fn folder(&mut self, request: &Request<'_>, folder: &Path) -> anyhow::Result<()> {
        let found = input::graphs_below(folder)?;
        if found.is_empty() {
            bail!("there is no graph in `{}`: no `.ron` file with `passes`", folder.display());
        }
        let mut wanted = Vec::new();
        for (path, text) in found {
            let place = match input::locate(&path, request.args.root.root.as_deref()) {
                Ok(place) => place,
                Err(failure) => {
                    self.failures.push(failure);
                    continue;
                }
            };
            if self.project(request, &place).is_some_and(|project| !project.config.excludes(&place.path)) {
                wanted.push((path, text));
            }
        }
        for path in includes::tops(wanted) {
            self.named(request, &path);
        }
        let resolved = folder.canonicalize()?;
        for project in self.by_root.values_mut() {
            project.whole |= project.root.starts_with(&resolved);
        }
        Ok(())
    }

    /// One graph by its path.
    fn named(&mut self, request: &Request<'_>, path: &Path) {
        let is_stdin = input::is_stdin(path);
        let path = request.args.stdin_filename.as_deref().filter(|_| is_stdin).unwrap_or(path);
        let place = match input::locate(path, request.args.root.root.as_deref()) {
            Ok(place) => place,
            Err(failure) => return self.failures.push(failure),
        };
        let Some(project) = self.project(request, &place) else { return };
        if let (true, Some(text)) = (is_stdin, &request.input) {
            project.texts.insert(place.path.clone(), text.clone());
        }
        if !project.tops.contains(&place.path) {
            project.tops.push(place.path);
        }
    }

    /// The files that mark the roots, whether they are there or not.
    pub(super) fn marks(&self) -> impl Iterator<Item = PathBuf> {
        self.by_root.keys().chain(&self.refused).map(|root| root.join(super::config::NAME))
    }

    /// The project of a place; nothing if its root is at fault, which is said the first time.
    fn project(&mut self, request: &Request<'_>, place: &Place) -> Option<&mut Project> {
        let root = &place.root;
        if !self.by_root.contains_key(root) && !self.refused.contains(root) {
            match Project::open(request, place, &mut self.profiles) {
                Ok(project) => drop(self.by_root.insert(root.clone(), project)),
                Err(failure) => {
                    self.failures.push(failure);
                    self.refused.insert(root.clone());
                }
            }
        }
        self.by_root.get_mut(root)
    }
}

impl Project {
    fn open(request: &Request<'_>, place: &Place, profiles: &mut Profiles) -> anyhow::Result<Self> {
        let disk = place.door()?;
        let config = Config::read(&place.root, &mut Files::new(disk.clone()))?;
        let mut profile = match (&request.args.profile, &config.profile) {
            (Some(typed), _) => profiles.typed(typed)?,
            (None, Some(said)) => profiles.of_root(said, &disk)?,
            (None, None) => lint::Profile::default(),
        };
        profile.max_memory = request.args.max_memory.unwrap_or(profile.max_memory);
        let levels = Levels { command: request.levels.clone(), root: config.lints.clone() };
        let (tops, texts, root) = (Vec::new(), Texts::new(), place.root.clone());
        Ok(Self { root, disk, config, levels, profile, tops, texts, whole: false })
    }

    /// A reading of it in which some texts stand for others.
    pub(super) fn reading(&self, texts: &Texts) -> Reading {
        let mut all = self.texts.clone();
        all.extend(texts.clone());
        Reading::new(self.disk.clone(), all)
    }
}
