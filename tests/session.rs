//! Graphs that are edited while they are shown: files and time are the test's own.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rondag::gpu::{DeviceOptions, Gpu, Pick, adapters, instance};
use rondag::graph::ParamValue;
use rondag::session::{Clock, Drawn, Event, Executor, Finding, Options, Outside, Session, Slices, Thread};
use rondag::source::{Door, LoadError};

use crate::gpu::{LIMIT, software, words};
use crate::sketch::camera;

mod more;
#[cfg(feature = "watch")]
mod watched;

const GRAPH: &str = r#"(
    version: 1,
    params: {
        "by": Int(default: 1, min: 0, max: 100),
        "n": Int(default: 4, min: 1, max: 64),
        "kind": Choice(default: "up", of: ["up", "down"]),
    },
    resources: { "sum": Buffer(count: "n", lifetime: Persistent) },
    passes: [Dispatch(name: "add", shader: "{kind}.wgsl", items: "n")],
    outputs: ["sum"],
)"#;

const ADD: &str = "#import \"step.wgsl\"
    struct Values { by: u32 }
    @group(0) @binding(0) var<storage, read_write> sum: array<u32>;
    @group(1) @binding(0) var<uniform> values: Values;
    @compute @workgroup_size(64) fn add(@builtin(global_invocation_id) id: vec3u) {
        if id.x < arrayLength(&sum) { sum[id.x] = more(sum[id.x], values.by); }
    }";

const STEP: &str = "fn more(sum: u32, by: u32) -> u32 { return sum + by; }\n";

/// Files that an editor changes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Desk(Arc<Mutex<BTreeMap<String, Vec<u8>>>>);

impl Desk {
    pub(crate) fn write(&self, path: &str, text: &str) {
        self.0.lock().expect("no test panics while it writes").insert(path.to_owned(), text.as_bytes().to_vec());
    }

    fn remove(&self, path: &str) {
        self.0.lock().expect("no test panics while it writes").remove(path);
    }

    fn edit(&self, path: &str, from: &str, to: &str) {
        let text = self.0.lock().expect("no test panics while it writes")[path].clone();
        let text = String::from_utf8(text).expect("it is text");
        assert!(text.contains(from), "{path} has no `{from}`");
        self.write(path, &text.replace(from, to));
    }
}

impl Door for Desk {
    fn read(&self, path: &str) -> Result<Vec<u8>, LoadError> {
        let files = self.0.lock().expect("no test panics while it writes");
        files.get(path).cloned().ok_or_else(|| LoadError::Missing { path: path.to_owned() })
    }
}

/// Time that stands still unless somebody moves it.
#[derive(Debug, Clone, Default)]
struct Hands(Arc<AtomicU64>);

impl Hands {
    fn go(&self, time: Duration) {
        self.0.fetch_add(time.as_millis() as u64, Ordering::Relaxed);
    }
}

impl Clock for Hands {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.load(Ordering::Relaxed))
    }
}

struct Scene {
    desk: Desk,
    hands: Hands,
    session: Session,
    events: Vec<Event>,
}

fn desk() -> Desk {
    let desk = Desk::default();
    desk.write("g.ron", GRAPH);
    desk.write("shaders/up.wgsl", ADD);
    desk.write("shaders/down.wgsl", &ADD.replace("more(sum[id.x], values.by)", "sum[id.x] - values.by"));
    desk.write("shaders/lib/step.wgsl", STEP);
    desk
}

impl Scene {
    fn new() -> Self {
        Self::of(desk(), software(), Slices::default())
    }

    fn of(desk: Desk, gpu: Gpu, executor: impl Executor + 'static) -> Self {
        let hands = Hands::default();
        let outside = Outside {
            door: Arc::new(desk.clone()),
            clock: Arc::new(hands.clone()),
            executor: Box::new(executor),
            device: Box::new(|| Gpu::open(&Pick::Cpu, DeviceOptions::default())),
        };
        let session = Session::new(gpu, outside, Options::new("g.ron"));
        Self { desk, hands, session, events: Vec::new() }
    }

    /// Ticks until nothing is being built; how many programs took their place.
    fn settle(&mut self) {
        let start = Instant::now();
        loop {
            let events = self.session.tick();
            self.events.extend(events);
            if !self.session.is_building() {
                return;
            }
            self.draw();
            self.hands.go(Duration::from_millis(10));
            assert!(start.elapsed() < LIMIT, "it never ends");
        }
    }

    fn draw(&mut self) -> Drawn {
        let drawn = self.session.draw(&camera(), |_, _| {});
        self.session.gpu().wait(None, LIMIT).expect("frames end");
        drawn
    }

