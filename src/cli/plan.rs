//! `rondag plan`: what was decided for a frame.

use rondag::plan;

use super::Outcome;
use super::args::{Plan, PlanFormat};
use super::console::Console;
use super::opened::Opened;

pub(super) fn run(args: &Plan, console: &mut Console) -> anyhow::Result<Outcome> {
    let Some(mut opened) = Opened::new(&args.frame, console)? else {
        return Ok(Outcome::Findings);
    };
    let settings = opened.settings.clone();
    let Some((draft, plan)) = opened.plan(&settings, args.switches.options(), console) else {
        return Ok(Outcome::Findings);
    };
    let text = match args.format {
        PlanFormat::Text => plan::text(&draft, &plan, &opened.library.files),
        PlanFormat::Json => plan::json(&draft, &plan, &opened.library.files),
        PlanFormat::Dot => plan::dot(&draft, &plan),
        PlanFormat::Mermaid => plan::mermaid(&draft, &plan),
    };
    console.print(&text);
    Ok(Outcome::Clean)
}
