//! Each rule of this layer: where it fires and where it is quiet.

use rondag::diagnostic::Diagnostic;
use rondag::plan::{Options, attempt, rules};

use super::frame::frame;

/// Code, headline and the text under the primary label of each finding.
fn found(text: &str) -> Vec<String> {
    let it = frame(text);
    let show = |one: &Diagnostic| {
        let places: Vec<&str> = one.secondary.iter().map(|label| it.files.text(label.span)).collect();
        let help = one.help.join("; ");
        format!(
            "{}: {} @ {} [{}] {help}",
            one.rule.code,
            one.message,
            it.files.text(one.primary.span),
            places.join(" ")
        )
    };
    attempt(&it.draft, Options::default()).1.iter().map(show).collect()
}

#[test]
fn reads_of_what_nothing_writes_are_one_finding_a_resource() {
    let text = "buffer a 64\nbuffer o 64\noutput o\ndispatch x: <a >o\ndispatch y: <a >o";
    let due = "read-before-write: `x` reads `a`, which nothing writes @ a [a a] let a pass above `x` write `a`, or give it what \
               it should hold";
    assert_eq!(found(text), [due]);
    assert_eq!(found("buffer a 64 values\nbuffer o 64\noutput o\ndispatch x: <a >o"), Vec::<String>::new());
}

#[test]
fn a_reader_above_several_writers_is_told_to_move() {
    let text = "buffer a 64\nbuffer o 64\noutput o\ndispatch x: <a >o\nclear one: =a\ndispatch two: >a";
    let due = "read-before-write: `x` reads `a` above all of its writers: `one` and `two` @ a [a a] move `x` below the writer that \
               it means: `one` or `two`";
    assert_eq!(found(text), [due]);
    assert_eq!(found("buffer a 64\nbuffer o 64\noutput o\ndispatch x: <a >o\nclear one: =a"), Vec::<String>::new());
}

#[test]
fn parts_are_named() {
    let text = "texture m 8x8 mips=2 layers=2\nbuffer o 64\noutput o\ndispatch x: <m >o\ndispatch y: >m.mip(0)";
    let found = found(text);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("`x` reads `m.mip(1)`, which nothing writes"), "{found:?}");
}

#[test]
fn a_reader_that_is_the_first_writer_needs_another_above() {
    let text = "texture t 8x8\noutput t\nrender x: ~t draw";
    let due =
        "read-before-write: `x` draws over `t`, which nothing wrote before it @ t [t] add `clear` to the attachment";
    assert_eq!(found(text), [due]);
    let text = "buffer a 64\noutput a\ndispatch x: ~a\nclear fill: =a";
    let due =
        "read-before-write: `x` reads and changes `a`, which nothing wrote before it @ a [a a] move `fill` above `x`";
    assert_eq!(found(text), [due]);
    assert_eq!(found("buffer a 64 persistent\ndispatch x: ~a"), Vec::<String>::new());
}

#[test]
fn counters_are_cleared_first() {
    let text = "buffer n 64\noutput n\ndispatch cull: +n";
    let due = "uncleared-accumulator: `cull` adds to `n`, which nothing wrote before it @ n [n] clear it above `cull`: \
               `ClearBuffer(name: \"reset\", target: \"n\")`";
    assert_eq!(found(text), [due]);
    assert_eq!(found("buffer n 64\noutput n\nclear reset: =n\ndispatch cull: +n"), Vec::<String>::new());
    assert_eq!(found("buffer n 64 persistent\ndispatch cull: +n"), Vec::<String>::new());
}

#[test]
fn cycles_are_printed_as_a_way() {
    let text = "buffer a 64\nbuffer b 64\noutput a\noutput b\ndispatch x: <a >b\ndispatch y: <b >a\ndispatch z: ~a";
    let text = text.replace("\ndispatch z: ~a", "");
    let due = "dependency-cycle: passes wait for each other: `x` → `y` → `x` @ x [b b a a] remove one step: an `after`, or an \
               access by giving one of the passes a resource of its own";
    assert_eq!(found(&text), [due]);
    let text =
        "buffer a 64\noutput a\ndispatch one: >a after=three\ndispatch two: after=one\ndispatch three: after=two";
    assert!(found(text)[0].contains("`one` → `two` → `three` → `one`"), "{:?}", found(text));
}

