//! Shaders with subgroups of sizes that no adapter at hand has: the built-in functions and values are replaced by functions of
//! the same meaning that go through workgroup memory, and the rest of the shader runs as it stands.

use std::path::Path;

use rondag::reference::batch::ranges;
use rondag::source::Memory;

use crate::compaction::{BATCHES, agrees, compacted, flags, strategy_of};
use crate::gpu::software;

/// What stands for the built-in functions. Lanes run against the order of invocations, which devices may do.
const MIMIC: &str = "
const MIMIC_SIZE: u32 = SIZEu;
var<private> mimic_at: u32;
var<workgroup> mimic_values: array<u32, 256>;
fn mimic_size() -> u32 { return MIMIC_SIZE; }
fn mimic_first() -> u32 { return mimic_at / MIMIC_SIZE * MIMIC_SIZE; }
fn mimic_share(value: u32) {
    workgroupBarrier();
    mimic_values[mimic_at] = value;
    workgroupBarrier();
}
fn mimic_ballot(vote: bool) -> vec4u {
    mimic_share(u32(vote));
    var ballot = vec4u(0u);
    for (var lane = 0u; lane < MIMIC_SIZE; lane++) {
        ballot[lane / 32u] |= mimic_values[mimic_first() + lane] << (lane % 32u);
    }
    return ballot;
}
fn mimic_sum(value: u32, end: u32) -> u32 {
    mimic_share(value);
    var sum = 0u;
    for (var at = mimic_first(); at < end; at++) { sum += mimic_values[at]; }
    return sum;
}
fn mimic_add(value: u32) -> u32 { return mimic_sum(value, mimic_first() + MIMIC_SIZE); }
fn mimic_exclusive_add(value: u32) -> u32 { return mimic_sum(value, mimic_at); }
";

/// Parameters of an entry point, and what they become.
const VALUES: &str = "    @builtin(subgroup_invocation_id) lane: u32,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(subgroup_size) subgroup_size: u32,
    @builtin(num_subgroups) num_subgroups: u32,
) {
";
const MIMICKED: &str = ") {
    mimic_at = 255u - local_invocation_index;
    let lane = mimic_at % MIMIC_SIZE;
    let subgroup = mimic_at / MIMIC_SIZE;
    let subgroup_size = mimic_size();
    let num_subgroups = 256u / MIMIC_SIZE;
";

/// The repository's graphs and shaders, with subgroups of `size`.
fn mimicked(size: u32) -> Memory {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = vec![("shaders/lib/mimic.wgsl".to_owned(), MIMIC.replace("SIZEu", &format!("{size}u")))];
    for folder in ["graphs/compact", "shaders/compact", "shaders/lib"] {
        for entry in std::fs::read_dir(root.join(folder)).expect("the folder is there") {
            let path = entry.expect("it can be read").path();
            let text = std::fs::read_to_string(&path).expect("it is text");
            let name = path.file_name().and_then(|name| name.to_str()).expect("a plain name");
            // Fragments have names of their own, since rondag's own cannot be replaced.
            let prefix = if folder == "shaders/lib" { "mimic_" } else { "" };
            files.push((format!("{folder}/{prefix}{name}"), mimic(&text)));
        }
    }
    Memory::new(files.iter().map(|(path, text)| (path.as_str(), text.as_str())))
}

fn mimic(text: &str) -> String {
    let mut made = text.replace(VALUES, MIMICKED);
    for (real, stand_in) in [
        ("subgroupBallot(", "mimic_ballot("),
        ("subgroupExclusiveAdd(", "mimic_exclusive_add("),
        ("subgroupAdd(", "mimic_add("),
    ] {
        made = made.replace(real, stand_in);
    }
    let uses = made != text;
    made = made.replace("#import \"", "#import \"mimic_");
    if uses {
        made = format!("#import \"mimic.wgsl\"\n{made}");
    }
    assert!(!made.contains("@builtin(subgroup") && !made.contains("= subgroup"), "{made}");
    made
}

#[test]
#[allow(clippy::print_stdout, reason = "says which size a failure is of")]
fn results_do_not_hang_on_the_size_of_subgroups() {
    let gpu = software();
    for size in [4, 8, 16, 32, 64, 128] {
        for name in ["mask_subgroup", "lookback_subgroup"] {
            for n in [1, 8191, 8193, 40_001] {
                let mut program = strategy_of(&gpu, mimicked(size), name, n);
                for (index, pattern) in ["all", "alternating", "values"].into_iter().enumerate() {
                    let flags = flags(pattern, n);
                    let made = compacted(&mut program, &flags, index as u64);
                    println!("{name} with subgroups of {size}");
                    agrees(name, &made, &flags, &ranges(n, BATCHES));
                }
            }
        }
    }
}
