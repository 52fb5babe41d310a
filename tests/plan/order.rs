//! Orders: the file's own, what edges demand, what saves a boundary, and what is left out.

use rondag::plan::{DeadReason, EdgeReason, Hazard, Options, Order, Plan, Step, clears, plan};

use super::frame::{Frame, frame};

fn planned(text: &str) -> (Frame, Plan) {
    let it = frame(text);
    let made = plan(&it.draft, Options::default()).expect("the frame has an order");
    (it, made)
}

fn order(text: &str) -> String {
    let (it, made) = planned(text);
    it.order(&made)
}

/// `name→name kind resource`, in order.
fn edges(it: &Frame, made: &Plan) -> Vec<String> {
    let name = |pass| it.draft.passes[pass].name.as_str();
    let edge = |edge: &rondag::plan::Edge| match edge.reason {
        EdgeReason::Stated(_) => format!("{}→{} after", name(edge.before), name(edge.after)),
        EdgeReason::Hazard { kind, resource, part, .. } => {
            let kind = match kind {
                Hazard::ReadAfterWrite => "raw",
                Hazard::WriteAfterRead => "war",
                Hazard::WriteAfterWrite => "waw",
            };
            let what = &it.draft.resources[resource].name;
            format!("{}→{} {kind} {what}.{}.{}", name(edge.before), name(edge.after), part.mip, part.layer)
        }
    };
    made.edges.iter().map(edge).collect()
}

#[test]
fn a_read_takes_the_nearest_writer_above() {
    let (it, made) = planned(
        "buffer a 64\nbuffer o 64\noutput o\n\
         clear one: =a\ndispatch x: <a >o\nclear two: =a\ndispatch y: <a ~o",
    );
    let due = ["one→x raw a.0.0", "one→two waw a.0.0", "x→two war a.0.0", "x→y raw o.0.0", "two→y raw a.0.0"];
    assert_eq!(edges(&it, &made), due);
    assert_eq!(it.order(&made), "one x two y");
}

#[test]
fn a_read_above_the_only_writer_takes_its_value() {
    let text = "buffer a 64\nbuffer o 64\noutput o\ndispatch use: <a >o\ndispatch make: >a";
    assert_eq!(order(text), "make use");
}

#[test]
fn a_read_above_all_writers_of_a_persistent_takes_last_frames_value() {
    let (it, made) = planned(
        "buffer seen 64 persistent\nbuffer o 64\noutput o\n\
         dispatch early: <seen >o\ndispatch late: >seen after=early",
    );
    assert_eq!(edges(&it, &made), ["early→late war seen.0.0", "early→late after"]);
    let text =
        "buffer seen 64 persistent\nbuffer o 64\noutput o\ndispatch late: >seen after=early\ndispatch early: <seen >o";
    assert!(plan(&frame(text).draft, Options::default()).is_err(), "now `early` reads what `late` wrote");
}

#[test]
fn last_frames_copy_waits_for_nobody() {
    let (it, made) = planned(
        "buffer h 64 history\nbuffer o 64\noutput o\ndispatch new: =h\ndispatch old: <h.previous >o\ndispatch now: <h ~o",
    );
    assert_eq!(edges(&it, &made), ["new→now raw h.0.0", "old→now raw o.0.0"]);
}

#[test]
fn mips_are_chains_of_their_own() {
    let (it, made) = planned(
        "texture hiz 8x8 mips=3\nbuffer o 64\noutput o\n\
         dispatch two: <hiz.mip(1) >hiz.mip(2)\ndispatch one: <hiz.mip(0) >hiz.mip(1)\ndispatch top: >hiz.mip(0)\n\
         dispatch use: <hiz >o",
    );
    assert_eq!(it.order(&made), "top one two use");
    let due = [
        "two→use raw hiz.2.0",
        "one→two raw hiz.1.0",
        "one→use raw hiz.1.0",
        "top→one raw hiz.0.0",
        "top→use raw hiz.0.0",
    ];
    assert_eq!(edges(&it, &made), due);
}

#[test]
fn the_files_order_stands_where_nothing_is_saved() {
    let text = "buffer a 64\nbuffer b 64\nbuffer c 64\noutput a\noutput b\noutput c\n\
                dispatch x: >a\ncopy y: <a =b\nclear z: =c\ndispatch w: ~a ~b ~c";
    assert_eq!(order(text), "x y z w");
}

