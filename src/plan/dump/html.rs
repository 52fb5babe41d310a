//! A plan as one page that opens from disk: order, graph, lifetimes, and the reason of whatever is clicked.

use serde_json::{Map, Value, json};

use super::super::{Answer, Explainer, Options, Plan};
use super::json;
use crate::graph::Draft;
use crate::source::Files;

const PAGE: &str = include_str!("page.html");

/// Prints a plan, made by these switches, as a page.
pub fn html(graph: &Draft, plan: &Plan, options: Options, files: &Files) -> String {
    let explainer = Explainer::new(graph, plan, options);
    let answers = |answers: Vec<Answer>| -> Value {
        let one = |answer: Answer| {
            let mut places: Vec<String> = answer.places.iter().map(|place| files.place(*place)).collect();
            places.dedup();
            json!({ "text": answer.text, "places": places })
        };
        answers.into_iter().map(one).collect()
    };
    let passes = graph.passes.entries().map(|(id, pass)| (pass.name.to_string(), answers(explainer.pass(id))));
    let resources = graph.resources.entries().map(|(id, it)| (it.name.to_string(), answers(explainer.resource(id))));
    let data = json!({
        "plan": json::value(graph, plan, files),
        "passes": passes.collect::<Map<_, _>>(),
        "resources": resources.collect::<Map<_, _>>(),
    });
    // Inside of a script element only its end tag and comments mean something.
    let data = data.to_string().replace('<', "\\u003c");
    let title = format!("{}: the plan", graph.name).replace('&', "&amp;").replace('<', "&lt;");
    // In this order: the data may hold any word, and the title stands before it.
    PAGE.replacen("DATA", &data, 1).replacen("TITLE", &title, 1)
}
