//! Standard input under another name, statistics, and files that are watched.

use std::path::Path;

use super::{CLEAN, Project, could_not_run, faulty, run_in};

#[test]
fn standard_input_can_stand_for_a_file() {
    let part = "(version: 1, resources: { \"x\": InOut(Buffer()) }, passes: [ClearBuffer(target: \"x\")])";
    let top = "(version: 1, resources: { \"x\": Buffer(size: 16) },\n passes: [Include(name: \"p\", graph: \"p.ron\")], outputs: [\"y\"])";
    let project = Project::new(&[("rondag.toml", ""), ("graphs/p.ron", part), ("graphs/top.ron", CLEAN)]);
    for name in ["graphs/top.ron", "graphs/new.ron"] {
        let args = ["check", "-", "--stdin-filename", name, "--format", "concise"];
        let ran = run_in(project.path(), &args, top);
        assert!(ran.code == Some(1) && ran.out.starts_with(&format!("{name}:2:")), "{ran:?}");
        assert_eq!(ran.out.lines().count(), 1, "the include is found: {ran:?}");
    }
    let fixed = run_in(
        project.path(),
        &["check", "-", "--stdin-filename", "graphs/top.ron", "--fix"],
        &CLEAN.replace("n * 4\") }", "n * 4\") "),
    );
    assert!(fixed.out.contains("passes"), "{fixed:?}");
    let there = std::fs::read_to_string(project.path().join("graphs/top.ron")).expect("it is there");
    assert_eq!(there, CLEAN, "the file itself is left alone");
    could_not_run(&project.run(&["check", "graphs", "--stdin-filename", "x.ron"]), "`-`");
    could_not_run(&run_in(project.path(), &["check", "-", "--stdin-filename", "none/x.ron"], ""), "none/x.ron");
}

#[test]
fn statistics_count_by_rule() {
    let idle = CLEAN.replace("resources: {", "resources: { \"x\": Buffer(size: 16), \"y\": Buffer(size: 16),");
    let project = Project::new(&[("a.ron", &idle), ("b.ron", &faulty())]);
    let ran = project.run(&["check", ".", "--statistics"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let expected = "     1  error    unknown-resource  a reference names no resource of its file\n     \
        2  warning  unused-resource   a resource that no pass uses\n";
    assert_eq!(ran.out, expected);
}

#[cfg(feature = "watch")]
#[test]
fn watched_files_are_checked_anew() {
    use std::io::{BufRead as _, BufReader};
    use std::sync::mpsc;
    use std::time::Duration;

    let project = Project::new(&[("rondag.toml", ""), ("graphs/a.ron", CLEAN)]);
    let mut child = super::command(project.path(), &["check", "--watch", "--format", "concise", "graphs"])
        .spawn()
        .expect("the binary starts");
    let (sender, lines) = mpsc::channel();
    for stream in [
        Box::new(child.stdout.take().expect("it is piped")) as Box<dyn std::io::Read + Send>,
        Box::new(child.stderr.take().expect("it is piped")),
    ] {
        let sender = sender.clone();
        std::thread::spawn(move || {
            BufReader::new(stream).lines().map_while(Result::ok).for_each(|line| drop(sender.send(line)));
        });
    }
    let until = |what: &str| {
        let mut seen = Vec::new();
        while seen.last().is_none_or(|line: &String| !line.starts_with("watching ")) {
            seen.push(lines.recv_timeout(Duration::from_secs(20)).unwrap_or_else(|_| panic!("{what} in {seen:?}")));
        }
        // The streams are two: what comes on the other one may be later.
        while let Ok(line) = lines.recv_timeout(Duration::from_millis(200)) {
            seen.push(line);
        }
        assert!(seen.iter().any(|line| line.contains(what)), "{what} is not in {seen:?}");
    };
    until("no findings in 1 graph");
    project.write("graphs/a.ron", faulty().as_bytes());
    until("graphs/a.ron:5:50: error[unknown-resource]");
    project.write("graphs/b.ron", CLEAN.as_bytes());
    until("1 error in 2 graphs");
    project.write("rondag.toml", b"[lint]");
    until("no table is called `lint`");
    project.write("rondag.toml", b"");
    std::fs::remove_file(project.path().join("graphs/b.ron")).expect("it is there");
    until("1 error in");
    child.kill().expect("it runs");
    child.wait().expect("it was started");
    could_not_run(&run_in(Path::new("."), &["check", "--watch", "-"], ""), "cannot be watched");
    could_not_run(&project.run(&["check", "--watch", "--fix"]), "--fix");
}

#[cfg(not(feature = "watch"))]
#[test]
fn what_cannot_be_watched_is_said() {
    let project = Project::new(&[("a.ron", CLEAN)]);
    could_not_run(&project.run(&["check", "--watch"]), "this build has no `--watch`");
    assert!(run_in(Path::new("."), &["check", "--help"], "").out.contains("[not in this build"));
}