#[test]
fn a_dispatch_moves_up_to_share_a_compute_pass() {
    let text = "buffer a 64\nbuffer b 64\ntexture t 8x8\noutput t\noutput b\n\
                dispatch x: >a\nrender draw: <a =t draw\ndispatch y: >b\nclear last: ~a";
    let it = frame(text);
    let steps = |options| plan(&it.draft, options).expect("the frame has an order").steps;
    let on = steps(Options::default());
    assert_eq!(on[0], Step::Compute(vec![it.pass("x"), it.pass("y")]));
    let off = steps(Options { order: Order::File, ..Options::default() });
    assert_eq!(off[0], Step::Compute(vec![it.pass("x")]));
    let apart = steps(Options { merge: false, ..Options::default() });
    assert_eq!(apart.len(), 3);
}

#[test]
fn an_order_for_memory_lets_go_before_it_takes() {
    // In the file's order `a`, `b` and `c` are alive together; one after another they need not be.
    let text = "buffer a 640\nbuffer b 640\nbuffer c 640\nbuffer x 64\nbuffer y 64\nbuffer z 64\noutput x\noutput y\noutput z\n\
                clear ra: =a\nclear rb: =b\nclear rc: =c\ncopy cx: <a =x\ncopy cy: <b =y\ncopy cz: <c =z";
    let it = frame(text);
    let bytes = |order| plan(&it.draft, Options { order, ..Options::default() }).expect("it has an order").bytes;
    assert_eq!((bytes(Order::File).bound, bytes(Order::Memory).bound), (1920, 640));
    let names: Vec<&str> = plan(&it.draft, Options { order: Order::Memory, ..Options::default() })
        .expect("it has an order")
        .order
        .iter()
        .map(|pass| it.draft.passes[*pass].name.as_str())
        .collect();
    assert_eq!(names, ["ra", "cx", "rb", "cy", "rc", "cz"]);
}

#[test]
fn a_clear_moves_up_out_of_a_compute_pass() {
    let text = "buffer a 64\nbuffer b 64\noutput a\noutput b\ndispatch x: >a\nclear reset: =b\ndispatch y: <a ~b";
    assert_eq!(order(text), "reset x y");
}

#[test]
fn a_copy_moves_down_out_of_a_compute_pass() {
    let text = "buffer a 64\nbuffer b 64\nbuffer c 64\noutput b\noutput c\n\
                dispatch x: >a\ncopy save: <a =c\ndispatch y: <a >b";
    assert_eq!(order(text), "x y save");
}

#[test]
fn nothing_moves_where_that_would_cost_memory() {
    let round = |at: u32, size: u32| {
        let head = format!("buffer a{at} {size}\ntexture t{at} 8x8\noutput t{at}\n");
        (head, format!("dispatch make{at}: >a{at}\nrender draw{at}: <a{at} =t{at} draw\n"))
    };
    let rounds: Vec<_> = (0..3).map(|at| round(at, 1024)).collect();
    let text: String = rounds.iter().map(|it| &*it.0).chain(rounds.iter().map(|it| &*it.1)).collect();
    assert_eq!(order(&text), "make0 draw0 make1 draw1 make2 draw2", "one compute pass would keep all three alive");
    let (first, second) = (round(0, 4096), round(1, 64));
    let text = first.0 + &second.0 + &first.1 + &second.1;
    assert_eq!(order(&text), "make0 make1 draw0 draw1", "a few bytes more are worth a boundary");
}

#[test]
fn passes_that_reach_nothing_are_dead_and_so_is_what_only_they_need() {
    let (it, made) = planned(
        "buffer a 64\nbuffer b 64\nbuffer c 64\nbuffer o 64\noutput o\n\
         dispatch source: >a\ndispatch middle: <a >b\ndispatch end: <b >c\ndispatch kept: >o",
    );
    assert_eq!(it.order(&made), "kept");
    let dead: Vec<_> = ["source", "middle", "end"].map(|name| (it.pass(name), DeadReason::Unread)).into();
    assert_eq!(made.dead, dead);
    let all = plan(&it.draft, Options { cull: false, ..Options::default() }).expect("the frame has an order");
    assert_eq!(it.order(&all), "source middle end kept");
    assert_eq!(all.dead, []);
}

#[test]
fn what_replaces_a_value_kills_the_writers_before_it() {
    assert_eq!(order("buffer o 64\noutput o\ndispatch lost: >o\nclear all: =o\ndispatch more: >o"), "all more");
    assert_eq!(order("buffer o 64\noutput o\ndispatch kept: >o\ndispatch more: >o"), "kept more");
    let sometimes = "buffer p 64 persistent\ndispatch kept: >p\nclear all: =p sometimes";
    assert_eq!(order(sometimes), "kept all", "a pass that may be skipped replaces nothing");
}

