//! Whatever the files are, the command ends, with findings or with exit 2, and never panics.

use std::path::Path;
use std::process::Stdio;

use super::{CLEAN, Project, Ran, could_not_run, faulty, run_in};

const INCLUDE: &str = "(
    version: 1,
    resources: { \"x\": Buffer(size: 16) },
    passes: [Include(name: \"p\", graph: \"part.ron\")],
    outputs: [\"x\"],
)
";

fn dispatch(shader: &str) -> String {
    CLEAN.replace("passes: [", &format!("passes: [Dispatch(name: \"d\", shader: \"{shader}\", items: 4), "))
}

/// Findings, and nothing else went wrong.
#[track_caller]
fn told(ran: &Ran, code: &str) {
    assert_eq!(ran.code, Some(1), "{}", short(ran));
    assert!(ran.out.contains(code) && !ran.err.contains("panicked"), "`{code}` is missing: {}", short(ran));
}

fn short(ran: &Ran) -> String {
    format!("{ran:?}").chars().take(2000).collect()
}

#[cfg(unix)]
fn fifo(path: &Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().expect("mkfifo is there").success());
}

#[cfg(unix)]
fn link(target: impl AsRef<Path>, path: impl AsRef<Path>) {
    std::os::unix::fs::symlink(target, path).expect("links can be made");
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_not_opened() {
    let project = Project::new(&[
        ("rondag.toml", ""),
        ("include.ron", INCLUDE),
        ("shader.ron", &dispatch("x.wgsl")),
        ("shaders/y.wgsl", ""),
        ("clean.ron", CLEAN),
    ]);
    let at = |path: &str| project.path().join(path);
    fifo(&at("part.ron"));
    fifo(&at("shaders/x.wgsl"));
    told(&project.run(&["check", "include.ron"]), "not a regular file");
    told(&project.run(&["check", "shader.ron"]), "not a regular file");
    could_not_run(&project.run(&["check", "part.ron"]), "not a regular file");
    could_not_run(&project.run(&["check", "clean.ron", "--baseline", "part.ron"]), "not a regular file");
    could_not_run(&project.run(&["check", "clean.ron", "--profile", "part.ron"]), "not a regular file");
    told(&project.run(&["check", "."]), "not a regular file");
    for device in ["/dev/zero", "/dev/stdin", "/dev/tty"].into_iter().filter(|device| Path::new(device).exists()) {
        let ran = project.run(&["check", device]);
        assert!(ran.code == Some(2) && ran.err.starts_with("error: "), "{ran:?}");
    }
    std::fs::remove_file(at("rondag.toml")).expect("it is there");
    fifo(&at("rondag.toml"));
    could_not_run(&project.run(&["check", "clean.ron", "--root", "."]), "not a regular file");
}

#[cfg(unix)]
#[test]
fn links_do_not_lead_out_of_the_root() {
    let outside = Project::new(&[("secret.ron", CLEAN), ("secret.wgsl", "secret"), ("rondag.toml", "secret")]);
    let secret = outside.path().join("secret.ron");
    let project = Project::new(&[
        ("rondag.toml", ""),
        ("include.ron", INCLUDE),
        ("shader.ron", &dispatch("x.wgsl")),
        ("shaders/y.wgsl", ""),
    ]);
    link(&secret, project.path().join("part.ron"));
    link(outside.path().join("secret.wgsl"), project.path().join("shaders/x.wgsl"));
    link(outside.path(), project.path().join("folder"));
    for (path, code) in [("include.ron", "outside"), ("shader.ron", "outside")] {
        let ran = project.run(&["check", path]);
        told(&ran, code);
        assert!(!ran.out.contains("secret"), "{ran:?}");
    }
    could_not_run(&project.run(&["check", "part.ron"]), "outside");
    let walked = project.run(&["check", ".", "--format", "concise"]);
    assert!(!walked.out.contains("folder/"), "links are not followed: {walked:?}");
    let dotted = Project::new(&[
        ("in/rondag.toml", ""),
        ("in/a.ron", &INCLUDE.replace("part.ron", "../part.ron")),
        ("part.ron", CLEAN),
    ]);
    told(&dotted.run(&["check", "in/a.ron"]), "outside-root");
    let inner = Project::new(&[("a.ron", CLEAN)]);
    link(outside.path().join("rondag.toml"), inner.path().join("rondag.toml"));
    could_not_run(&inner.run(&["check", "a.ron"]), "outside");
}

/// An ignore file that never ends would take all memory.
#[cfg(unix)]
#[test]
fn ignore_files_are_regular_files() {
    for name in [".gitignore", ".ignore"] {
        let project = Project::new(&[("a.ron", CLEAN)]);
        link("/dev/zero", project.path().join(name));
        could_not_run(&project.run(&["check", "."]), name);
        assert_eq!(project.run(&["check", "a.ron"]).code, Some(0), "a graph that is named needs no walk");
    }
    let project = Project::new(&[("a.ron", CLEAN), ("b/c.ron", CLEAN)]);
    fifo(&project.path().join("b/.gitignore"));
    could_not_run(&project.run(&["check"]), "b/.gitignore");
}

#[test]
fn folders_in_place_of_files() {
    let project = Project::new(&[
        ("rondag.toml", ""),
        ("a.ron/b.ron", CLEAN),
        ("include.ron", INCLUDE),
        ("part.ron/x", ""),
        ("shader.ron", &dispatch("x.wgsl")),
        ("shaders/x.wgsl/y", ""),
        ("empty.ron/x", ""),
    ]);
    assert_eq!(project.run(&["check", "a.ron"]).code, Some(0), "it is a folder of graphs");
    could_not_run(&project.run(&["check", "empty.ron"]), "no graph");
    told(&project.run(&["check", "include.ron"]), "not a regular file");
    told(&project.run(&["check", "shader.ron"]), "not a regular file");
    could_not_run(&project.run(&["check", "include.ron/x"]), "include.ron/x");
    let named = Project::new(&[("rondag.toml/x", ""), ("a.ron", CLEAN)]);
    could_not_run(&named.run(&["check", "a.ron"]), "rondag.toml");
}

#[test]
fn bytes_that_are_no_text() {
    let project = Project::new(&[("rondag.toml", ""), ("include.ron", INCLUDE), ("shader.ron", &dispatch("x.wgsl"))]);
    project.write("part.ron", b"(version: 1, passes: [], \xff)");
    project.write("shaders/x.wgsl", b"// \xc3\x28");
    told(&project.run(&["check", "include.ron"]), "not valid UTF-8");
    told(&project.run(&["check", "shader.ron"]), "not valid UTF-8");
    could_not_run(&project.run(&["check", "part.ron"]), "not valid UTF-8 (byte 25)");
    for text in
        ["\0", "\u{feff}", "\u{feff}\u{feff}(", "\r", "\r\r\n\n\r", "(\u{202e})", "\u{1b}[31m", "\u{85}\u{2028}"]
    {
        project.write("odd.ron", text.as_bytes());
        for format in ["full", "concise", "json", "github", "sarif"] {
            let ran = project.run(&["check", "odd.ron", "--format", format]);
            assert!(ran.code == Some(1) && !ran.err.contains("panicked"), "{text:?} {format}: {ran:?}");
        }
    }
}

#[test]
fn byte_order_marks_and_carriage_returns_move_no_place() {
    for text in [faulty(), format!("\u{feff}{}", faulty()), faulty().replace('\n', "\r\n")] {
        let project = Project::new(&[("a.ron", &text)]);
        let ran = project.run(&["check", "a.ron", "--format", "concise"]);
        assert!(ran.out.starts_with("a.ron:5:50: error[unknown-resource]"), "{ran:?}");
    }
}

#[test]
fn endless_names_and_brackets() {
    let name = "n".repeat(1 << 20);
    let deep = |open: &str, n: usize| open.repeat(n);
    let project = Project::new(&[]);
    for text in [
        CLEAN.replace("flags", &name),
        faulty().replace("flagz", &name),
        CLEAN.replace("\"reset\"", &format!("\"{name}\"")),
        CLEAN.replace("version", &name),
        CLEAN.replace("ClearBuffer", &name),
        dispatch(&name),
        dispatch(&format!("{}x.wgsl", "a/".repeat(1 << 18))),
        CLEAN.replace("n * 4", &"(".repeat(100_000)),
        CLEAN.replace("n * 4", &format!("n{}", " + n".repeat(100_000))),
        CLEAN.replace("outputs:", &format!("lints: {{ \"{name}\": Allow }}, outputs:")),
        deep("(", 100_000),
        deep("[", 100_000),
        deep("{", 100_000),
        deep("(a:[{", 30_000),
        deep("/*", 100_000),
        format!("{}{}", deep("(", 100_000), deep(")", 100_000)),
        "\"".to_owned() + &name,
    ] {
        project.write("a.ron", text.as_bytes());
        for format in ["full", "sarif"] {
            let ran = project.run(&["check", "a.ron", "--format", format]);
            assert!(matches!(ran.code, Some(0 | 1)) && !ran.err.contains("panicked"), "{}", short(&ran));
        }
        let fixed = project.run(&["check", "a.ron", "--fix", "--unsafe-fixes"]);
        assert!(matches!(fixed.code, Some(0 | 1)) && !fixed.err.contains("panicked"), "{}", short(&fixed));
    }
}

#[test]
fn other_files_are_held_to_bounds_too() {
    let project = Project::new(&[("a.ron", CLEAN)]);
    let many = "[".repeat(100_000);
    for toml in [
        format!("a = {many}"),
        format!("[lints]\n{}b = 1", "a.".repeat(100_000)),
        format!("[check]\nexclude = [\"{}\"]", "{a,b}".repeat(100_000)),
        format!("[lints]\ndead-pass = {{ level = \"allow\", when = \"{}\" }}", "(".repeat(100_000)),
        format!("[lints]\n{} = 1", "n".repeat(1 << 20)),
    ] {
        project.write("rondag.toml", toml.as_bytes());
        let ran = project.run(&["check", "a.ron"]);
        assert!(
            matches!(ran.code, Some(0 | 2)) && ran.out.is_empty() && !ran.err.contains("panicked"),
            "{}",
            short(&ran)
        );
    }
    project.write("rondag.toml", b"");
    project.write("x.json", many.as_bytes());
    could_not_run(&project.run(&["check", "a.ron", "--baseline", "x.json"]), "x.json:1:");
    could_not_run(&project.run(&["check", "a.ron", "--profile", "x.json"]), "x.json:1:");
    let large = " ".repeat((64 << 20) + 1);
    project.write("large.ron", large.as_bytes());
    could_not_run(&project.run(&["check", "large.ron"]), "above the limit");
    could_not_run(&project.run(&["check", "."]), "large.ron");
    could_not_run(&run_in(project.path(), &["check", "-"], &large), "standard input has more");
}

/// A file is read once a run, and checked as it was then.
#[test]
fn files_that_change_while_they_are_read() {
    let project = Project::new(&[("a.ron", CLEAN)]);
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let texts = [CLEAN.to_owned(), faulty(), String::new(), CLEAN[..100].to_owned(), CLEAN.repeat(50)];
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                for text in &texts {
                    std::fs::write(project.path().join("a.ron"), text).expect("it can be written");
                }
            }
        });
        for round in 0..30 {
            let args: &[&str] = if round % 2 == 0 { &["check", "a.ron"] } else { &["check", "a.ron", "--fix"] };
            let ran = project.run(args);
            assert!(matches!(ran.code, Some(0..=2)) && !ran.err.contains("panicked"), "{}", short(&ran));
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
    });
}

