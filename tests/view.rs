//! The viewer in a real window, on a display of its own (Xvfb) and the software adapter.
//!
//! Pictures go to `target/tmp/viewer`; those in the README are made here.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

mod compare;
mod faults;
mod measure;

/// The longest that a viewer may take for what a test asks of it.
const LIMIT: Duration = Duration::from_mins(2);

/// A display without a screen.
struct Display {
    server: Child,
    name: String,
}

impl Display {
    fn new() -> Self {
        let mut command = Command::new("Xvfb");
        command.args(["-displayfd", "1", "-screen", "0", "1400x900x24", "-nolisten", "tcp"]);
        let started = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut server = started.unwrap_or_else(|why| {
            panic!("tests need a display of their own ({why}). Debian, Ubuntu: apt-get install xvfb xdotool")
        });
        let mut number = String::new();
        let stdout = server.stdout.take().expect("it was piped");
        BufReader::new(stdout).read_line(&mut number).expect("Xvfb says its number");
        Self { server, name: format!(":{}", number.trim()) }
    }

    fn xdotool(&self, args: &[&str]) -> String {
        let output = Command::new("xdotool").args(args).env("DISPLAY", &self.name).output();
        let output = output.unwrap_or_else(|why| panic!("tests need xdotool ({why}): apt-get install xdotool"));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        self.server.kill().ok();
        self.server.wait().ok();
    }
}

/// The shipped scene in a folder where it may be edited.
struct Scene {
    display: Display,
    folder: TempDir,
}