#[test]
fn two_cycles_are_two_findings() {
    let text = "buffer a 64\noutput a\ndispatch a1: >a after=a2\ndispatch a2: after=a1\ndispatch b1: after=b2\n\
                dispatch b2: after=b1 after=a1\ndispatch c: after=b1";
    let found = found(text);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].contains("`a1` → `a2` → `a1`") && found[1].contains("`b1` → `b2` → `b1`"), "{found:?}");
}

#[test]
fn once_passes_write_what_lasts() {
    let text = "buffer a 64\nbuffer o 64\noutput o\ndispatch seed: >a once\ndispatch use: <a >o";
    let due = "once-shares-transient: `a` is transient, but `seed` runs once and `use` in each frame @ a [a a] add \
               `lifetime: Persistent` to `a`";
    assert_eq!(found(text), [due]);
    let port = found("buffer a 64 inout\ndispatch seed: >a once");
    assert!(port[0].starts_with("once-shares-transient: `seed` runs once and writes the port `a`"), "{port:?}");
    let output = found("buffer a 64\noutput a\ndispatch seed: >a once");
    assert!(output[0].starts_with("once-shares-transient: output `a` is transient"), "{output:?}");
    assert_eq!(
        found("buffer a 64 persistent\nbuffer t 64\ndispatch s: >t once\ndispatch u: <t >a once"),
        Vec::<String>::new()
    );
}

#[test]
fn once_passes_come_after_nothing_that_runs_later() {
    let head = "buffer a 64 persistent\nbuffer b 64 persistent\n";
    let frame = found(&format!("{head}dispatch seed: >a once after=use\ndispatch use: <a >b"));
    assert!(frame[0].starts_with("once-after-frame: `seed` runs once, before the frame"), "{frame:?}");
    let below = found(&format!("{head}dispatch one: >a once after=two\ndispatch two: >b once"));
    assert!(below[0].contains("move `one` below `two`"), "{below:?}");
    assert_eq!(found(&format!("{head}dispatch one: >a once\ndispatch two: >b once after=one")), Vec::<String>::new());
}

#[test]
fn conditional_passes_write_what_lasts() {
    let text = "buffer a 64\noutput a\nclear first: =a\ndispatch x: >a sometimes";
    assert!(found(text)[0].starts_with("conditional-write: `x` does not run in every frame and writes `a`"));
    assert_eq!(found("buffer a 64 persistent\ndispatch x: >a sometimes"), Vec::<String>::new());
}

#[test]
fn what_is_poisoned_says_nothing_more() {
    let text = "buffer a 64\nbuffer o 64\noutput o\ndispatch make: poisoned\ndispatch x: <a >o";
    assert_eq!(found(text), Vec::<String>::new(), "`make` may have written `a`");
    let text = "buffer a 64 poisoned\nbuffer o 64\noutput o\ndispatch x: <a >o";
    assert_eq!(found(text), Vec::<String>::new());
}

#[test]
fn a_frame_of_too_many_hazards_is_refused_in_time() {
    let mut text = String::from("texture t 8x8 layers=2048\nbuffer o 64\noutput o\n");
    (0..2048).for_each(|at| text += &format!("dispatch w{at}: >t.layer({at})\n"));
    (0..2048).for_each(|at| text += &format!("dispatch r{at}: <t >o\n"));
    let it = frame(&text);
    let codes: Vec<_> = attempt(&it.draft, Options::default()).1.iter().map(|one| one.rule.code).collect();
    assert_eq!(codes, ["too-many-hazards"]);
}

#[test]
fn rules_are_documented() {
    for rule in rules::ALL {
        for part in ["## What it does", "## Why is this bad?", "## Example", "## Use instead"] {
            assert!(rule.docs.contains(part), "{} lacks {part}", rule.code);
        }
    }
}