    /// The change was noticed.
    fn save(&mut self) {
        self.session.changed();
        self.settle();
    }

    fn sum(&mut self) -> Vec<u32> {
        self.draw();
        let events = self.session.tick();
        self.events.extend(events);
        let program = self.session.program().expect("something draws");
        words(program, program.find("sum").expect("it is there"))
    }

    /// What each frame adds.
    fn rate(&mut self) -> u32 {
        let before = self.sum()[0];
        self.sum()[0].wrapping_sub(before)
    }

    fn swaps(&mut self) -> usize {
        let swaps = self.events.iter().filter(|event| **event == Event::Swapped).count();
        self.events.clear();
        swaps
    }

    fn codes(&self) -> Vec<&'static str> {
        self.session.faults().filter_map(|fault| fault.code).collect()
    }

    fn told(&self) -> Vec<&Finding> {
        let told = |event: &'_ Event| matches!(event, Event::Faulty(_));
        let faults = self.events.iter().filter(|event| told(event));
        faults.flat_map(|event| if let Event::Faulty(found) = event { found.as_slice() } else { &[] }).collect()
    }
}

#[test]
fn a_graph_is_built_and_drawn() {
    let mut scene = Scene::new();
    scene.settle();
    assert_eq!(scene.swaps(), 1);
    assert_eq!(scene.rate(), 1);
    assert_eq!(scene.session.faults().count(), 0);
    let files: Vec<_> = scene.session.closure().keys().map(String::as_str).collect();
    assert_eq!(files, ["g.ron", "shaders/lib/step.wgsl", "shaders/up.wgsl"]);
}

#[test]
fn an_edit_of_graph_shader_or_import_is_one_swap_and_contents_live_on() {
    let mut scene = Scene::new();
    scene.settle();
    let edits = [
        ("g.ron", "default: 1,", "default: 3,", 3),
        ("shaders/up.wgsl", "values.by)", "10u)", 10),
        ("shaders/lib/step.wgsl", "sum + by", "sum + 2u * by", 20),
    ];
    for (path, from, to, rate) in edits {
        let (before, (index, _)) = (scene.sum()[0], scene.session.position());
        scene.events.clear();
        scene.desk.edit(path, from, to);
        scene.save();
        assert_eq!(scene.swaps(), 1, "{path}");
        assert!(scene.sum()[0] > before, "{path}: contents live on");
        assert!(scene.session.position().0 > index, "{path}: frames are counted on");
        assert_eq!(scene.rate(), rate, "{path}");
    }
}

#[test]
fn broken_fixed_and_broken_again() {
    let mut scene = Scene::new();
    scene.settle();
    for round in 0..3 {
        scene.events.clear();
        scene.desk.edit("g.ron", "outputs: [\"sum\"]", "outputs: [\"sun\"]");
        scene.save();
        assert_eq!(scene.swaps(), 0, "{round}");
        assert_eq!(scene.codes(), ["unknown-resource"]);
        assert_eq!(scene.rate(), 1, "the last good program goes on");
        scene.desk.edit("g.ron", "outputs: [\"sun\"]", "outputs: [\"sum\"]");
        scene.save();
        assert_eq!((scene.swaps(), scene.codes()), (1, vec![]), "{round}");
    }
}

/// BR-044: a shader that does not compile, with an error of each kind, costs nobody the picture.
#[test]
fn br_044_bad_shaders_are_told_and_forgiven() {
    let mut scene = Scene::new();
    scene.settle();
    let bad = [
        ("fn add(", "fn add"),
        ("values.by", "values.bye"),
        ("@workgroup_size(64)", "@workgroup_size(0)"),
        ("sum[id.x] =", "sum[id.x] = 1.5 *"),
    ];
    for (from, to) in bad {
        scene.desk.edit("shaders/up.wgsl", from, to);
        scene.events.clear();
        scene.save();
        scene.session.changed();
        scene.settle();
        assert_eq!(scene.swaps(), 0, "{to}");
        let faults: Vec<_> = scene.session.faults().collect();
        assert!(!faults.is_empty(), "{to}");
        let place = faults[0].place.as_ref().unwrap_or_else(|| panic!("{to}: {faults:?}"));
        assert_eq!(place.path, "shaders/up.wgsl", "{to}");
        assert_eq!(scene.rate(), 1);
        scene.desk.edit("shaders/up.wgsl", to, from);
        scene.save();
        assert_eq!((scene.swaps(), scene.session.faults().count()), (1, 0), "{to}");
    }
}

