//! Faults that users of other systems reported in public, named by their number in the list of cases.

use rondag::plan::{DeadReason, Options, Plan, Step, attempt, plan};

use super::frame::{Frame, frame};

fn planned(text: &str) -> (Frame, Plan) {
    let it = frame(text);
    let made = plan(&it.draft, Options::default()).expect("the frame has an order");
    (it, made)
}

#[test]
fn br_001_one_pass_never_uses_two_residents_of_a_slot() {
    let (it, made) =
        planned("buffer a 512\nbuffer b 512\nbuffer o 64\noutput o\nclear z: =a\ndispatch x: <a >b\ndispatch y: <b >o");
    assert_ne!(made.placement[it.resource("a")], made.placement[it.resource("b")]);
}

#[test]
fn br_003_arguments_written_and_used_in_one_compute_pass_are_fine() {
    let (it, made) = planned("buffer args 12\nbuffer o 64\noutput o\ndispatch write: >args\ndispatch use: *args >o");
    assert_eq!(made.steps, [Step::Compute(vec![it.pass("write"), it.pass("use")])]);
}

#[test]
fn br_005_a_pass_after_itself_is_named_alone() {
    let it = frame("texture tex 8x8\noutput tex\nrender fill: =tex\ndispatch blur: ~tex after=blur");
    let found = attempt(&it.draft, Options::default()).1;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].message, "pass `blur` is told to come after itself");
    assert_eq!(it.files.text(found[0].primary.span), "blur");
    assert_eq!(found[0].secondary, []);
}

#[test]
fn br_007_a_cycle_leaves_nothing_behind_and_writers_of_an_output_are_ordered() {
    let cyclic = frame("buffer a 64\noutput a\ndispatch x: >a after=y\ndispatch y: after=x");
    assert!(plan(&cyclic.draft, Options::default()).is_err());
    let (it, made) = planned("texture out 8x8\noutput out\nrender one: =out draw\nrender two: ~out draw");
    assert_eq!(it.order(&made), "one two");
    assert_eq!((made.edges[0].before, made.edges[0].after), (it.pass("one"), it.pass("two")));
}

#[test]
fn br_013_a_pass_that_vanishes_is_listed_with_a_reason() {
    let text = "buffer lost 64\nbuffer o 64\noutput o\ndispatch kept: >o\ndispatch gone: >lost";
    let (it, made) = planned(text);
    assert_eq!(made.dead, [(it.pass("gone"), DeadReason::Unread)]);
    let (_, made) = planned(&format!("{text}\noutput lost"));
    assert_eq!(made.dead, []);
}

#[test]
fn br_015_what_a_last_pass_reads_lives_until_then() {
    let (it, made) = planned(
        "texture a 8x8\ntexture b 8x8\ntexture c 8x8\nbuffer host 64 out\n\
         render one: =a draw\nrender two: =b draw\nrender three: <b =c draw\ncopy read_back: <a <c =host",
    );
    assert_eq!(made.lifetimes[it.resource("a")].expect("it is used").last, 3);
    let slots = ["a", "b", "c"].map(|name| made.placement[it.resource(name)].expect("it has a slot"));
    assert!(
        slots[0] != slots[1] && slots[0] != slots[2] && slots[1] != slots[2],
        "all three are alive in `three` and after"
    );
}

#[test]
fn br_017_history_is_never_shared() {
    let mut text = String::from("texture h 8x8 history\noutput t4\n");
    (0..5).for_each(|at| text += &format!("texture t{at} 8x8\n"));
    text += "render new: <h.previous =h draw\nrender r0: <h =t0 draw\n";
    (1..5).for_each(|at| text += &format!("render r{at}: <t{} =t{at} draw\n", at - 1));
    let (it, made) = planned(&text);
    assert_eq!(made.placement[it.resource("h")], None);
    assert!(made.slots.iter().all(|slot| !slot.residents.contains(&it.resource("h"))));
    assert_eq!(made.slots.len(), 2, "t0 to t3 take turns");
}

#[test]
fn br_021_a_plan_is_the_same_on_every_run() {
    let mut text = String::new();
    for at in 0..30 {
        text += &format!("buffer r{at} {}\noutput r{at}\n", 64 * (at % 3 + 1));
        let class = ["dispatch", "clear", "copy"][at % 3];
        text += &format!("{class} p{at}: =r{at}\n");
    }
    let it = frame(&text);
    let first = plan(&it.draft, Options::default()).expect("the frame has an order");
    for _ in 0..100 {
        assert_eq!(plan(&frame(&text).draft, Options::default()), Ok(first.clone()));
    }
}
