//! `rondag verify`: one frame in many ways that must not matter.

use anyhow::{Context as _, bail};
use rondag::gpu::{Gpu, Pick};
use rondag::graph::Settings;
use rondag::session::port_sizes;
use rondag::source::Files;
use rondag::verify::{Fault, Verdict, Verifier, Wrong, ways};
use serde_json::json;

use super::Outcome;
use super::args::Verify;
use super::console::Console;
use super::opened::{Opened, stop};
use super::output::write_whole;

pub(super) fn run(args: &Verify, console: &mut Console) -> anyhow::Result<Outcome> {
    let Some(mut opened) = Opened::new(&args.frame, console)? else {
        return Ok(Outcome::Findings);
    };
    let pick = args.adapter.as_deref().map_or(Pick::Any, Pick::from);
    let gpu = Gpu::open(&pick, rondag::gpu::DeviceOptions::default())?;
    opened.profile = gpu.profile(args.max_memory);
    let Settings { surface, surface_format, .. } = opened.settings;
    let ports = port_sizes(&opened.document, &std::collections::BTreeMap::new(), surface, surface_format);
    let settings = Settings { ports, limits: gpu.device.limits(), ..opened.settings.clone() };
    let Some((draft, _)) = opened.plan(&settings, rondag::plan::Options::default(), console) else {
        return Ok(Outcome::Findings);
    };
    if let Some((_, span)) = draft.lacking(opened.profile.features) {
        let place = opened.library.files.place(span);
        bail!("adapter `{}` lacks a feature that the graph requires at {place}", opened.profile.name);
    }
    let verifier = Verifier::new(&gpu, &mut opened.library, opened.top, &settings, args.frames as usize);
    let verifier = match verifier {
        Ok(verifier) => verifier.within(args.timeout, args.max_memory),
        Err(fault) => return told(fault, &opened.library.files, console),
    };
    let outputs = verifier.outputs();
    if outputs.is_empty() {
        bail!("the graph has no outputs: there is nothing to compare");
    }
    let ways = ways(args.orders.into());
    let files = &opened.library.files;
    let ran = verifier.run(&ways, |verdict| {
        if let Some(wrong) = &verdict.wrong {
            console.print(&(line(verdict, wrong, files) + "\n"));
        }
    });
    let verdicts = match ran {
        Ok(verdicts) => verdicts,
        Err(fault) => return told(fault, files, console),
    };
    if let Some(path) = &args.json {
        let text = serde_json::to_string_pretty(&report(&verdicts, files)).context("what was found is plain data")?;
        write_whole(path, (text + "\n").as_bytes())?;
    }
    let wrong = verdicts.iter().filter(|verdict| verdict.wrong.is_some()).count();
    let (frames, names) = (verifier.frames(), outputs.join("`, `"));
    let end = if wrong == 0 { "all equal".to_owned() } else { format!("{wrong} differ") };
    console.say(&format!("{} of {} ways, {frames} frames each, `{names}`: {end}", verdicts.len(), ways.len()));
    let has_hung = verdicts.last().and_then(|it| it.wrong.as_ref()).is_some_and(|wrong| wrong.why.is_some());
    if has_hung {
        // A device that hangs would be waited for when it is dropped.
        std::mem::forget(gpu);
    }
    Ok(if wrong == 0 { Outcome::Clean } else { Outcome::Findings })
}

fn told(fault: Fault, files: &Files, console: &mut Console) -> anyhow::Result<Outcome> {
    match fault {
        Fault::Graph(found) => {
            stop(files, found, console);
            Ok(Outcome::Findings)
        }
        Fault::Gpu(why) => Err(why.into()),
    }
}

/// `passes shuffled, seed 3: frame 4: output `color`: 12 of 300 differ, the first at 7; first differs `list` behind `append`, a.ron:3:5`.
fn line(verdict: &Verdict, wrong: &Wrong, files: &Files) -> String {
    let Wrong { frame, output, difference, why, first } = wrong;
    if let Some(why) = why {
        return format!("{}: it could not be run: {why}", verdict.way);
    }
    let difference = difference.map(|it| it.to_string()).unwrap_or_default();
    let first = first.as_ref().map_or_else(String::new, |first| {
        let passes = first.passes.join("` or `");
        let place = files.place(first.span);
        format!("\n  first, in frame {}, `{}` differs behind `{passes}`, {place}", first.frame, first.resource)
    });
    format!("{}: frame {frame}: output `{output}`: {difference}{first}", verdict.way)
}

fn report(verdicts: &[Verdict], files: &Files) -> serde_json::Value {
    let one = |verdict: &Verdict| {
        let wrong = verdict.wrong.as_ref().map(|Wrong { frame, output, difference, why, first }| {
            let difference = difference.map(|it| json!({ "count": it.count, "of": it.of, "first": it.first }));
            let first = first.as_ref().map(|first| {
                json!({
                    "frame": first.frame, "passes": first.passes, "resource": first.resource,
                    "place": files.place(first.span),
                })
            });
            json!({ "frame": frame, "output": output, "difference": difference, "why": why, "first": first })
        });
        json!({ "way": verdict.way, "wrong": wrong })
    };
    json!({ "version": 1, "ways": verdicts.iter().map(one).collect::<Vec<_>>() })
}
