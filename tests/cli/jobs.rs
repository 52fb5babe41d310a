//! Many graphs at a time.

use super::{CLEAN, Project, faulty};

#[test]
fn any_number_of_jobs_gives_the_same_bytes() {
    let shader = |value: &str| {
        format!(
            "@group(0) @binding(0) var<storage, read_write> flags: array<u32>;
@compute @workgroup_size(64) fn f(@builtin(global_invocation_id) id: vec3u) {{ flags[id.x] = {value}; }}\n"
        )
    };
    let dispatch = |shader: &str| {
        let pass = format!("passes: [Dispatch(name: \"d\", shader: \"{shader}\", items: 4), ");
        CLEAN.replace("passes: [", &pass).replace("outputs:", "lints: { \"dead-pass\": Allow }, outputs:")
    };
    let project = Project::new(&[
        ("rondag.toml", "[lints]\nunused-usage = \"allow\"\n"),
        ("shaders/broken.wgsl", &shader("1.5")),
        ("shaders/good.wgsl", &shader("1u")),
    ]);
    for index in 0..75 {
        let text = match index % 5 {
            0 => dispatch("broken.wgsl"),
            1 => dispatch("good.wgsl"),
            2 => faulty(),
            3 => dispatch("missing.wgsl"),
            _ => CLEAN.replace("resources: {", "resources: { \"idle\": Buffer(size: 16),"),
        };
        project.write(&format!("g{index:02}.ron"), text.as_bytes());
    }
    for format in ["full", "sarif"] {
        let run = |jobs: &str| project.run(&["check", ".", "--format", format, "--jobs", jobs]);
        let one = run("1");
        assert_eq!(one.code, Some(1), "{one:?}");
        assert!(one.err.contains(" in 75 graphs "), "{one:?}");
        if format == "full" {
            assert_eq!(one.out.matches("error[wgsl-syntax]").count(), 1, "a shared fault is told once");
        }
        for jobs in ["2", "3", "16", "1000000"] {
            let many = run(jobs);
            assert!(many.out == one.out && many.err == one.err && many.code == one.code, "{jobs} jobs");
        }
    }
}
