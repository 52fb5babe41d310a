//! Random frames: planned without panic, with the file's meaning, and the same on every run.

use proptest::prelude::*;
use rondag::plan::{Options, Order, Step, attempt, plan, verify};

use super::frame::frame;
use super::simulate::{Meaning, differences};

/// One access of a random pass.
#[derive(Debug, Clone)]
struct Touch {
    resource: usize,
    effect: usize,
    part: usize,
}

/// One random pass.
#[derive(Debug, Clone)]
struct Line {
    class: usize,
    flags: usize,
    touches: Vec<Touch>,
    after: Option<usize>,
}

fn lines(passes: usize) -> impl Strategy<Value = Vec<Line>> {
    let touch =
        (0..9_usize, 0..8_usize, 0..9_usize).prop_map(|(resource, effect, part)| Touch { resource, effect, part });
    let line = (0..6_usize, 0..24_usize, prop::collection::vec(touch, 1..4), prop::option::weighted(0.1, 0..passes))
        .prop_map(|(class, flags, touches, after)| Line { class, flags, touches, after });
    prop::collection::vec(line, 1..passes)
}

const RESOURCES: [&str; 9] = [
    "buffer a 64",
    "buffer b 256",
    "buffer c 64",
    "buffer d 1024",
    "buffer p 128 persistent",
    "texture t 8x8",
    "texture u 8x8",
    "texture m 8x8 mips=3 layers=2",
    "buffer o 64",
];

/// Writes a random frame down. `tame` starts it with passes that write everything.
fn text(lines: &[Line], tame: bool) -> String {
    let mut text = RESOURCES.join("\n") + "\noutput o\n";
    if tame {
        text += "dispatch first: =a =b =c =d =t =u =m\n";
    }
    for (at, line) in lines.iter().enumerate() {
        let class = ["dispatch", "dispatch", "dispatch", "render", "clear", "render"][line.class];
        text += &format!("{class} p{at}:");
        let mut seen: Vec<usize> = Vec::new();
        for touch in &line.touches {
            if seen.contains(&touch.resource) && touch.resource != 7 {
                continue;
            }
            seen.push(touch.resource);
            let name = RESOURCES[touch.resource].split(' ').nth(1).expect("a name");
            let mut effect = ["<", "<", "<", ">", "=", "~", "+", "="][touch.effect];
            if class == "clear" && touch.resource == line.touches[0].resource {
                effect = "=";
            }
            let part = match touch.part {
                _ if touch.resource != 7 => String::new(),
                0..3 => String::new(),
                part => format!(".mip({}).layer({})", part % 3, part / 3 % 2),
            };
            text += &format!(" {effect}{name}{part}");
        }
        if let Some(after) = line.after.filter(|after| *after < lines.len()) {
            text += &format!(" after=p{after}");
        }
        if line.flags < 2 {
            text += " empty";
        }
        if line.class == 5 {
            text += " draw";
        }
        text.push('\n');
    }
    text
}

fn switches() -> Vec<Options> {
    let on = [true, false];
    let mut all = Vec::new();
    for alias in on {
        for merge in on {
            for order in [Order::File, Order::Merge, Order::Memory] {
                all.extend(on.map(|cull| Options { alias, merge, order, cull }));
            }
        }
    }
    all
}

fn check(text: &str) -> Result<(), TestCaseError> {
    let it = frame(text);
    let meaning = Meaning::of(&it.draft);
    let faulty = meaning.lacking || meaning.is_cyclic();
    for options in switches() {
        let (made, found) = attempt(&it.draft, options);
        prop_assert_eq!(faulty, !found.is_empty(), "{}\n{:?}", text, found);
        prop_assert_eq!(&attempt(&it.draft, options), &(made.clone(), found));
        if faulty {
            continue;
        }
        prop_assert_eq!(verify(&it.draft, &made), Vec::<String>::new(), "{}", text);
        prop_assert_eq!(differences(&it.draft, &made), Vec::<String>::new(), "{}\n{:?}\n{:#?}", text, options, made);
        let at = |pass| made.order.iter().position(|it| *it == pass);
        for (before, after) in &meaning.before {
            if let (Some(before), Some(after)) = (at(*before), at(*after)) {
                prop_assert!(before < after, "{}", text);
            }
        }
        if !options.cull && !options.merge {
            let recorded = it.draft.passes.iter().filter(|pass| !pass.empty).count();
            prop_assert_eq!(made.order.len(), recorded);
        }
        if !options.alias {
            prop_assert_eq!(made.bytes.shared, made.bytes.unshared);
        }
        prop_assert!(made.bytes.bound <= made.bytes.shared && made.bytes.shared <= made.bytes.unshared);
    }
    Ok(())
}

