//! What graphs are held against.

use std::fmt::Write as _;

use super::{CLEAN, Project, could_not_run};

const BIG: &str = "(
    version: 1,
    resources: { \"list\": Buffer(size: 4096) },
    passes: [ClearBuffer(target: \"list\")],
    outputs: [\"list\"],
)
";

#[test]
fn limits_and_features_come_from_a_file() {
    let project = Project::new(&[
        ("a.ron", BIG),
        ("tiny.toml", "name = \"tiny\"\nfeatures = [\"SUBGROUP\", \"ShaderF16\"]\n[limits]\nmax_buffer_size = 1024\n"),
        (
            "tiny.json",
            "{ \"name\": \"tiny\", \"features\": [\"shader-f16\"], \"limits\": { \"maxBufferSize\": 1024 } }",
        ),
        ("wide.toml", "max_memory = 1_000_000\n[limits]\nmax_buffer_size = 0x1000\n"),
    ]);
    for (args, code) in [
        (&["--profile", "tiny.toml"][..], 1),
        (&["--profile", "tiny.json"], 1),
        (&["--profile", "wide.toml"], 0),
        (&["--profile", "webgpu"], 0),
        (&[], 0),
    ] {
        let ran = project.run(&[&["check", "a.ron", "--format", "concise"], args].concat());
        assert_eq!(ran.code, Some(code), "{args:?} {ran:?}");
        assert_eq!(ran.out.contains("1024") || ran.out.contains("1.0 KiB"), code == 1, "{ran:?}");
    }
    project.write("rondag.toml", b"[check]\nprofile = \"tiny.toml\"");
    assert_eq!(project.run(&["check", "a.ron"]).code, Some(1));
    assert_eq!(project.run(&["check", "a.ron", "--profile", "webgpu"]).code, Some(0), "the command line goes first");
}

/// 4,096 bytes: what the profile says holds, unless the command line says something.
#[test]
fn memory_is_what_the_profile_says_or_the_command_line() {
    let project = Project::new(&[
        ("a.ron", BIG),
        ("small.toml", "max_memory = 1024\n"),
        ("large.toml", "max_memory = 1_000_000\n"),
    ]);
    for (args, code) in [
        (&["--profile", "small.toml"][..], 1),
        (&["--profile", "large.toml"], 0),
        (&["--profile", "small.toml", "--max-memory", "1MiB"], 0),
        (&["--profile", "large.toml", "--max-memory", "1KiB"], 1),
        (&["--max-memory", "1KiB"], 1),
        (&[], 0),
    ] {
        let ran = project.run(&[&["check", "a.ron", "--format", "concise"], args].concat());
        assert_eq!(ran.code, Some(code), "{args:?} {ran:?}");
        assert_eq!(ran.out.contains("error[memory-limit]"), code == 1, "{args:?} {ran:?}");
    }
}

#[test]
fn faults_of_a_profile_are_told_with_their_place() {
    let project = Project::new(&[("a.ron", CLEAN)]);
    for (name, text, what) in [
        (
            "p.toml",
            "[limits]\nmax_bufer_size = 1",
            "p.toml:2:1: no limit is called `max_bufer_size`; did you mean `max_buffer_size`?",
        ),
        ("p.toml", "[limits]\nmax_texture_dimension_2 = 1", "did you mean `max_texture_dimension_2d`?"),
        ("p.toml", "[limits]\nmax_bind_groups = \"4\"", "p.toml:2:19: `max_bind_groups` needs a whole number"),
        ("p.toml", "[limits]\nmax_bind_groups = -4", "needs a whole number"),
        ("p.toml", "[limits]\nmax_bind_groups = 0", "needs a number above 0"),
        ("p.toml", "[limits]\nmax_bind_groups = 99999999999", "too much for `max_bind_groups`"),
        ("p.toml", "[limits]\nmin_uniform_buffer_offset_alignment = 3", "a power of two"),
        ("p.toml", "features = [\"SUBGRUP\"]", "p.toml:1:13: no feature is called `SUBGRUP`; did you mean `SUBGROUP`?"),
        ("p.toml", "feature = []", "p.toml:1:1: no key is called `feature`; did you mean `features`?"),
        ("p.toml", "name = 3", "`name` needs a text"),
        ("p.toml", "max_memory = \"4 GiB\"", "needs a number of bytes"),
        ("p.toml", "= 3", "p.toml:1:1:"),
        ("p.json", "{\n \"limits\": { \"maxBuferSize\": 1 } }", "p.json:2:14: no limit is called `maxBuferSize`"),
        ("p.json", "{\n \"limits\" }", "p.json:2:"),
        ("p.json", "[]", "p.json:1:1: a profile is an object"),
    ] {
        project.write(name, text.as_bytes());
        could_not_run(&project.run(&["check", "a.ron", "--profile", name]), what);
    }
    could_not_run(&project.run(&["check", "a.ron", "--profile", "webgp"]), "did you mean `webgpu`?");
    could_not_run(&project.run(&["check", "a.ron", "--profile", "."]), "not a regular file");
    project.write("rondag.toml", b"[check]\nprofile = \"../p.toml\"");
    could_not_run(&project.run(&["check", "a.ron"]), "p.toml");
    project.write("rondag.toml", b"[check]\nprofile = \"adaptr\"");
    could_not_run(&project.run(&["check", "a.ron"]), "did you mean `adapter`?");
}

/// Least and greatest values of all limits must not trip the arithmetic of any rule.
#[test]
fn extreme_limits_are_survived() {
    let project = Project::new(&[("a.ron", BIG), ("b.ron", CLEAN)]);
    let limits = serde_json::to_value(wgpu_types::Limits::default()).expect("they are numbers");
    for greatest in [false, true] {
        let mut profile = String::from("[limits]\n");
        for (name, value) in limits.as_object().expect("they have names") {
            let is_large = name.contains("Size") && !name.contains("WorkgroupSize") && !name.contains("Immediate");
            let value = match (name.ends_with("Alignment"), greatest) {
                (true, true) => 1 << 31,
                (_, false) => u64::from(value.as_u64() != Some(0)),
                (false, true) if is_large && name.contains("Buffer") => i64::MAX as u64,
                (false, true) => u64::from(u32::MAX),
            };
            writeln!(profile, "{name} = {value}").expect("strings take everything");
        }
        project.write("p.toml", profile.as_bytes());
        let ran = project.run(&["check", "a.ron", "b.ron", "--profile", "p.toml"]);
        assert!(matches!(ran.code, Some(0 | 1)) && !ran.err.contains("panicked"), "{profile}\n{ran:?}");
    }
}
