//! Printed plans, compared with those kept beside this file.
//!
//! After a change that is meant, read the difference and then keep it: `RONDAG_KEEP=1 cargo test plan::dump`.

use rondag::plan::{Options, dot, human_bytes, mermaid, plan, text};

use super::frame::frame;

/// A small culled scene: every kind of pass, every reason not to be recorded, state, history, mips, a port.
const SCENE: &str = "\
buffer objects 1048576 persistent
buffer seen 262144 history
buffer counts 24
buffer flags 262144
buffer blocks 4096
buffer list 262144
buffer args 120
buffer lost 4096
buffer read_back 256 out
buffer none 64
texture color 64x32
texture depth 64x32 format=depth
texture hiz 64x32 mips=3 format=r32
output color
dispatch scatter: >objects once
clear reset: =counts
dispatch cull: <objects <seen.previous >flags +counts
dispatch reduce: <flags >blocks
dispatch scan: ~blocks
dispatch place: <flags <blocks >list >seen
dispatch debug: <flags >lost
dispatch nothing: >none empty
dispatch arguments: <counts <none >args after=place
render wipe: =color =depth
render draw: ~color ~depth <list <objects *args draw
dispatch top: <depth >hiz.mip(0)
dispatch down_0: <hiz.mip(0) >hiz.mip(1)
dispatch down_1: <hiz.mip(1) >hiz.mip(2)
copy save: <hiz.mip(2) =read_back
";

fn keeps(name: &str, kept: &str, made: &str) {
    if std::env::var_os("RONDAG_KEEP").is_some() {
        let path = format!("{}/tests/plan/snapshots/{name}", env!("CARGO_MANIFEST_DIR"));
        std::fs::write(path, made).expect("snapshots can be written");
    } else {
        assert_eq!(made, kept, "{name}: read the difference, then run with RONDAG_KEEP=1");
    }
}

#[test]
fn a_scene_reads_well() {
    let it = frame(SCENE);
    let made = plan(&it.draft, Options::default()).expect("the frame has an order");
    keeps("scene.txt", include_str!("snapshots/scene.txt"), &text(&it.draft, &made, &it.files));
    keeps("scene.dot", include_str!("snapshots/scene.dot"), &dot(&it.draft, &made));
    keeps("scene.mmd", include_str!("snapshots/scene.mmd"), &mermaid(&it.draft, &made));
    #[cfg(feature = "cli")]
    keeps("scene.json", include_str!("snapshots/scene.json"), &rondag::plan::json(&it.draft, &made, &it.files));
}

#[test]
fn switches_show() {
    let it = frame(SCENE);
    let off = Options { alias: false, merge: false, order: rondag::plan::Order::File, cull: false };
    let made = plan(&it.draft, off).expect("the frame has an order");
    keeps("scene_off.txt", include_str!("snapshots/scene_off.txt"), &text(&it.draft, &made, &it.files));
}

#[test]
fn an_empty_frame_prints() {
    let it = frame("");
    let made = plan(&it.draft, Options::default()).expect("nothing has an order");
    let printed = text(&it.draft, &made, &it.files);
    assert!(printed.starts_with("frame at 64 × 32: 0 passes in 0 steps\n"), "{printed}");
}

#[test]
fn names_cannot_break_out_of_a_drawing() {
    let mut it = frame("buffer o 64\noutput o\ndispatch x: >o");
    for pass in &mut it.draft.passes {
        pass.name = "a\"]; b<i>\\".into();
    }
    let made = plan(&it.draft, Options::default()).expect("the frame has an order");
    assert!(dot(&it.draft, &made).contains(r#"label="a\"]; b<i>\\""#), "{}", dot(&it.draft, &made));
    assert!(mermaid(&it.draft, &made).contains("[\"a#quot;]; b#lt;i>\\\"]"), "{}", mermaid(&it.draft, &made));
}

#[test]
fn bytes_have_units() {
    let due = [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1.0 KiB"),
        (1536, "1.5 KiB"),
        ((1 << 20) - 1, "1.0 MiB"),
        (1 << 20, "1.0 MiB"),
        (12_897_484, "12.3 MiB"),
        (u64::MAX, "16.0 EiB"),
    ];
    for (bytes, text) in due {
        assert_eq!(human_bytes(bytes), text, "{bytes}");
    }
}
