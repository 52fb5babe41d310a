//! Slots and bytes.

use rondag::plan::{Bytes, Lifespan, Options, plan, verify};

use super::frame::frame;

#[test]
fn buffers_share_when_one_is_over_before_the_next_begins() {
    let it = frame(
        "buffer a 64\nbuffer b 256\nbuffer c 128\nbuffer o 64\noutput o\n\
         dispatch one: >a\ndispatch two: <a >b\ndispatch three: <b >c\ndispatch four: <c >o",
    );
    let made = plan(&it.draft, Options::default()).expect("the frame has an order");
    let slot = |name| made.placement[it.resource(name)];
    assert_eq!(slot("a"), slot("c"));
    assert_ne!(slot("a"), slot("b"), "`two` uses both");
    assert_eq!(slot("o"), None, "outputs have memory of their own");
    assert_eq!(made.lifetimes[it.resource("b")], Some(Lifespan { first: 1, last: 2 }));
    let bytes = Bytes { shared: 384, unshared: 448, bound: 384, own: 64, ..Bytes::default() };
    assert_eq!(made.bytes, bytes);
    let apart = plan(&it.draft, Options { alias: false, ..Options::default() }).expect("the frame has an order");
    assert_eq!(apart.bytes, Bytes { shared: 448, ..bytes });
}

#[test]
fn textures_share_only_with_their_like() {
    let it = frame(
        "texture a 8x8\ntexture b 8x8 format=r32\ntexture c 8x8\ntexture d 4x8\nbuffer o 64\noutput o\n\
         dispatch one: >a\ndispatch two: <a >b\ndispatch three: <b >c\ndispatch four: <c >d\ndispatch five: <d >o",
    );
    let made = plan(&it.draft, Options::default()).expect("the frame has an order");
    let slot = |name| made.placement[it.resource(name)];
    assert_eq!(slot("a"), slot("c"));
    assert_ne!(slot("a"), slot("b"));
    assert_ne!(slot("b"), slot("d"));
    assert_eq!(made.bytes.shared, 8 * 8 * 4 * 2 + 4 * 8 * 4);
}

#[test]
fn mips_layers_and_samples_count() {
    let it = frame("texture a 8x4 mips=4 layers=3\noutput a\nrender one: =a");
    let made = plan(&it.draft, Options::default()).expect("the frame has an order");
    assert_eq!(made.bytes.own, (32 + 8 + 2 + 1) * 4 * 3);
    let it = frame("texture a 8x4 samples=4\noutput a\nrender one: =a");
    assert_eq!(plan(&it.draft, Options::default()).expect("the frame has an order").bytes.own, 32 * 4 * 4);
}

#[test]
fn unknown_sizes_never_share() {
    let it = frame(
        "buffer a ?\nbuffer b 64\nbuffer c ?\nbuffer o 64\noutput o\n\
         dispatch one: >a\ndispatch two: <a >b\ndispatch three: <b >c\ndispatch four: <c >o",
    );
    let made = plan(&it.draft, Options::default()).expect("the frame has an order");
    assert_eq!(made.placement[it.resource("a")], None);
    assert_eq!(made.placement[it.resource("c")], None);
    assert!(made.bytes.unknown);
}

#[test]
fn state_is_counted_with_all_its_copies() {
    let it = frame("buffer p 64 persistent\nbuffer h 64 history\nbuffer g 64 inout\ndispatch one: >p >h >g");
    let bytes = plan(&it.draft, Options::default()).expect("the frame has an order").bytes;
    assert_eq!(bytes, Bytes { kept: 64 + 2 * 64, ..Bytes::default() });
}

#[test]
fn large_frames_are_sound() {
    let mut text = String::from("buffer o 64\noutput o\n");
    let mut passes = String::new();
    for at in 0..600 {
        text += &format!("buffer r{at} {}\n", 64 + at * 7919 % 1024 / 4 * 4);
        let read = |back: usize| if at >= back { format!(" <r{}", at - back) } else { String::new() };
        passes += &format!("dispatch p{at}: >r{at}{}{}\n", read(1), read(at % 13 + 2));
    }
    let it = frame(&(text + &passes + "dispatch end: <r599 >o\n"));
    let made = plan(&it.draft, Options::default()).expect("the frame has an order");
    assert_eq!(verify(&it.draft, &made), Vec::<String>::new());
    assert!(made.bytes.shared < made.bytes.unshared / 8, "{:?}", made.bytes);
}

#[test]
fn verify_finds_planted_faults() {
    let it = frame(
        "buffer a 64\nbuffer b 64\nbuffer o 64\noutput o\n\
         dispatch one: >a\ndispatch two: <a >b\ndispatch three: <b >o",
    );
    let made = plan(&it.draft, Options::default()).expect("the frame has an order");
    let (a, b) = (it.resource("a"), it.resource("b"));
    let slot_of = |id| made.placement[id].expect("it has a slot");
    let mut shared = made.clone();
    shared.slots[slot_of(a)].residents.push(b);
    shared.placement[b] = shared.placement[a];
    assert!(!verify(&it.draft, &shared).is_empty(), "an alias that is too eager");
    let mut swapped = made.clone();
    swapped.order.swap(0, 1);
    assert!(!verify(&it.draft, &swapped).is_empty(), "an order against an edge");
    let mut lost = made.clone();
    lost.steps.pop();
    lost.order.pop();
    assert!(!verify(&it.draft, &lost).is_empty(), "a pass that vanished");
    let mut small = made.clone();
    small.slots[slot_of(a)].size = 32;
    assert!(!verify(&it.draft, &small).is_empty(), "a slot that is too small");
}