/// The fewest compute passes of any order that keeps `before`: over all sets of passes done, and what was done last.
fn fewest(classes: &[bool], before: &[(usize, usize)]) -> usize {
    let n = classes.len();
    let mut least = vec![[usize::MAX; 2]; 1 << n];
    least[0][0] = 0;
    for done in 0..1_usize << n {
        for last in 0..2 {
            if least[done][last] == usize::MAX {
                continue;
            }
            for next in (0..n).filter(|next| done >> next & 1 == 0) {
                if before.iter().any(|(a, b)| *b == next && done >> a & 1 == 0) {
                    continue;
                }
                let class = usize::from(classes[next]);
                let cost = least[done][last] + usize::from(class == 1 && last == 0);
                let there = &mut least[done | 1 << next][class];
                *there = cost.min(*there);
            }
        }
    }
    least[(1 << n) - 1].into_iter().min().expect("there are two")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 160, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn tame_frames_keep_their_meaning(lines in lines(12)) {
        check(&text(&lines, true))?;
    }

    #[test]
    fn wild_frames_are_refused_exactly_when_they_mean_nothing(lines in lines(5)) {
        check(&text(&lines, false))?;
    }

    /// A frame in which each transient has one writer may be written in any order.
    #[test]
    fn one_writer_frames_may_stand_in_any_order(
        (sources, shuffle) in prop::collection::vec(prop::collection::vec(0..100_usize, 0..3), 2..14)
            .prop_flat_map(|sources| {
                let order = Just((0..sources.len()).collect::<Vec<_>>()).prop_shuffle();
                (Just(sources), order)
            })
    ) {
        let mut head = String::new();
        let mut passes = Vec::new();
        for (at, from) in sources.iter().enumerate() {
            head += &format!("buffer r{at} {}\n", 64 * (at % 5 + 1));
            let class = if at % 4 == 3 { "copy" } else { "dispatch" };
            let mut line = format!("{class} p{at}: >r{at}");
            let mut from: Vec<usize> = from.iter().filter(|_| at > 0).map(|from| from % at.max(1)).collect();
            from.sort_unstable();
            from.dedup();
            for from in &from {
                line += &format!(" <r{from}");
            }
            passes.push(line);
        }
        head += &format!("output r{}\n", sources.len() - 1);
        let there = frame(&(head.clone() + &passes.join("\n")));
        let mixed: Vec<&str> = shuffle.iter().map(|at| passes[*at].as_str()).collect();
        let mixed = frame(&(head + &mixed.join("\n")));
        let (plan_there, plan_mixed) = (plan(&there.draft, Options::default()), plan(&mixed.draft, Options::default()));
        let (plan_there, plan_mixed) = (plan_there.expect("it has an order"), plan_mixed.expect("it has an order"));
        prop_assert_eq!(differences(&mixed.draft, &plan_mixed), Vec::<String>::new());
        let sorted = |order: String| { let mut it: Vec<_> = order.split(' ').map(str::to_owned).collect(); it.sort(); it };
        prop_assert_eq!(sorted(there.order(&plan_there)), sorted(mixed.order(&plan_mixed)));
        prop_assert!(plan_there.steps.len() == plan_mixed.steps.len() || plan_there.steps.len().abs_diff(plan_mixed.steps.len()) <= 4);
    }

    /// No order has fewer compute passes. Nothing here shares memory, so nothing keeps passes from moving.
    #[test]
    fn orders_have_the_fewest_compute_passes(
        passes in prop::collection::vec((any::<bool>(), prop::collection::vec((0..5_usize, any::<bool>()), 1..3)), 1..10)
    ) {
        let mut text: String = (0..5).map(|at| format!("buffer r{at} 64 persistent\n")).collect();
        for (at, (compute, touches)) in passes.iter().enumerate() {
            text += &format!("{} p{at}: >own{at}", if *compute { "dispatch" } else { "copy" });
            for (resource, writes) in touches {
                text += &format!(" {}r{resource}", if *writes { ">" } else { "<" });
            }
            text += "\n";
            text = format!("buffer own{at} 64 persistent\n{text}");
        }
        let it = frame(&text);
        let made = plan(&it.draft, Options::default()).expect("file order is an order");
        let index = |id: rondag::graph::PassId| rondag::id::Id::index(id);
        let before: Vec<_> = Meaning::of(&it.draft).before.iter().map(|(a, b)| (index(*a), index(*b))).collect();
        let classes: Vec<bool> = passes.iter().map(|(compute, _)| *compute).collect();
        let compute = made.steps.iter().filter(|step| matches!(step, Step::Compute(_))).count();
        prop_assert_eq!(compute, fewest(&classes, &before), "{}", text);
    }
}
