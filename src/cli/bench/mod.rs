//! `rondag bench`: variants of a graph on the same input, timed whole and held against each other.
//!
//! A variant is warmed up until the device's clock has settled, since a card that idles is several times slower than one
//! that works; then whole frames are timed by stamps around everything that a frame records, never pass by pass, because
//! stamps between dispatches cost more than small dispatches take. Outputs are filled with nonsense first and checked
//! afterwards; a wrong result has no speed.

use std::collections::BTreeMap;

use anyhow::{Context as _, bail};
use rondag::gpu::{Gpu, Pick, Program, ProgramOptions};
use rondag::graph::{Graph, ParamValue, Settings};
use rondag::syntax::document::{Document, ParamKind};

use super::args::Bench;
use super::console::Console;
use super::opened::Opened;
use super::{Outcome, set};
use check::{Checker, Verdict};
use table::{Row, Table};

mod check;
mod measure;
mod plot;
mod table;

/// The most settings of one bench.
const MAX_SETTINGS: usize = 10_000;

/// Runs the command.
pub(super) fn run(args: &Bench, console: &mut Console) -> anyhow::Result<Outcome> {
    let Some(mut opened) = Opened::new(&args.frame, console)? else {
        return Ok(Outcome::Findings);
    };
    let settings = settings(&opened.document, &args.vary)?;
    let pick = args.adapter.as_deref().map_or(Pick::Any, Pick::from);
    let gpu = Gpu::open(&pick, args.trust.options())?;
    if !gpu.device.features().contains(measure::NEEDED) {
        bail!("adapter `{}` cannot stamp times around a frame", gpu.info.name);
    }
    opened.profile = gpu.profile(args.max_memory);
    let mut table = Table::new(args, &gpu);
    let mut checker = Checker::new(args.timeout);
    for (index, varied) in settings.iter().enumerate() {
        match row(args, &mut opened, &gpu, varied, &mut checker, console)? {
            Some(row) => table.rows.push(row),
            None => return Ok(Outcome::Findings),
        }
        Console::progress(index as u32 + 1, settings.len() as u32);
    }
    table.finish();
    if let Some(path) = &args.json {
        super::output::write_whole(path, table.json().as_bytes())?;
    }
    if let Some(path) = &args.plot {
        super::output::write_whole(path, plot::svg(&table).as_bytes())?;
    }
    console.print(&table.text());
    let wrong = table.rows.iter().any(|row| matches!(row.verdict, Verdict::Wrong(_)));
    Ok(if wrong { Outcome::Findings } else { Outcome::Clean })
}

/// One setting, measured and checked. Nothing if the graph has faults in it: they are printed.
fn row(
    args: &Bench,
    opened: &mut Opened,
    gpu: &Gpu,
    varied: &[(String, ParamValue)],
    checker: &mut Checker,
    console: &mut Console,
) -> anyhow::Result<Option<Row>> {
    let mut params = opened.settings.params.clone();
    params.extend(varied.iter().cloned());
    let settings = Settings { params, ..opened.settings.clone() };
    let Some((draft, plan)) = opened.plan(&settings, args.switches.options(), console) else {
        return Ok(None);
    };
    let shown: BTreeMap<String, String> =
        varied.iter().map(|(name, value)| (name.clone(), value.to_string())).collect();
    if draft.lacking(opened.profile.features).is_some() {
        return Ok(Some(Row::skipped(shown)));
    }
    let graph = Graph::new(draft).context("a draft without errors is a graph")?;
    let options = ProgramOptions {
        max_memory: args.max_memory,
        own_ports: true,
        labels: false,
        timing: false,
        trusted: args.trust.trusted,
        join: !args.trust.no_join,
        ..ProgramOptions::default()
    };
    let mut program = Program::new(gpu, graph.into(), plan.into(), options)?;
    Checker::poison(&mut program)?;
    let times = measure::times(&mut program, args)?;
    let key = group(&opened.document, varied);
    let checked = checker.check(&program, &key)?;
    let bytes = check::bytes(&program, checked.listed);
    Ok(Some(Row { params: shown, times: Some(times), verdict: checked.verdict, listed: checked.listed, bytes }))
}

/// What settings have in common whose results are to be the same: all that is varied but Choices.
fn group(document: &Document, varied: &[(String, ParamValue)]) -> String {
    let is_choice = |name: &str| {
        let param = document.params.iter().find(|param| param.name.value == name);
        param.is_some_and(|param| matches!(param.kind, ParamKind::Choice { .. } | ParamKind::Bool { .. }))
    };
    let same = varied.iter().filter(|(name, _)| !is_choice(name));
    same.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
}

/// Every combination of the varied values; the first param varies slowest.
fn settings(document: &Document, vary: &[(String, String)]) -> anyhow::Result<Vec<Vec<(String, ParamValue)>>> {
    let mut settings = vec![Vec::new()];
    for (name, list) in vary {
        let values = values(document, name, list)?;
        if values.is_empty() {
            bail!("`--vary {name}=` needs values");
        }
        if settings.len() * values.len() > MAX_SETTINGS {
            bail!("that is more than {MAX_SETTINGS} settings");
        }
        let with = |value: &ParamValue, setting: &Vec<(String, ParamValue)>| {
            setting.iter().cloned().chain([(name.clone(), value.clone())]).collect::<Vec<_>>()
        };
        settings = settings.iter().flat_map(|setting| values.iter().map(move |value| with(value, setting))).collect();
    }
    Ok(settings)
}

fn values(document: &Document, name: &str, list: &str) -> anyhow::Result<Vec<ParamValue>> {
    let param = document.params.iter().find(|param| param.name.value == name);
    let words: Vec<String> = match param.map(|param| &param.kind) {
        Some(ParamKind::Choice { of, .. }) if list == "all" => {
            of.iter().map(|choice| choice.value.to_string()).collect()
        }
        Some(ParamKind::Bool { .. }) if list == "all" => vec!["false".to_owned(), "true".to_owned()],
        Some(ParamKind::Int { .. }) => list.split(',').map(whole).collect(),
        _ => list.split(',').map(|word| word.trim().to_owned()).collect(),
    };
    let mut values = Vec::new();
    for word in words {
        values.extend(set::params(document, &[(name.to_owned(), word)])?.into_values());
    }
    Ok(values)
}

/// `1e6` as a whole number, where it is one.
fn whole(word: &str) -> String {
    let word = word.trim();
    match word.parse::<f64>() {
        Ok(value) if word.contains(['e', 'E']) && value.fract() == 0.0 && value.abs() < 1e15 => format!("{value:.0}"),
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_may_be_written_short() {
        for (word, expected) in
            [("1e6", "1000000"), (" 4.2e6", "4200000"), ("1_000", "1_000"), ("1e-3", "1e-3"), ("x", "x")]
        {
            assert_eq!(whole(word), expected);
        }
    }
}
