//! Two settings, passes that are left out, times of each pass.

use super::*;

/// What the report says about the first output.
fn difference(report: &serde_json::Value) -> Option<&str> {
    report["versus"][0]["difference"].as_str()
}

#[test]
fn equal_results_are_told_from_others() {
    let scene = Scene::new();
    let script = "
        settle
        wait 3
        key B
        set compaction=mask
        settle
        wait 30
        report equal.json
        set max_distance=6
        settle
        wait 30
        screenshot difference.png
        report other.json
        quit";
    scene.play(script, &["--set", "instances=300", "--set", "spin=0", "--size", "700x500"]);
    let (equal, other) = (scene.report("equal.json"), scene.report("other.json"));
    assert_eq!(equal["versus"][0]["output"], "color", "{equal}");
    assert_eq!(difference(&equal), None, "strategies that keep the order draw the same bytes");
    let told = difference(&other).expect("a nearer limit draws another picture");
    assert!(told.contains(" differ, the first at "), "{told}");
}

#[test]
fn passes_are_left_out_and_have_times_of_their_own() {
    let scene = Scene::new();
    let script = "
        settle
        wait 8
        report merged.json
        apart
        settle
        wait 8
        report apart.json
        apart
        pass cull off
        settle
        wait 8
        screenshot off.png
        report off.json
        pass cull on
        settle
        wait 8
        report on.json
        quit";
    scene.play(script, &["--set", "instances=200", "--size", "640x480"]);
    let passes = |name: &str| scene.report(name)["passes"].as_object().expect("a map").len();
    assert!(passes("apart.json") > passes("merged.json"), "each pass has a time");
    assert_eq!(passes("on.json"), passes("merged.json"));
    let names = |name: &str| scene.report(name)["passes"].to_string();
    assert!(names("apart.json").contains("/cull\"") && !names("off.json").contains("cull+"), "{}", names("off.json"));
}

#[test]
fn a_script_that_asks_for_what_is_not_there_says_so() {
    let scene = Scene::new();
    for (step, why) in [
        ("select nothing", "`culled_scene` has no pass or resource `nothing`"),
        ("set nothing=1", "`culled_scene` has no param `nothing`"),
        ("set compaction=best", "`best` is no value of param `compaction`"),
        ("pass nothing off", "`culled_scene` has no pass or resource `nothing`"),
        ("set instances=1", "`1` is no value of param `instances`"),
        ("write graphs/x.ron missing.ron", "missing.ron could not be read"),
        ("screenshot nowhere/x.png", "nowhere/x.png could not be written"),
    ] {
        let mut child =
            scene.start("script.txt", &format!("settle\nwait 2\n{step}\nwait 2\nquit"), &["--set", "instances=50"]);
        wait(&mut child);
        let output = child.wait_with_output().expect("it ended");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(why), "{step}: {said}");
    }
}

#[test]
fn two_viewers_show_one_graph() {
    let scene = Scene::new();
    let good = scene.text("graphs/culled_scene.ron");
    scene.write("next.ron", &good.replace("\"hidden\": Float(default: 0.0", "\"hidden\": Float(default: 0.5"));
    let args = ["--set", "instances=100", "--size", "480x360"];
    let script = "settle\nscreenshot ready.png\nreloaded\nwait 3\nreport second.json\nquit";
    let second = scene.start("second.txt", script, &args);
    let start = Instant::now();
    while !scene.path("ready.png").exists() {
        assert!(start.elapsed() < LIMIT, "the first viewer does not show anything");
        std::thread::sleep(Duration::from_millis(50));
    }
    let script = "settle\nwrite graphs/culled_scene.ron next.ron\nreloaded\nwait 3\nreport first.json\nquit";
    let first = scene.start("first.txt", script, &args);
    for said in [end(first), end(second)] {
        assert!(!said.contains("error[") && !said.contains("panicked"), "{said}");
    }
    for name in ["first.json", "second.json"] {
        assert!(!scene.report(name)["reloads"].as_array().expect("a list").is_empty(), "{name}");
    }
}

#[test]
fn a_graph_that_stays_broken_fails_a_script_once() {
    let scene = Scene::new();
    let good = scene.text("graphs/culled_scene.ron");
    scene.write("graphs/culled_scene.ron", &good.replace("target: \"counts\"", "target: \"count\""));
    let mut child = scene.start("script.txt", "settle\nwait 5\nquit", &["--size", "640x480"]);
    wait(&mut child);
    let output = child.wait_with_output().expect("it ended");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), said.matches("error[unknown-resource]").count()), (Some(1), 1), "{said}");
}
