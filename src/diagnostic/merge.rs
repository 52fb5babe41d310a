//! Findings of many runs over one text, as one list.

use std::collections::{BTreeMap, BTreeSet};

use crate::source::{Files, Span};

use super::Diagnostic;

/// What makes one variant: params and their values as text, in the order of their declaration.
pub type Assignment = Vec<(String, String)>;

/// Sorts by file, position and code, and drops what is there twice: what graphs say of a shader that they share, each at the level
/// it gives, is there once at the highest.
pub fn sort(files: &Files, found: &mut Vec<Diagnostic>) {
    found.sort_by(|a, b| key(files, a).cmp(&key(files, b)).then(b.level.cmp(&a.level)));
    found.dedup_by(|later, first| {
        let level = std::mem::replace(&mut later.level, first.level);
        let same = *later == *first;
        later.level = level;
        same
    });
}

fn key<'a>(files: &'a Files, finding: &'a Diagnostic) -> (&'a str, Span, &'a str, &'a str, &'a str) {
    let file = &files.get(finding.primary.span.file).display;
    (file, finding.primary.span, finding.rule.code, &finding.message, &finding.variant)
}

/// Joins the findings of the variants of one graph: what all have is there once, what only some have names them.
///
/// The same rule with the same headline at the same place is the same fault.
pub fn merge(runs: Vec<(Assignment, Vec<Diagnostic>)>) -> Vec<Diagnostic> {
    let mut seen: BTreeMap<(Span, &'static str, String), (Diagnostic, BTreeSet<usize>)> = BTreeMap::new();
    let mut variants = Vec::with_capacity(runs.len());
    for (index, (assignment, found)) in runs.into_iter().enumerate() {
        variants.push(assignment);
        for finding in found {
            let key = (finding.primary.span, finding.rule.code, finding.message.clone());
            seen.entry(key).or_insert_with(|| (finding, BTreeSet::new())).1.insert(index);
        }
    }
    let named = seen.into_values().map(|(finding, having)| {
        let variant = name(&variants, &having);
        Diagnostic { variant, ..finding }
    });
    named.collect()
}

/// The shortest true name of a set of variants: nothing for all of them, the values they share if no other variant shares
/// them, else the first and the number of the others.
fn name(variants: &[Assignment], having: &BTreeSet<usize>) -> String {
    if having.len() == variants.len() {
        return String::new();
    }
    let Some(first) = having.first().map(|index| &variants[*index]) else {
        return String::new();
    };
    let agree = |variant: &Assignment, shared: &[&(String, String)]| shared.iter().all(|pair| variant.contains(pair));
    let shared: Vec<_> = first.iter().filter(|pair| having.iter().all(|i| variants[*i].contains(pair))).collect();
    if variants.iter().filter(|variant| agree(variant, &shared)).count() == having.len() {
        return listed(&least(variants, shared, having.len()));
    }
    let all: Vec<_> = first.iter().collect();
    match having.len() - 1 {
        0 => listed(&all),
        1 => format!("{} and 1 other variant", listed(&all)),
        others => format!("{} and {others} other variants", listed(&all)),
    }
}

/// Leaves out the values that are not needed to tell the `n` variants from the others.
fn least<'a>(variants: &[Assignment], mut shared: Vec<&'a (String, String)>, n: usize) -> Vec<&'a (String, String)> {
    for index in (0..shared.len()).rev() {
        let mut fewer = shared.clone();
        fewer.remove(index);
        let agreeing = variants.iter().filter(|variant| fewer.iter().all(|pair| variant.contains(pair)));
        if agreeing.count() == n {
            shared = fewer;
        }
    }
    shared
}

fn listed(pairs: &[&(String, String)]) -> String {
    pairs.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::rule;
    use crate::source::{FileId, Memory};

    rule! {
        RULE = Error "unknown-name": "for tests";
    }

    fn at(file: FileId, start: usize, message: &str) -> Diagnostic {
        Diagnostic::new(&RULE, message, Span::new(file, start, start + 1), "")
    }

    fn assignment(pairs: &[(&str, &str)]) -> Assignment {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn a_fault_names_the_variants_that_have_it_and_no_more() {
        let mut files = Files::new(Memory::new([("a.ron", "(1, 2, 3)")]));
        let file = files.load("a.ron").unwrap();
        let (all, scan, fat_scan, odd) =
            (at(file, 1, "in all"), at(file, 4, "in scan"), at(file, 7, "in one"), at(file, 8, "in a diagonal"));
        let run = |mode: &str, layout: &str, found: &[&Diagnostic]| {
            (assignment(&[("mode", mode), ("layout", layout)]), found.iter().map(|d| (*d).clone()).collect())
        };
        let merged = merge(vec![
            run("atomic", "packed", &[&all, &odd]),
            run("atomic", "fat", &[&all]),
            run("scan", "packed", &[&scan, &all]),
            run("scan", "fat", &[&all, &scan, &fat_scan, &odd]),
        ]);
        let shown: Vec<_> = merged.iter().map(|d| (d.message.as_str(), d.variant.as_str())).collect();
        assert_eq!(
            shown,
            [
                ("in all", ""),
                ("in scan", "mode=scan"),
                ("in one", "mode=scan, layout=fat"),
                ("in a diagonal", "mode=atomic, layout=packed and 1 other variant"),
            ]
        );
    }

    #[test]
    fn findings_stand_in_the_order_of_the_text() {
        let mut files = Files::new(Memory::new([("a.ron", "(1, 2)"), ("b.ron", "(1, 2)")]));
        let (b, a) = (files.load("b.ron").unwrap(), files.load("a.ron").unwrap());
        let mut found = vec![at(b, 0, "x"), at(a, 4, "y"), at(a, 1, "z"), at(a, 4, "y")];
        sort(&files, &mut found);
        let places: Vec<_> = found.iter().map(|d| files.place(d.primary.span)).collect();
        assert_eq!(places, ["a.ron:1:2", "a.ron:1:5", "b.ron:1:1"]);
    }
}
