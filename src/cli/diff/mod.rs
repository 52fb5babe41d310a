//! `rondag diff`: what changed between two plans.

mod history;

use std::fmt::Write as _;
use std::path::Path;

use rondag::graph::Draft;
use rondag::plan::{Change, Plan, Planned, Subject, diff};

use super::Outcome;
use super::args::{Diff, DiffFormat};
use super::console::Console;
use super::input;
use super::opened::Opened;

pub(super) fn run(args: &Diff, console: &mut Console) -> anyhow::Result<Outcome> {
    console.is_taken = args.format != DiffFormat::Text;
    if args.graphs.iter().any(|graph| input::is_stdin(graph)) {
        anyhow::bail!("`diff` takes files: standard input cannot be compared");
    }
    let (old, new) = match (&args.git, args.graphs.as_slice()) {
        (Some(revision), [graph]) => {
            let old = at_revision(args, graph, revision, console)?;
            (old, planned(args, graph, console)?)
        }
        (None, [old, new]) => (planned(args, old, console)?, planned(args, new, console)?),
        (Some(_), _) => anyhow::bail!("`--git` compares one graph with itself at a revision"),
        (None, _) => anyhow::bail!("two graphs are compared, or one with itself at a revision: `--git REV`"),
    };
    let (Some((old_graph, old_plan)), Some((new_graph, new_plan))) = (&old, &new) else { return Ok(Outcome::Findings) };
    let changes = diff(Planned { graph: old_graph, plan: old_plan }, Planned { graph: new_graph, plan: new_plan });
    console.print(&match args.format {
        DiffFormat::Text => text(&changes),
        DiffFormat::Json => format!("{}\n", serde_json::json!({ "version": 1, "changes": changes })),
        DiffFormat::Markdown => markdown(&new_graph.name, &changes),
    });
    Ok(if args.exit_code && !changes.is_empty() { Outcome::Findings } else { Outcome::Clean })
}

fn planned(args: &Diff, graph: &Path, console: &mut Console) -> anyhow::Result<Option<(Draft, Plan)>> {
    let Some(opened) = Opened::at(graph, &args.setting, console)? else { return Ok(None) };
    Ok(finish(args, opened, console))
}

fn at_revision(
    args: &Diff,
    graph: &Path,
    revision: &str,
    console: &mut Console,
) -> anyhow::Result<Option<(Draft, Plan)>> {
    let place = input::locate(graph, args.setting.root.root.as_deref())?;
    let door = history::Revision::new(&place.root, revision)?;
    let Some(opened) = Opened::through(&args.setting, &place, door, console)? else { return Ok(None) };
    Ok(finish(args, opened, console))
}

fn finish(args: &Diff, mut opened: Opened, console: &mut Console) -> Option<(Draft, Plan)> {
    let settings = opened.settings.clone();
    opened.plan(&settings, args.switches.options(), console)
}

fn title(subject: Subject) -> &'static str {
    match subject {
        Subject::Pass => "passes",
        Subject::Order => "order",
        Subject::Boundary => "boundaries",
        Subject::Resource => "resources",
        Subject::Slot => "slots",
        Subject::Bytes => "bytes",
    }
}

/// `: 4.0 KiB → 8.0 KiB`.
fn sides(change: &Change) -> String {
    match (&change.before, &change.after) {
        (Some(before), Some(after)) => format!(": {before} → {after}"),
        (Some(before), None) => format!(" (was: {before})"),
        (None, Some(after)) => format!(": {after}"),
        (None, None) => String::new(),
    }
}

fn text(changes: &[Change]) -> String {
    if changes.is_empty() {
        return "the plans are equal\n".to_owned();
    }
    let mut out = String::new();
    for group in changes.chunk_by(|a, b| a.subject == b.subject) {
        let _ = writeln!(out, "{}", title(group[0].subject).to_uppercase());
        for change in group {
            let _ = writeln!(out, "  {} {}{}", change.name, change.what, sides(change));
        }
    }
    out
}

/// For a comment on a pull request.
fn markdown(name: &str, changes: &[Change]) -> String {
    if changes.is_empty() {
        return format!("The plan of `{name}` does not change.\n");
    }
    let mut out =
        format!("### The plan of `{name}` changes\n\n| | what | change | before | after |\n|---|---|---|---|---|\n");
    for change in changes {
        let side = |side: &Option<String>| side.clone().unwrap_or_default().replace('|', "\\|");
        let (before, after) = (side(&change.before), side(&change.after));
        let _ =
            writeln!(out, "| {} | `{}` | {} | {before} | {after} |", title(change.subject), change.name, change.what);
    }
    out
}