#[test]
fn the_same_fault_is_told_once() {
    let mut scene = Scene::new();
    scene.settle();
    scene.desk.edit("g.ron", "items: \"n\"", "items: \"m\"");
    scene.save();
    scene.save();
    assert_eq!(scene.told().len(), 1, "{:?}", scene.told());
}

#[test]
fn broken_at_the_start_recovers() {
    let desk = Desk::default();
    let mut scene = Scene::of(desk, software(), Slices::default());
    scene.settle();
    assert_eq!(scene.draw(), Drawn::Nothing);
    assert!(scene.session.faults().next().is_some_and(|fault| fault.message.contains("g.ron")));
    scene.desk.write("g.ron", GRAPH);
    scene.save();
    assert_eq!(scene.codes(), ["missing-file"]);
    assert!(scene.session.closure().contains_key("shaders/up.wgsl"), "what is missing is watched, too");
    scene.desk.write("shaders/up.wgsl", ADD);
    scene.desk.write("shaders/lib/step.wgsl", STEP);
    scene.save();
    assert_eq!((scene.swaps(), scene.codes()), (1, vec![]));
    assert_eq!(scene.rate(), 1);
}

/// BR-086: an empty or half file within 100 ms of its event is looked at once more, and nobody hears of it.
#[test]
fn br_086_torn_files_show_no_error() {
    let mut scene = Scene::new();
    scene.settle();
    scene.events.clear();
    let whole = GRAPH.replace("default: 1,", "default: 7,");
    for torn in ["", &whole[..whole.len() / 2]] {
        scene.desk.write("g.ron", torn);
        scene.session.changed();
        for _ in 0..6 {
            let events = scene.session.tick();
            scene.events.extend(events);
            scene.draw();
            scene.hands.go(Duration::from_millis(5));
        }
        assert!(scene.session.is_building(), "it waits");
        scene.desk.write("g.ron", &whole);
        scene.settle();
        assert!(scene.told().is_empty(), "{:?}", scene.told());
        assert_eq!(scene.swaps(), 1);
        assert_eq!(scene.rate(), 7);
    }
    scene.desk.write("g.ron", "(version: 1,");
    scene.save();
    assert!(!scene.told().is_empty(), "a file that stays torn is a fault");
    assert_eq!(scene.rate(), 7);
}

/// BR-147: one edit in two files, saved apart. The last good program stays until both agree.
#[test]
fn br_147_two_files_saved_apart_are_one_swap() {
    for order in [["g.ron", "shaders/up.wgsl"], ["shaders/up.wgsl", "g.ron"]] {
        let mut scene = Scene::new();
        scene.settle();
        scene.events.clear();
        for path in order {
            scene.desk.edit(path, "sum", "total");
            scene.hands.go(Duration::from_millis(200));
            scene.save();
        }
        assert_eq!((scene.swaps(), scene.codes()), (1, vec![]), "{order:?}");
    }
}

/// BR-050: the only use of a variable is commented out while the graph still binds it.
#[test]
fn br_050_an_unused_binding_is_no_reason_to_stop() {
    let mut scene = Scene::new();
    scene.settle();
    scene.desk.edit("shaders/up.wgsl", "values.by", "5u");
    scene.save();
    assert_eq!((scene.swaps(), scene.codes()), (2, vec![]));
    assert_eq!(scene.rate(), 5);
}

#[test]
fn edits_while_building_are_not_lost() {
    let mut scene = Scene::of(desk(), software(), Thread::new().expect("a thread"));
    scene.settle();
    for by in 2..12 {
        scene.desk.write("g.ron", &GRAPH.replace("default: 1,", &format!("default: {by},")));
        scene.session.changed();
        let events = scene.session.tick();
        scene.events.extend(events);
    }
    scene.settle();
    assert_eq!(scene.rate(), 11, "the last save counts");
}

#[test]
fn moved_params_stay_and_others_follow_their_defaults() {
    let mut scene = Scene::new();
    scene.settle();
    scene.events.clear();
    scene.session.set("by", Some(ParamValue::Int(9)));
    scene.settle();
    assert_eq!((scene.swaps(), scene.rate()), (0, 9), "a live param is an upload");
    scene.session.set("n", Some(ParamValue::Int(8)));
    scene.settle();
    assert_eq!((scene.swaps(), scene.sum().len()), (1, 8), "a structural param is another program");
    scene.desk.edit("g.ron", "\"by\": Int(default: 1, min: 0, max: 100)", "\"by\": Int(default: 2, min: 0, max: 5)");
    scene.desk.edit("g.ron", "default: 4,", "default: 6,");
    scene.save();
    assert_eq!(scene.rate(), 5, "moved params stay inside their ranges");
    assert_eq!(scene.sum().len(), 8);
    scene.session.set("by", None);
    scene.session.set("n", None);
    scene.settle();
    assert_eq!((scene.rate(), scene.sum().len()), (2, 6));
}

