//! A project, checked on several threads.
//!
//! Graphs are dealt into parts of neighbours, each with a library of its own: what a part read it shares. How they are dealt
//! hangs on their number alone, so that any number of threads gives the same bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};

use rondag::diagnostic::{self, Diagnostic};
use rondag::graph::{Library, Settings};
use rondag::lint::{self, Allow};
use rondag::source::{FileId, Files, Span};

use super::super::set;
use super::door::{Reading, Texts};
use super::project::{Project, Request};
use super::{config, deep};

/// The most parts of a project.
const MAX_PARTS: usize = 16;
/// Graphs that are worth a part.
const LEAST: usize = 4;
/// As much as the main thread has: graphs nest.
const STACK: usize = 8 << 20;

/// What was found in a project.
#[derive(Debug)]
pub(super) struct Checked {
    pub files: Files,
    /// In order of their places.
    pub found: Vec<Diagnostic>,
    pub graphs: usize,
    pub tried: usize,
    /// By wgpu, with `--deep`.
    pub recorded: usize,
    pub untried: usize,
    /// What could not be read.
    pub failures: Vec<anyhow::Error>,
    /// Every path below the root that was asked for, whether it is there or not.
    pub asked: Vec<String>,
}

/// Graphs that share a library.
struct Part {
    files: Files,
    graphs: Vec<anyhow::Result<Graph>>,
}

/// One graph: faults of its own text, and the others.
struct Graph {
    text: Vec<Diagnostic>,
    report: lint::Report,
    /// Settings that wgpu recorded.
    recorded: usize,
}

impl Project {
    /// Checks every graph, with some texts in place of what the files hold.
    pub(super) fn check(&self, request: &Request<'_>, texts: &Texts) -> Checked {
        let reading = self.reading(texts);
        let size = self.tops.len().div_ceil(MAX_PARTS).max(LEAST);
        let dealt: Vec<&[String]> = self.tops.chunks(size).collect();
        let next = AtomicUsize::new(0);
        let work = || {
            let mut done = Vec::new();
            while let Some(tops) = dealt.get(next.fetch_add(1, Ordering::Relaxed)).copied() {
                done.push((tops, self.part(request, &reading, tops)));
            }
            done
        };
        let threads = request.jobs.min(dealt.len());
        let mut parts: BTreeMap<usize, Part> = BTreeMap::new();
        std::thread::scope(|scope| {
            let builder = || std::thread::Builder::new().stack_size(STACK);
            let started: Vec<_> = (0..threads).map_while(|_| builder().spawn_scoped(scope, work).ok()).collect();
            // Where no thread can be had, this one does it all.
            let own = if started.is_empty() { work() } else { Vec::new() };
            let joined =
                started.into_iter().map(|thread| thread.join().unwrap_or_else(|p| std::panic::resume_unwind(p)));
            for (tops, part) in joined.flatten().chain(own) {
                let at = dealt.iter().position(|other| std::ptr::eq(*other, tops)).unwrap_or_default();
                parts.insert(at, part);
            }
        });
        self.joined(&reading, parts.into_values().collect())
    }

    fn part(&self, request: &Request<'_>, reading: &Reading, tops: &[String]) -> Part {
        let mut library = Library::new(Files::new(reading.clone()));
        // Spans into it are the same in all parts: it is the first file.
        library.files.load(config::NAME).ok();
        let graphs = tops.iter().map(|top| self.graph(request, &mut library, top)).collect();
        Part { files: library.files, graphs }
    }

    fn graph(&self, request: &Request<'_>, library: &mut Library, top: &str) -> anyhow::Result<Graph> {
        let mut text = Vec::new();
        let document = library.load(top, &mut text)?;
        let params = set::params(&document, &request.args.set.set)?;
        let settings = Settings { params, ..Settings::default() };
        let mut report = lint::check_at(library, document.file, &settings, &self.profile, &self.levels);
        let sound = !diagnostic::has_errors(&text) && !diagnostic::has_errors(&report.found);
        let deep = if request.args.deep && sound {
            deep::check(library, document.file, &settings, &self.profile)?
        } else {
            deep::Deep::default()
        };
        report.found.extend(deep.found);
        Ok(Graph { text, report, recorded: deep.recorded })
    }

    /// All parts as one list over one set of files.
    fn joined(&self, reading: &Reading, parts: Vec<Part>) -> Checked {
        let mut files = Files::new(reading.clone());
        files.load(config::NAME).ok();
        let (found, failures, asked) = (Vec::new(), Vec::new(), reading.asked());
        let mut checked = Checked { files, found, graphs: 0, tried: 0, recorded: 0, untried: 0, failures, asked };
        let mut told = BTreeSet::new();
        let mut allows: BTreeMap<Span, Vec<Allow>> = BTreeMap::new();
        for part in parts {
            let ids: Vec<FileId> =
                part.files.iter().map(|(_, file)| checked.files.add(&file.path, file.text.clone())).collect();
            let to = |id: FileId| ids[rondag::id::Id::index(id)];
            for graph in part.graphs {
                let Graph { text, report, recorded } = match graph {
                    Ok(graph) => graph,
                    Err(failure) => {
                        checked.failures.push(failure);
                        continue;
                    }
                };
                checked.graphs += 1;
                checked.tried += report.tried;
                checked.recorded += recorded;
                checked.untried += report.untried;
                let found = text.into_iter().chain(report.found).map(|finding| finding.moved(to));
                // A text that two parts read has the same faults in both; they are those of the first.
                checked
                    .found
                    .extend(found.filter(|finding| !lint::is_of_text(finding.rule) || told.insert(key(finding))));
                for allow in report.allows {
                    let span = Span { file: to(allow.span.file), ..allow.span };
                    allows.entry(span).or_default().push(Allow {
                        span,
                        unused: allow.unused.map(|finding| finding.moved(to)),
                        ..allow
                    });
                }
            }
        }
        if self.whole {
            checked.found.extend(allows.into_values().filter_map(nowhere_of_use));
        }
        diagnostic::sort(&checked.files, &mut checked.found);
        checked
    }
}

fn key(finding: &Diagnostic) -> (Span, &'static str, String) {
    (finding.primary.span, finding.rule.code, finding.message.clone())
}

/// What is to be said of an allow, if every graph says it.
fn nowhere_of_use(graphs: Vec<Allow>) -> Option<Diagnostic> {
    let said: Option<Vec<Diagnostic>> = graphs.into_iter().map(|allow| allow.unused).collect();
    said?.into_iter().next()
}
