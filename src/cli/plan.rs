//! `rondag plan`: what was decided for a frame.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Context as _;
use rondag::plan::{self, Options, Order, Step, human_bytes};

use super::args::{Plan, PlanFormat};
use super::console::Console;
use super::opened::Opened;
use super::{Outcome, input};

pub(super) fn run(args: &Plan, console: &mut Console) -> anyhow::Result<Outcome> {
    console.is_taken = args.format != PlanFormat::Text;
    let Some(mut opened) = Opened::new(&args.frame, console)? else {
        return Ok(Outcome::Findings);
    };
    if args.compare {
        return Ok(compare(&mut opened, args.switches.options(), console));
    }
    let settings = opened.settings.clone();
    let Some((draft, plan)) = opened.plan(&settings, args.switches.options(), console) else {
        return Ok(Outcome::Findings);
    };
    let text = match args.format {
        PlanFormat::Text => plan::text(&draft, &plan, &opened.library.files),
        PlanFormat::Json => plan::json(&draft, &plan, &opened.library.files),
        PlanFormat::Dot => plan::dot(&draft, &plan),
        PlanFormat::Mermaid => plan::mermaid(&draft, &plan),
        PlanFormat::Html => plan::html(&draft, &plan, args.switches.options(), &opened.library.files),
    };
    if let Some(path) = &args.check {
        return check(path, &text, console);
    }
    console.print(&text);
    Ok(Outcome::Clean)
}

/// Holds a plan against one that was written to a file.
fn check(path: &Path, now: &str, console: &mut Console) -> anyhow::Result<Outcome> {
    let shown = path.display().to_string();
    let before = String::from_utf8(input::small_file(path)?).with_context(|| format!("`{shown}` is not text"))?;
    // A checkout may have changed the ends of lines.
    let before = before.replace("\r\n", "\n");
    if before == now {
        return Ok(Outcome::Clean);
    }
    let diff = similar::TextDiff::from_lines(before.as_str(), now);
    console.print(&diff.unified_diff().context_radius(3).header(&shown, "the plan as it is now").to_string());
    Console::tell(&format!("`{shown}` is stale: write the plan to it anew if the change is wanted"));
    Ok(Outcome::Findings)
}

/// Each order, with and without sharing, in a row.
fn compare(opened: &mut Opened, options: Options, console: &mut Console) -> Outcome {
    let settings = opened.settings.clone();
    let mut unknown = false;
    let mut out = String::from("order   sharing  passes  recorded  compute passes       slots       bound\n");
    for (name, order) in [("file", Order::File), ("merge", Order::Merge), ("memory", Order::Memory)] {
        for alias in [true, false] {
            let options = Options { order, alias, ..options };
            let Some((_, plan)) = opened.plan(&settings, options, console) else { return Outcome::Findings };
            unknown |= plan.bytes.unknown;
            let compute = plan.steps.iter().filter(|step| matches!(step, Step::Compute(_))).count();
            let _ = writeln!(
                out,
                "{name:6}  {:7}  {:6}  {:8}  {compute:14}  {:>10}  {:>10}",
                if alias { "on" } else { "off" },
                plan.order.len(),
                plan.steps.len(),
                human_bytes(plan.bytes.shared),
                human_bytes(plan.bytes.bound),
            );
        }
    }
    if unknown {
        out.push_str("Sizes that only the host knows are in none of these sums.\n");
    }
    console.print(&out);
    Outcome::Clean
}