#[test]
fn strategies_switch_back_and_forth_and_also_while_the_text_is_broken() {
    let mut scene = Scene::new();
    scene.settle();
    let choose = |scene: &mut Scene, kind: &str| {
        scene.session.set("kind", Some(ParamValue::Choice(kind.to_owned())));
        scene.settle();
        scene.rate()
    };
    assert_eq!(choose(&mut scene, "down"), u32::MAX);
    assert_eq!(choose(&mut scene, "up"), 1);
    scene.desk.edit("g.ron", "items: \"n\"", "items: \"m\"");
    scene.save();
    assert_eq!(choose(&mut scene, "down"), u32::MAX);
    assert_eq!(scene.codes(), ["unknown-name"], "the text is as broken as before");
}

#[test]
fn reset_empties_what_lasts() {
    let mut scene = Scene::new();
    scene.settle();
    for _ in 0..20 {
        scene.draw();
    }
    assert!(scene.sum()[0] > 20);
    scene.session.reset();
    scene.settle();
    assert!(scene.sum()[0] < 10);
    assert!(scene.session.position().0 > 20, "frames are counted on");
}

#[test]
fn surfaces_of_all_sizes() {
    let mut scene = Scene::new();
    scene.settle();
    for size in [[0, 0], [0, 600], [1, 1], [800, 600]] {
        scene.session.resize(size);
        scene.settle();
        let expected = size.contains(&0);
        assert_eq!(scene.draw() == Drawn::Nothing, expected, "{size:?}");
    }
    assert_eq!(scene.codes(), [""; 0]);
}

#[test]
fn complaints_after_a_swap_are_told_once_and_the_last_good_program_comes_back() {
    let gpu = Gpu::open(&Pick::Cpu, DeviceOptions::default()).expect("a software adapter");
    let mut scene = Scene::of(desk(), gpu, Slices::default());
    scene.settle();
    for _ in 0..8 {
        scene.draw();
    }
    let before = scene.sum()[0];
    scene.events.clear();
    scene.desk.edit("g.ron", "default: 1,", "default: 50,");
    scene.session.changed();
    while !scene.events.contains(&Event::Swapped) {
        let events = scene.session.tick();
        scene.events.extend(events);
        scene.session.draw(&camera(), |_, _| {});
        assert!(scene.events.len() < 1000);
    }
    scene.events.clear();
    for _ in 0..3 {
        let gpu = scene.session.gpu();
        // Too large for any device: wgpu refuses it, and nobody has a scope around it.
        drop(gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("g/add"),
            size: !3,
            usage: wgpu::BufferUsages::STORAGE,
            mapped_at_creation: false,
        }));
        let events = scene.session.tick();
        scene.events.extend(events);
    }
    assert_eq!(scene.told().len(), 1, "{:?}", scene.events);
    assert!(scene.told()[0].message.contains("g/add"), "{:?}", scene.told());
    assert_eq!(scene.rate(), 1, "the program from before the edit");
    assert!(scene.sum()[0] > before, "contents live on");
}

/// BR-080: a device that is lost is opened anew, once.
#[test]
fn br_080_a_lost_device_is_replaced_once() {
    let gpu = Gpu::open(&Pick::Cpu, DeviceOptions::default()).expect("a software adapter");
    let mut scene = Scene::of(desk(), gpu, Slices::default());
    scene.settle();
    scene.events.clear();
    scene.session.gpu().device.destroy();
    scene.settle();
    assert_eq!(scene.events.iter().filter(|event| **event == Event::Device).count(), 1, "{:?}", scene.events);
    assert_eq!(scene.told().len(), 1, "{:?}", scene.told());
    assert_eq!(scene.rate(), 1, "it draws again");
    scene.session.gpu().device.destroy();
    for _ in 0..50 {
        let events = scene.session.tick();
        scene.events.extend(events);
        scene.session.draw(&camera(), |_, _| {});
    }
    assert!(scene.session.is_stopped() && !scene.session.is_building());
    assert_eq!(scene.told().len(), 2, "{:?}", scene.told());
    // An edit is no loop: it may open another device.
    scene.save();
    assert!(!scene.session.is_stopped());
    assert_eq!((scene.rate(), scene.session.faults().count()), (1, 0), "it draws again");
}

