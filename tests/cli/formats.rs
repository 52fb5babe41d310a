//! Every form of findings, byte by byte: one set of faults, the expected output beside it. `RONDAG_BLESS=1` writes it anew,
//! to be read before it is committed.

use std::path::{Path, PathBuf};

use super::{Project, could_not_run, run_in, sarif};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/formats")
}

/// Compares with what stands in a file of the fixture.
#[track_caller]
pub(super) fn snapshot(path: &Path, text: &str) {
    if std::env::var_os("RONDAG_BLESS").is_some() {
        std::fs::write(path, text).expect("the fixture can be written");
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default().replace("\r\n", "\n");
    assert!(expected == text, "{} is not what comes out:\n{text}", path.display());
}

#[test]
fn every_form_is_as_it_was() {
    for (format, file) in
        [("full", "full.txt"), ("concise", "concise.txt"), ("json", "lines.json"), ("github", "github.txt")]
    {
        let ran = run_in(&folder(), &["check", "--format", format, "faulty.ron", "idle.ron"], "");
        assert_eq!(ran.code, Some(1), "{ran:?}");
        snapshot(&folder().join("expected").join(file), &ran.out);
    }
    let ran = run_in(&folder(), &["check", "--format", "sarif", "faulty.ron", "idle.ron"], "");
    let mut document = sarif::checked(&ran.out);
    // Manuals and the version change without the form.
    let driver = &mut document["runs"][0]["tool"]["driver"];
    assert_eq!(driver["version"], env!("CARGO_PKG_VERSION"));
    driver["version"] = "VERSION".into();
    for rule in driver["rules"].as_array_mut().expect("there are rules") {
        rule["help"] = "MANUAL".into();
    }
    let text = serde_json::to_string_pretty(&document).expect("it was JSON") + "\n";
    snapshot(&folder().join("expected/log.sarif"), &text);
}

#[test]
fn sarif_is_what_the_schema_asks_for() {
    let ran = run_in(&folder(), &["check", "--format", "sarif", "."], "");
    let document = sarif::checked(&ran.out);
    let results = document["runs"][0]["results"].as_array().expect("there are results");
    let rules = document["runs"][0]["tool"]["driver"]["rules"].as_array().expect("there are rules");
    assert_eq!(results.len(), 8, "{ran:?}");
    for result in results {
        let index = result["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(result["partialFingerprints"]["rondag/v1"].as_str().is_some_and(|print| print.len() == 16));
    }
    assert!(rules.iter().all(|rule| rule["help"]["markdown"].as_str().is_some_and(|help| help.contains("## Why"))));
}

#[test]
fn one_sarif_document_a_run() {
    let project = Project::new(&[
        ("one/rondag.toml", ""),
        ("one/a b.ron", &super::faulty()),
        ("two/rondag.toml", ""),
        ("two/b.ron", &super::faulty()),
        ("clean/c.ron", super::CLEAN),
    ]);
    let uris = |folder: &str, paths: &[&str]| {
        let ran =
            run_in(&project.path().join(folder), &[&["check", "--format", "sarif"], paths].concat(), &super::faulty());
        let document = sarif::checked(&ran.out);
        assert_eq!(document["runs"][0]["invocations"][0]["executionSuccessful"], ran.code != Some(2));
        let uri = |result: &serde_json::Value| {
            let artifact = &result["locations"][0]["physicalLocation"]["artifactLocation"];
            assert_eq!(artifact["uriBaseId"], "%SRCROOT%");
            artifact["uri"].as_str().expect("a text").to_owned()
        };
        document["runs"][0]["results"].as_array().expect("a list").iter().map(uri).collect::<Vec<_>>()
    };
    assert_eq!(uris(".", &["."]), ["one/a%20b.ron", "two/b.ron"]);
    let absolute = project.path().canonicalize().expect("it is there").join("two/b.ron");
    assert_eq!(uris(".", &[absolute.to_str().expect("a plain name")]), ["two/b.ron"]);
    assert_eq!(uris("two", &["../two/b.ron"]), ["b.ron"]);
    assert_eq!(uris(".", &["-"]), ["%3Cstdin%3E"]);
    assert_eq!(uris(".", &["clean"]), [""; 0], "a document without results");
    assert_eq!(uris(".", &["two/b.ron", "missing.ron"]), ["two/b.ron"], "and it says that not all was checked");
    could_not_run(&project.run(&["check", "--format", "sarif", "--formt"]), "--format");
}
