//! The process as people and scripts meet it: exit codes, streams, formats.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

mod baseline;
mod ci;
mod explain;
mod fix;
mod formats;
mod hostile;
mod input;
mod jobs;
mod levels;
mod planning;
mod profile;
mod sarif;

/// A sound graph that needs no shader.
const CLEAN: &str = "(
    version: 1,
    params: { \"n\": Int(default: 16, min: 4, max: 64), \"mode\": Choice(default: \"a\", of: [\"a\", \"b\"]) },
    resources: { \"flags\": Buffer(size: \"n * 4\") },
    passes: [ClearBuffer(name: \"reset\", target: \"flags\", when: \"mode == 'a' || n > 0\")],
    outputs: [\"flags\"],
)
";

/// The same with a name that nothing has, in line 5 and column 50.
fn faulty() -> String {
    CLEAN.replace("target: \"flags\"", "target: \"flagz\"")
}

/// A folder with files.
struct Project(TempDir);

impl Project {
    fn new(files: &[(&str, &str)]) -> Self {
        let project = Self(tempfile::tempdir().expect("a temporary folder can be made"));
        for (path, text) in files {
            project.write(path, text.as_bytes());
        }
        project
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.path().join(path);
        std::fs::create_dir_all(path.parent().expect("it is below the folder")).expect("folders can be made");
        std::fs::write(path, bytes).expect("files can be written");
    }

    fn run(&self, args: &[&str]) -> Ran {
        run_in(self.path(), args, "")
    }
}

/// What a process left behind.
#[derive(Debug)]
struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rondag"));
    command.args(args).current_dir(folder).env_remove("NO_COLOR");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run_in(folder: &Path, args: &[&str], input: &str) -> Ran {
    let mut child = command(folder, args).spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    // A process that ends before it has read everything closes the pipe.
    stdin.write_all(input.as_bytes()).ok();
    drop(stdin);
    let output = child.wait_with_output().expect("the process can be waited for");
    let text = |bytes| String::from_utf8(bytes).expect("rondag writes UTF-8");
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// Exit 2, nothing on standard output, one line on standard error that says `what`.
#[track_caller]
fn could_not_run(ran: &Ran, what: &str) {
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert_eq!(ran.out, "", "{ran:?}");
    assert!(ran.err.starts_with("error: ") && ran.err.contains(what), "`{what}` is missing: {ran:?}");
    assert_eq!(ran.err.lines().count(), 1, "{ran:?}");
}

#[test]
fn bad_usage_is_one_line_and_exit_2() {
    let project = Project::new(&[("a.ron", CLEAN)]);
    for (args, what) in [
        (&["chek"][..], "'check'"),
        (&["plan"], "<GRAPH>"),
        (&["check", "--formt", "json"], "--format"),
        (&["check", "--format", "xml"], "github"),
        (&["plan", "a.ron", "--size", "12"], "1280x720"),
        (&["plan", "a.ron", "--set", "n"], "`=`"),
        (&["run", "a.ron", "--frames", "0"], "--frames"),
        (&["run", "a.ron", "--max-memory", "lots"], "--max-memory"),
        (&["explain", "unknown-resorce"], "did you mean `unknown-resource`?"),
        (&["explain", "xyz"], "`xyz`"),
        (&["new", "a b"], "`a b`"),
        (&["new", "a.ron"], "`a.ron`"),
    ] {
        could_not_run(&project.run(args), what);
    }
}

#[test]
fn commands_that_are_not_there_stay_in_the_help_and_say_so() {
    let project = Project::new(&[]);
    let help = project.run(&["--help"]);
    assert_eq!(help.code, Some(0));
    let absent: &[&str] = match (cfg!(feature = "gpu"), cfg!(feature = "viewer")) {
        (true, true) => &[],
        (true, false) => &["view"],
        (false, _) => &["run", "view", "bench"],
    };
    for name in ["check", "plan", "explain", "run", "view", "bench", "diff", "new"] {
        let line = help.out.lines().find(|line| line.trim_start().starts_with(name)).expect("the help names it");
        assert_eq!(line.contains(" ["), absent.contains(&name), "{line}");
    }
    for name in absent {
        could_not_run(&project.run(&[name, "a.ron", "--size", "8x8"]), &format!("this build has no `{name}`"));
    }
    assert!(help.out.contains("Exit codes:") && help.out.contains("--deny-warnings"));
}

/// BR-137: invalid and unreadable input must not pass a gate, and the two are told apart.
#[test]
fn br_137_exit_codes_tell_findings_from_failures() {
    let project = Project::new(&[
        ("clean.ron", CLEAN),
        ("faulty.ron", &faulty()),
        ("unparsable.ron", "(version: 1, passes: [ClearBuffer(name"),
        ("empty.ron", ""),
        ("folder/clean.ron", CLEAN),
        ("faults/faulty.ron", &faulty()),
        ("nothing/scene.ron", "(resources: {}, entities: {})"),
    ]);
    project.write("latin.ron", b"(version: 1, passes: [\xe9])");
    for (path, code) in [
        ("clean.ron", 0),
        ("folder", 0),
        ("faulty.ron", 1),
        ("unparsable.ron", 1),
        ("empty.ron", 1),
        ("faults", 1),
        ("missing.ron", 2),
        ("missing/x.ron", 2),
        ("nothing", 2),
        ("latin.ron", 2),
    ] {
        let ran = project.run(&["check", path]);
        assert_eq!(ran.code, Some(code), "{path}: {ran:?}");
        match code {
            0 => assert_eq!(ran.out, "", "{path}: {ran:?}"),
            1 => assert!(ran.out.starts_with("error["), "{path}: {ran:?}"),
            _ => could_not_run(&ran, path.split('/').next().unwrap_or(path)),
        }
    }
    let both = project.run(&["check", "missing.ron", "faulty.ron"]);
    assert_eq!(both.code, Some(2), "a file that cannot be read outweighs findings: {both:?}");
    assert!(both.out.contains("flagz") && both.err.contains("missing.ron"), "and hides none: {both:?}");
    assert_eq!(project.run(&["check", "--exit-zero", "faulty.ron"]).code, Some(0));
}

#[test]
fn warnings_fail_where_they_are_denied() {
    let idle = CLEAN.replace("resources: {", "resources: { \"idle\": Buffer(size: 16),");
    let project = Project::new(&[("a.ron", &idle)]);
    let check = |more: &[&str]| project.run(&[&["check", "a.ron", "--format", "concise"], more].concat());
    let plain = check(&[]);
    assert_eq!(plain.code, Some(0), "{plain:?}");
    assert!(plain.out.contains("warning[unused-resource]") && plain.err.contains("1 warning in"), "{plain:?}");
    assert_eq!(check(&["--deny-warnings"]).code, Some(1));
    assert_eq!(check(&["--deny-warnings", "--exit-zero"]).code, Some(0));
    if !cfg!(feature = "gpu") {
        could_not_run(&check(&["--profile", "adapter"]), "no `gpu` feature");
    }
}

/// BR-139: machines get one object a finding and nothing else, from standard input, too.
#[test]
fn br_139_json_is_one_object_a_finding() {
    let project = Project::new(&[]);
    let text = faulty().replace("\"n * 4\"", "\"n * m\"");
    let ran = run_in(project.path(), &["check", "--format", "json", "-"], &text);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(!ran.out.contains('\u{1b}'));
    let objects: Vec<serde_json::Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).expect("each line is an object")).collect();
    assert_eq!(objects.len(), 2, "{ran:?}");
    let flagz = &objects[1];
    assert_eq!(flagz["file"], "<stdin>");
    assert_eq!(flagz["severity"], "error");
    assert_eq!(flagz["code"], "unknown-resource");
    assert_eq!((&flagz["start"]["line"], &flagz["start"]["column"]), (&5.into(), &50.into()), "{flagz}");
    assert_eq!(flagz["end"]["line"], 5);
    assert!(flagz["message"].as_str().is_some_and(|message| message.contains("`flagz`")));
}

#[test]
fn every_format_names_the_place() {
    let project = Project::new(&[("graphs/a.ron", &faulty())]);
    let check = |format: &str| project.run(&["check", "--format", format, "graphs/a.ron"]).out;
    assert!(check("full").contains("--> graphs/a.ron:5:50"), "{}", check("full"));
    assert!(check("concise").starts_with("graphs/a.ron:5:50: error[unknown-resource]: "), "{}", check("concise"));
    let github = check("github");
    assert!(github.starts_with("::error title=unknown-resource,file=graphs/a.ron,line=5,col=50,"), "{github}");
    for format in ["full", "concise", "json", "github", "sarif"] {
        assert_eq!(check(format), check(format), "the same bytes on every run");
    }
}

#[test]
fn paths_are_shown_as_one_would_type_them() {
    let project = Project::new(&[("Cargo.toml", ""), ("graphs/a.ron", &faulty())]);
    let shown = |folder: &str, typed: &str| {
        let ran = run_in(&project.path().join(folder), &["check", "--format", "concise", typed], "");
        assert_eq!(ran.code, Some(1), "{ran:?}");
        ran.out.split_once(":5:").map(|(path, _)| path.to_owned()).expect("the line says where")
    };
    assert_eq!(shown(".", "graphs/a.ron"), "graphs/a.ron");
    assert_eq!(shown(".", "./graphs/a.ron"), "graphs/a.ron");
    assert_eq!(shown(".", "."), "graphs/a.ron");
    assert_eq!(shown("graphs", "a.ron"), "a.ron");
    assert_eq!(shown("graphs", "../graphs/a.ron"), "../graphs/a.ron");
    let absolute = project.path().join("graphs/a.ron");
    let absolute = absolute.to_str().expect("temporary folders have plain names");
    assert_eq!(shown(".", absolute), absolute);
}

#[test]
fn folders_respect_gitignore_and_leave_parts_to_their_graphs() {
    let port = "(version: 1, resources: { \"x\": InOut(Buffer()) }, passes: [ClearBuffer(target: \"y\")])";
    let top = "(version: 1, params: { \"m\": Choice(default: \"a\", of: [\"a\", \"b\"]) },
        resources: { \"x\": Buffer(size: 16) }, passes: [Include(name: \"p\", graph: \"parts/{m}.ron\")], outputs: [\"x\"])";
    let project = Project::new(&[
        ("top.ron", top),
        ("parts/a.ron", port),
        ("parts/b.ron", port),
        ("out/ignored.ron", port),
        (".gitignore", "/out\n"),
    ]);
    let ran = project.run(&["check", "--format", "concise"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let files: Vec<&str> = ran.out.lines().filter_map(|line| line.split(':').next()).collect();
    assert_eq!(files, ["parts/a.ron", "parts/b.ron"], "each fault once: {ran:?}");
    assert!(ran.err.contains("in 1 graph "), "{ran:?}");
    let named = project.run(&["check", ".", "parts/a.ron"]);
    assert!(named.err.contains("in 2 graphs "), "{named:?}");
}

#[test]
fn nothing_outside_the_root_is_read() {
    let project = Project::new(&[("Cargo.toml", ""), ("a.ron", CLEAN), ("inner/rondag.toml", "")]);
    could_not_run(&project.run(&["check", "a.ron", "--root", "inner"]), "outside the root");
    could_not_run(&project.run(&["check", "a.ron", "--root", "nowhere"]), "nowhere");
    could_not_run(&project.run(&["check", "a.ron", "--root", "a.ron"]), "not a folder");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(project.path().join("a.ron"), project.path().join("inner/link.ron"))
            .expect("links can be made");
        could_not_run(&project.run(&["check", "inner/link.ron"]), "outside");
        let fifo = Command::new("mkfifo").arg(project.path().join("fifo.ron")).status().expect("mkfifo is there");
        assert!(fifo.success());
        could_not_run(&project.run(&["check", "fifo.ron"]), "not a regular file");
    }
}

#[test]
fn params_are_held_against_their_declarations() {
    let project = Project::new(&[("a.ron", CLEAN)]);
    for (set, what) in [
        ("n=65", "outside its range 4 to 64"),
        ("n=3", "outside its range 4 to 64"),
        ("n=x", "whole number"),
        ("n=99999999999999999999", "whole number"),
        ("mode=c", "`a`, `b`"),
        ("mod=a", "did you mean `mode`?"),
    ] {
        could_not_run(&project.run(&["plan", "a.ron", "--set", set]), what);
        could_not_run(&project.run(&["check", "a.ron", "--set", set]), what);
    }
    for set in ["n=6_4", "n=4", "mode=b"] {
        assert_eq!(project.run(&["check", "a.ron", "--set", set]).code, Some(0), "{set}");
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let faults = "ClearBuffer(target: \"flagz\"),".repeat(2000);
    let project = Project::new(&[("a.ron", &CLEAN.replace("passes: [", &format!("passes: [{faults}")))]);
    let mut child = command(project.path(), &["check", "a.ron"]).spawn().expect("the binary starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the process can be waited for");
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(!err.contains("panicked") && !err.contains("written"), "{err}");
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_a_failure() {
    let project = Project::new(&[("a.ron", &faulty())]);
    let full = std::fs::File::create("/dev/full").expect("Linux has it");
    let output = command(project.path(), &["check", "a.ron"]).stdout(full).output().expect("the binary starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("standard output could not be written"));
}

#[test]
fn what_new_writes_is_clean() {
    let project = Project::new(&[]);
    let made = project.run(&["new", "spinner"]);
    assert_eq!((made.code, made.out.as_str()), (Some(0), ""), "{made:?}");
    let checked = project.run(&["check", "--deny-warnings", "spinner/spinner.ron"]);
    assert_eq!((checked.code, checked.out.as_str()), (Some(0), ""), "{checked:?}");
    could_not_run(&project.run(&["new", "spinner"]), "there already");
}

#[test]
fn plans_are_the_same_bytes_on_every_run() {
    let project = Project::new(&[("a.ron", CLEAN), ("b.ron", &faulty())]);
    for format in ["text", "json", "dot", "mermaid"] {
        let plan = || project.run(&["plan", "a.ron", "--format", format]);
        let first = plan();
        assert_eq!(first.code, Some(0), "{first:?}");
        assert!(first.out.contains("reset"), "{first:?}");
        assert_eq!(first.out, plan().out);
    }
    let faulty = project.run(&["plan", "b.ron"]);
    assert_eq!(faulty.code, Some(1), "{faulty:?}");
    assert!(faulty.out.starts_with("error[unknown-resource]"), "{faulty:?}");
}

#[test]
fn deep_records_what_the_rules_let_through() {
    let project = Project::new(&[("a.ron", CLEAN)]);
    let ran = project.run(&["check", "--deep", "a.ron"]);
    if cfg!(feature = "gpu") {
        assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{ran:?}");
        assert!(ran.err.contains("tried, ") && ran.err.contains(" recorded)"), "{ran:?}");
    } else {
        could_not_run(&ran, "no `gpu` feature");
    }
}
