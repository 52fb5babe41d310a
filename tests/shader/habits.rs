//! What code does that is legal and often wrong.

use super::*;

/// The habits of a shader whose body is given, in words: `kind: text`.
fn habits(body: &str) -> Vec<String> {
    let text = format!(
        "struct Settings {{ n: u32, list: array<vec4u, 4> }}
@group(0) @binding(0) var<uniform> settings: Settings;
@group(0) @binding(1) var<storage, read> given: array<u32>;
@group(0) @binding(2) var<storage, read_write> list: array<u32>;
@group(0) @binding(3) var<storage, read_write> counter: atomic<u32>;
@group(0) @binding(4) var<storage, read_write> state: array<atomic<u32>>;
var<workgroup> part: array<u32, 64>;
var<workgroup> base: u32;
fn index_of(id: vec3u, groups: vec3u) -> u32 {{ return id.x + id.y * groups.x * 64u; }}
fn meet() {{ workgroupBarrier(); }}
@compute @workgroup_size(64) fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) i: u32,
) {{
{body}
}}"
    );
    habits_of(&text)
}

fn habits_of(text: &str) -> Vec<String> {
    let (files, shader) = good(text);
    let habits = &shader.interface.entries[0].habits;
    let line = |span: Span| files.text(span).lines().next().unwrap_or_default().to_owned();
    let name = |global: usize| shader.interface.globals[global].name.clone();
    let mut found: Vec<String> =
        habits.appends.iter().map(|(global, _)| format!("appends: {}", name(*global))).collect();
    found.extend(habits.unguarded.map(|span| format!("unguarded: {}", line(span))));
    found.extend(habits.waits.iter().map(|span| format!("waits: {}", line(*span))));
    found.extend(habits.lone_barriers.iter().map(|(span, _)| format!("lone: {}", line(*span))));
    found
}

#[test]
fn appends_are_told_from_ordered_writes() {
    for body in [
        "if given[i] > 0u { let slot = atomicAdd(&counter, 1u); list[slot] = i; }",
        "var slot = 0u; if given[i] > 0u { slot = atomicAdd(&counter, 1u); } list[slot] = i;",
        // The rank within the block is ordered, the block is not.
        "if i == 0u { base = atomicAdd(&counter, 64u); } workgroupBarrier(); list[base + i] = i;",
        "if i == 0u { base = atomicAdd(&counter, 64u); } let at = workgroupUniformLoad(&base); list[at + i] = i;",
    ] {
        assert_eq!(habits(body), ["appends: list"], "{body}");
    }
    for body in [
        "if id.x < 9u { list[id.x] = atomicAdd(&counter, 1u); }",
        "if id.x < 9u { list[given[id.x]] = id.x; }",
        // Work taken by ticket: what is read and what is written have the same number.
        "if i == 0u { base = atomicAdd(&counter, 1u); } let at = workgroupUniformLoad(&base) * 64u + i; list[at] = given[at];",
    ] {
        assert_eq!(habits(body), Vec::<String>::new(), "{body}");
    }
}

#[test]
fn any_comparison_is_taken_for_a_guard() {
    for body in
        ["list[id.x] = 1u;", "list[group.x * 64u + i] = 1u;", "let at = index_of(id, groups); list[at] = given[at];"]
    {
        assert_eq!(habits(body).len(), 1, "{body}");
        assert!(habits(body)[0].starts_with("unguarded: "), "{body}");
    }
    for body in [
        "if id.x < arrayLength(&list) { list[id.x] = 1u; }",
        "let at = index_of(id, groups); if at >= settings.n { return; } list[at] = 1u;",
        "list[min(id.x, settings.n)] = 1u;",
        "for (var at = id.x; at < settings.n; at += 64u) { list[at] = 1u; }",
        "list[0] = given[id.x];",
    ] {
        assert_eq!(habits(body), Vec::<String>::new(), "{body}");
    }
}