#[test]
fn state_ports_and_outputs_keep_their_writers() {
    let text = "buffer p 64 persistent\nbuffer h 64 history\nbuffer e 64 out\nbuffer i 64 inout\nbuffer t 64\n\
                dispatch a: >p\ndispatch b: >h\ndispatch c: >e\ndispatch d: >i\ndispatch gone: >t";
    assert_eq!(order(text), "a b c d");
}

#[test]
fn once_passes_come_before_the_frame_in_file_order() {
    let (it, made) = planned(
        "buffer p 64 persistent\nbuffer tmp 64\nbuffer o 64\noutput o\n\
         dispatch use: <p >o\ndispatch seed: >tmp once\ndispatch fill: <tmp >p once\ndispatch lost: >tmp once",
    );
    assert_eq!(it.order(&made), "use");
    assert_eq!(made.once, [it.pass("seed"), it.pass("fill")]);
    assert_eq!(made.dead, [(it.pass("lost"), DeadReason::Unread)]);
    assert_eq!(made.edges, [], "what `Once` passes wrote is there when the frame starts");
}

#[test]
fn what_only_empty_passes_wrote_is_zeroed() {
    let (it, made) = planned(
        "buffer a 64\nbuffer b 64\nbuffer o 64\noutput o\n\
         dispatch other: >b\ndispatch none: >a empty\ndispatch use: <a <b >o",
    );
    assert_eq!(it.order(&made), "other use");
    assert_eq!(made.dead, [(it.pass("none"), DeadReason::Empty)]);
    assert_eq!(made.zeroed, [(it.resource("a"), Some(it.pass("use")))]);
    assert_eq!(made.lifetimes[it.resource("a")].expect("it is used").first, 0, "zeros go in before the whole step");
    let (it, made) = planned("buffer o 64\noutput o\ndispatch none: >o empty");
    assert_eq!(made.zeroed, [(it.resource("o"), None)]);
}

#[test]
fn order_survives_an_empty_pass_between() {
    let text = "buffer a 64\nbuffer o 64\noutput o\ndispatch use: <a >o after=none\ndispatch none: empty after=make\ndispatch make: =a";
    assert_eq!(order(text), "make use");
}

#[test]
fn clears_fold_into_the_next_render_pass_on_the_same_targets() {
    let (it, made) = planned(
        "texture t 8x8\ntexture d 8x8 format=depth\noutput t\n\
         render wipe: =t =d\nrender draw: ~t ~d draw",
    );
    assert_eq!(made.dead, [(it.pass("wipe"), DeadReason::Folded(it.pass("draw")))]);
    assert_eq!(made.steps, [Step::Render(it.pass("draw"))]);
    let cleared = clears(&it.draft, &made, it.pass("draw"));
    assert!(cleared.color[0].is_some() && cleared.depth == Some(1.0), "{cleared:?}");
    let apart = plan(&it.draft, Options { merge: false, ..Options::default() }).expect("the frame has an order");
    assert_eq!(it.order(&apart), "wipe draw");
}

#[test]
fn clears_stay_where_someone_looks_or_targets_differ() {
    let seen =
        "texture t 8x8\nbuffer o 64\noutput t\noutput o\nrender wipe: =t\ndispatch look: <t >o\nrender draw: ~t draw";
    assert_eq!(order(seen), "wipe look draw");
    let split = "texture t 8x8\ntexture u 8x8\noutput t\noutput u\nrender wipe: =t =u\nrender one: ~t draw\nrender two: ~u draw";
    assert_eq!(order(split), "wipe one two");
    let stored = "texture t 8x8\noutput t\nrender wipe: =t\ndispatch paint: >t";
    assert_eq!(order(stored), "wipe paint");
    let last = "texture t 8x8\noutput t\nrender wipe: =t";
    assert_eq!(order(last), "wipe");
}

#[test]
fn folds_pass_through_clears_that_fold() {
    let (it, made) = planned("texture t 8x8\noutput t\nrender one: =t\nrender two: ~t\nrender draw: ~t draw");
    assert_eq!(it.order(&made), "two draw", "a pass that clears nothing does not fold");
    assert_eq!(made.dead, [(it.pass("one"), DeadReason::Folded(it.pass("two")))]);
    let (it, made) = planned(
        "texture t 8x8\ntexture u 8x8\noutput t\noutput u\nrender one: =t\nrender two: ~t =u\nrender draw: ~t ~u draw",
    );
    assert_eq!(it.order(&made), "draw");
    assert_eq!(clears(&it.draft, &made, it.pass("draw")).color.iter().flatten().count(), 2);
}