#[test]
fn files_that_vanish_and_come_back() {
    let mut scene = Scene::new();
    scene.settle();
    scene.desk.remove("shaders/up.wgsl");
    scene.save();
    assert_eq!((scene.codes(), scene.rate()), (vec!["missing-file"], 1));
    scene.desk.write("shaders/up.wgsl", ADD);
    scene.save();
    assert_eq!(scene.codes(), [""; 0]);
}

/// BR-098: objects, memory and descriptors stay flat over 2,000 reloads.
#[test]
fn br_098_two_thousand_reloads_leave_nothing_behind() {
    alone("session::br_098_two_thousand_reloads_leave_nothing_behind", two_thousand_reloads);
}

/// Runs a test in a process of its own: memory and descriptors of a process are those of all its tests.
fn alone(name: &str, test: fn()) {
    const MARK: &str = "RONDAG_TEST_ALONE";
    if std::env::var_os(MARK).is_some() {
        return test();
    }
    let program = std::env::current_exe().expect("a test knows itself");
    let mut command = std::process::Command::new(program);
    let output = command.args(["--exact", name, "--nocapture"]).env(MARK, "1").output().expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "the test has another name");
}

fn two_thousand_reloads() {
    let instance = instance(DeviceOptions::default());
    let adapter = Pick::Cpu.choose(adapters(&instance)).expect("a software adapter");
    let gpu = Gpu::on(&adapter).expect("a device");
    let mut scene = Scene::of(desk(), gpu, Slices::default());
    scene.settle();
    let mut marks = Vec::new();
    for round in 0..2000u32 {
        let text = GRAPH.replace("default: 1,", &format!("default: {},", round % 90 + 1));
        scene.desk.write("g.ron", &text);
        if round % 2 == 0 {
            scene.desk.write(
                "shaders/up.wgsl",
                &ADD.replace("@workgroup_size(64)", &format!("@workgroup_size({})", round % 64 + 1)),
            );
        }
        scene.save();
        scene.events.clear();
        if round % 500 == 499 {
            for _ in 0..8 {
                scene.draw();
            }
            scene.session.tick();
            marks.push((objects(&instance), resident(), descriptors()));
        }
    }
    let [first, .., last] = marks.as_slice() else { panic!("there are four marks") };
    assert_eq!(first.0, last.0, "GPU objects");
    assert!(last.1 <= first.1 + first.1 / 20, "memory grew: {marks:?}");
    assert_eq!(first.2, last.2, "descriptors");
}

/// Buffers, textures, pipelines, shader modules and bind groups that wgpu has.
fn objects(instance: &wgpu::Instance) -> Vec<usize> {
    let report = instance.generate_report().expect("there is a report");
    let hub = report.hub_report();
    [
        &hub.buffers,
        &hub.textures,
        &hub.texture_views,
        &hub.compute_pipelines,
        &hub.shader_modules,
        &hub.bind_groups,
        &hub.bind_group_layouts,
        &hub.pipeline_layouts,
        &hub.query_sets,
        &hub.command_encoders,
    ]
    .map(|kind| kind.num_allocated)
    .to_vec()
}

/// Bytes of this process that are in memory.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    status.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4096
}

fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count)
}

/// From a save to the submit of the first frame that shows it, in wall-clock time, with the builder on its thread.
#[test]
#[ignore = "it measures: cargo test --test main -- --ignored --nocapture save_to_frame"]
fn save_to_frame() {
    for (path, from) in [("g.ron", "max: 100)"), ("shaders/up.wgsl", "id.x]")] {
        let mut scene = Scene::of(desk(), software(), Thread::new().expect("a thread"));
        scene.settle();
        let mut times = Vec::new();
        for round in 0..200 {
            let text = if path == "g.ron" { GRAPH } else { ADD };
            let to =
                if path == "g.ron" { format!("max: {})", 100 + round) } else { format!("id.x + {round}u - {round}u]") };
            scene.desk.write(path, &text.replacen(from, &to, 1));
            let (start, mut shown) = (Instant::now(), false);
            scene.session.changed();
            while !shown {
                shown = scene.session.tick().contains(&Event::Swapped);
                scene.session.draw(&camera(), |_, _| {});
                std::thread::sleep(Duration::from_micros(200));
            }
            times.push(start.elapsed());
        }
        times.sort();
        println!("{path}: median {:?}, 99th percentile {:?}", times[100], times[198]);
    }
}
