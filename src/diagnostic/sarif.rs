//! Findings of a whole run as one SARIF 2.1.0 document:
//! <https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/sarif-v2.1.0-errata01-os-complete.html>.
//!
//! Lines and columns count from 1, columns in characters (`columnKind`), an end is one past the last. Paths are relative to
//! the working folder of the run, which stands under the name `%SRCROOT%`; its own path is not in the document, so that
//! the bytes are the same on every machine. The rules are those of the findings.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use crate::source::{Files, Span};

use super::{Diagnostic, Fix, Label, Rule, render, uri};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The name of the folder that paths are relative to.
const BASE: &str = "%SRCROOT%";

/// A document in the making: findings of any number of [`Files`].
#[derive(Debug, Default)]
pub(super) struct Log {
    /// The working folder, absolute; empty if it is not known.
    folder: String,
    rules: BTreeMap<&'static str, &'static Rule>,
    results: Vec<SarifResult>,
}

/// One finding, and what it is numbered by at the end.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Value,
    locations: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Value>,
    partial_fingerprints: Value,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<Value>,
    #[serde(skip_serializing_if = "Value::is_null")]
    properties: Value,
}

impl Log {
    /// A document for a run in this folder.
    pub(super) fn new(folder: &str) -> Self {
        Self { folder: folder.to_owned(), ..Self::default() }
    }

    pub(super) fn add(&mut self, files: &Files, finding: &Diagnostic) {
        let place = |span| physical(files, span, &self.folder);
        let mut location = json!({ "physicalLocation": place(finding.primary.span) });
        if !finding.path.is_empty() {
            location["logicalLocations"] = json!([{ "fullyQualifiedName": finding.path }]);
        }
        let related = |(index, label): (usize, &Label)| {
            let text = if label.text.is_empty() { "takes part" } else { label.text.as_str() };
            json!({ "id": index + 1, "physicalLocation": place(label.span), "message": { "text": text } })
        };
        let variant = (!finding.variant.is_empty()).then(|| json!({ "variant": finding.variant }));
        let result = SarifResult {
            rule_id: finding.rule.code,
            rule_index: 0,
            level: finding.level.name(),
            message: json!({ "text": render::told(finding) }),
            locations: vec![location],
            related_locations: finding.secondary.iter().enumerate().map(related).collect(),
            partial_fingerprints: json!({ "rondag/v1": finding.fingerprint(files) }),
            fixes: finding.fix.iter().map(|f| fix(files, f, &self.folder)).collect(),
            properties: variant.unwrap_or(Value::Null),
        };
        self.rules.insert(finding.rule.code, finding.rule);
        self.results.push(result);
    }

    /// The whole document. `complete` says whether all was checked that was asked for.
    pub(super) fn end(mut self, complete: bool) -> String {
        let codes: Vec<&str> = self.rules.keys().copied().collect();
        for result in &mut self.results {
            result.rule_index = codes.binary_search(&result.rule_id).expect("the rule came with its finding");
        }
        let driver = json!({
            "name": "rondag",
            "version": env!("CARGO_PKG_VERSION"),
            "informationUri": env!("CARGO_PKG_REPOSITORY"),
            "rules": self.rules.values().map(|rule| descriptor(rule)).collect::<Vec<_>>(),
        });
        let run = json!({
            "tool": { "driver": driver },
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": { BASE: { "description": { "text": "The working folder of the run." } } },
            "invocations": [{ "executionSuccessful": complete }],
            "results": self.results,
        });
        let document = json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": [run] });
        serde_json::to_string_pretty(&document).expect("the document has string keys and finite numbers only") + "\n"
    }
}

fn descriptor(rule: &Rule) -> Value {
    let manual = rule.docs.trim_end();
    json!({
        "id": rule.code,
        "shortDescription": { "text": rule.summary },
        "helpUri": format!("{}/blob/main/docs/rules/{}.md", env!("CARGO_PKG_REPOSITORY"), rule.code),
        "help": { "text": manual, "markdown": manual },
        "defaultConfiguration": { "level": rule.level.name() },
        "properties": { "tags": ["render-graph"] },
    })
}

fn physical(files: &Files, span: Span, folder: &str) -> Value {
    json!({ "artifactLocation": artifact(files, span, folder), "region": region(files, span) })
}

/// A relative path is relative to the base; what has a scheme or stands outside is named as it is.
fn artifact(files: &Files, span: Span, folder: &str) -> Value {
    let uri = uri::of(&files.get(span.file).display, folder);
    if uri::is_relative(&uri) { json!({ "uri": uri, "uriBaseId": BASE }) } else { json!({ "uri": uri }) }
}

fn region(files: &Files, span: Span) -> Value {
    let file = files.get(span.file);
    let (start, end) = (file.position(span.start), file.position(span.end));
    json!({
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
        "byteOffset": span.start,
        "byteLength": span.end - span.start,
    })
}

/// One change a file: the replacements of a file stand together.
fn fix(files: &Files, fix: &Fix, folder: &str) -> Value {
    let mut changes: BTreeMap<_, Vec<Value>> = BTreeMap::new();
    for edit in &fix.edits {
        let replacement =
            json!({ "deletedRegion": region(files, edit.span), "insertedContent": { "text": edit.text } });
        changes.entry(edit.span.file).or_insert_with(Vec::new).push(replacement);
    }
    let change = |(file, replacements): (_, Vec<Value>)| json!({ "artifactLocation": artifact(files, Span::new(file, 0, 0), folder), "replacements": replacements });
    let changes: Vec<Value> = changes.into_iter().map(change).collect();
    let applicability = if fix.safe { "safe" } else { "unsafe" };
    json!({
        "description": { "text": fix.title },
        "artifactChanges": changes,
        "properties": { "applicability": applicability },
    })
}
