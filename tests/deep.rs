//! `check --deep`: what wgpu's noop device says of frames that the rules let through.

use rondag::diagnostic::{Diagnostic, Level};
use rondag::gpu::deep;
use rondag::graph::{Library, Settings};
use rondag::lint::Profile;
use rondag::source::{Disk, Files};

use super::checked::{Checked, checked};
use super::noop::graphs;

mod random;

/// Checks a frame by rules, then by wgpu: the findings of both, and how many variants wgpu saw.
fn both(frame: &str, shaders: &[(&str, &str)], profile: &Profile) -> (Vec<Diagnostic>, Vec<Diagnostic>, usize) {
    let files = shaders.iter().copied().chain([("frame.ron", frame)]);
    let Checked { mut library, found } = checked(files, &Settings::default(), profile);
    let top = library.files.load("frame.ron").expect("the frame");
    let report = deep(&mut library, top, &Settings::default(), profile).expect("a noop device");
    (found, report.found, report.recorded)
}

#[test]
fn wgpu_has_nothing_against_what_is_shipped() {
    let mut recorded = 0;
    for (folder, path) in graphs() {
        let mut library = Library::new(Files::new(Disk::new(&folder, "").expect("a folder")));
        let top = library.load(path, &mut Vec::new()).expect("a graph").file;
        let report = deep(&mut library, top, &Settings::default(), &Profile::default()).expect("a noop device");
        assert!(report.found.is_empty(), "{}: {:#?}", folder.display(), report.found);
        recorded += report.recorded;
    }
    assert!(recorded > 30, "{recorded} variants");
}

/// 500 random frames that the rules let through.
#[test]
fn wgpu_has_nothing_against_what_the_rules_let_through() {
    let (mut passed, mut recorded, mut tried) = (0, 0, 0);
    let mut codes = std::collections::BTreeSet::new();
    let mut disagreed = Vec::new();
    for seed in 0.. {
        let frame = random::frame(seed);
        let (found, refused, n) = both(&frame, random::SHADERS, &Profile::default());
        tried += 1;
        codes.extend(found.iter().map(|fault| fault.rule.code));
        if found.iter().any(|fault| fault.level == Level::Error) {
            assert!(tried < 50_000, "{passed} of {tried} frames pass the rules: {codes:?}");
            continue;
        }
        let why = refused.iter().map(|fault| fault.message.clone());
        disagreed.extend(why.map(|message| format!("seed {seed}: {message}")));
        passed += 1;
        recorded += usize::from(n > 0);
        if passed == 500 {
            break;
        }
    }
    assert!(disagreed.is_empty(), "{disagreed:#?}");
    assert!(recorded > 400, "{recorded} of {passed} were recorded");
    // Frames that are all alike would prove nothing.
    assert!(codes.len() > 12, "{codes:?}");
}

/// Without the rules of the lint layer wgpu has the last word, at the pass or resource that it names.
#[test]
fn what_wgpu_refuses_has_a_place() {
    let frame = |format: &str, indices: u32| {
        format!(
            "(version: 1, resources: {{ \"pack\": Meshes([Cube]), \"color\": Texture(format: {format}, size: (8, 8)) }}, passes: [
                Render(name: \"clear\", color: [(target: \"color\", clear: (0, 0, 0, 1))]),
                Render(name: \"cube\", color: [(target: \"color\")], draws: [(shader: \"triangle.wgsl\",
                    index_buffer: \"pack.indices\", call: DrawIndexed(indices: {indices}))]),
            ], outputs: [\"color\"])"
        )
    };
    for (format, indices, code, place, says) in
        [("Rgba8Snorm", 36, "texture-limit", "color", "Rgba8Snorm"), ("Rgba8Unorm", 37, "index-range", "cube", "index")]
    {
        let (found, refused, recorded) = both(&frame(format, indices), random::SHADERS, &Profile::default());
        assert_eq!(found.iter().map(|fault| fault.rule.code).collect::<Vec<_>>(), [code]);
        let [refused] = refused.as_slice() else { panic!("{refused:#?}") };
        assert_eq!((refused.rule.code, refused.level), ("wgpu-refuses", Level::Error));
        assert!(refused.message.contains(says), "{}", refused.message);
        let text = frame(format, indices);
        let span = refused.primary.span;
        assert_eq!(&text[span.start as usize..span.end as usize], place, "{refused:#?}");
        assert_eq!(recorded, 1);
    }
    let (_, refused, recorded) = both(&frame("Rgba8Unorm", 36), random::SHADERS, &Profile::default());
    assert!(refused.is_empty() && recorded == 1, "{refused:#?}");
}

/// A profile's memory holds on the noop device, too, whose buffers are real.
#[test]
fn what_is_too_large_is_not_made() {
    let frame = "(version: 1, params: { \"n\": Int(default: 4, min: 4, max: 30_000_000) },
        resources: { \"b\": Buffer(count: \"n\") },
        passes: [Dispatch(name: \"fill\", shader: \"fill.wgsl\", items: 4, bind: { \"list\": \"b\" })], outputs: [\"b\"])";
    let profile = Profile { max_memory: 1 << 20, ..Profile::default() };
    let (found, refused, recorded) = both(frame, random::SHADERS, &profile);
    assert!(found.iter().all(|fault| fault.level == Level::Note), "{found:#?}");
    assert!(refused.is_empty(), "{refused:#?}");
    assert_eq!(recorded, 1, "the upper end is too large, and so is left out");
}