#[test]
fn closed_pipes_end_every_form_quietly() {
    let faults = "ClearBuffer(target: \"flagz\"),".repeat(900);
    let project = Project::new(&[("a.ron", &CLEAN.replace("passes: [", &format!("passes: [{faults}")))]);
    for args in [
        &["check", "a.ron", "--format", "sarif"][..],
        &["check", "a.ron", "--format", "json", "--jobs", "4"],
        &["check", "a.ron", "--statistics"],
        &["check", "a.ron", "--diff", "--unsafe-fixes"],
        &["explain", "--all"],
    ] {
        let mut child = super::command(project.path(), args).stdin(Stdio::null()).spawn().expect("the binary starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the process can be waited for");
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{args:?} {err}");
        assert!(!err.contains("panicked") && !err.contains("written"), "{err}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn paths_that_are_no_text() {
    use std::os::unix::ffi::OsStrExt as _;
    let project = Project::new(&[("rondag.toml", ""), ("a.ron", CLEAN)]);
    let name = std::ffi::OsStr::from_bytes(b"\xff.ron");
    std::fs::write(project.path().join(name), CLEAN).expect("Linux takes any name");
    let output = super::command(project.path(), &["check"]).arg(name).output().expect("the binary starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("not valid Unicode"));
    let walked = project.run(&["check", "."]);
    assert!(walked.code == Some(2) && walked.err.contains("in 1 graph "), "the others are checked: {walked:?}");
}