impl Scene {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        for name in ["graphs", "shaders"] {
            copy(&root.join(name), &folder.path().join(name));
        }
        std::fs::write(folder.path().join("rondag.toml"), "").expect("files can be written");
        Self { display: Display::new(), folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rondag"));
        command.args(["view", "graphs/culled_scene.ron", "--adapter", "cpu"]).args(args);
        command.current_dir(self.folder.path()).env("DISPLAY", &self.display.name).env("NODEVICE_SELECT", "1");
        command.env_remove("WAYLAND_DISPLAY").stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs a script to its end; what was said.
    fn play(&self, script: &str, args: &[&str]) -> String {
        end(self.start("script.txt", script, args))
    }

    fn start(&self, name: &str, script: &str, args: &[&str]) -> Child {
        std::fs::write(self.path(name), script).expect("files can be written");
        self.command(args).args(["--headless-script", name]).spawn().expect("it starts")
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("it is there")
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("files can be written");
    }

    fn report(&self, name: &str) -> serde_json::Value {
        serde_json::from_str(&self.text(name)).expect("it is JSON")
    }
}

/// Waits for the end; what was said.
fn end(mut child: Child) -> String {
    wait(&mut child);
    let output = child.wait_with_output().expect("it ended");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    said
}

fn wait(child: &mut Child) {
    let start = Instant::now();
    while child.try_wait().expect("it can be asked").is_none() {
        if start.elapsed() > LIMIT {
            child.kill().ok();
            panic!("the viewer does not end");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("folders can be made");
    for entry in std::fs::read_dir(from).expect("it is a folder") {
        let entry = entry.expect("it can be listed");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("files can be copied");
        }
    }
}

/// A picture, also kept for whoever wants to look at it.
fn picture(path: &Path) -> image::RgbaImage {
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join("viewer");
    std::fs::create_dir_all(&kept).expect("folders can be made");
    std::fs::copy(path, kept.join(path.file_name().expect("it has a name"))).expect("pictures are made");
    image::open(path).expect("it is a PNG").to_rgba8()
}

/// Whether many texels have about this colour.
fn has(picture: &image::RgbaImage, color: [u8; 3], least: usize) -> bool {
    let near = |texel: &image::Rgba<u8>| texel.0.iter().zip(color).all(|(a, b)| a.abs_diff(b) < 6);
    picture.pixels().filter(|texel| near(texel)).count() >= least
}

/// Colours in the middle of the graph's picture.
fn colors(picture: &image::RgbaImage) -> usize {
    let (width, height) = picture.dimensions();
    let texels = (width / 2..width - 40).flat_map(|x| (height / 4..height / 2).map(move |y| (x, y)));
    texels.map(|(x, y)| picture.get_pixel(x, y).0).collect::<std::collections::BTreeSet<_>>().len()
}

const ACCENT: [u8; 3] = [255, 176, 64];
const RED: [u8; 3] = [255, 105, 97];

#[test]
fn a_script_edits_breaks_and_mends_what_is_shown() {
    let scene = Scene::new();
    let good = scene.text("graphs/culled_scene.ron");
    scene.write("good.ron", &good);
    scene.write("bad.ron", &good.replace("shader: \"scene/draw.wgsl\"", "shader: \"scene/drawn.wgsl\""));
    let script = "
        settle
        wait 6
        screenshot start.png
        key F1
        wait 2
        screenshot help.png
        key F1
        write graphs/culled_scene.ron bad.ron
        reloaded
        wait 3
        screenshot overlay.png
        write graphs/culled_scene.ron good.ron
        reloaded
        wait 4
        screenshot mended.png
        key 1
        settle
        wait 3
        screenshot atomic.png
        quit";
    let said = scene.play(script, &["--set", "instances=400", "--size", "1000x700"]);
    assert_eq!(said.matches("drawn.wgsl").count(), said.matches("error[missing-file]").count() * 3, "{said}");
    assert_eq!(said.matches("error[").count(), 1, "a fault is told once: {said}");
    let of = |name: &str| picture(&scene.path(name));
    let (start, overlay, mended) = (of("start.png"), of("overlay.png"), of("mended.png"));
    assert_eq!(start.dimensions(), (1000, 700));
    assert!(colors(&start) > 100, "the scene is there");
    assert!(colors(&overlay) > 100, "the last good picture stays");
    assert!(has(&overlay, RED, 300) && !has(&start, RED, 100) && !has(&mended, RED, 100));
    assert!(has(&of("help.png"), ACCENT, 500));
    assert!(colors(&of("atomic.png")) > 100);
}

#[test]
fn inspectors_comparison_and_the_frozen_camera() {
    let scene = Scene::new();
    let script = "
        settle
        wait 4
        key G
        wait 3
        screenshot graph.png
        key G
        select depth
        settle
        wait 12
        screenshot texture.png
        select args
        settle
        wait 12
        screenshot buffer.png
        key Escape
        key F
        settle
        orbit 200 60
        zoom -4
        wait 4
        screenshot frozen.png
        key F
        key B
        key 1
        settle
        wait 20
        screenshot compare.png
        quit";
    scene.play(script, &["--set", "instances=1500", "--size", "1200x760"]);
    let of = |name: &str| picture(&scene.path(name));
    assert!(has(&of("graph.png"), [44, 90, 150], 2000), "passes");
    assert!(has(&of("frozen.png"), ACCENT, 800), "the frustum");
    let [texture, buffer, compare] = ["texture.png", "buffer.png", "compare.png"].map(of);
    assert!(colors(&texture) > 20 && has(&buffer, ACCENT, 200) && colors(&compare) > 100);
}

#[test]
fn br_078_odd_sizes_and_keys_of_a_real_keyboard() {
    let scene = Scene::new();
    let mut child = scene.command(&["--set", "instances=200", "--size", "640x480"]).spawn().expect("it starts");
    let window = scene.display.xdotool(&["search", "--sync", "--name", "rondag"]);
    assert!(!window.is_empty(), "there is a window");
    let pause = |millis| std::thread::sleep(Duration::from_millis(millis));
    pause(2000);
    for [width, height] in [["801", "603"], ["1", "1"], ["333", "997"], ["640", "480"]] {
        scene.display.xdotool(&["windowsize", &window, width, height]);
        pause(400);
    }
    scene.display.xdotool(&["windowunmap", &window]);
    pause(300);
    scene.display.xdotool(&["windowmap", &window]);
    scene.display.xdotool(&["windowfocus", &window]);
    for key in ["1", "2", "Tab", "space", "period", "f", "f", "g", "g", "r", "Home", "v", "F1", "F5", "F12"] {
        scene.display.xdotool(&["key", key]);
        pause(250);
    }
    let start = Instant::now();
    let shots = || {
        std::fs::read_dir(scene.folder.path())
            .expect("it is there")
            .filter_map(Result::ok)
            .find(|entry| entry.path().extension().is_some_and(|it| it == "png"))
    };
    let shot = loop {
        if let Some(shot) = shots() {
            break shot.path();
        }
        assert!(child.try_wait().expect("it can be asked").is_none(), "it ended");
        assert!(start.elapsed() < LIMIT, "no screenshot came");
        pause(100);
    };
    pause(300);
    assert_eq!(image::open(&shot).expect("it is a PNG").to_rgba8().dimensions(), (640, 480));
    child.kill().expect("it runs");
    let output = child.wait_with_output().expect("it ended");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!said.contains("panicked") && !said.contains("error"), "{said}");
}

#[test]
fn without_a_display_there_is_one_line() {
    let scene = Scene::new();
    let output = scene.command(&[]).env_remove("DISPLAY").output().expect("it starts");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("no window can be opened here") && said.trim().lines().count() == 1, "{said}");
}