#[test]
fn loops_that_only_others_end_are_found() {
    for body in [
        "loop { if atomicLoad(&state[0]) != 0u { break; } }",
        "while atomicLoad(&state[0]) == 0u {}",
        "loop { let seen = atomicLoad(&state[0]); if seen == 1u { return; } if seen == 2u { break; } }",
        "loop { let seen = atomicAdd(&state[0], 0u); continuing { break if seen != 0u; } }",
        // A lock.
        "loop { if atomicCompareExchangeWeak(&state[0], 0u, 1u).exchanged { break; } }",
        "var seen = 0u; while seen == 0u { seen = atomicLoad(&state[0]); }",
    ] {
        let found = habits(body);
        assert!(found.len() == 1 && found[0].starts_with("waits: "), "{body}: {found:?}");
    }
    for body in [
        "for (var round = 0u; round < 99u; round++) { if atomicLoad(&state[0]) != 0u { break; } }",
        "var round = 0u; loop { if atomicLoad(&state[0]) != 0u { break; } round += 1u; if round > 9u { break; } }",
        "var round = 0u; while atomicLoad(&state[0]) == 0u && round < 9u { round += 1u; }",
        // A store that is tried again with what was seen.
        "var seen = atomicLoad(&state[0]);
         loop { let got = atomicCompareExchangeWeak(&state[0], seen, seen * 2u); if got.exchanged { break; } seen = got.old_value; }",
        // A queue: each round takes one.
        "loop { if atomicAdd(&counter, 1u) >= settings.n { break; } }",
        "for (var k = 0u; k < 9u; k++) { atomicStore(&state[k], 0u); }",
    ] {
        assert_eq!(habits(body), Vec::<String>::new(), "{body}");
    }
}

#[test]
fn barriers_are_reached_by_all_or_reported() {
    for body in [
        "if i < 9u { workgroupBarrier(); }",
        "if id.x >= settings.n { return; } workgroupBarrier();",
        "for (var k = 0u; k < i; k++) { workgroupBarrier(); }",
        "loop { if part[i] > 3u { break; } workgroupBarrier(); }",
        "if list[0] > 3u { meet(); }",
        "switch part[0] { case 1u: { storageBarrier(); } default: {} }",
        "var n = 1u; if i > 3u { n = 2u; } if n == 1u { workgroupBarrier(); }",
        "if given[i] > 3u { let at = workgroupUniformLoad(&base); part[at] = 1u; }",
        "if atomicLoad(&state[0]) > 3u { workgroupBarrier(); }",
    ] {
        let found = habits(body);
        assert!(found.len() == 1 && found[0].starts_with("lone: "), "{body}: {found:?}");
    }
    for body in [
        "if group.x > 3u { workgroupBarrier(); }",
        "if group.x * 64u >= settings.n { return; } workgroupBarrier();",
        "for (var k = 1u; k < 64u; k *= 2u) { workgroupBarrier(); if i >= k { part[i] += 1u; } workgroupBarrier(); }",
        "for (var k = 0u; k < settings.list[1].x; k++) { meet(); }",
        "if given[group.x] > 3u { workgroupBarrier(); }",
        "if workgroupUniformLoad(&base) > 3u { workgroupBarrier(); }",
        "loop { if i > 3u { break; } } workgroupBarrier();",
        "if i < 9u { part[i] = 1u; } workgroupBarrier();",
    ] {
        assert_eq!(habits(body), Vec::<String>::new(), "{body}");
    }
}

#[test]
fn what_the_pipeline_gives_is_known_in_a_struct_that_is_handed_on() {
    let handed = |condition: &str| {
        habits_of(&format!(
            "struct Inputs {{
    @builtin(global_invocation_id) id: vec3u,
    @builtin(workgroup_id) group: vec3u,
    @builtin(local_invocation_index) i: u32,
}}
@group(0) @binding(0) var<storage, read_write> list: array<u32>;
fn inner(given: Inputs) {{ if {condition} {{ workgroupBarrier(); }} }}
fn outer(given: Inputs) {{ inner(given); }}
fn put(given: Inputs) {{ list[given.id.x] = 1u; }}
@compute @workgroup_size(64) fn main(given: Inputs) {{ outer(given); put(given); }}"
        ))
    };
    let lone = |found: Vec<String>| found.iter().any(|habit| habit.starts_with("lone: "));
    assert!(lone(handed("given.i < 9u")));
    assert!(lone(handed("given.id.x < 9u")));
    assert!(!lone(handed("given.group.x < 9u")));
    let unguarded = handed("true");
    assert!(unguarded.len() == 1 && unguarded[0].starts_with("unguarded: list[given.id.x]"), "{unguarded:?}");
}
