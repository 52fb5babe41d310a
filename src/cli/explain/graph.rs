//! `rondag explain GRAPH NAME [NAME]`: questions about one frame.

use std::path::Path;

use anyhow::bail;
use rondag::diagnostic::did_you_mean;
use rondag::graph::{Draft, ParamId, PassId, ResourceId};
use rondag::plan::{Answer, Explainer};
use rondag::source::{Files, Span};

use super::super::Outcome;
use super::super::args::{Explain, ExplainFormat};
use super::super::console::Console;
use super::super::opened::Opened;

/// What a name is about. A pass and a resource may have one name.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
struct Named {
    pass: Option<PassId>,
    resource: Option<ResourceId>,
    param: Option<ParamId>,
}

pub(super) fn run(args: &Explain, console: &mut Console) -> anyhow::Result<Outcome> {
    console.is_taken = args.format == ExplainFormat::Json;
    let Some(mut opened) = Opened::at(Path::new(&args.what[0]), &args.setting, console)? else {
        return Ok(Outcome::Findings);
    };
    let settings = opened.settings.clone();
    let Some((draft, plan)) = opened.plan(&settings, args.switches.options(), console) else {
        return Ok(Outcome::Findings);
    };
    let names = &args.what[1..];
    let answers = if names.is_empty() {
        overview(&draft)
    } else {
        let mut named = names.iter().map(|name| find(&draft, name)).collect::<anyhow::Result<Vec<_>>>()?;
        named.dedup();
        let is_param = |it: &Named| it.pass.is_none() && it.resource.is_none();
        if let Some(at) = named.iter().position(is_param).filter(|_| named.len() > 1) {
            bail!("`{}` is a param: it goes with no other name", names[at]);
        }
        answer(&Explainer::new(&draft, &plan, args.switches.options()), &draft, &named)
    };
    if answers.is_empty() {
        bail!("`{}` has nothing to do with `{}` in this setting", names[0], names[names.len() - 1]);
    }
    console.print(&match args.format {
        ExplainFormat::Text => text(&answers, &opened.library.files),
        ExplainFormat::Markdown => markdown(&answers, &opened.library.files),
        ExplainFormat::Json => json(&answers, &opened.library.files),
    });
    Ok(Outcome::Clean)
}

fn find(draft: &Draft, name: &str) -> anyhow::Result<Named> {
    // `color.previous`, `bloom.mip(2)`: a part is asked about as the whole.
    let is_part = |rest: &str| rest == "previous" || rest.starts_with("mip(") || rest.starts_with("layer(");
    let name = name.split_once('.').filter(|(_, rest)| is_part(rest)).map_or(name, |(whole, _)| whole);
    let named = Named {
        pass: draft.passes.entries().find(|(_, it)| it.name == name).map(|(id, _)| id),
        resource: draft.resources.entries().find(|(_, it)| it.name == name).map(|(id, _)| id),
        param: draft.params.entries().find(|(_, it)| it.name == name).map(|(id, _)| id),
    };
    if named.pass.is_some() || named.resource.is_some() || named.param.is_some() {
        return Ok(named);
    }
    let passes = draft.passes.iter().map(|it| it.name.as_str());
    let resources = draft.resources.iter().map(|it| it.name.as_str());
    let all = passes.chain(resources).chain(draft.params.iter().map(|it| it.name.as_str()));
    let parts: Vec<&str> =
        all.clone().filter(|it| it.strip_prefix(name).is_some_and(|rest| rest.starts_with(['/', '.', '[']))).collect();
    if !parts.is_empty() {
        bail!("`{name}` is made of parts, which can be asked about: {}", parts.join(", "));
    }
    match did_you_mean(name, all) {
        Some(hint) => bail!("`{}` has no pass, resource or param `{name}` in this setting; {hint}", draft.name),
        None => bail!(
            "`{}` has no pass, resource or param `{name}` in this setting; without a name, all are listed",
            draft.name
        ),
    }
}

/// All that one may ask about.
fn overview(draft: &Draft) -> Vec<Answer> {
    let line =
        |what: &str, names: Vec<&str>| Answer { text: format!("{what}: {}", names.join(", ")), places: Vec::new() };
    vec![
        line("passes", draft.passes.iter().map(|it| it.name.as_str()).collect()),
        line("resources", draft.resources.iter().map(|it| it.name.as_str()).collect()),
        line("params", draft.params.iter().map(|it| it.name.as_str()).collect()),
    ]
}

fn answer(explainer: &Explainer<'_>, draft: &Draft, named: &[Named]) -> Vec<Answer> {
    let [one, rest @ ..] = named else { return Vec::new() };
    let Some(other) = rest.first() else {
        let pass = one.pass.map(|pass| explainer.pass(pass)).unwrap_or_default();
        let resource = one.resource.map(|resource| explainer.resource(resource)).unwrap_or_default();
        let param = one.param.map(|param| explainer.param(&draft.params[param])).unwrap_or_default();
        return [pass, resource, param].concat();
    };
    let mut answers = Vec::new();
    if let (Some(a), Some(b)) = (one.pass, other.pass) {
        answers.extend(explainer.order(a, b));
    }
    if let (Some(a), Some(b)) = (one.resource, other.resource) {
        answers.extend(explainer.sharing(a, b));
    }
    for (pass, resource) in [(one.pass, other.resource), (other.pass, one.resource)] {
        if let (Some(pass), Some(resource)) = (pass, resource) {
            answers.extend(explainer.uses(pass, resource));
        }
    }
    answers
}

/// Each sentence, and below it where its reason stands.
fn text(answers: &[Answer], files: &Files) -> String {
    let mut out = String::new();
    for Answer { text, places } in answers {
        out.push_str(text);
        out.push('\n');
        for place in shown(places, files) {
            out.push_str("    ");
            out.push_str(&place);
            out.push('\n');
        }
    }
    out
}

fn markdown(answers: &[Answer], files: &Files) -> String {
    let line = |answer: &Answer| {
        let places: Vec<String> = shown(&answer.places, files).iter().map(|place| code(place)).collect();
        let places = if places.is_empty() { String::new() } else { format!(" ({})", places.join(", ")) };
        format!("- {}{places}\n", answer.text)
    };
    answers.iter().map(line).collect()
}

/// A code span, also of what has backticks itself.
fn code(text: &str) -> String {
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}

fn json(answers: &[Answer], files: &Files) -> String {
    let answers = answers.iter().map(|it| serde_json::json!({ "text": it.text, "places": shown(&it.places, files) }));
    let whole = serde_json::json!({ "version": 1, "answers": answers.collect::<Vec<_>>() });
    format!("{whole}\n")
}

/// `graphs/a.ron:12:5`, each once.
fn shown(places: &[Span], files: &Files) -> Vec<String> {
    let mut shown: Vec<String> = Vec::new();
    for place in places {
        let place = files.place(*place);
        if !shown.contains(&place) {
            shown.push(place);
        }
    }
    shown
}
